//! The content of objects: new ones follow `git fsck --strict` and the path rules, supplied ones only the path rules.

use crate::support::{
    Repo,
    packer::{self, Packer},
};
use gate::{
    FaultKind,
    pack::{Origin, PackLimits, verify},
};
use gix_hash::ObjectId;
use gix_object::Kind;

fn checked(kind: Kind, data: &[u8], origin: Origin) -> Option<FaultKind> {
    let mut packer = Packer::new();
    packer.object(kind, data);
    verify(packer.finish(), &PackLimits::push(), origin).err().map(|fault| fault.kind)
}

fn blob() -> ObjectId {
    packer::id(Kind::Blob, b"content\n")
}

/// Whether `git fsck --strict` rejects the object itself.
fn git_refuses(repo: &Repo, kind: &str, data: &[u8]) -> bool {
    let id = repo.git_with(&["hash-object", "-w", "-t", kind, "--literally", "--stdin"], data);
    let id = String::from_utf8(id).unwrap();
    let output = repo.command(&["fsck", "--strict", "--no-dangling", id.trim()]).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    std::fs::remove_file(repo.path().join(".git/objects").join(&id[..2]).join(id[2..].trim())).unwrap();
    said.lines().any(|line| line.contains(&format!("in {kind} {}", id.trim())))
}

#[test]
fn attack_07_unsafe_names_are_refused_whoever_supplies_them() {
    for name in [
        ".git",
        ".GIT",
        ".gIt",
        "git~1",
        "GIT~1",
        ".git.",
        ".git ",
        ".git. .",
        ".git::$INDEX_ALLOCATION",
        ".git...:stream",
        ".g\u{200c}it",
        ".git\u{200d}",
        "\u{feff}.git",
        "a\\.git",
        ".git\\b",
        ".",
        "..",
        "a/b",
        "a/.git/b",
        "/a",
        "a\\..\\b",
        "",
    ] {
        for (mode, id) in [("100644", blob()), ("40000", packer::id(Kind::Tree, b"")), ("120000", blob())] {
            let tree = packer::tree(&[(mode, name.as_bytes(), id)]);
            for origin in [Origin::New, Origin::Supplied] {
                assert_eq!(
                    checked(Kind::Tree, &tree, origin),
                    Some(FaultKind::UnsafePath),
                    "{name:?} {mode} {origin:?}"
                );
            }
        }
    }
}

#[test]
fn attack_09_a_symlink_named_gitmodules_is_refused_under_every_alias() {
    for name in [".gitmodules", ".GitModules", "gitmod~1", "gi7eba~1", ".gitmodules ", ".git\u{200c}modules"] {
        let link = packer::tree(&[("120000", name.as_bytes(), blob())]);
        let file = packer::tree(&[("100644", name.as_bytes(), blob())]);
        for origin in [Origin::New, Origin::Supplied] {
            assert_eq!(checked(Kind::Tree, &link, origin), Some(FaultKind::UnsafePath), "{name:?}");
            assert_eq!(checked(Kind::Tree, &file, origin), None, "{name:?}");
        }
    }
}

#[test]
fn a_name_stands_once_in_a_folder_whoever_supplies_it() {
    let (file, folder) = (blob(), packer::id(Kind::Tree, b""));
    for tree in [
        packer::tree(&[("100644", b"a", file), ("100644", b"a", file)]),
        packer::tree(&[("100644", b"a", file), ("40000", b"a", folder)]),
        packer::tree(&[
            ("100644", b"a", file),
            ("100644", b"a-b", file),
            ("100644", b"a.txt", file),
            ("40000", b"a", folder),
        ]),
        packer::tree(&[("100644", b"b", file), ("100644", b"a", file), ("100644", b"b", file)]),
    ] {
        for origin in [Origin::New, Origin::Supplied] {
            assert!(checked(Kind::Tree, &tree, origin).is_some(), "{origin:?} {:?}", String::from_utf8_lossy(&tree));
        }
    }
}

#[test]
fn faults_of_format_in_trees_are_refused_in_new_ones_only() {
    let (file, folder) = (blob(), packer::id(Kind::Tree, b""));
    for (why, tree) in [
        ("zero-padded mode", packer::tree(&[("040000", b"a", folder)])),
        ("group-writable", packer::tree(&[("100664", b"a", file)])),
        ("unsorted", packer::tree(&[("100644", b"b", file), ("100644", b"a", file)])),
        ("folder sorted as a file", packer::tree(&[("40000", b"a", folder), ("100644", b"a.txt", file)])),
        ("null id", packer::tree(&[("100644", b"a", ObjectId::null(gix_hash::Kind::Sha1))])),
    ] {
        assert_eq!(checked(Kind::Tree, &tree, Origin::New), Some(FaultKind::MalformedObject), "{why}");
        assert_eq!(checked(Kind::Tree, &tree, Origin::Supplied), None, "{why}");
    }
}

