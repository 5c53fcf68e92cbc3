//! Advice: the lines that git prints to its error stream after `hint:`.

/// Formats `text` as advice that the configuration key `advice.<key>` switches off, and says so.
pub fn advice(text: &str, key: &str) -> String {
    hint(&format!("{text}\nDisable this message with \"git config advice.{key} false\""))
}

/// Formats `text` as advice that no key switches off.
pub fn hint(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "hint:\n".to_owned() } else { format!("hint: {line}\n") };
    text.split('\n').map(line).collect()
}

/// Replaces control characters by question marks, as git does in its error messages: a name from the caller can hold them. git prints
/// advice unchanged.
pub fn plain(words: &str) -> String {
    let line = |line: &str| match line.starts_with("hint:") {
        true => line.to_owned(),
        false => line.replace(|c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n'), "?"),
    };
    words.split_inclusive('\n').map(line).collect()
}
