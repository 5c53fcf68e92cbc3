//! Arguments that dialects give in another form, and what one that was left out means to them.

use serde_json::{Map, Value};

use crate::Dialect::{self, ClaudeCode, Codex, Gemini, Opencode};
use crate::read::Clash;

type Arguments = Map<String, Value>;

/// Rewrites the arguments of `tool`, which have its own names. Returns whether it changed any.
pub fn convert(dialect: Option<Dialect>, tool: &str, arguments: &mut Arguments) -> Result<bool, Clash> {
    let mut changed = false;
    if tool == "read_file" {
        for (first, last) in [("start_line", "end_line"), ("startLine", "endLine")] {
            changed |= lines(arguments, first, last)?;
        }
        // These show a file with the numbers of its lines.
        let numbered = matches!(dialect, Some(ClaudeCode | Codex | Opencode));
        if numbered && !arguments.contains_key("line_numbers") {
            arguments.insert("line_numbers".to_owned(), true.into());
            changed = true;
        }
    }
    if ["search_files", "glob"].contains(&tool) {
        changed |= inverted(arguments, "isRegexp", "literal")?;
        changed |= inverted(arguments, "case_sensitive", "ignore_case")?;
        changed |= inverted(arguments, "respect_git_ignore", "ignored")?;
        changed |= names_only(arguments)?;
        // Claude Code's word for "as many as there are".
        if dialect == Some(ClaudeCode) && number(arguments.get("limit")) == Some(0) {
            arguments.insert("limit".to_owned(), u32::MAX.into());
            changed = true;
        }
    }
    // A new file, as `create_file` makes it, is an edit of no text.
    if tool == "edit_file"
        && !["old", "new", "edits"].iter().any(|name| arguments.contains_key(*name))
        && let Some(content) = arguments.remove("content")
    {
        arguments.insert("old".to_owned(), "".into());
        arguments.insert("new".to_owned(), content);
        changed = true;
    }
    if dialect == Some(Gemini) && tool == "search_files" {
        // "Defaults to false (ignore case) if omitted": of `case_sensitive`.
        let says_nothing = !["ignore_case", "case_sensitive"].iter().any(|name| arguments.contains_key(*name));
        if says_nothing {
            arguments.insert("ignore_case".to_owned(), true.into());
            changed = true;
        }
    }
    if tool == "list_files" {
        const OPTIONS: [&str; 2] = ["respect_git_ignore", "respect_gemini_ignore"];
        let are_known = |options: &Map<String, Value>| options.keys().all(|name| OPTIONS.contains(&name.as_str()));
        if arguments.get("file_filtering_options").and_then(Value::as_object).is_some_and(are_known)
            && let Some(Value::Object(options)) = arguments.remove("file_filtering_options")
        {
            for (name, value) in options {
                set(arguments, "file_filtering_options", &name, value)?;
            }
            arguments.remove("respect_gemini_ignore");
            changed = true;
        }
        changed |= inverted(arguments, "respect_git_ignore", "ignored")?;
    }
    // Our own documentation counts from 1. Callers of another dialect also write 0 for the beginning.
    if dialect.is_some() && number(arguments.get("offset")) == Some(0) {
        arguments.remove("offset");
        changed = true;
    }
    Ok(changed)
}

/// The first and last line as a first line and a number of lines.
fn lines(arguments: &mut Arguments, first: &str, last: &str) -> Result<bool, Clash> {
    let (from, to) = (arguments.remove(first), arguments.remove(last));
    if from.is_none() && to.is_none() {
        return Ok(false);
    }
    let start = from.as_ref().map_or(Some(1), |from| number(Some(from)));
    match (start, to.as_ref().map(|to| number(Some(to)))) {
        (Some(start), None) => set(arguments, first, "offset", start.max(1).into())?,
        // A last line before the first is the first: no dialect asks for no line.
        (Some(start), Some(Some(end))) => {
            let start = start.max(1);
            set(arguments, first, "offset", start.into())?;
            set(arguments, last, "limit", (end.max(start) - start + 1).into())?;
        }
        // What is no number is left for the tool to refuse.
        _ => {
            let put_back = [(first, from), (last, to)].into_iter();
            put_back.filter_map(|(name, value)| Some((name, value?))).for_each(|(name, value)| {
                arguments.insert(name.to_owned(), value);
            });
            return Ok(false);
        }
    }
    Ok(true)
}

