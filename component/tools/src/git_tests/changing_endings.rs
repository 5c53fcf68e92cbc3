//! Compares how the changing tools and git convert line endings and `$Id$`, by attributes and configuration, on the same files.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::testing::{self, Sandbox};

const ATTRIBUTES: &[&str] = &[
    "",
    "* text=auto\n",
    "*.txt text eol=crlf\n",
    "* text eol=lf\n*.bin -text\n",
    "* -text\n*.txt text=auto eol=crlf\n",
    "*.txt text ident\nsub/* -ident eol=crlf\n",
    "*.txt crlf\n*.bin -crlf\n",
];

const CONFIGURATION: &[&[(&str, &str)]] = &[
    &[],
    &[("core.autocrlf", "true")],
    &[("core.autocrlf", "input")],
    &[("core.eol", "crlf")],
    &[("core.eol", "lf"), ("core.autocrlf", "false")],
];

const FILES: &[(&str, &str)] = &[
    ("lf.txt", "one\ntwo\n"),
    ("crlf.txt", "one\r\ntwo\r\n"),
    ("mixed.txt", "one\r\ntwo\n"),
    ("id.txt", "$Id$\none\n$Id: 1234 $\n"),
    ("a.bin", "one\n\0\r\n"),
    ("sub/lf.txt", "one\ntwo\n"),
    ("sub/id.txt", "$Id$\r\none\n"),
];

/// A step of a test: a tool call with the equal git command, or an edit.
enum Step {
    Call(&'static str, Value, &'static [&'static str]),
    /// Appends this text to every file.
    Append(&'static str),
    /// Deletes every file whose name does not begin with a dot.
    Delete,
}

fn steps() -> Vec<Step> {
    use Step::{Append, Call, Delete};
    vec![
        Call("git_add", json!({"all": true}), &["add", "-A"]),
        Call("git_commit", json!({"type": "feat", "message": "one"}), &["commit", "-m", "feat: one"]),
        Call("git_checkout", json!({"create_branch": "other"}), &["checkout", "-b", "other"]),
        Append("three\n"),
        Call("git_stash", json!({}), &["stash"]),
        Call("git_stash", json!({"action": "pop"}), &["stash", "pop"]),
        Call("git_add", json!({"update": true}), &["add", "-u"]),
        Call("git_commit", json!({"type": "feat", "message": "two"}), &["commit", "-m", "feat: two"]),
        Append("four\r\n"),
        Call("git_add", json!({"paths": ["*.txt"]}), &["add", "*.txt"]),
        Call("git_stash", json!({"include_untracked": true}), &["stash", "-u"]),
        Call("git_checkout", json!({"branch": "main"}), &["checkout", "main"]),
        Delete,
        Call("git_restore", json!({"paths": ["."]}), &["restore", "."]),
        Call("git_checkout", json!({"branch": "other"}), &["checkout", "other"]),
        Call("git_stash", json!({"action": "pop", "restore_index": true}), &["stash", "pop", "--index"]),
        Call("git_checkout", json!({"paths": ["lf.txt", "sub"]}), &["checkout", "--", "lf.txt", "sub"]),
    ]
}

/// A repository with these rules and no added file.
fn begin(attributes: &str, configuration: &[(&str, &str)]) -> Sandbox {
    let mut sandbox = Sandbox::with_repository().with_identity();
    for (key, value) in configuration {
        sandbox.git(&["config", key, value]);
    }
    sandbox.write(".gitattributes", attributes);
    for (path, content) in FILES {
        sandbox.write(path, content);
    }
    sandbox
}

fn files(sandbox: &Sandbox) -> Vec<String> {
    let paths = FILES.iter().map(|(path, _)| (*path).to_owned());
    paths.filter(|path| sandbox.exists(path)).collect()
}

/// Makes every file older than the index. Otherwise the second of the write would decide whether git reads a file.
fn settle(sandbox: &mut Sandbox) {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for path in files(sandbox) {
        fs::File::options().append(true).open(sandbox.real(&path)).unwrap().set_modified(then).unwrap();
    }
    sandbox.git_output(&["update-index", "-q", "--refresh"]);
    if let Ok(index) = fs::File::options().append(true).open(sandbox.real(".git/index")) {
        index.set_modified(then + Duration::from_secs(100)).unwrap();
    }
    sandbox.session.forget();
}

/// The index, and every file.
fn state(sandbox: &mut Sandbox) -> (String, Vec<(String, String)>) {
    let index = sandbox.git(&["ls-files", "-s"]);
    let content = |path: String| (path.clone(), format!("{:?}", String::from_utf8_lossy(&sandbox.read(&path))));
    (index, files(sandbox).into_iter().map(content).collect())
}

#[test]
fn files_are_read_and_written_by_attributes_and_configuration_as_git_does() {
    let mut done = 0;
    for attributes in ATTRIBUTES {
        for configuration in CONFIGURATION {
            let (mut ours, mut theirs) = (begin(attributes, configuration), begin(attributes, configuration));
            for (number, step) in steps().into_iter().enumerate() {
                let at = format!("{attributes:?} {configuration:?}, step {number}");
                settle(&mut ours);
                settle(&mut theirs);
                match step {
                    Step::Call(tool, arguments, command) => {
                        let said = testing::git(&theirs.root(), command);
                        let called = ours.calling(tool, arguments).approved();
                        assert_eq!(called.is_ok(), said.status.success(), "{at}: {called:?} {said:?}");
                        done += usize::from(called.is_ok());
                    }
                    Step::Append(line) => {
                        for sandbox in [&ours, &theirs] {
                            for path in files(sandbox) {
                                sandbox.write(&path, [sandbox.read(&path).as_slice(), line.as_bytes()].concat());
                            }
                        }
                    }
                    Step::Delete => {
                        for sandbox in [&ours, &theirs] {
                            files(sandbox).iter().for_each(|path| fs::remove_file(sandbox.real(path)).unwrap());
                        }
                    }
                }
                assert_eq!(state(&mut ours), state(&mut theirs), "{at}");
            }
        }
    }
    assert!(done >= 400, "{done} calls did something");
}
