//! Words of a command for a person's shell.

/// `text` as one word of a command.
pub fn word(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "/:._-#@+".contains(char);
    // A shell reads `#` as a comment at the start of a word.
    if !text.is_empty() && !text.starts_with('#') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        for text in ["a", "agent/x", "/home/ada/my project", "it's", "$(id)", "", "#main", "a;b", "*", "\\"] {
            let output = std::process::Command::new("sh").arg("-c").arg(format!("printf %s {}", word(text))).output();
            assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap(), text);
        }
        assert_eq!(word("local:/home/ada#main"), "local:/home/ada#main");
    }
}
