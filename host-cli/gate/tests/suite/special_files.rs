//! Files that git obeys in every clone: whatever `git fsck --strict` refuses in them cannot be pushed.

use crate::support::{
    Repo,
    packer::{self, Packer},
    pushing::{Scene, facts, request},
};
use gate::{
    Fault, FaultKind,
    push::{CheckedPush, PushLimits, check},
};
use gix_object::Kind;

/// A push of one file to a scene, built by hand, because git would refuse to build some of them.
fn push(scene: &Scene, mode: &str, name: &[u8], content: &[u8]) -> Result<CheckedPush, Fault> {
    let mut packer = Packer::new();
    let blob = packer.blob(content);
    let kept = packer::id(Kind::Blob, b"kept\n");
    let mut entries = [(mode, name, blob), ("100644", &b"kept.txt"[..], kept)];
    entries.sort_by_key(|entry| entry.1);
    let tree = packer.tree(&entries);
    let new = packer.commit(tree, &[scene.base], "special\n");
    check(request("topic", Some(scene.base), new, packer.finish()), &scene.target, facts(Some(scene.base)), &limits())
}

fn limits() -> PushLimits {
    PushLimits::default()
}

/// The oracle: whether `git fsck --strict` reports a fault in a repository whose only commit has the file.
fn fsck_refuses(name: &[u8], content: &[u8]) -> bool {
    let repo = Repo::new();
    let write = |kind: &str, data: &[u8]| {
        let id = repo.git_with(&["hash-object", "-w", "-t", kind, "--literally", "--stdin"], data);
        crate::support::hex(id.trim_ascii())
    };
    let tree = write("tree", &packer::tree(&[("100644", name, write("blob", content))]));
    let commit = write("commit", &packer::commit(tree, &[], "special\n"));
    repo.git(&["update-ref", "refs/heads/main", &commit.to_string()]);
    !repo.command(&["fsck", "--strict"]).output().unwrap().status.success()
}

fn module(variables: &str) -> Vec<u8> {
    format!("[submodule \"lib\"]\n\tpath = lib\n\turl = https://example.com/lib.git\n{variables}").into_bytes()
}

#[test]
fn attack_09_what_fsck_refuses_in_gitmodules_is_refused() {
    let scene = Scene::simple();
    let named = |name: &str| format!("[submodule \"{name}\"]\n\tpath = x\n\turl = ./x\n").into_bytes();
    let with_url = |url: &str| format!("[submodule \"x\"]\n\turl = \"{url}\"\n").into_bytes();
    let mut refused = 0;
    let mut contents = vec![
        module(""),
        module("\tupdate = checkout\n"),
        module("\tupdate = !touch /tmp/x\n"),
        module("\tpath = -x\n"),
        module("[submodule.lib]\n\turl = -x\n"),
        module("[SubModule \"../up\"]\n"),
        module("[SubModule \"../up\"]\n\tignore = all\n"),
        b"[submodule]\n\turl = -x\n[other \"..\"]\n\turl = -x\n".to_vec(),
        b"[submodule \"\"]\n\tpath\n".to_vec(),
        b"[submodule \"x\"]\n\turl\n".to_vec(),
        b"".to_vec(),
    ];
    for name in ["../../evil", "a/../b", "a/..", "..", "a\\\\..\\\\b", "a..b", "...", "a/...", "x.y", "a/.b"] {
        contents.push(named(name));
    }
    for url in [
        "-uwhat",
        "--upload-pack=x",
        "./a",
        "../a",
        "../../a/b",
        "..//host/x",
        ".././:x",
        "../:x",
        "..\\\\:x",
        "./%0ahost=evil",
        "../a\\nb",
        "https://example.com/%0ahost=evil",
        "https://example.com/a%0Ab",
        "https://example.com/a%2",
        "https://example.com/a%zz",
        "https:///a",
        "https://",
        "https://@/x",
        "https://user@example.com/a",
        "https://user:p%61ss@example.com:8080/a?b#c",
        "https://a@b@c/x",
        "https://exa mple.com/",
        "https://example.com:0/",
        "https://example.com:65535/",
        "https://example.com:65536/",
        "https://example.com:/",
        "https://example.com:x/",
        "https://[::1]:80/x",
        "http::https://example.com/x",
        "https::example.com/x",
        "http::-x",
        "https::/a",
        "ftp://example.com/../x",
        "ftps://example.com",
        "HTTPS:///x",
        "ssh://host/x",
        "git@github.com:a/b.git",
        "file:///x",
        "ext::sh",
        "",
    ] {
        contents.push(with_url(url));
    }
    for content in contents {
        let by_git = fsck_refuses(b".gitmodules", &content);
        refused += usize::from(by_git);
        let result = push(&scene, "100644", b".gitmodules", &content);
        assert_eq!(result.is_err(), by_git, "{:?} {:?}", String::from_utf8_lossy(&content), result.err());
    }
    assert!(refused > 25, "git was asked, and refused {refused}");
}

