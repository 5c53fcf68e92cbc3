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
