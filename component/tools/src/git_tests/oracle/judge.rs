//! Compares the answers of git and of a tool to the same call.

use std::fs;

use serde_json::{Value, json};

use super::apart;
use super::calls::{Call, Line, Tool};
use super::facts::Facts;
use super::scene::Scene;
use crate::dispatch::Finished;
use crate::output::TRUNCATION_MARKER;
use crate::testing;

/// The outcome of a call: a text or an error message.
pub type Said = Result<String, String>;

/// Two different outcomes.
#[derive(Clone, Debug)]
pub struct Difference {
    pub command: String,
    pub git: Said,
    pub ours: Said,
}

/// Finds whether the tool's answer differs from git's.
pub type Judge<'j> = &'j (dyn Fn(&mut Scene, &Facts, &Tool, &Call) -> Option<Difference> + Sync);

/// Compares both byte for byte, after control characters are escaped.
pub fn compare(scene: &mut Scene, facts: &Facts, tool: &Tool, call: &Call) -> Option<Difference> {
    let line = tool.line(facts, &call.arguments);
    let command = line.command(tool.command, facts);
    let git = git(scene, &line, &command);
    let ours = ours(scene, &line, tool.name, &call.arguments);
    let is_equal = git == ours
        || git.as_ref().is_err_and(|words| apart::is_a_fault_of_git(words))
        || (facts.has_attributes() && apart::is_equal_but_for_similarity(&git, &ours))
        || (git.as_ref().is_err_and(|words| words.starts_with("usage: ")) && ours.is_err());
    (!is_equal).then(|| Difference { command: format!("git {}", command.join(" ")), git, ours })
}

fn git(scene: &Scene, line: &Line, command: &[&str]) -> Said {
    let output = testing::git_command(&scene.sandbox.root(), command)
        .env("TZ", "UTC-1")
        .env("GIT_TEST_DATE_NOW", (testing::NOW.nanos / 1_000_000_000).to_string())
        .output()
        .expect("git is installed");
    let shown = |bytes: &[u8]| patch::escape::escape(bytes).into_owned();
    let lines = output.stderr.split_inclusive(|byte| *byte == b'\n');
    let stderr = lines.filter(|line| !apart::is_unsaid(line)).collect::<Vec<_>>().concat();
    if !output.status.success() {
        return Err(shown(stderr.trim_ascii_end()));
    }
    // Uncommitted lines have the system's time.
    let stdout = if command.contains(&"blame") { super::blame::now(&output.stdout) } else { output.stdout };
    let mut text = shown(&stdout);
    if !stderr.is_empty() && line.output_dir.is_none() {
        text.push_str("\n\n[stderr]\n");
        text.push_str(&shown(&stderr));
    }
    let max_bytes = match line.output_dir {
        Some(_) => usize::MAX,
        None => line.max_bytes.unwrap_or(scene.sandbox.session.options.git.max_bytes),
    };
    Ok(crate::output::truncate(text, max_bytes).0)
}

fn ours(scene: &mut Scene, line: &Line, tool: &str, arguments: &super::calls::Arguments) -> Said {
    let finished = scene.sandbox.call(tool, Value::Object(arguments.clone())).map_err(|error| error.message)?;
    assert_consistent(tool, arguments, &finished);
    let Some(folder) = &line.output_dir else { return Ok(finished.text) };
    let mut text = Vec::new();
    for name in finished.structured()["patches"].as_array().unwrap_or(&Vec::new()) {
        let name = name.as_str().expect("they are names");
        text.extend(fs::read(scene.sandbox.real(folder).join(name)).expect("it was written"));
    }
    assert_eq!(finished.structured()["untrusted"], json!(true));
    fs::remove_dir_all(scene.sandbox.real(folder)).expect("it was made");
    Ok(patch::escape::escape(&text).into_owned())
}

/// Asserts that the structured result agrees with the text: it says whether the text was cut, and lists all lines of a blame.
fn assert_consistent(tool: &str, arguments: &super::calls::Arguments, finished: &Finished) {
    let call = || format!("{tool} {}", Value::Object(arguments.clone()));
    let report = finished.structured();
    let is_cut = finished.text.ends_with(TRUNCATION_MARKER);
    if is_cut {
        assert_eq!((finished.truncated, &report["truncated"]), (true, &json!(true)), "{}", call());
    }
    // The text contains the paths of renamed files with their line feeds.
    let is_in_lines = |commit: &Value| commit["path"].as_str().is_some_and(|path| path.contains('\n'));
    if tool != "git_blame" || report["commits"].as_array().is_some_and(|commits| commits.iter().any(is_in_lines)) {
        return;
    }
    let text = finished.text.strip_suffix(TRUNCATION_MARKER).unwrap_or(&finished.text);
    let text = text.split_once("\n\n[stderr]\n").map_or(text, |(lines, _)| lines);
    let whole = text.split_inclusive('\n').filter(|line| line.len() > 1 && line.ends_with('\n')).count();
    let number = |value: &Value| value.as_u64().map_or(0, |number| usize::try_from(number).expect("it is small"));
    let lines = report["lines"].as_array().expect("a blame lists lines");
    let listed: usize = lines.iter().map(|lines| number(&lines["count"])).sum();
    assert_eq!(listed + number(&report["linesOmitted"]), whole, "{}", call());
}
