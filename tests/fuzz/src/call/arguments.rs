//! Arguments that follow the schemas, with plausible and implausible values; or arbitrary text.

use serde_json::{Map, Value};

use crate::choices::Choices;

const PATHS: &[&str] = &[
    "README.md",
    "src",
    "src/main.rs",
    "docs/long.txt",
    "data.bin",
    "new",
    "new/er/file.txt",
    ".",
    "/workspace",
    "/workspace/src/main.rs",
    "/library/shared.txt",
    "/library",
    "/outside/secret.txt",
    "/",
    "..",
    "../outside/secret.txt",
    "link",
    "folder/main.rs",
    "up/outside",
    "up/workspace",
    "out/secret.txt",
    "absolute/secret.txt",
    "loop",
    "gone",
    "repository/config",
    "config",
    "src/back/long.txt",
    ".git",
    ".git/config",
    ".GIT/hooks/x",
    "git~1",
    ".g\u{200c}it/config",
    "src\\..\\.git",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    "src/deep",
    "empty",
    "new.log",
    "build/x",
    "a\nb",
    "\u{1b}[2J",
    "caf\u{e9}",
    "src/",
    "./src//main.rs",
    "README.md/x",
    "",
];
const WORDS: &[&str] = &[
    "line",
    "one",
    "HEAD",
    "HEAD~1",
    "main",
    "HEAD..HEAD",
    "refs/heads/main",
    "*.rs",
    "**/x",
    "[",
    "(",
    "(?i)LINE",
    "a{1000}",
    "fn main() {\n",
    "\r\n",
    "\0",
    "\u{202e}",
    "First",
    "Message\n\nbody",
    "local",
    "local-bare",
    "github",
    "git",
    "/target",
    "workspace",
    "library",
    "line 7\n",
    "<<<<<<< ours\n",
    "=======\n",
    ">>>>>>> theirs\n",
    "-",
    "--all",
    "aGVsbG8=",
    "base64",
];

/// Commands of scripts. A `P` by itself becomes a path, a `W` a word.
const COMMANDS: &[&str] = &[
    "cat P",
    "ls -la P",
    "rm -rf P",
    "mv P P",
    "cp -r P P",
    "ln -s P P",
    "mkdir -p P",
    "touch P",
    "chmod +x P",
    "cd P",
    "grep -rn W P",
    "sed -i s/W/W/g P",
    "find P -name W -delete",
    "find P -exec cat {} +",
    "sort -u P",
    "wc -l P",
    "tee P",
    "head -3 P",
    "tail -n +2 P",
    "tr a-z A-Z",
    "cut -d: -f1",
    "uniq -c",
    "xargs rm",
    "xargs -n1 echo",
    "awk '{print $1}'",
    "jq -c . P",
    "diff -u P P",
    "patch -p1",
    "tar -cf P P",
    "tar -xf P",
    "gzip -k P",
    "split -l 5 P W",
    "truncate -s 9 P",
    "echo W",
    "printf '%s' W W",
    "read x y",
    "x=W",
    "export y=W",
    "local z",
    "set -e",
    "set -u",
    "trap 'echo W' EXIT",
    "git status -s",
    "git add -A",
    "git commit -qm W",
    "git checkout W",
    "git log --oneline",
    "git rm -r P",
    "git mv P P",
    "git stash",
    "git diff W",
    "git show W",
    "git reset --hard",
    "git branch W",
    "git grep W",
    "git W",
    "eval W",
    "bash -c W",
    "source P",
    "[[ W =~ W ]]",
    "(( W ))",
    "yes",
    "seq 9",
    "true",
    "false",
    "exit 3",
    "nosuch W",
];
/// What stands between commands, or around them.
const BETWEEN: &[&str] = &[
    " | ",
    " && ",
    " || ",
    "; ",
    "\n",
    " > P; ",
    " >> P\n",
    " < P | ",
    " 2>&1 | ",
    " | while read -r x; do ",
    "; done; ",
    " <<E\nW $x\nE\n",
    " <<< W; ",
    "$(",
    ")",
    "`",
    "{ ",
    "; }",
    "( ",
    " )",
    "if ",
    "; then ",
    "; else ",
    "; fi; ",
    "for x in P W; do ",
    "case W in W) ",
    ";; esac; ",
    "f() { ",
    "; }; f; ",
    "\"",
    "'",
    "$x",
    "${x:-W}",
    "${x//W/W}",
    "$((",
    "))",
    " & ",
    "! ",
    "{1..9}",
    "*",
    "~",
    "\\",
];

