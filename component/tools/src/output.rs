//! A tool's result, and how its text leaves the sandbox.

use serde::Serialize;

/// A tool's result.
#[derive(Debug)]
pub struct Output {
    /// For a model. Bytes, because names and contents need not be UTF-8.
    pub text: Vec<u8>,
    /// For a program.
    pub structured: Structured,
    /// Whether the tool itself left something out of `text`.
    pub truncated: bool,
    /// The size limit of the text that the caller wants.
    pub max_bytes: usize,
    /// What the call does to the tree.
    pub effect: Effect,
    /// A pack for the host, or what parts of one consist of, from a tool that changes nothing.
    pub pack: Vec<u8>,
}

/// What a call does to the tree.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The tool's changes stay, and an undo can take them back.
    Keep,
    /// The tool's changes stay, and no undo takes them back: they record a fact from outside, such as a landed commit.
    Fact,
    /// The tool's changes stay. No undo takes back this call or an earlier one, because no earlier tree has what the call brought.
    Settled,
    /// Undoes this many calls.
    Undo(u32),
}

impl Output {
    /// Sets the size limit of the text.
    pub fn max_bytes(mut self, max_bytes: usize) -> Output {
        self.max_bytes = max_bytes;
        self
    }

    /// Adds a pack for the host.
    pub fn pack(mut self, pack: Vec<u8>) -> Output {
        self.pack = pack;
        self
    }

    /// Sets the effect.
    pub fn effect(mut self, effect: Effect) -> Output {
        self.effect = effect;
        self
    }
}

/// The structured form of a result: a JSON object, serialized once and never parsed again by the component.
#[derive(Clone, Debug)]
pub struct Structured(String);

impl Structured {
    /// Serializes `object`.
    ///
    /// # Panics
    ///
    /// If `object` does not serialize to a JSON object. Results are structs, or maps with string keys.
    pub fn of(object: impl Serialize) -> Structured {
        let json = serde_json::to_string(&object).expect("output structs have string keys");
        assert!(json.starts_with('{'), "an output is a struct");
        Structured(json)
    }

    /// Adds a field that the object does not have yet.
    pub fn add(&mut self, name: &'static str, value: bool) {
        let end = self.0.pop();
        debug_assert_eq!(end, Some('}'), "it is an object");
        let comma = if self.0 == "{" { "" } else { "," };
        self.0.push_str(&format!("{comma}\"{name}\":{value}}}"));
    }

    /// The JSON.
    pub fn into_json(self) -> String {
        self.0
    }

    /// The parsed object, for tests.
    #[cfg(test)]
    pub fn value(&self) -> serde_json::Value {
        serde_json::from_str(&self.0).expect("it is JSON")
    }
}

/// The marker at the end of a truncated text (SRD, NFR-GIT-PERF-03).
pub const TRUNCATION_MARKER: &str = "\n\n... [output truncated]";

/// Cuts `text` at a character boundary so it fits into `max_bytes` with the marker (SRD, FR-GIT-OUTPUT-02).
pub fn truncate(mut text: String, max_bytes: usize) -> (String, bool) {
    if text.len() <= max_bytes {
        return (text, false);
    }
    let end = text.floor_char_boundary(max_bytes.saturating_sub(TRUNCATION_MARKER.len()));
    text.truncate(end);
    text.push_str(TRUNCATION_MARKER);
    (text, true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_can_be_added_to_any_object() {
        for (object, with) in [(json!({}), json!({"b": true})), (json!({"a": [1]}), json!({"a": [1], "b": true}))] {
            let mut structured = Structured::of(object);
            structured.add("b", true);
            assert_eq!(structured.value(), with);
        }
    }

    #[test]
    fn t_git_edge_03_text_of_exactly_max_bytes_is_whole() {
        assert_eq!(truncate("x".repeat(40), 40), ("x".repeat(40), false));
    }

    #[test]
    fn t_git_edge_04_text_one_byte_longer_is_cut() {
        let (text, cut) = truncate("x".repeat(41), 40);
        assert!(cut);
        assert_eq!(text, format!("{}{TRUNCATION_MARKER}", "x".repeat(40 - TRUNCATION_MARKER.len())));
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        for max_bytes in 0..60 {
            let (text, _) = truncate("é".repeat(50), max_bytes);
            assert!(text.ends_with(TRUNCATION_MARKER));
        }
    }
}
