//! On generated files: what is added is there, and taking it back gives the former file.

use std::fmt::Write;

use fastrand::Rng;

use super::*;
use crate::setup::change::Change;
use crate::setup::{json, toml};

/// Names that the changes below use, too.
const NAMES: [&str; 6] = ["a", "servers", "gitgate", "permissions", "deny", "é \\\" x"];

fn gap(rng: &mut Rng) -> &'static str {
    rng.choice(["", "", " ", "\n", "\n\t", " // c\n", " /* { */ "]).unwrap()
}

/// An object as somebody might have written it.
fn object(rng: &mut Rng, depth: usize, out: &mut String) {
    let mut names = NAMES.to_vec();
    rng.shuffle(&mut names);
    names.truncate(rng.usize(..NAMES.len()));
    out.push('{');
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write!(out, "{}\"{name}\"{}:{}", gap(rng), gap(rng), gap(rng)).unwrap();
        match rng.u8(..6) {
            _ if *name == "deny" => {
                out.push_str(rng.choice(["[]", "[\"Bash\"]", "[ \"x\", // y\n \"Bash\" ]"]).unwrap())
            }
            _ if depth > 0 && ["servers", "permissions"].contains(name) => object(rng, depth - 1, out),
            _ if ["servers", "permissions"].contains(name) => out.push_str("{ }"),
            0 => out.push_str("[1, [], {}]"),
            1 => out.push_str("-1.5e3"),
            2 => out.push_str("\"s\\u00e9\""),
            3 if depth > 0 => object(rng, depth - 1, out),
            _ => out.push_str("null"),
        }
        // A block comment here goes with what is added behind the value, and taken away again.
        out.push_str(rng.choice(["", " ", "\n", " // c\n"]).unwrap());
    }
    if !names.is_empty() && rng.bool() {
        out.push(',');
    }
    out.push_str(rng.choice(["", " ", "\n", " // c\n"]).unwrap());
    out.push('}');
}

fn changes() -> [Change; 3] {
    [
        Change::set(&["servers", "gitgate"], serde_json::json!({ "command": "x", "args": ["y"] })),
        Change::add(&["permissions", "deny"], &["Bash", "Edit"]),
        Change::set_last(&["permissions", "gitgate"], "deny"),
    ]
}

/// The value, as JSON's readers see it.
fn value(text: &str) -> serde_json::Value {
    let root = jsonc_parser::cst::CstRootNode::parse(text, &jsonc_parser::ParseOptions::default()).unwrap();
    root.to_serde_value().unwrap_or(serde_json::json!({}))
}

#[test]
fn json_is_the_same_value_after_undo_and_holds_the_changes_before() {
    let mut rng = Rng::with_seed(7);
    let mut changed = 0;
    for round in 0..600 {
        let mut text = rng.choice(["", "\n", "// top\n"]).unwrap().to_owned();
        object(&mut rng, 2, &mut text);
        let changes = changes();
        let (new, taken) = json::apply(&text, &changes).unwrap_or_else(|error| panic!("{error} {text}"));
        let after = value(&new);
        assert_eq!(after["servers"]["gitgate"]["command"], "x", "{round} {text}\n{new}");
        for item in ["Bash", "Edit"] {
            assert!(after["permissions"]["deny"].as_array().unwrap().contains(&item.into()), "{text}\n{new}");
        }
        assert_eq!(json::apply(&new, &changes).unwrap(), (new.clone(), Vec::new()), "{text}");
        let back = json::revert(&new, &taken).unwrap();
        assert_eq!(value(&back), value(&text), "{text}\n{new}\n{back}");
        let comments =
            |text: &str| (text.matches("// c").count(), text.matches("/* {").count(), text.matches("// top").count());
        assert_eq!(comments(&back), comments(&text), "{text}\n{new}\n{back}");
        changed += usize::from(!taken.is_empty());
    }
    assert!(changed > 500, "{changed}");
}

#[test]
fn toml_is_the_same_text_after_undo() {
    let mut rng = Rng::with_seed(9);
    let parts = [
        "model = \"m\" # c\n",
        "\n# a comment\n",
        "[features]\nweb = true\n",
        "[features]\nshell_tool = true # mine\nweb = true\n",
        "[mcp_servers.db]\ncommand = \"db\"\n",
        "[mcp_servers.db.env]\nA = '1'\n\n",
        "[mcp_servers.gitgate]\ncommand = \"old\"\n# inner\nargs = [ 'x', # y\n]\n",
        "[[hooks]]\nname = \"h\"\n",
        "[z]\na = 1979-05-27\n",
    ];
    let changes = [
        Change::set(&["mcp_servers", "gitgate"], serde_json::json!({ "command": "x", "args": ["y"] })),
        Change::set(&["features", "shell_tool"], false),
    ];
    let mut tried = 0;
    for _ in 0..600 {
        let mut chosen: Vec<&str> = parts.iter().copied().filter(|_| rng.bool()).collect();
        rng.shuffle(&mut chosen);
        // What stands before the first table belongs to none.
        chosen.sort_by_key(|part| part.trim_start().starts_with('['));
        let text = chosen.concat();
        let Ok((new, taken)) = toml::apply(&text, &changes) else {
            assert!(text.matches("[features]").count() > 1, "{text}");
            continue;
        };
        tried += 1;
        assert_eq!(toml::apply(&new, &changes).unwrap(), (new.clone(), Vec::new()), "{text}");
        assert_eq!(toml::revert(&new, &taken).unwrap(), text, "{new}");
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn undo_gives_generated_files_back_byte_for_byte() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..200 {
        let mut text = String::new();
        object(&mut rng, 1, &mut text);
        for (client, name) in [(Client::ClaudeCode, "/p/.mcp.json"), (Client::Vscode, "/p/.vscode/mcp.json")] {
            let before = World::of(&[(name, &text)]);
            let mut world = before.clone();
            let Ok(plan) = world.plan(client, &project(), false) else {
                // `servers` is no object in it.
                continue;
            };
            world.take(plan);
            world.undo();
            assert_eq!(world, before);
        }
    }
}
