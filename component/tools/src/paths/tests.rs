//! Which paths a caller may name, checked through every tool that takes one.

use serde_json::{Value, json};

use super::{Access, is_git_folder_name};
use crate::error::ToolError;
use crate::options::Options;
use crate::testing::Sandbox;

/// Calls of every file tool that name `path`. Their other arguments suit [`sample`].
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    let mut calls = changing_calls(path);
    calls.extend([
        ("read_file", json!({"path": path})),
        ("list_files", json!({"path": path})),
        ("search_files", json!({"pattern": "", "path": path})),
    ]);
    calls
}

/// Those of the calls that would change something.
fn changing_calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("write_file", json!({"path": path, "content": "attack"})),
        ("edit_file", json!({"path": path, "old": "secret", "new": "attack"})),
        ("move_file", json!({"from": "a.md", "to": path})),
        ("move_file", json!({"from": path, "to": "moved"})),
        ("delete_file", json!({"path": path, "recursive": true})),
    ]
}

/// Those of the calls that follow a link to its target.
fn following_calls(path: &str) -> Vec<(&'static str, Value)> {
    calls(path).into_iter().filter(|(tool, _)| !matches!(*tool, "move_file" | "delete_file")).collect()
}

/// A repository, a file and a folder beside its `.git`, and something outside that must stay closed.
fn sample() -> Sandbox {
    let sandbox = Sandbox::with(Options::default(), &[("docs", false), ("out", true)]);
    sandbox.write(".git/config", "secret");
    sandbox.write(".git/hooks/pre-commit", "secret");
    sandbox.write("a.md", "secret");
    sandbox.write("folder/b.md", "secret");
    sandbox.write("/docs/c.md", "secret");
    sandbox.write("/elsewhere/secret", "secret");
    sandbox
}

