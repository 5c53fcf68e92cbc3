//! How a person edits a push: what it leaves out, and its message.

use std::str::FromStr;

use serde::Serialize;

/// A person's edits to a push.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// What stays in the sandbox.
    pub leave_out: Vec<LeftOut>,
    /// The message of the last commit.
    pub message: Option<String>,
}

impl Revision {
    /// True if there are no edits.
    pub fn is_empty(&self) -> bool {
        self.leave_out.is_empty() && self.message.is_none()
    }
}

/// A file or some of its hunks, in the form that the tool `git_revise` takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// From the top of the repository.
    pub path: String,
    /// Numbered from 1 as in the review. `None` means the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<u32>>,
    /// The lines of context that the hunks are counted with. `None` means as many as in the review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
}

impl FromStr for LeftOut {
    type Err = String;

    /// `PATH:1,3`: two hunks of a file.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = |text: &str| text.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>();
        match text.rsplit_once(':').and_then(|(path, hunks)| Some((path, numbers(hunks)?))) {
            Some((path, hunks)) if !path.is_empty() => {
                Ok(LeftOut { path: path.to_owned(), hunks: Some(hunks), context: None })
            }
            _ => Err("name hunks as PATH:1,3".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(path: &str, hunks: Option<&[u32]>) -> LeftOut {
        LeftOut { path: path.to_owned(), hunks: hunks.map(<[u32]>::to_vec), context: None }
    }

    #[test]
    fn the_command_line_names_paths_and_hunks() {
        assert_eq!("a:1,3".parse(), Ok(out("a", Some(&[1, 3]))));
        assert_eq!("a:b:2".parse(), Ok(out("a:b", Some(&[2]))));
        for wrong in ["", ":1", "a", "a:b", "a:", "a:1,"] {
            assert!(wrong.parse::<LeftOut>().is_err(), "{wrong}");
        }
    }
}