/// The text of arguments for a tool with this schema.
pub fn of(choices: &mut Choices<'_>, schema: &Value) -> String {
    if choices.one_in(16) {
        return choices.text(80);
    }
    value(choices, schema, "", 0).to_string()
}

fn value(choices: &mut Choices<'_>, schema: &Value, name: &str, depth: usize) -> Value {
    if depth > 4 || choices.one_in(40) {
        return odd(choices);
    }
    if let Some(choice) =
        schema["enum"].as_array().or_else(|| schema["oneOf"].as_array()).or_else(|| schema["anyOf"].as_array())
    {
        let chosen = choice[choices.below(choice.len())].clone();
        let is_schema = chosen.is_object();
        return if is_schema { value(choices, &chosen, name, depth + 1) } else { chosen };
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    match schema["type"].as_str() {
        Some("object") => object(choices, schema, depth),
        Some("array") => {
            let count = choices.below(4);
            (0..count).map(|_| value(choices, &schema["items"], name, depth + 1)).collect()
        }
        Some("boolean") => choices.one_in(2).into(),
        Some("integer") => match choices.below(4) {
            0 => choices.number().into(),
            1 => (-(choices.byte() as i64)).into(),
            _ => choices.below(300).into(),
        },
        Some("string") => text(choices, name).into(),
        _ => odd(choices),
    }
}

fn object(choices: &mut Choices<'_>, schema: &Value, depth: usize) -> Value {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut object = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let of = if required.contains(&name.as_str()) { 30 } else { 3 };
        // A required field is missing now and then, any other usually.
        if choices.one_in(of) != required.contains(&name.as_str()) {
            object.insert(name.clone(), value(choices, field, name, depth + 1));
        }
    }
    if choices.one_in(40) {
        object.insert(choices.text(6), odd(choices));
    }
    object.into()
}

/// A script that is made of whole commands and of parts that may fit.
fn script(choices: &mut Choices<'_>) -> String {
    let mut script = String::new();
    for _ in 0..=choices.below(6) {
        let part = if choices.one_in(3) { choices.of_these(BETWEEN) } else { choices.of_these(COMMANDS) };
        for (at, word) in part.split(' ').enumerate() {
            if at > 0 {
                script.push(' ');
            }
            match word {
                "P" => script.push_str(choices.of_these(PATHS)),
                "W" => script.push_str(choices.of_these(WORDS)),
                word => script.push_str(word),
            }
        }
        script.push_str(choices.of_these(&["; ", "\n", " | ", " && ", ""]));
    }
    script
}

fn text(choices: &mut Choices<'_>, name: &str) -> String {
    if name == "command" {
        return if choices.one_in(8) { choices.text(60) } else { script(choices) };
    }
    let is_path = ["path", "paths", "from", "to", "files", "working_dir", "output_dir"].contains(&name);
    match choices.below(8) {
        0 => choices.text(16),
        1 => format!("{}/{}", choices.of_these(PATHS), choices.of_these(PATHS)),
        2 => format!("{}{}", choices.of_these(WORDS), choices.text(4)),
        3 => choices.of_these(WORDS).to_string(),
        _ if is_path => choices.of_these(PATHS).to_string(),
        4 => format!("{}{}", choices.of_these(WORDS), choices.of_these(WORDS)),
        _ => choices.of_these(WORDS).to_string(),
    }
}

/// A value that no schema allows.
fn odd(choices: &mut Choices<'_>) -> Value {
    match choices.below(7) {
        0 => Value::Null,
        1 => choices.number().into(),
        2 => (choices.byte() as f64 / 7.0).into(),
        3 => choices.text(8).into(),
        4 => Value::Array(vec![Value::Null; choices.below(3)]),
        5 => choices.one_in(2).into(),
        _ => serde_json::json!({"type": choices.text(4)}),
    }
}
