//! What each client finds in its files afterwards.

use super::*;
use crate::setup::place::claude;

/// The value of a JSON file without comments.
fn json(world: &World, name: &str) -> serde_json::Value {
    serde_json::from_str(world.text(name)).unwrap()
}

fn names(world: &World) -> Vec<&str> {
    let mut names: Vec<&str> = world.files.keys().map(|name| name.to_str().unwrap()).collect();
    names.sort_unstable();
    names
}

fn fresh(client: Client, place: &Place) -> World {
    let mut world = World::default();
    world.set_up(client, place);
    world
}

#[test]
fn claude_code_gets_the_server_denials_and_a_skill() {
    let world = fresh(Client::ClaudeCode, &project());
    assert_eq!(
        world.text("/p/.mcp.json"),
        r#"{
  "mcpServers": {
    "gitgate": {
      "type": "stdio",
      "command": "/usr/bin/gitgate",
      "args": ["-s", "work", "mcp"]
    }
  }
}
"#
    );
    let settings = json(&world, "/p/.claude/settings.local.json");
    assert_eq!(settings["enabledMcpjsonServers"], serde_json::json!(["gitgate"]));
    let denied: Vec<&str> =
        settings["permissions"]["deny"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for tool in ["Bash", "PowerShell", "Monitor", "Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep"] {
        assert!(denied.contains(&tool), "{tool}");
    }
    let skill = world.text("/p/.claude/skills/gitgate/SKILL.md");
    assert!(skill.starts_with("---\nname: gitgate\ndescription: "), "{skill}");
    assert_eq!(names(&world).len(), 3);
}

#[test]
fn claude_code_of_a_user_needs_no_approval_of_the_server() {
    let world = fresh(Client::ClaudeCode, &user());
    assert_eq!(names(&world), ["/u/.claude.json", "/u/.claude/settings.json", "/u/.claude/skills/gitgate/SKILL.md"]);
    assert_eq!(json(&world, "/u/.claude/settings.json").as_object().unwrap().len(), 1);
}

#[test]
fn claude_code_of_a_user_is_where_their_variable_says() {
    let Place::User(mut folders) = user() else { unreachable!() };
    let named = |folder: Option<&str>| claude(Path::new("/u"), folder.map(PathBuf::from));
    assert_eq!(named(None), (folders.claude, folders.claude_servers));
    (folders.claude, folders.claude_servers) = named(Some("/x"));
    let world = fresh(Client::ClaudeCode, &Place::User(folders));
    assert_eq!(names(&world), ["/x/.claude.json", "/x/settings.json", "/x/skills/gitgate/SKILL.md"]);
}

#[test]
fn codex_gets_a_table_and_no_shell() {
    let world = fresh(Client::Codex, &project());
    assert_eq!(
        world.text("/p/.codex/config.toml"),
        "[mcp_servers.gitgate]\ncommand = \"/usr/bin/gitgate\"\nargs = [\"-s\", \"work\", \"mcp\"]\n\n\
         [features]\nshell_tool = false\n"
    );
    assert!(world.text("/p/AGENTS.md").contains("`git_stage`"));
    assert_eq!(names(&fresh(Client::Codex, &user())), ["/u/.codex/AGENTS.md", "/u/.codex/config.toml"]);
}

#[test]
fn cursor_gets_a_server_denials_for_its_command_line_and_a_rule() {
    let world = fresh(Client::Cursor, &project());
    assert_eq!(names(&world), ["/p/.cursor/cli.json", "/p/.cursor/mcp.json", "/p/.cursor/rules/gitgate.mdc"]);
    let cli = json(&world, "/p/.cursor/cli.json");
    // A pattern that begins with no slash is about the workspace alone.
    let denied = ["Shell(**)", "Read(**)", "Read(/**)", "Write(**)", "Write(/**)"];
    assert_eq!(cli["permissions"], serde_json::json!({ "allow": [], "deny": denied }));
    let notes = Client::Cursor.wiring(&project(), &server(), false).notes.join(" ");
    assert!(notes.contains("gitgate has not tried that"), "{notes}");
    assert!(world.text("/p/.cursor/rules/gitgate.mdc").contains("\nalwaysApply: true\n---\n"));
    assert_eq!(names(&fresh(Client::Cursor, &user())), ["/u/.cursor/cli-config.json", "/u/.cursor/mcp.json"]);
}

