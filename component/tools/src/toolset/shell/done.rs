//! What a script has done, for whoever decides whether it may.

use serde_json::{Value, json};

use super::touched::Differs;
use crate::approval::summary::MESSAGE_CHARACTERS;
use crate::approval::{Approval, Risk};
use crate::output::Effect;
use crate::question::Part;

/// Lines of a detail that name files.
const NAMED: usize = 200;

/// What a script has done, in the terms of the other tools. A rule about one of them holds in a script too.
#[derive(Debug)]
pub struct Done {
    /// The calls of other tools that come to the same.
    parts: Vec<Part>,
    /// What those calls would ask by themselves.
    asked: Vec<Approval>,
    /// Lines about files.
    files: Vec<String>,
    /// What the script does to the tree, at worst.
    pub effect: Effect,
    /// The arguments of the `git_push` that follows it.
    push: Option<Value>,
}

impl Default for Done {
    fn default() -> Done {
        Done { parts: Vec::new(), asked: Vec::new(), files: Vec::new(), effect: Effect::Keep, push: None }
    }
}

impl Done {
    /// A call of another tool that changes something, and what it asks.
    pub fn call(&mut self, tool: &'static str, arguments: &Value, asked: Option<Approval>) {
        self.parts.push(Part { tool: tool.to_owned(), arguments: arguments.to_string() });
        self.asked.extend(asked);
    }

    /// The tree keeps what an undo cannot take back.
    pub fn keeps(&mut self, effect: Effect) {
        if matches!((self.effect, effect), (Effect::Keep, _) | (Effect::Fact, Effect::Settled)) {
            self.effect = effect;
        }
    }

    /// What is to be pushed when the script has ended. False if something else is already.
    pub fn push(&mut self, mut arguments: Value) -> bool {
        arguments.as_object_mut().expect("arguments are an object").retain(|_, value| !value.is_null());
        let is_free = self.push.as_ref().is_none_or(|other| *other == arguments);
        if is_free {
            self.push = Some(arguments);
        }
        is_free
    }

    /// The arguments of the `git_push` that follows the script.
    pub fn following(&mut self) -> Option<Value> {
        self.push.take()
    }

    /// The files that differ from before.
    pub fn files(&mut self, changed: &[(String, Differs)]) {
        for (path, differs) in changed {
            let tool = if *differs == Differs::Deleted { "delete_file" } else { "write_file" };
            self.parts.push(Part { tool: tool.to_owned(), arguments: json!({ "path": path }).to_string() });
            self.files.push(format!("{} {path}", differs.letter()));
        }
    }

    /// The question that the script asks. None if it has changed nothing.
    pub fn approval(self, command: &str) -> Option<Approval> {
        if self.parts.is_empty() {
            return None;
        }
        let removes = self.files.iter().any(|line| line.starts_with('D'));
        let files = if removes { Risk::Medium } else { Risk::Low };
        let risk = self.asked.iter().map(|approval| approval.risk).fold(files, Risk::max);
        let first = command.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        let mut summary = format!("Run: {}", first.chars().take(MESSAGE_CHARACTERS).collect::<String>());
        if first.chars().count() > MESSAGE_CHARACTERS || command.trim().lines().count() > 1 {
            summary.push_str("...");
        }
        let mut detail = String::new();
        for line in command.lines() {
            detail.push_str(&format!("  {line}\n"));
        }
        for approval in &self.asked {
            detail.push_str(&format!("{}\n", approval.summary));
        }
        for line in self.files.iter().take(NAMED) {
            detail.push_str(&format!("{line}\n"));
        }
        if self.files.len() > NAMED {
            detail.push_str(&format!("and {} more files\n", self.files.len() - NAMED));
        }
        Some(Approval { risk, summary, detail, parts: self.parts })
    }
}
