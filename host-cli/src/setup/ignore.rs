//! Lines in a file of patterns that git reads, such as `.git/info/exclude`, which others write, too.

use serde::{Deserialize, Serialize};

/// What stands above the lines, for readers.
const HEADING: &str = "# `gitgate setup` wrote these files; `--undo` removes them";

/// What takes lines back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// What was put between the text and the lines.
    gap: String,
    /// The lines, without their ends.
    lines: Vec<String>,
}

/// Puts the patterns that the text lacks at its end. Returns no [`Taken`] if it has them all.
pub fn apply(text: &str, patterns: &[String]) -> (String, Option<Taken>) {
    let is_lacking = |pattern: &&String| !text.lines().any(|line| line == *pattern);
    let lacking: Vec<String> = patterns.iter().filter(is_lacking).cloned().collect();
    if lacking.is_empty() {
        return (text.to_owned(), None);
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    let lines = [vec![HEADING.to_owned()], lacking].concat();
    let added: String = lines.iter().map(|line| format!("{line}{newline}")).collect();
    (format!("{text}{gap}{added}"), Some(Taken { gap: gap.to_owned(), lines }))
}

/// Takes the lines back, and the gap before them if it is still there. A line that somebody has changed is theirs.
pub fn revert(text: &str, taken: &Taken) -> String {
    let mut left = taken.lines.clone();
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match left.iter().position(|ours| ours == line.trim_end_matches(['\r', '\n'])) {
            Some(at) => {
                if at == 0 && left.len() == taken.lines.len() && !taken.gap.is_empty() {
                    out.truncate(out.strip_suffix(taken.gap.as_str()).unwrap_or(&out).len());
                }
                left.remove(at);
            }
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_once_and_taken_back_to_the_byte() {
        let patterns = ["/AGENTS.md".to_owned(), "/.mcp.json".to_owned()];
        for text in ["", "# mine\n*.o\n", "*.o", "*.o\r\n", "/.mcp.json\n"] {
            let (new, taken) = apply(text, &patterns);
            assert!(patterns.iter().all(|pattern| new.lines().filter(|line| line == pattern).count() == 1), "{new}");
            assert_eq!(apply(&new, &patterns), (new.clone(), None));
            assert_eq!(revert(&new, &taken.unwrap()), text);
        }
    }

    #[test]
    fn what_somebody_added_since_stays() {
        let (new, taken) = apply("*.o\n", &["/AGENTS.md".to_owned()]);
        assert_eq!(revert(&format!("# mine\n{new}*.a\n"), &taken.unwrap()), "# mine\n*.o\n*.a\n");
    }
}