#[test]
fn vscode_gets_a_server_and_an_agent_that_has_nothing_else() {
    let world = fresh(Client::Vscode, &project());
    assert_eq!(json(&world, "/p/.vscode/mcp.json")["servers"]["gitgate"]["type"], "stdio");
    let agent = world.text("/p/.github/agents/gitgate.agent.md");
    assert!(agent.contains("\ntools: ['gitgate/*']\nagents: []\n---\n"), "{agent}");
    assert!(world.text("/p/.github/instructions/gitgate.instructions.md").contains("\napplyTo: \"**\"\n"));
    assert_eq!(
        names(&fresh(Client::Vscode, &user())),
        ["/u/.config/Code/User/mcp.json", "/u/.copilot/agents/gitgate.agent.md"]
    );
}

#[test]
fn gemini_loses_no_tool_of_gitgate_with_its_own() {
    let world = fresh(Client::Gemini, &project());
    let settings = json(&world, "/p/.gemini/settings.json");
    let excluded: Vec<&str> =
        settings["tools"]["exclude"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(excluded.contains(&"run_shell_command"));
    let ours: Vec<&str> = crate::on_disk::registry::names().collect();
    assert!(excluded.iter().all(|name| !ours.contains(name)), "{excluded:?}");
    assert!(settings["tools"].get("core").is_none());
    assert_eq!(names(&fresh(Client::Gemini, &user())), ["/u/.gemini/GEMINI.md", "/u/.gemini/settings.json"]);
}

#[test]
fn opencode_takes_the_command_as_a_list_and_the_last_rule_that_matches() {
    let world = fresh(Client::Opencode, &project());
    let config = json(&world, "/p/opencode.json");
    assert_eq!(
        config["mcp"]["gitgate"],
        serde_json::json!({ "type": "local", "command": ["/usr/bin/gitgate", "-s", "work", "mcp"], "enabled": true })
    );
    assert_eq!(config["permission"]["bash"], "deny");
    let mut world = World::of(&[("/p/opencode.jsonc", r#"{"permission": {"bash": "deny", "*": "allow"}}"#)]);
    world.set_up(Client::Opencode, &project());
    let text = world.text("/p/opencode.jsonc");
    assert!(text.find("\"*\"").unwrap() < text.find("\"bash\"").unwrap(), "{text}");
    assert!(!world.files.contains_key(Path::new("/p/opencode.json")));
}

#[test]
fn whoever_keeps_the_tools_is_told_what_that_means() {
    for client in ALL {
        for place in [project(), user()] {
            let wiring = client.wiring(&place, &server(), true);
            assert!(wiring.notes[0].contains("push without gitgate"), "{client:?}");
            let text = format!("{:?}", wiring.edits);
            for own in ["Bash", "shell_tool", "Shell(", "tools: [", "run_shell_command", "deny"] {
                assert!(!text.contains(own), "{client:?} {own}");
            }
        }
    }
}

#[test]
fn every_client_has_the_instructions_or_says_that_it_has_none() {
    for client in ALL {
        for place in [project(), user()] {
            let world = fresh(client, &place);
            let has = world.files.values().any(|text| text.contains("What the answer to `git_push` means"));
            let notes = client.wiring(&place, &server(), false).notes.join(" ");
            assert!(has || notes.contains("no instructions"), "{client:?}");
        }
    }
}

#[test]
fn the_instructions_name_no_tool_that_does_not_exist() {
    let names: Vec<&str> = crate::on_disk::registry::names().collect();
    let text = api::mcp::INSTRUCTIONS;
    let named = text.split('`').skip(1).step_by(2).filter(|word| word.contains('_'));
    for word in named {
        assert!(names.contains(&word), "{word}");
    }
}