/// Asserts that each of `calls` is a sandbox violation and changes nothing.
fn assert_refused(sandbox: &mut Sandbox, calls: Vec<(&'static str, Value)>) {
    let before = sandbox.tree();
    for (tool, arguments) in calls {
        let error = sandbox.fail(tool, arguments.clone());
        assert_eq!(error.kind.name(), "sandbox-violation", "{tool} {arguments}: {error:?}");
        assert!(!error.hint.is_empty(), "{tool} {arguments}");
    }
    assert_eq!(sandbox.tree(), before);
}

/// Names that some filesystem treats as `.git`.
const ALIASES: &[&str] = &[
    ".git",
    ".GIT",
    ".Git",
    ".g\u{200c}it",
    "\u{200c}.git",
    ".git\u{200d}",
    ".\u{feff}GiT",
    ".gi\u{202e}t",
    ".g\u{206a}i\u{200e}t",
    "git~1",
    "GIT~1",
    ".git ",
    ".git.",
    ".git. . ",
    ".git::$INDEX_ALLOCATION",
    ".git...:stream",
    ".git:stream",
    "folder\\.git",
    ".git\\config",
    "\\.GIT \\x",
];

#[test]
fn attack_02_a_working_folder_is_in_a_zone() {
    let sandbox = sample();
    sandbox.symlink("..", "link-up");
    sandbox.symlink("/", "link-root");
    for named in ["..", "/", "/etc", "/workspace/..", "/elsewhere", "folder/../..", "link-up", "link-root", ".git"] {
        let error = sandbox.session.zones.working_dir(Some(named)).unwrap_err();
        assert_eq!(error.kind.name(), "sandbox-violation", "{named}");
    }
    for named in ["none", "a.md"] {
        sandbox.session.zones.working_dir(Some(named)).unwrap_err();
    }
    let zones = &sandbox.session.zones;
    for (named, shown) in [(None, "/workspace"), (Some("folder"), "/workspace/folder"), (Some("/out"), "/out")] {
        assert_eq!(zones.working_dir(named).unwrap().shown(), shown);
    }
}

#[test]
fn attack_03_no_path_leaves_its_zone() {
    for path in [
        "..",
        "../elsewhere/secret",
        "folder/../../elsewhere/secret",
        "folder/../a.md",
        "/workspace/../elsewhere/secret",
        "/elsewhere/secret",
        "/etc/passwd",
        "/",
        "//",
        "/Workspace/a.md",
        "/workspace2/a.md",
        "/workspacea.md",
    ] {
        assert_refused(&mut sample(), calls(path));
    }
}

#[test]
fn attack_03_a_read_only_zone_is_not_written() {
    for path in ["/docs/c.md", "/docs/new.md", "/docs/new/deep.md", "/docs"] {
        assert_refused(&mut sample(), changing_calls(path));
    }
    let mut sandbox = sample();
    assert_eq!(sandbox.ok("read_file", json!({"path": "/docs/c.md"})).text, "secret");
    sandbox.symlink("../docs", "link");
    let link = sandbox.real("/docs");
    sandbox.symlink(link, "absolute-link");
    for path in ["absolute-link/c.md", "absolute-link/new.md"] {
        assert_refused(&mut sandbox, changing_calls(path));
    }
    // A relative link cannot climb above its zone.
    assert_refused(&mut sandbox, calls("link/c.md"));
}

#[test]
fn attack_07_every_alias_of_the_git_folder_is_refused_by_every_tool() {
    let mut sandbox = sample();
    for alias in ALIASES {
        for path in [
            (*alias).to_owned(),
            format!("{alias}/config"),
            format!("./{alias}/hooks/pre-commit"),
            format!("folder/{alias}"),
            format!("folder/{alias}/b"),
            format!("/workspace/{alias}/config"),
            format!("/workspace//{alias}/"),
            format!("/out/{alias}/x"),
        ] {
            assert_refused(&mut sandbox, calls(&path));
        }
    }
}

#[test]
fn attack_07_names_that_only_look_like_it_are_allowed() {
    let mut sandbox = sample();
    for name in [
        ".gitignore",
        ".gitmodules",
        ".gitattributes",
        ".github",
        "git",
        "git~10",
        ".gita",
        "x.git",
        "..git",
        ".git-x",
        "…git",
    ] {
        assert!(!is_git_folder_name(name.as_bytes()), "{name}");
        sandbox.ok("write_file", json!({"path": format!("names/{name}"), "content": "x"}));
    }
}

#[test]
fn attack_07_the_git_folder_is_neither_listed_nor_searched() {
    let mut sandbox = sample();
    sandbox.write("folder/.git/config", "secret");
    sandbox.write("folder/.GIT", "secret");
    assert_eq!(sandbox.ok("list_files", json!({"recursive": true})).text, "a.md\nfolder/\nfolder/b.md\n");
    assert_eq!(sandbox.ok("search_files", json!({"pattern": "secret"})).structured()["count"], 2);
}

#[test]
fn attack_07_the_git_folder_is_known_under_any_name_that_it_is_given() {
    let mut sandbox = sample();
    // The link leads to the same folder, whatever the path to it.
    sandbox.symlink(".git", "link");
    sandbox.symlink("link", "link-to-link");
    sandbox.symlink("folder/../.git/hooks", "hooks");
    let real = sandbox.real(".git");
    sandbox.symlink(real, "absolute");
    for path in ["link/config", "link-to-link/config", "hooks/pre-commit", "absolute/config", "link/hooks/new"] {
        assert_refused(&mut sandbox, calls(path));
    }
    for path in ["link", "link-to-link", "hooks", "absolute"] {
        assert_refused(&mut sandbox, following_calls(path));
    }
}

#[test]
fn attack_08_a_link_that_would_make_an_alias_is_not_followed() {
    let mut sandbox = sample();
    sandbox.symlink(".GIT", "upper");
    sandbox.symlink("folder/.git", "nested");
    sandbox.symlink("git~1/hooks", "short");
    for path in ["upper/hooks/x", "nested/config", "short/x"] {
        assert_refused(&mut sandbox, calls(path));
    }
}

#[test]
fn attack_08_a_link_out_of_the_zone_is_not_followed() {
    let mut sandbox = sample();
    let elsewhere = sandbox.real("/elsewhere");
    sandbox.symlink("../elsewhere", "up");
    sandbox.symlink("../../elsewhere", "folder/up");
    sandbox.symlink("/etc", "etc");
    sandbox.symlink("/", "root");
    sandbox.symlink(&elsewhere, "absolute");
    sandbox.symlink("folder/up", "chain");
    for link in ["up", "folder/up", "etc", "root", "absolute", "chain"] {
        assert_refused(&mut sandbox, calls(&format!("{link}/secret")));
        assert_refused(&mut sandbox, following_calls(link));
    }
    // The links themselves belong to the sandbox, and tools show them as links.
    let listed = sandbox.ok("list_files", json!({})).structured();
    assert_eq!(
        listed["entries"][1],
        json!({"path": "/workspace/absolute", "kind": "link", "target": elsewhere.to_str().unwrap()})
    );
    sandbox.ok("delete_file", json!({"path": "up", "recursive": true}));
    assert_eq!(sandbox.read("/elsewhere/secret"), b"secret");
}

#[test]
fn attack_08_a_loop_of_links_ends() {
    let mut sandbox = sample();
    sandbox.symlink("loop", "loop");
    sandbox.symlink("two", "one");
    sandbox.symlink("./one", "two");
    sandbox.symlink(".", "here");
    let before = sandbox.tree();
    for path in ["loop", "one", "two/x", &"here/".repeat(41)] {
        for tool in ["read_file", "list_files"] {
            let error = sandbox.fail(tool, json!({"path": path}));
            assert!(error.message.starts_with("Too many levels of symbolic links: "), "{tool} {path}: {error:?}");
        }
        sandbox.fail("write_file", json!({"path": path, "content": "x"}));
    }
    assert_eq!(sandbox.tree(), before);
    // A recursive walk follows no links.
    assert_eq!(
        sandbox.ok("list_files", json!({"recursive": true})).text,
        "a.md\nfolder/\nfolder/b.md\nhere\nloop\none\ntwo\n"
    );
}

#[test]
fn attack_08_links_inside_the_zones_are_followed() {
    let sandbox = sample();
    let docs = sandbox.real("/docs");
    sandbox.symlink("folder", "link");
    sandbox.symlink("../a.md", "folder/up.md");
    sandbox.symlink(docs, "docs");
    for (named, access, shown) in [
        ("link/b.md", Access::Read, "/workspace/folder/b.md"),
        ("folder/up.md", Access::Write, "/workspace/a.md"),
        ("link/up.md", Access::Read, "/workspace/a.md"),
        ("docs/c.md", Access::Read, "/docs/c.md"),
        ("link", Access::Entry, "/workspace/link"),
        ("link", Access::Look, "/workspace/link"),
        ("link/up.md", Access::Look, "/workspace/folder/up.md"),
        ("link/new/deep.md", Access::Write, "/workspace/folder/new/deep.md"),
    ] {
        let zones = &sandbox.session.zones;
        assert_eq!(
            zones.resolve(named, &zones.workspace(), access).map(|path| path.shown()),
            Ok(shown.to_owned()),
            "{named}"
        );
    }
}

#[test]
fn a_relative_path_starts_from_its_base() {
    let sandbox = sample();
    let zones = &sandbox.session.zones;
    let folder = zones.working_dir(Some("folder")).unwrap();
    let shown = |named: &str| -> Result<String, ToolError> { Ok(zones.resolve(named, &folder, Access::Read)?.shown()) };
    assert_eq!(shown("b.md"), Ok("/workspace/folder/b.md".to_owned()));
    assert_eq!(shown("."), Ok("/workspace/folder".to_owned()));
    assert_eq!(shown("/workspace/a.md"), Ok("/workspace/a.md".to_owned()));
    assert_eq!(shown("../a.md"), Err(ToolError::outside("../a.md")));
}

#[test]
fn a_path_knows_where_it_is() {
    let sandbox = sample();
    let zones = &sandbox.session.zones;
    let path = zones.resolve("folder/b.md", &zones.workspace(), Access::Read).unwrap();
    assert_eq!((path.real(), path.relative()), (sandbox.real("folder/b.md"), "folder/b.md".to_owned()));
    assert_eq!(path.parent().unwrap().join("x").shown(), "/workspace/folder/x");
    assert!(path.is_in_workspace() && !path.is_root());
    let docs = zones.zone("docs").unwrap();
    assert!(!docs.is_in_workspace() && docs.is_root() && docs.parent().is_none());
    assert!(zones.zone("elsewhere").is_none());
}