#[test]
fn attack_09_gitmodules_that_cannot_be_read_are_refused() {
    let scene = Scene::simple();
    for content in [&b"not a configuration"[..], b"[submodule \"x\"]\n\turl = ./a\0\n", &vec![b'#'; (1 << 20) + 1]] {
        let fault = push(&scene, "100644", b".gitmodules", content).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MalformedObject, "{fault}");
    }
}

#[test]
fn attack_09_every_name_of_gitmodules_counts_in_every_folder() {
    let scene = Scene::simple();
    let evil = b"[submodule \"../../evil\"]\n\turl = ./x\n";
    for name in [".GITMODULES", "gitmod~1", "gi7eba~1", ".git\u{200c}modules", "a\\.gitmodules"] {
        assert!(fsck_refuses(name.as_bytes(), evil), "{name}");
        assert!(push(&scene, "100755", name.as_bytes(), evil).is_err(), "{name}");
    }
    let mut packer = Packer::new();
    let folder = [("100644", &b".gitmodules"[..], packer.blob(evil))];
    let folder = packer.tree(&folder);
    let tree = packer.tree(&[("40000", b"dir", folder)]);
    let new = packer.commit(tree, &[scene.base], "deep\n");
    let pushed = request("topic", Some(scene.base), new, packer.finish());
    assert!(check(pushed, &scene.target, facts(Some(scene.base)), &limits()).is_err());
}

#[test]
fn attack_20_what_fsck_refuses_in_gitattributes_is_refused() {
    let scene = Scene::simple();
    for (length, name) in [(2047, ".gitattributes"), (2048, ".gitattributes"), (5000, "gi7d29~1"), (5000, "other")] {
        let content = [b"# x\n*.a text\n", &vec![b'a'; length][..], b"\n"].concat();
        let by_git = fsck_refuses(name.as_bytes(), &content);
        assert_eq!(by_git, length > 2047 && name != "other");
        assert_eq!(push(&scene, "100644", name.as_bytes(), &content).is_err(), by_git, "{name} {length}");
    }
}

#[test]
fn attack_09_special_names_are_names_of_files() {
    let scene = Scene::simple();
    for (mode, name) in [
        ("40000", ".gitmodules"),
        ("160000", ".gitmodules"),
        ("120000", ".gitmodules"),
        ("40000", ".gitattributes"),
        ("160000", ".gitattributes"),
    ] {
        let mut packer = Packer::new();
        let blob = packer.blob(b"x");
        let id = if mode == "40000" { packer.tree(&[("100644", b"f", blob)]) } else { blob };
        let tree = packer.tree(&[(mode, name.as_bytes(), id)]);
        let new = packer.commit(tree, &[scene.base], "no file\n");
        let pushed = request("topic", Some(scene.base), new, packer.finish());
        let fault = check(pushed, &scene.target, facts(Some(scene.base)), &limits()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::UnsafePath, "{mode} {name}");
    }
}

#[test]
fn attack_09_a_blob_that_the_target_has_is_checked_under_its_new_name() {
    let repo = Repo::new();
    repo.write("doc.txt", "[submodule \"../../evil\"]\n\turl = ./x\n").commit("harmless under this name");
    let scene = Scene::of(repo);
    scene.repo.git(&["mv", "doc.txt", ".gitmodules"]);
    scene.repo.commit("moved");
    let fault = scene.check("topic").unwrap_err();
    assert!(fault.message.contains("has a name that leads outside its folder"), "{fault}");
}

#[test]
fn attack_09_a_link_that_becomes_gitmodules_is_looked_into() {
    let scene = Scene::simple();
    let evil = b"[submodule \"../../evil\"]\n\turl = ./x\n";
    let (blob, mut target) = (packer::id(Kind::Blob, evil), scene.target.clone());
    let tree = packer::tree(&[("120000", b".gitmodules", blob)]);
    let tree_id = packer::id(Kind::Tree, &tree);
    let commit = packer::commit(tree_id, &[], "from before git refused it\n");
    let base = packer::id(Kind::Commit, &commit);
    let old = [(blob, (Kind::Blob, evil.to_vec())), (tree_id, (Kind::Tree, tree)), (base, (Kind::Commit, commit))];
    target.0.extend(old);
    let mut packer = Packer::new();
    let tree = packer.tree(&[("100644", b".gitmodules", blob)]);
    let new = packer.commit(tree, &[base], "a file now\n");
    let pushed = request("topic", Some(base), new, packer.finish());
    let fault = check(pushed, &target, facts(Some(base)), &limits()).unwrap_err();
    assert!(fault.message.contains("has a name that leads outside its folder"), "{fault}");
}

#[test]
fn what_the_branch_has_had_for_long_does_not_stop_a_push() {
    let repo = Repo::new();
    repo.write(".gitattributes", "a".repeat(3000)).commit("old and long");
    let scene = Scene::of(repo);
    scene.repo.write("other", "x\n").commit("unrelated");
    assert!(scene.check("topic").is_ok());
}
