//! Translates a call into the sandbox's own names.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::table::{Argument, REMARKS, TOOLS};
use crate::{Dialect, convert};

/// A call in the sandbox's own names.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The tool.
    pub tool: Cow<'static, str>,
    /// Its arguments. Names that are in no dialect are as they were.
    pub arguments: Map<String, Value>,
    /// The caller's dialect: the one that its client speaks, or else the first one that has all the names of this call.
    pub dialect: Option<Dialect>,
    /// Whether anything is otherwise than it was spoken.
    pub changed: bool,
}

/// Two names for one argument, of which each has a value.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{first} and {second} are two names for one argument")]
pub struct Clash {
    /// The name that came first.
    pub first: String,
    /// The other one.
    pub second: String,
}

/// The own name of the tool that a caller calls `name`.
pub fn tool(name: &str) -> Option<&'static str> {
    let has = |tool: &&crate::table::Tool| tool.theirs.iter().any(|(theirs, _)| *theirs == name);
    TOOLS.iter().find(has).map(|tool| tool.ours)
}

/// The own name of the tool that a caller calls `name` with these arguments.
pub fn addressed<'a>(name: &'a str, arguments: &Map<String, Value>) -> &'a str {
    match tool(name).unwrap_or(name) {
        // The requirements' `git_diff` writes with this argument, and reads without (FR-GIT-DIFF-05).
        "git_diff" if arguments.get("output_dir").is_some_and(|folder| !folder.is_null()) => "git_patches",
        own => own,
    }
}

/// Reads a call of `tool` by a client that speaks `dialect`. What was read is read the same again.
///
/// # Errors
/// If two names stand for one argument.
pub fn read(dialect: Option<Dialect>, name: &str, arguments: Map<String, Value>) -> Result<Spoken, Clash> {
    let mut heard = Heard { used: Vec::new(), changed: false };
    let own: Cow<'static, str> = match tool(name) {
        Some(own) => {
            heard.note(TOOLS.iter().flat_map(|tool| tool.theirs).find(|(theirs, _)| *theirs == name).map(|row| row.1));
            own.into()
        }
        None => name.to_owned().into(),
    };
    let mut arguments = heard.renamed(&own, arguments)?;
    if own == "edit_file"
        && let Some(Value::Array(edits)) = arguments.get_mut("edits")
    {
        for edit in edits {
            if let Value::Object(fields) = edit {
                *fields = heard.renamed(&own, std::mem::take(fields))?;
            }
        }
    }
    let addressed = addressed(&own, &arguments);
    heard.changed |= addressed != own;
    let own = if addressed == own { own } else { addressed.to_owned().into() };
    let dialect = dialect.or_else(|| heard.dialect());
    heard.changed |= convert::convert(dialect, &own, &mut arguments)?;
    Ok(Spoken { tool: own, arguments, dialect, changed: heard.changed })
}

/// What a call was spoken in.
struct Heard {
    /// For each name that is not the sandbox's own, the dialects that have it.
    used: Vec<&'static [Dialect]>,
    changed: bool,
}

impl Heard {
    fn note(&mut self, dialects: Option<&'static [Dialect]>) {
        self.changed = true;
        self.used.extend(dialects.filter(|dialects| !dialects.is_empty()));
    }

    fn dialect(&self) -> Option<Dialect> {
        let has_all = |dialect: &Dialect| self.used.iter().all(|dialects| dialects.contains(dialect));
        Dialect::all().find(|dialect| !self.used.is_empty() && has_all(dialect))
    }

