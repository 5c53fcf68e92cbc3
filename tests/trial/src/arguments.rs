//! Random arguments for every tool: most of them good, many of them bad.

use fastrand::Rng;
use serde_json::{Map, Value, json};

const PATHS: &[&str] = &[
    "a.md",
    "b.txt",
    "dir/c.rs",
    "dir/sub/d",
    "with space.txt",
    "ünï/cödé.md",
    "README.md",
    "src/main.rs",
    "/workspace/a.md",
    "/workspace/dir/c.rs",
    "/notes/n.md",
    "dir",
    "src",
    ".gitignore",
    "ignored.log",
];

const BAD_PATHS: &[&str] = &[
    "",
    ".",
    "/",
    "..",
    "../a",
    "/etc/passwd",
    "/workspace/../etc",
    ".git/config",
    ".GIT/hooks/pre-commit",
    "git~1/config",
    "dir/.git/x",
    "a\u{0}b",
    "/reference/r.md",
    "-rf",
    ":(top)a",
    "a.md/below",
];

const TEXTS: &[&str] = &[
    "",
    "one\n",
    "one\ntwo\nthree\n",
    "no end of line",
    "crlf\r\nlines\r\n",
    "<<<<<<< ours\n",
    "\u{1b}[31mred\u{202e}\n",
    "*.log\n/build/\n",
    "fn main() {}\n",
    "ünïcödé\n",
];

const REVISIONS: &[&str] =
    &["HEAD", "HEAD~1", "HEAD~99", "main", "origin/main", "v1", "0000000", "--output=x", "HEAD^{tree}", ""];

/// A tool and arguments for it, as JSON. `ids` are possible commits.
pub fn random(rng: &mut Rng, ids: &[String]) -> (String, String) {
    let (tool, mut arguments) = good(rng, ids);
    match rng.u32(0..60) {
        0 => {
            return (
                tool.to_owned(),
                rng.choice(&["", "{", "[]", "null", "7", "{\"path\": }", "\"text\""])
                    .expect("there are some")
                    .to_string(),
            );
        }
        1 => return ("no_such_tool".to_owned(), arguments.to_string()),
        2 => arguments["no_such_field"] = json!(1),
        3 => spoil(rng, &mut arguments),
        4 => remove_one(rng, &mut arguments),
        _ => {}
    }
    (tool.to_owned(), arguments.to_string())
}

fn good(rng: &mut Rng, ids: &[String]) -> (&'static str, Value) {
    match rng.u32(0..100) {
        0..22 => ("write_file", write(rng)),
        22..30 => (
            "edit_file",
            json!({ "path": path(rng), "old": pick(rng, TEXTS), "new": pick(rng, TEXTS), "all": rng.bool() }),
        ),
        30..34 => ("read_file", json!({ "path": path(rng), "offset": rng.u32(1..4), "limit": rng.u32(1..9) })),
        34..38 => ("list_files", json!({ "path": path(rng), "recursive": rng.bool(), "limit": rng.u32(1..60) })),
        38..42 => (
            "search_files",
            json!({ "pattern": pick(rng, &["one", "(?i)FN", ".", "(", "^$", "a|b"]), "glob": pick(rng, &["*", "*.md", "dir/**", "["]) }),
        ),
        42..45 => ("move_file", json!({ "from": path(rng), "to": path(rng) })),
        45..48 => ("delete_file", json!({ "path": path(rng), "recursive": rng.bool() })),
        48..52 => ("git_status", json!({ "porcelain": rng.bool(), "branch": rng.bool(), "untracked": rng.bool() })),
        52..56 => ("git_diff", diff(rng, ids)),
        56..58 => ("git_log", json!({ "max_count": rng.u32(1..9), "path": path(rng) })),
        58..60 => ("git_show", json!({ "commit": revision(rng, ids) })),
        60..68 => ("git_stage", stage(rng)),
        68..85 => change(rng, ids),
        85..88 => ("git_push", push(rng, ids)),
        88..92 => ("git_discard", json!({ "commitId": revision(rng, ids) })),
        92..95 => ("sandbox_history", json!({ "limit": rng.u32(1..30) })),
        95..98 => ("sandbox_undo", json!({ "steps": rng.u32(1..4) })),
        _ => ("sandbox_import", json!({})),
    }
}

fn write(rng: &mut Rng) -> Value {
    let mut arguments = json!({ "path": path(rng), "content": text(rng) });
    match rng.u32(0..6) {
        0 => arguments["executable"] = json!(rng.bool()),
        1 => {
            arguments["encoding"] = json!("base64");
            arguments["content"] = json!(pick(rng, &["AP/+gIGC", "", "not base64!", "8J+mgA=="]));
        }
        _ => {}
    }
    arguments
}

/// Often the whole folder, so that there is something to stage.
fn stage(rng: &mut Rng) -> Value {
    let mut files: Vec<String> = (0..rng.u32(1..4)).map(|_| path(rng)).collect();
    if rng.bool() {
        files = vec!["/workspace".to_owned()];
    }
    json!({ "files": files, "message": pick(rng, &["Change", "Change\n\nWith a body\n", "#comment\n", " ", "\u{1b}[31mred"]) })
}