/// A switch as the opposite of another one.
fn inverted(arguments: &mut Arguments, theirs: &str, ours: &str) -> Result<bool, Clash> {
    let Some(value) = arguments.get(theirs).and_then(switch) else { return Ok(false) };
    arguments.remove(theirs);
    set(arguments, theirs, ours, (!value).into())?;
    Ok(true)
}

fn names_only(arguments: &mut Arguments) -> Result<bool, Clash> {
    let Some(names_only) = arguments.get("names_only").and_then(switch) else { return Ok(false) };
    arguments.remove("names_only");
    if names_only {
        set(arguments, "names_only", "output_mode", "files_with_matches".into())?;
    }
    Ok(true)
}

fn set(arguments: &mut Arguments, theirs: &str, ours: &str, value: Value) -> Result<(), Clash> {
    match arguments.insert(ours.to_owned(), value) {
        Some(_) => Err(Clash { first: ours.to_owned(), second: theirs.to_owned() }),
        None => Ok(()),
    }
}

/// A whole number, which some models write in a text.
fn number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_u64().or_else(|| {
            value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0).map(|number| number as u64)
        }),
    }
}

fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_bool(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Dialect::VsCode;
    use crate::read;

    fn of(dialect: Option<Dialect>, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        read(dialect, tool, arguments).unwrap().arguments.into()
    }

    #[test]
    fn a_first_and_a_last_line_are_an_offset_and_a_limit() {
        let lines = |arguments| of(Some(VsCode), "read_file", arguments);
        assert_eq!(lines(json!({"startLine": 3, "endLine": 5})), json!({"offset": 3, "limit": 3}));
        assert_eq!(lines(json!({"start_line": "3"})), json!({"offset": 3}));
        assert_eq!(lines(json!({"endLine": 5})), json!({"offset": 1, "limit": 5}));
        assert_eq!(lines(json!({"startLine": 0, "endLine": 0})), json!({"offset": 1, "limit": 1}));
        assert_eq!(lines(json!({"startLine": "x"})), json!({"startLine": "x"}));
        let clash = read(None, "read_file", json!({"start_line": 1, "offset": 1}).as_object().unwrap().clone());
        assert_eq!(clash.unwrap_err().to_string(), "offset and start_line are two names for one argument");
    }

    #[test]
    fn an_opposite_switch_is_turned_round() {
        let search = |arguments| of(None, "search_files", arguments);
        assert_eq!(search(json!({"query": "a.b", "isRegexp": false})), json!({"pattern": "a.b", "literal": true}));
        assert_eq!(
            search(json!({"pattern": "a", "case_sensitive": "true"})),
            json!({"pattern": "a", "ignore_case": false})
        );
        assert_eq!(
            search(json!({"pattern": "a", "names_only": true})),
            json!({"pattern": "a", "output_mode": "files_with_matches"})
        );
        let list = |arguments| of(Some(Gemini), "list_files", arguments);
        assert_eq!(
            list(
                json!({"dir_path": "a", "file_filtering_options": {"respect_git_ignore": false, "respect_gemini_ignore": true}})
            ),
            json!({"path": "a", "ignored": true})
        );
    }

    #[test]
    fn other_options_of_a_filter_are_left_for_the_tool_to_refuse() {
        let hidden = json!({"file_filtering_options": {"dir_path": "/docs"}});
        assert_eq!(of(None, "list_files", hidden.clone()), hidden);
    }

    #[test]
    fn a_new_file_is_an_edit_of_no_text() {
        assert_eq!(
            of(None, "create_file", json!({"filePath": "a", "content": "b"})),
            json!({"path": "a", "old": "", "new": "b"})
        );
        let edit = json!({"path": "a", "old": "b", "content": "c"});
        assert_eq!(of(None, "edit_file", edit.clone()), edit, "the tool refuses it");
        assert_eq!(
            of(Some(Gemini), "search_files", json!({"pattern": "a"})),
            json!({"pattern": "a", "ignore_case": true})
        );
    }

    #[test]
    fn what_is_left_out_means_what_it_means_to_the_client() {
        let read = |dialect| of(dialect, "read_file", json!({"path": "a", "offset": 0}));
        assert_eq!(read(Some(ClaudeCode)), json!({"path": "a", "line_numbers": true}));
        assert_eq!(read(Some(VsCode)), json!({"path": "a"}));
        assert_eq!(read(None), json!({"path": "a", "offset": 0}), "the tool refuses it");
        assert_eq!(
            of(Some(ClaudeCode), "search_files", json!({"pattern": "a", "head_limit": 0})),
            json!({"pattern": "a", "limit": u32::MAX})
        );
    }
}