#[test]
fn trees_that_no_git_can_read_are_refused_always() {
    let good = packer::tree(&[("100644", b"a", blob())]);
    for tree in [
        &good[..good.len() - 1],
        b"100644 a",
        b"100644",
        b"\0",
        b"8 a\0",
        b"170000 a\0aaaaaaaaaaaaaaaaaaaa",
        b" a\0aaaaaaaaaaaaaaaaaaaa",
    ] {
        for origin in [Origin::New, Origin::Supplied] {
            assert!(checked(Kind::Tree, tree, origin).is_some(), "{origin:?} {:?}", String::from_utf8_lossy(tree));
        }
    }
}

const WHO: &str = "A U Thor <author@example.com> 1700000000 +0000";

fn commit(headers: &str) -> Vec<u8> {
    format!("tree {}\n{headers}", packer::id(Kind::Tree, b"")).into_bytes()
}

#[test]
fn commits_with_the_headers_that_git_writes_are_taken() {
    let (parent, other) = (blob(), packer::id(Kind::Blob, b"other\n"));
    for headers in [
        format!("author {WHO}\ncommitter {WHO}\n\nmessage\n"),
        format!("author {WHO}\ncommitter {WHO}\n\n"),
        format!("parent {parent}\nparent {other}\nauthor {WHO}\ncommitter {WHO}\n\nm"),
    ] {
        assert_eq!(checked(Kind::Commit, &commit(&headers), Origin::New), None, "{headers}");
    }
}

#[test]
fn attack_19_commits_with_any_other_header_are_refused_in_new_ones_only() {
    for headers in [
        format!("author {WHO}\ncommitter {WHO}\nsecret stowaway\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\nmergetag object x\n type commit\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\ngpgsig-sha256 x\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\nencoding UTF-7\n\n+AGUAdgBpAGw-\n"),
        format!("author {WHO}\ncommitter {WHO}\nencoding UTF-8\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\ngpgsig -----BEGIN\n \n KEY=hunter2\n -----END\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\nauthor {WHO}\n\nm"),
        format!("author {WHO}\ncommitter {WHO}\n\nmessage with a \0 in it"),
        "author A <a> 01 +0000\ncommitter A <a> 1 +0000\n\nm".to_owned(),
        "author A<a> 1 +0000\ncommitter A <a> 1 +0000\n\nm".to_owned(),
        "author A <a> 1 +0000\ncommitter A <a> 1\n\nm".to_owned(),
    ] {
        let commit = commit(&headers);
        assert_eq!(checked(Kind::Commit, &commit, Origin::New), Some(FaultKind::MalformedObject), "{headers}");
        assert_eq!(checked(Kind::Commit, &commit, Origin::Supplied), None, "{headers}");
    }
}

#[test]
fn commits_without_their_parts_are_refused_always() {
    for data in [
        b"".to_vec(),
        b"tree 1234\n".to_vec(),
        commit(""),
        commit(&format!("author {WHO}\n\nm")),
        commit(&format!("committer {WHO}\nauthor {WHO}\n\nm")),
        commit(&format!("parent xyz\nauthor {WHO}\ncommitter {WHO}\n\nm")),
        [b"TREE".as_slice(), &commit(&format!("author {WHO}\ncommitter {WHO}\n\nm"))[4..]].concat(),
    ] {
        for origin in [Origin::New, Origin::Supplied] {
            assert_eq!(
                checked(Kind::Commit, &data, origin),
                Some(FaultKind::MalformedObject),
                "{:?}",
                String::from_utf8_lossy(&data)
            );
        }
    }
}

#[test]
fn tags_are_checked() {
    let tag = |rest: &str| format!("object {}\n{rest}", blob()).into_bytes();
    let good = format!("type blob\ntag v1\ntagger {WHO}\n\nmessage\n");
    assert_eq!(checked(Kind::Tag, &tag(&good), Origin::New), None);
    for rest in [
        format!("type blob\ntag v1\ntagger {WHO}\nmore x\n\nm"),
        "type blob\ntag v1\n\nm".to_owned(),
        format!("type blob\ntag v..1\ntagger {WHO}\n\nm"),
        format!("type blob\ntag v1\ntagger {WHO}\n\n\0"),
    ] {
        assert_eq!(checked(Kind::Tag, &tag(&rest), Origin::New), Some(FaultKind::MalformedObject), "{rest}");
        assert_eq!(checked(Kind::Tag, &tag(&rest), Origin::Supplied), None, "{rest}");
    }
    for data in [tag(""), tag("type thing\ntag v1\n"), tag("type blob\n"), b"object x\n".to_vec()] {
        assert_eq!(checked(Kind::Tag, &data, Origin::Supplied), Some(FaultKind::MalformedObject));
    }
}

