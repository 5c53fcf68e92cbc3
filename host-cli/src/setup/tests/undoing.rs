//! Setting up twice, and taking it back.

use super::*;
use crate::error::ErrorKind;

/// Files as people keep them: comments, other servers, trailing commas, CR LF, a byte order mark.
const KEPT: &[(&str, &str)] = &[
    ("/p/.mcp.json", "{\"mcpServers\": {\"db\": {\"command\": \"db\"}}}"),
    (
        "/p/.claude/settings.local.json",
        "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"],\n    \"deny\": [\"WebFetch\"]\n  }\n}\n",
    ),
    (
        "/p/.codex/config.toml",
        "# mine\nmodel = \"m\" # best\n\n[features]\nshell_tool = true # wanted\n\n[mcp_servers.db]\ncommand = \"db\"\n\n# end\n",
    ),
    ("/p/AGENTS.md", "# Rules\r\n\r\nBe kind.\r\n"),
    ("/p/.cursor/mcp.json", "\u{feff}{\n\t\"mcpServers\": {},\n}\n"),
    ("/p/.cursor/cli.json", ""),
    (
        "/p/.vscode/mcp.json",
        "// servers\n{\n  \"inputs\": [], // none\n  \"servers\": {\n    /* a database */\n    \"db\": { \"command\": \"db\" },\n  },\n}\n",
    ),
    ("/p/.gemini/settings.json", "{ \"tools\": { \"exclude\": [\"glob\"] } }"),
    ("/p/GEMINI.md", "Be kind."),
    (
        "/p/opencode.jsonc",
        "{\n  // rules\n  \"permission\": { \"bash\": { \"*\": \"ask\", \"git *\": \"allow\" }, \"*\": \"allow\" }\n}\n",
    ),
];

#[test]
fn undo_gives_every_byte_back() {
    for client in ALL {
        for place in [project(), user()] {
            for before in [World::default(), World::of(KEPT)] {
                let mut world = before.clone();
                world.set_up(client, &place);
                assert_ne!(world.files, before.files, "{client:?}");
                assert_eq!(world.undo(), Vec::<PathBuf>::new());
                assert_eq!(world, before, "{client:?}");
            }
        }
    }
}

#[test]
fn setting_up_twice_changes_nothing() {
    for client in ALL {
        let mut world = World::of(KEPT);
        world.set_up(client, &project());
        let again = world.plan(client, &project(), false).unwrap();
        assert_eq!((again.steps, again.written), (Vec::new(), world.written.clone()), "{client:?}");
        // Nor does it where the record was lost, or the files came with the repository.
        let copied = World { files: world.files, written: Vec::new() };
        let again = copied.plan(client, &project(), false).unwrap();
        assert_eq!((again.steps, again.written), (Vec::new(), Vec::new()), "{client:?}");
    }
}

#[test]
fn what_was_there_stays_there() {
    for client in ALL {
        let mut world = World::of(KEPT);
        world.set_up(client, &project());
        for (name, before) in KEPT {
            let after = world.text(name);
            for comment in
                ["# mine", "# best", "# wanted", "# end", "// servers", "// none", "/* a database */", "// rules"]
            {
                assert_eq!(after.contains(comment), before.contains(comment), "{name}\n{after}");
            }
            for kept in ["\"db\"", "Bash(ls)", "WebFetch", "Be kind.", "\"git *\""] {
                let is_replaced = kept == "\"git *\"" && client == Client::Opencode;
                assert_eq!(after.contains(kept), before.contains(kept) && !is_replaced, "{name}\n{after}");
            }
            assert_eq!(after.contains("\r\n"), before.contains("\r\n"), "{name}");
            assert_eq!(after.starts_with('\u{feff}'), before.starts_with('\u{feff}'), "{name}");
        }
    }
}

