//! Values of arguments that several tools share.

use serde_json::{Value, json};

use crate::git_tests::oracle::calls::{Argument, Arguments, Draw, Drawing, Line};
use crate::git_tests::oracle::facts::Facts;

/// A boolean argument, and the option for true.
pub fn flag(name: &'static str, line: fn(&Value, &Facts, &mut Line)) -> Argument {
    Argument { name, kinds: vec![|_| Some(json!(true)), |_| Some(json!(false))], line }
}

pub fn working_dir() -> Argument {
    Argument {
        name: "working_dir",
        kinds: vec![|drawing| {
            let folders = drawing.facts.folders.clone();
            drawing.one(&folders).map(|folder| json!(folder))
        }],
        line: |value, _, line| line.folder = string(value),
    }
}

/// The time limit, which git does not have.
pub fn timeout() -> Argument {
    Argument { name: "timeout_ms", kinds: vec![|_| Some(json!(600_000))], line: |_, _, _| {} }
}

pub fn max_bytes() -> Argument {
    Argument {
        name: "max_bytes",
        kinds: vec![|drawing| Some(json!(drawing.random.usize(1..400))), |_| Some(json!(5_000_000))],
        line: |value, _, line| line.max_bytes = value.as_u64().and_then(|max| usize::try_from(max).ok()),
    }
}

pub fn paths() -> Argument {
    Argument {
        name: "paths",
        kinds: vec![
            |drawing| file(drawing).map(|path| json!([path])),
            |drawing| {
                let gone = drawing.facts.gone.clone();
                drawing.inside(&gone).map(|path| json!([path]))
            },
            |drawing| {
                let folders = drawing.facts.folders.clone();
                let slash = drawing.choose(&["", "/"]);
                drawing.inside(&folders).map(|path| json!([format!("{path}{slash}")]))
            },
            |drawing| {
                let path = tracked(drawing)?;
                let cut: String = path.chars().skip(1).collect();
                let glob = match drawing.random.usize(..4) {
                    0 => "*".to_owned(),
                    1 => format!("*{}", cut.trim_start_matches('/')),
                    2 => format!("?{}", cut.trim_start_matches('/')),
                    _ => drawing.choose(&["*.rs", "a*", "[a-g]*", "*/b", "**/f", "[!a]*", "a/*", "*.log"]).to_owned(),
                };
                Some(json!([glob]))
            },
            |_| Some(json!(["never/was", "nor this"])),
            |drawing| {
                let mut list = Vec::new();
                for _ in 0..drawing.random.usize(1..4) {
                    list.extend(tracked(drawing));
                    list.extend(file(drawing));
                }
                list.push("./never".to_owned());
                Some(json!(list))
            },
            |_| Some(json!(["."])),
            |_| Some(json!([])),
        ],
        line: |value, _, line| {
            line.paths = value.as_array().into_iter().flatten().map(string).collect();
        },
    }
}

fn file(drawing: &mut Drawing<'_>) -> Option<String> {
    let files = drawing.facts.files.clone();
    drawing.inside(&files)
}

fn tracked(drawing: &mut Drawing<'_>) -> Option<String> {
    let paths = drawing.facts.in_head.clone();
    drawing.inside(&paths)
}

/// A path.
pub const PATH: &[Draw] = &[
    |drawing| file(drawing).map(|path| json!(path)),
    |drawing| tracked(drawing).map(|path| json!(path)),
    |drawing| {
        let folders = drawing.facts.folders.clone();
        let slash = drawing.choose(&["", "/"]);
        drawing.inside(&folders).map(|path| json!(format!("{path}{slash}")))
    },
    |drawing| Some(json!(drawing.choose(&["*.rs", "a*", "*/b", "never/was", ".", "[a-g]*", "./a"]))),
];

