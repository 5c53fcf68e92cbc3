//! The files that a pull has left in conflict, which the person has to resolve before anything of them is staged again.

use serde::Deserialize;

use crate::screen;

/// The files in conflict that the structured result of `git_pull` names.
pub fn of_pull(structured: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Pulled {
        conflicts: Vec<String>,
    }
    serde_json::from_str::<Pulled>(structured).map(|pulled| pulled.conflicts).unwrap_or_default()
}

/// Names the files as `gitgate status` marks them, a line each. Nothing without any.
pub fn named(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let lines: String = files.iter().map(|file| format!("  UU {}\n", screen::line(file))).collect();
    format!("Conflicts to resolve:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_in_conflict_is_named_on_a_line_of_its_own() {
        let files = of_pull(r#"{"pulled": ["/workspace/a", "/workspace/b"], "conflicts": ["/workspace/b\u001b"]}"#);
        assert_eq!(named(&files), "Conflicts to resolve:\n  UU /workspace/b\\x1b\n");
        assert_eq!(named(&of_pull(r#"{"pulled": ["/workspace/a"], "conflicts": []}"#)), "");
    }
}