/// A call that changes the repository.
fn change(rng: &mut Rng, ids: &[String]) -> (&'static str, Value) {
    let branch = |rng: &mut Rng| pick(rng, &["main", "topic", "new", "new", "a/b", "-x", "HEAD"]).to_owned();
    match rng.u32(0..20) {
        0..3 => ("git_add", json!({ "all": true })),
        3 => ("git_add", json!({ "paths": [path(rng), path(rng)] })),
        4 => ("git_restore", json!({ "paths": [path(rng)], "staged": rng.bool() })),
        5..8 => ("git_commit", json!({ "type": "feat", "message": pick(rng, &["Change", "Two\n\nlines", "#", ""]) })),
        8 => ("git_branch", json!({ "create": branch(rng) })),
        9 => ("git_branch", json!({ "rename": branch(rng), "new_name": branch(rng) })),
        10 => (
            "git_branch",
            match rng.bool() {
                true => json!({ "delete": branch(rng) }),
                false => json!({ "force_delete": branch(rng) }),
            },
        ),
        11 => ("git_checkout", json!({ "branch": branch(rng) })),
        12 => (
            "git_checkout",
            match rng.u32(0..3) {
                0 => json!({ "create_branch": branch(rng) }),
                1 => json!({ "commit": revision(rng, ids) }),
                _ => json!({ "paths": [path(rng)] }),
            },
        ),
        13 => ("git_stash", json!({ "include_untracked": rng.bool(), "message": text(rng) })),
        14 => ("git_stash", json!({ "action": pick(rng, &["pop", "apply"]), "restore_index": rng.bool() })),
        15 => {
            let action = pick(rng, &["list", "show", "drop", "clear", "pop"]);
            ("git_stash", json!({ "action": action }))
        }
        16 => {
            let abort = rng.u32(0..3) == 0;
            ("git_merge_branch", json!({ "branch": branch(rng), "no_ff": rng.bool(), "abort": abort }))
        }
        17 => ("git_cherry_pick", json!({ "commit": revision(rng, ids), "abort": rng.u32(0..3) == 0 })),
        18 => ("git_revert", json!({ "commit": revision(rng, ids), "abort": rng.u32(0..3) == 0 })),
        _ => match rng.bool() {
            true => ("git_tag", json!({ "create": branch(rng), "message": text(rng) })),
            false => ("git_tag", json!({ "delete": branch(rng) })),
        },
    }
}

fn diff(rng: &mut Rng, ids: &[String]) -> Value {
    match rng.u32(0..7) {
        0 => json!({}),
        1 => json!({ "cached": true }),
        2 => json!({ "stat": true, "unified": 0 }),
        3 => json!({ "name_only": true, "paths": [path(rng)] }),
        4 => json!({ "from_ref": revision(rng, ids), "to_ref": revision(rng, ids) }),
        5 => json!({ "from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": path(rng) }),
        _ => json!({ "commitId": revision(rng, ids) }),
    }
}

fn push(rng: &mut Rng, ids: &[String]) -> Value {
    let mut arguments = json!({ "commitId": revision(rng, ids) });
    if rng.u32(0..3) == 0 {
        arguments["only"] = json!(true);
    }
    match rng.u32(0..6) {
        0 => {}
        1 => {
            arguments["target"] =
                json!({ "type": "local", "path": "/made/up", "branch": pick(rng, &["main", "new", "../config", "-x"]) })
        }
        2 => arguments["target"] = json!({ "type": "ftp", "path": "/made/up" }),
        _ => arguments["target"] = json!({ "type": "local", "path": "/made/up" }),
    }
    arguments
}

fn path(rng: &mut Rng) -> String {
    match rng.u32(0..16) {
        0 => pick(rng, BAD_PATHS).to_owned(),
        1 if rng.u32(0..4) == 0 => "long".repeat(rng.usize(1..400)),
        _ => pick(rng, PATHS).to_owned(),
    }
}

fn text(rng: &mut Rng) -> String {
    match rng.u32(0..8) {
        0 => (0..rng.u32(1..400)).map(|n| format!("line {n}\n")).collect(),
        1 => (0..rng.u32(1..6)).map(|_| pick(rng, TEXTS)).collect(),
        _ => pick(rng, TEXTS).to_owned(),
    }
}

fn revision(rng: &mut Rng, ids: &[String]) -> String {
    match rng.choice(ids) {
        Some(id) if rng.u32(0..3) > 0 => id.clone(),
        _ => pick(rng, REVISIONS).to_owned(),
    }
}

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    rng.choice(from).expect("there is something to pick from")
}

fn fields(arguments: &mut Value) -> &mut Map<String, Value> {
    arguments.as_object_mut().expect("arguments are an object")
}

/// Gives one field a value of a wrong type.
fn spoil(rng: &mut Rng, arguments: &mut Value) {
    let value = rng
        .choice(&[json!(null), json!(-1), json!(1.5), json!([]), json!({}), json!(true), json!("\u{7f}")])
        .expect("there are some")
        .clone();
    let fields = fields(arguments);
    if let Some(name) = rng.choice(fields.keys().cloned().collect::<Vec<_>>()) {
        fields.insert(name, value);
    }
}

fn remove_one(rng: &mut Rng, arguments: &mut Value) {
    let fields = fields(arguments);
    if let Some(name) = rng.choice(fields.keys().cloned().collect::<Vec<_>>()) {
        fields.remove(&name);
    }
}