    fn renamed(&mut self, tool: &str, arguments: Map<String, Value>) -> Result<Map<String, Value>, Clash> {
        let mut renamed = Map::new();
        let mut names: Vec<(&'static str, String)> = Vec::new();
        for (name, value) in arguments {
            if let Some(remark) = REMARKS.iter().find(|remark| remark.name == name && remark.tools.contains(&tool)) {
                self.note(Some(remark.dialects));
                continue;
            }
            let theirs = Argument::of(tool).find_map(|argument| {
                let row = argument.theirs.iter().find(|(theirs, _)| *theirs == name)?;
                Some((argument.ours, row.1))
            });
            let own = match theirs {
                Some((own, dialects)) => {
                    self.note(Some(dialects));
                    own
                }
                None => match Argument::of(tool).find(|argument| argument.ours == name) {
                    Some(argument) => argument.ours,
                    None => {
                        renamed.insert(name, value);
                        continue;
                    }
                },
            };
            if let Some((_, first)) = names.iter().find(|(known, _)| *known == own) {
                return Err(Clash { first: first.clone(), second: name });
            }
            renamed.insert(own.to_owned(), value);
            names.push((own, name));
        }
        Ok(renamed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn heard(dialect: Option<Dialect>, tool: &str, arguments: Value) -> (String, Value, Option<Dialect>) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let spoken = read(dialect, tool, arguments).unwrap();
        let again = read(spoken.dialect, &spoken.tool, spoken.arguments.clone()).unwrap();
        assert_eq!((&again.arguments, again.changed), (&spoken.arguments, false), "it reads the same again");
        (spoken.tool.into_owned(), spoken.arguments.into(), spoken.dialect)
    }

    #[test]
    fn a_call_in_a_clients_names_is_one_in_our_own() {
        use Dialect::{ClaudeCode, Gemini, Opencode, VsCode};
        for (tool, spoken, own, ours, dialect) in [
            ("Read", json!({"file_path": "a"}), "read_file", json!({"path": "a", "line_numbers": true}), ClaudeCode),
            (
                "Edit",
                json!({"file_path": "a", "old_string": "b", "new_string": "c", "replace_all": true}),
                "edit_file",
                json!({"path": "a", "old": "b", "new": "c", "all": true}),
                ClaudeCode,
            ),
            (
                "MultiEdit",
                json!({"file_path": "a", "edits": [{"old_string": "b", "new_string": "c"}]}),
                "edit_file",
                json!({"path": "a", "edits": [{"old": "b", "new": "c"}]}),
                ClaudeCode,
            ),
            (
                "replace",
                json!({"file_path": "a", "instruction": "why", "old_string": "b", "new_string": "c", "expected_replacements": 2}),
                "edit_file",
                json!({"path": "a", "old": "b", "new": "c", "count": 2}),
                Gemini,
            ),
            (
                "edit",
                json!({"filePath": "a", "oldString": "b", "newString": "c", "replaceAll": false}),
                "edit_file",
                json!({"path": "a", "old": "b", "new": "c", "all": false}),
                Opencode,
            ),
            (
                "multi_replace_string_in_file",
                json!({"explanation": "", "replacements": [{"filePath": "a", "oldString": "b", "newString": "c", "explanation": ""}]}),
                "edit_file",
                json!({"edits": [{"path": "a", "old": "b", "new": "c"}]}),
                VsCode,
            ),
        ] {
            assert_eq!(heard(None, tool, spoken), (own.to_owned(), ours, Some(dialect)), "{tool}");
        }
    }

    #[test]
    fn our_own_names_and_unknown_ones_are_as_they_were() {
        for (tool, arguments) in [
            ("read_file", json!({"path": "a", "offset": 2})),
            ("git_status", json!({"file_path": "a"})),
            ("no_tool", json!({"oldString": 1, "x": null})),
        ] {
            assert_eq!(heard(None, tool, arguments.clone()), (tool.to_owned(), arguments, None));
        }
    }

    #[test]
    fn two_names_for_one_argument_are_an_error() {
        let clash = |arguments: Value| {
            let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
            read(None, "edit_file", arguments).unwrap_err().to_string()
        };
        assert_eq!(clash(json!({"file_path": "a", "path": "a"})), "file_path and path are two names for one argument");
        assert_eq!(
            clash(json!({"edits": [{"old": "a", "old_string": "b"}]})),
            "old and old_string are two names for one argument"
        );
    }
}