#[test]
fn what_somebody_added_since_stays_and_only_that() {
    let mut world = World::default();
    for client in ALL {
        world.set_up(client, &project());
        for text in world.files.values_mut() {
            match text.starts_with('{') {
                true => *text = text.replacen('{', "{ \"mine\": 1,", 1),
                false => text.insert_str(0, "# mine\n"),
            }
        }
        let kept = world.undo();
        for (name, text) in &world.files {
            assert!(text.contains("mine"), "{name:?} {text}");
            assert_eq!(text.contains("gitgate"), kept.contains(name), "{name:?} {text}");
        }
        world = World::default();
    }
}

#[test]
fn a_value_that_was_replaced_comes_back_even_then() {
    let mut world = World::of(&[
        ("/p/.codex/config.toml", "[features]\nshell_tool = true # wanted\n"),
        ("/p/opencode.json", "{\n  \"permission\": {\n    \"bash\": { \"*\": \"ask\" /* me */ }\n  }\n}\n"),
    ]);
    world.set_up(Client::Codex, &project());
    let file = PathBuf::from("/p/.codex/config.toml");
    world.files.get_mut(&file).unwrap().push_str("\n[tui]\nnotifications = true\n");
    world.undo();
    assert_eq!(world.files[&file], "[features]\nshell_tool = true # wanted\n\n[tui]\nnotifications = true\n");
    world.set_up(Client::Opencode, &project());
    let file = PathBuf::from("/p/opencode.json");
    world.files.get_mut(&file).unwrap().insert_str(0, "// mine\n");
    world.undo();
    let text = &world.files[&file];
    assert_eq!(text, "// mine\n{\n  \"permission\": {\n    \"bash\": { \"*\": \"ask\" /* me */ }\n  }\n}\n");
}

#[test]
fn a_value_that_somebody_changed_since_is_theirs() {
    let mut world = World::default();
    world.set_up(Client::Codex, &project());
    let file = PathBuf::from("/p/.codex/config.toml");
    let text = world.files.get_mut(&file).unwrap();
    *text = text.replace("shell_tool = false", "shell_tool = true");
    world.undo();
    assert_eq!(world.files[&file].trim_start(), "[features]\nshell_tool = true\n");
}

#[test]
fn another_set_up_takes_the_place_of_the_first() {
    let mut world = World::of(KEPT);
    let before = world.clone();
    world.set_up(Client::ClaudeCode, &project());
    let plan = world.plan(Client::ClaudeCode, &project(), true).unwrap();
    world.take(plan);
    assert!(!world.text("/p/.claude/settings.local.json").contains("NotebookEdit"));
    assert!(world.text("/p/.claude/settings.local.json").contains("enabledMcpjsonServers"));
    world.undo();
    assert_eq!(world, before);
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_planned() {
    for (client, name, text) in [
        (Client::ClaudeCode, "/p/.mcp.json", "{\"mcpServers\": {"),
        (Client::ClaudeCode, "/p/.mcp.json", "[1]"),
        (Client::ClaudeCode, "/p/.mcp.json", "{'single': 1}"),
        (Client::ClaudeCode, "/p/.mcp.json", "{\"mcpServers\": []}"),
        (Client::ClaudeCode, "/p/.mcp.json", "{\"mcpServers\": {}, \"mcpServers\": {}}"),
        (Client::ClaudeCode, "/p/.claude/settings.local.json", "{\"permissions\": {\"deny\": \"Bash\"}}"),
        (Client::Codex, "/p/.codex/config.toml", "a = "),
        (Client::Codex, "/p/.codex/config.toml", "mcp_servers = 1"),
        (Client::Codex, "/p/.codex/config.toml", "a = 1\r\nb = 2\n"),
        (Client::Codex, "/p/AGENTS.md", "<!-- gitgate: begin -->\ntext\n"),
        (Client::Gemini, "/p/GEMINI.md", "<!-- gitgate: end -->\n<!-- gitgate: begin -->\n"),
        (Client::Opencode, "/p/opencode.json", "{\"permission\": \"allow\"}"),
    ] {
        let error = World::of(&[(name, text)]).plan(client, &project(), false).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Usage, "{text}");
        assert!(error.message.starts_with(name), "{}", error.message);
    }
}
