//! What git advises on its error stream, in lines that begin with `hint:`.

/// `text` as git advises it, with how to switch the advice off, which goes by `key`.
pub fn advice(text: &str, key: &str) -> String {
    hint(&format!("{text}\nDisable this message with \"git config advice.{key} false\""))
}

/// `text` as git advises it where nothing switches the advice off.
pub fn hint(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "hint:\n".to_owned() } else { format!("hint: {line}\n") };
    text.split('\n').map(line).collect()
}

/// `words` as git says them on its error stream: control characters, which a name that it was given can have, become question marks. What it
/// advises, it says as it is.
pub fn plain(words: &str) -> String {
    let line = |line: &str| match line.starts_with("hint:") {
        true => line.to_owned(),
        false => line.replace(|c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n'), "?"),
    };
    words.split_inclusive('\n').map(line).collect()
}
