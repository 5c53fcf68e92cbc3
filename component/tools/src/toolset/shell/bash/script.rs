//! A script as callers give it: a text, or the words of a command line, as some clients call programs.

use serde::{Deserialize, Deserializer};

/// The names of shells, whose `-c` has the script itself.
const SHELLS: [&str; 4] = ["bash", "sh", "/bin/bash", "/bin/sh"];

#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Words(Vec<String>),
}

/// Reads a script.
pub fn script<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Given::deserialize(deserializer)? {
        Given::Text(text) => text,
        Given::Words(words) => match words.as_slice() {
            [shell, option, text] if SHELLS.contains(&shell.as_str()) && matches!(option.as_str(), "-c" | "-lc") => {
                text.clone()
            }
            words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        },
    })
}

/// A word that a shell reads as itself.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_words_of_a_command_line_are_a_script_too() {
        for (given, wanted) in [
            (json!("ls | wc"), "ls | wc"),
            (json!(["bash", "-lc", "ls | wc"]), "ls | wc"),
            (json!(["grep", "-n", "a b", "x.rs"]), "grep -n 'a b' x.rs"),
            (json!(["echo", "it's", ""]), "echo 'it'\\''s' ''"),
        ] {
            assert_eq!(script::<Value>(given).unwrap(), wanted);
        }
        assert!(script::<Value>(json!(1)).is_err());
    }
}
