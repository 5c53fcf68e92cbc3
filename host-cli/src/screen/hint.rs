//! Hints for a person, who runs commands. Tools write theirs for agents, who call tools with JSON; the
//! host leaves it to us what an act is called.

use gate::forge::Forge;
use host::hint::{Act, Hint};

use crate::home::Place;
use crate::on_disk::registry;
use crate::remote::TargetSpec;
use crate::screen::shell;

/// The commands for tools that have one. `gitgate call` runs the others.
const COMMANDS: [(&str, &str); 6] = [
    ("git_diff", "gitgate diff"),
    ("git_pull", "gitgate pull"),
    ("git_push", "gitgate push"),
    ("git_status", "gitgate status"),
    ("sandbox_history", "gitgate history"),
    ("sandbox_undo", "gitgate undo"),
];

/// A hint with commands instead of calls.
pub fn for_person(hint: &str) -> String {
    let mut out = String::with_capacity(hint.len() + 32);
    let mut rest = hint;
    while let Some((at, tool)) = next_tool(rest) {
        let (before, after) = (&rest[..at], &rest[at + tool.len()..]);
        match before.strip_suffix("Call ") {
            Some(before) => out.push_str(&format!("{before}Run ")),
            None => out.push_str(before),
        }
        let (command, after) = match from(after).filter(|_| tool == "git_pull") {
            Some((target, after)) => (format!("gitgate pull --from {target}"), after),
            // What follows are arguments of the call.
            None if after.starts_with(" with ") || after.starts_with(" (") => (format!("gitgate call {tool}"), after),
            None => (command(tool), after),
        };
        out.push_str(&format!("`{command}`"));
        rest = after;
    }
    if hint.starts_with("Set target, for example {") {
        return "name it: `gitgate push --to TARGET#BRANCH`, or `gitgate pull --from TARGET#BRANCH`".to_owned();
    }
    let out = ARGUMENTS.iter().fold(out + rest, |out, (call, command)| out.replace(call, command));
    without_user(&out)
}

/// The same without an agent's way to the person, who is the reader: `Ask the user to do it` becomes `Do it`.
fn without_user(hint: &str) -> String {
    let mut parts = hint.split("Ask the user to ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out.replace("ask the user to ", "").replace("ask the user for a ", "make a ")
}

/// How a call names an argument, and how a command does.
const ARGUMENTS: [(&str, &str); 4] = [
    (" with target.branch", " with `gitgate push --to TARGET#BRANCH`"),
    (" with source.branch", " with `gitgate pull --from TARGET#BRANCH`"),
    ("Push without only", "Push without --only"),
    ("push without only", "push without --only"),
];

fn command(tool: &str) -> String {
    match COMMANDS.iter().find(|(name, _)| *name == tool) {
        Some((_, command)) => (*command).to_owned(),
        None => format!("gitgate call {tool}"),
    }
}

/// The first name of a tool in `text`, and where it stands.
fn next_tool(text: &str) -> Option<(usize, &str)> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    text.split(|char| !is_word(char))
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
        .find(|(_, word)| registry::names().any(|name| name == *word))
}

/// The target in ` with source {…}`, and what follows.
fn from(text: &str) -> Option<(String, &str)> {
    let json = text.strip_prefix(" with source ")?;
    let mut sources = serde_json::Deserializer::from_str(json).into_iter::<Place>();
    let target = TargetSpec::of(&sources.next()?.ok()?).ok()?.to_string();
    Some((shell::word(&target), &json[sources.byte_offset()..]))
}

/// The host's hint, with commands for its act.
pub fn words(hint: &Hint) -> String {
    hint.words(act)
}

