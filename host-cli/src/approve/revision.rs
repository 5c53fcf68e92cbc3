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
}

impl FromStr for LeftOut {
    type Err = String;

    /// `PATH:1,3`: two hunks of a file.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = |text: &str| text.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>();
        match text.rsplit_once(':').and_then(|(path, hunks)| Some((path, numbers(hunks)?))) {
            Some((path, hunks)) if !path.is_empty() => Ok(LeftOut { path: path.to_owned(), hunks: Some(hunks) }),
            _ => Err("name hunks as PATH:1,3".to_owned()),
        }
    }
}

/// Parses a person's choice from a list of files, each with its number of hunks: `2` is the second
/// file, `1.3` the third hunk of the first.
pub fn read(text: &str, files: &[(String, usize)]) -> Result<Vec<LeftOut>, String> {
    let mut left_out: Vec<LeftOut> = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (file, hunk) = word.split_once('.').map_or((word, None), |(file, hunk)| (file, Some(hunk)));
        let number = |text: &str, most: usize| text.parse().ok().filter(|number| (1..=most).contains(number));
        let Some(at) = number(file, files.len()) else { return Err(format!("there is no file {word}")) };
        let (path, hunks) = &files[at - 1];
        let hunk = match hunk {
            None => None,
            Some(hunk) => Some(number(hunk, *hunks).ok_or_else(|| format!("there is no hunk {word}"))?),
        };
        let hunk = hunk.map(|hunk| u32::try_from(hunk).expect("a text has fewer lines"));
        match left_out.iter_mut().find(|left_out| left_out.path == *path) {
            None => left_out.push(LeftOut { path: path.clone(), hunks: hunk.map(|hunk| vec![hunk]) }),
            Some(LeftOut { hunks, .. }) => match (hunks.as_mut(), hunk) {
                (Some(hunks), Some(hunk)) => hunks.push(hunk),
                // The whole file includes its hunks.
                _ => *hunks = None,
            },
        }
    }
    Ok(left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(path: &str, hunks: Option<&[u32]>) -> LeftOut {
        LeftOut { path: path.to_owned(), hunks: hunks.map(<[u32]>::to_vec) }
    }

    #[test]
    fn the_command_line_names_paths_and_hunks() {
        assert_eq!("a:1,3".parse(), Ok(out("a", Some(&[1, 3]))));
        assert_eq!("a:b:2".parse(), Ok(out("a:b", Some(&[2]))));
        for wrong in ["", ":1", "a", "a:b", "a:", "a:1,"] {
            assert!(wrong.parse::<LeftOut>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_prompt_counts_files_and_hunks() {
        let files = [("a".to_owned(), 2), ("b".to_owned(), 1)];
        assert_eq!(read("", &files), Ok(vec![]));
        assert_eq!(read("2, 1.2", &files), Ok(vec![out("b", None), out("a", Some(&[2]))]));
        assert_eq!(read("1.1 1.2", &files), Ok(vec![out("a", Some(&[1, 2]))]));
        assert_eq!(read("1.1 1", &files), Ok(vec![out("a", None)]));
        for wrong in ["0", "3", "x", "1.3", "1.0", "1.x", "1.1.1"] {
            assert!(read(wrong, &files).is_err(), "{wrong}");
        }
    }
}
