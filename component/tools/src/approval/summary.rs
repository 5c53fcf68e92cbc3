//! The parts that summaries and details are made of, by the requirements' formats (SRD, the paragraphs "Approval summary format" of
//! section 2). Arguments that are not what the schema says are left to the tool, which refuses them.

use serde_json::Value;

/// How many files a summary names before it says "...".
const NAMED_FILES: usize = 2;

/// How much of a message a summary has, in characters.
pub const MESSAGE_CHARACTERS: usize = 50;

/// `3 file(s): a, b...`
pub fn named(files: &[&str]) -> String {
    let mut named = files.iter().take(NAMED_FILES).copied().collect::<Vec<_>>().join(", ");
    if files.len() > NAMED_FILES {
        named.push_str("...");
    }
    format!("{} file(s): {named}", files.len())
}

/// One line for each.
pub fn lines(files: &[&str]) -> String {
    files.iter().map(|file| format!("  {file}\n")).collect()
}

/// The texts of a list.
pub fn texts(list: &Value) -> Vec<&str> {
    list.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}
