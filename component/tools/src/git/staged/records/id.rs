//! The names of tasks. A name contains no separator of a record's subject, so the subject stays unambiguous.

use crate::error::ToolError;

/// The maximum number of characters of a name.
const MOST_CHARACTERS: usize = 100;

/// Whether `text` is a valid task name: letters and digits of any script, and `-`, `_`, `.` and `/`.
pub fn is_id(text: &str) -> bool {
    let may_stand = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '/');
    !text.is_empty() && text.chars().count() <= MOST_CHARACTERS && text.chars().all(may_stand)
}

/// Refuses an invalid task name.
pub fn ensure_id(task: &str) -> Result<(), ToolError> {
    if is_id(task) {
        return Ok(());
    }
    Err(ToolError::bad_args(format!("Not the id of a task: {task:?}")).hint(format!(
        "An id has at most {MOST_CHARACTERS} letters, digits, hyphens, underscores, dots and slashes, such as T001."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_none_of_the_characters_that_separate() {
        for good in ["T001", "phase-1/T3.2_b", "задача-1", "任務"] {
            assert!(is_id(good), "{good}");
        }
        let long = "x".repeat(MOST_CHARACTERS + 1);
        for bad in ["", "a b", "a@b", "a)", "(a", "a:b", "a\nb", "a\u{202e}b", "a\0", "T1\u{a0}", &long] {
            assert!(!is_id(bad), "{bad:?}");
        }
    }
}