/// `Origin::New` refuses everything that `git fsck --strict` rejects.
#[test]
fn new_objects_are_held_at_least_as_strictly_as_git_holds_them() {
    let repo = Repo::new();
    let (file, folder) = (blob(), packer::id(Kind::Tree, b""));
    let mut refused = 0;
    for name in [
        &b"a"[..],
        b".git",
        b".GIT",
        b"git~1",
        b".git.",
        b".git ",
        b".git:x",
        b".",
        b"..",
        b".gitmodules",
        b"a\\.git",
        b"a\\b",
        ".g\u{200c}it".as_bytes(),
        ".git\u{200c}modules".as_bytes(),
        b"gi7eba~1",
        b"gitmod~1",
        b".gitattributes",
        b".gitignore",
    ] {
        for (mode, id) in [
            ("100644", file),
            ("100755", file),
            ("120000", file),
            ("40000", folder),
            ("040000", folder),
            ("100664", file),
            ("0", file),
        ] {
            let tree = packer::tree(&[(mode, name, id)]);
            if git_refuses(&repo, "tree", &tree) {
                // Git only warns about these, and they are harmless: clones do not follow them.
                let remark = mode == "120000" && matches!(name, b".gitattributes" | b".gitignore");
                refused += 1;
                assert!(
                    remark || checked(Kind::Tree, &tree, Origin::New).is_some(),
                    "{mode} {:?}",
                    String::from_utf8_lossy(name)
                );
            }
        }
    }
    for who in [
        "A <a> 1 +0000",
        "A <a> 01 +0000",
        "A<a> 1 +0000",
        "<a> 1 +0000",
        "A <a 1 +0000",
        "A <a> x +0000",
        "A <a> 1 0000",
        "A <a>",
        "",
        "A > <a> 1 +0000",
        "A <a> 99999999999999999999 +0000",
    ] {
        for data in [
            commit(&format!("author {who}\ncommitter {WHO}\n\nm")),
            commit(&format!("author {WHO}\ncommitter {who}\n\nm")),
        ] {
            if git_refuses(&repo, "commit", &data) {
                refused += 1;
                assert!(checked(Kind::Commit, &data, Origin::New).is_some(), "{who}");
            }
        }
    }
    assert!(refused > 60, "git was asked, and refused {refused}");
}

#[test]
fn attack_21_parents_stand_once_and_are_not_too_many_in_new_commits() {
    let with = |parents: &[ObjectId]| {
        let named: String = parents.iter().map(|id| format!("parent {id}\n")).collect();
        commit(&format!("{named}author {WHO}\ncommitter {WHO}\n\nm"))
    };
    let some = |count: u8| (0..count).map(|number| packer::id(Kind::Blob, &[number])).collect::<Vec<_>>();
    assert_eq!(checked(Kind::Commit, &with(&some(128)), Origin::New), None);
    let twice = [blob(), packer::id(Kind::Blob, b"other\n"), blob()];
    for parents in [some(129), twice.to_vec()] {
        assert_eq!(checked(Kind::Commit, &with(&parents), Origin::New), Some(FaultKind::MalformedObject));
        assert_eq!(checked(Kind::Commit, &with(&parents), Origin::Supplied), None);
    }
}

#[test]
fn attack_21_a_commit_that_nobody_could_read_is_refused_in_new_ones_only() {
    let long = commit(&format!("author {WHO}\ncommitter {WHO}\n\n{}", "m".repeat(1 << 20)));
    assert_eq!(checked(Kind::Commit, &long, Origin::New), Some(FaultKind::MalformedObject));
    assert_eq!(checked(Kind::Commit, &long, Origin::Supplied), None);
}

#[test]
fn attack_19_names_of_empty_folders_are_refused_in_new_trees_only() {
    let tree = packer::tree(&[("40000", b"KEY=hunter2", packer::id(Kind::Tree, b""))]);
    assert_eq!(checked(Kind::Tree, &tree, Origin::New), Some(FaultKind::MalformedObject));
    assert_eq!(checked(Kind::Tree, &tree, Origin::Supplied), None);
    assert_eq!(checked(Kind::Tree, b"", Origin::New), None, "a commit may take away every file");
}

#[test]
fn a_refused_commit_says_what_to_do() {
    let mut packer = Packer::new();
    packer.object(Kind::Commit, &commit(&format!("author {WHO}\ncommitter {WHO}\ngpgsig x\n\nm")));
    let fault = verify(packer.finish(), &PackLimits::push(), Origin::New).unwrap_err();
    assert!(
        fault.message.ends_with("has a signature that was not made here, and that a review cannot show"),
        "{fault}"
    );
    assert_eq!(fault.hint, "commit without a signature");
}