/// What a person can do, as a command.
pub fn act(act: &Act) -> String {
    match act {
        Act::Review { sandbox, id } => format!("answer it with `gitgate -s {sandbox} review {id}`"),
        Act::ListWaiting => "list the waiting calls with `gitgate review`".to_owned(),
        Act::LengthenId => "give more characters of the id; `gitgate review` lists them".to_owned(),
        Act::Status { sandbox: None } => "run `gitgate status`".to_owned(),
        Act::Status { sandbox: Some(sandbox) } => format!("run `gitgate -s {sandbox} status`"),
        Act::Settle { sandbox, branch } => format!("run `gitgate -s {sandbox} settle {branch}`"),
        Act::LookThenSettle { sandbox, branch } => format!(
            "run `gitgate -s {sandbox} status`: it tries to settle the push and says what blocks it. \
             If you cannot fix that, check the branch and run `gitgate -s {sandbox} settle {branch}`"
        ),
        Act::RemoveSandbox => "remove the sandbox with `gitgate rm`".to_owned(),
        Act::RestoreSettings => "restore the file from a backup: only `gitgate new` writes it".to_owned(),
        Act::CheckPolicy => "check the file with `gitgate policy check FILE`".to_owned(),
        Act::ListTools => "`gitgate tools` lists them".to_owned(),
        Act::PushToServer => format!("push with --to {}", branches()),
        Act::PushToOwnBranch => format!("push to a branch of its own: --to {}", branches()),
    }
}

/// The branches from which a change request can be opened, as an option names them.
fn branches() -> String {
    Forge::with_change_requests().map(|forge| format!("{}#BRANCH", forge.usage())).collect::<Vec<_>>().join(" or ")
}

/// `2 calls wait for you: gitgate review`, if any does.
pub fn waiting(count: usize, sandbox: Option<&str>) -> Option<String> {
    let review = sandbox.map_or_else(|| "gitgate review".to_owned(), |sandbox| format!("gitgate -s {sandbox} review"));
    match count {
        0 => None,
        1 => Some(format!("1 call waits for you: {review}")),
        count => Some(format!("{count} calls wait for you: {review}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_commands() {
        for (hint, expected) in [
            ("Call git_status to see what has changed.", "Run `gitgate status` to see what has changed."),
            (
                "First add the changes with git_add. Call git_status.",
                "First add the changes with `gitgate call git_add`. Run `gitgate status`.",
            ),
            ("Call git_diff with commitId X.", "Run `gitgate call git_diff` with commitId X."),
            ("my_git_status and git_statuses are no tools", "my_git_status and git_statuses are no tools"),
            ("", ""),
        ] {
            assert_eq!(for_person(hint), expected);
        }
    }

    #[test]
    fn a_branch_is_named_as_a_command_does() {
        for (hint, expected) in [
            ("Name a branch with target.branch.", "Name a branch with `gitgate push --to TARGET#BRANCH`."),
            ("Name a branch with source.branch.", "Name a branch with `gitgate pull --from TARGET#BRANCH`."),
        ] {
            assert_eq!(for_person(hint), expected);
        }
    }

    #[test]
    fn a_person_is_not_told_to_ask_the_user() {
        for (hint, expected) in [
            ("Ask the user to fix the configuration of the remote.", "Fix the configuration of the remote."),
            ("Nothing has changed. Ask the user to remove it.", "Nothing has changed. Remove it."),
            ("do without it, or ask the user to change the rule", "do without it, or change the rule"),
            (
                "Push to main, or ask the user for a sandbox with full history.",
                "Push to main, or make a sandbox with full history.",
            ),
        ] {
            assert_eq!(for_person(hint), expected);
        }
    }

    #[test]
    fn a_source_becomes_a_target() {
        let hint =
            r#"Call git_pull with source {"branch":"main","path":"/a b","type":"local-bare"} to go on, then push."#;
        assert_eq!(for_person(hint), "Run `gitgate pull --from 'bare:/a b#main'` to go on, then push.");
        let hint = r#"Call git_pull with source {"branch":"main","repo":"o/r","type":"github"} to go on."#;
        assert_eq!(for_person(hint), "Run `gitgate pull --from github:o/r#main` to go on.");
        let hint = r#"Call git_pull with source {"path":"/a","type":"local"}."#;
        assert_eq!(for_person(hint), "Run `gitgate pull --from local:/a`.");
    }
}