/// Names of a single commit or tree.
pub const SINGLE: &[Draw] = &[
    |_| Some(json!("HEAD")),
    |drawing| commit(drawing).map(|name| json!(name)),
    |drawing| {
        let name = commit(drawing)?;
        let suffix = drawing.choose(&["~1", "^", "~2", "^2", "^0", "^{commit}", "~0", "@{0}"]);
        Some(json!(format!("{name}{suffix}")))
    },
    |drawing| {
        let name = reference(drawing)?;
        Some(json!(format!("{name}{}", drawing.choose(&["@{u}", "@{1}", "@{upstream}~1"]))))
    },
    |drawing| {
        let name = commit(drawing)?;
        let suffix = drawing.choose(&["^{tree}", ":", ":a", ":docs/"]);
        Some(json!(format!("{name}{suffix}")))
    },
    |drawing| {
        Some(json!(drawing.choose(&[
            "nowhere",
            "HEAD~99",
            "refs/heads/nowhere",
            "deadbeef",
            "0123456789012345678901234567890123456789",
            "@{upstream}",
            "HEAD@{1}",
            "ORIG_HEAD",
            "a..b",
            "main",
            "HEAD:nothing",
        ])))
    },
    |drawing| {
        let files = drawing.facts.files.clone();
        drawing.inside(&files).filter(|path| !path.starts_with('-')).map(|path| json!(path))
    },
];

/// Names of two commits in one argument.
pub const RANGES: &[Draw] = &[
    |drawing| {
        let (from, to) = (commit(drawing)?, commit(drawing)?);
        Some(json!(format!("{from}..{to}")))
    },
    |drawing| {
        let (from, to) = (commit(drawing)?, commit(drawing)?);
        Some(json!(format!("{from}...{to}")))
    },
    |drawing| {
        let one = commit(drawing)?;
        let form = drawing.choose(&["..", "..."]);
        Some(json!(if drawing.random.bool() { format!("{one}{form}") } else { format!("{form}{one}") }))
    },
    |drawing| {
        let name = commit(drawing)?;
        let steps = drawing.choose(&["", "~1", "^", "~2", "^2", "@{0}", "@{u}"]);
        let parent = drawing.choose(&["^-", "^-", "^-1", "^-2", "^-0", "^-x"]);
        Some(json!(format!("{name}{steps}{parent}")))
    },
    |drawing| {
        let name = reference(drawing)?;
        let [from, to] = [(); 2].map(|()| drawing.choose(&["@{1}", "@{0}", "@{u}"]));
        Some(json!(format!("{name}{from}..{name}{to}")))
    },
];

/// The name of a ref, or an id, perhaps abbreviated.
fn commit(drawing: &mut Drawing<'_>) -> Option<String> {
    let ids: Vec<String> = drawing.facts.commits.iter().map(|(id, _)| id.clone()).collect();
    let refs = drawing.facts.refs.clone();
    match drawing.random.usize(..5) {
        0 => drawing.one(&ids),
        1 => drawing.one(&ids).map(|id| id[..9].to_owned()),
        2 => Some("HEAD".to_owned()),
        _ => drawing.one(&refs),
    }
}

/// The name of a ref.
fn reference(drawing: &mut Drawing<'_>) -> Option<String> {
    let refs = drawing.facts.refs.clone();
    drawing.one(&refs)
}

/// A commit by its full id.
pub fn id(drawing: &mut Drawing<'_>) -> Option<Value> {
    let ids: Vec<String> = drawing.facts.commits.iter().map(|(id, _)| id.clone()).collect();
    drawing.one(&ids).map(|id| json!(id))
}

pub fn string(value: &Value) -> String {
    value.as_str().expect("it is a string").to_owned()
}

/// Whether one of the arguments `names` is a revision with `~` or `^` in a shallow history. gix does not stop at a boundary commit, and
/// follows its parents if they exist.
pub fn steps_beyond_the_end(facts: &Facts, arguments: &Arguments, names: &[&str]) -> bool {
    let has_steps = |name: &&str| arguments.get(*name).is_some_and(|value| string(value).contains(['~', '^']));
    facts.is_shallow && names.iter().any(has_steps)
}
