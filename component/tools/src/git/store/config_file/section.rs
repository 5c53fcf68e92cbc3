//! Renames and removes sections of the file line by line, as git does (git-config, `--rename-section`).

use gix::bstr::{BStr, ByteSlice};

use super::quote_subsection;
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::words::space::{TrimSpace, is_space};
use crate::platform;

/// The length in bytes from which git refuses a line.
const LONGEST_LINE: usize = 512 * 1024;

/// The new content of the file after a branch was renamed or deleted, if it differs.
pub struct Renaming(Option<Vec<u8>>);

impl Renaming {
    /// Renames the sections of the branch `old` to `new`, both without `refs/heads/`. Without `new`, it removes them.
    ///
    /// # Errors
    ///
    /// In git's words, if a line is too long.
    pub fn of(repo: &Repo, old: &BStr, new: Option<&BStr>, deadline: &Deadline) -> Result<Renaming, ToolError> {
        let content = super::read(repo)?;
        let renamed = renamed(&content, old, new, deadline)?;
        Ok(Renaming((renamed != content[..]).then_some(renamed)))
    }

    /// Writes the file, if it has changed.
    pub fn write(self, repo: &Repo) -> Result<(), ToolError> {
        let Some(content) = self.0 else { return Ok(()) };
        let written = platform::put_file(&repo.git_dir().join("config"), content, None);
        written.map_err(|error| ToolError::io(".git/config", &error))
    }
}

/// Whether the file has a section of the branch `name`, without `refs/heads/`.
pub fn has_branch(repo: &Repo, name: &BStr) -> Result<bool, ToolError> {
    let name = [b"branch.", name.as_bytes()].concat();
    let content = super::read(repo)?;
    let mut lines = content.lines_with_terminator().map(|line| line.trim_space_start());
    Ok(lines.any(|line| line.starts_with(b"[") && header_end(line, &name).is_some()))
}

fn renamed(content: &[u8], old: &BStr, new: Option<&BStr>, deadline: &Deadline) -> Result<Vec<u8>, ToolError> {
    let name = [b"branch.", old.as_bytes()].concat();
    let mut renamed = Vec::with_capacity(content.len());
    let mut is_dropped = false;
    for (number, line) in content.lines_with_terminator().enumerate() {
        deadline.poll_units(1 + units(line.len()))?;
        if line.len() >= LONGEST_LINE {
            let words =
                format!("error: refusing to work with overly long line in '.git/config' on line {}", number + 1);
            return Err(ToolError::failed(words));
        }
        let text = line.trim_space_start();
        if !text.starts_with(b"[") {
            if !is_dropped {
                renamed.extend_from_slice(line);
            }
            continue;
        }
        let end = header_end(text, &name);
        is_dropped = end.is_some() && new.is_none();
        match (end, new) {
            (None, _) => renamed.extend_from_slice(line),
            (Some(_), None) => {}
            (Some(end), Some(new)) => {
                renamed.extend_from_slice(&[b"[branch ", &quote_subsection(new)[..], b"]\n"].concat());
                // Text after the header moves to a line of its own.
                if end < text.len() {
                    renamed.push(b'\t');
                    renamed.extend_from_slice(&text[end..]);
                }
            }
        }
    }
    Ok(renamed)
}

/// The end of the header at the beginning of `text`, including white space after it, if it names the section `name`, such as `branch.main`.
/// git compares the name in brackets as it is, including case.
fn header_end(text: &[u8], name: &[u8]) -> Option<usize> {
    let at = |at: usize| text.get(at).copied().unwrap_or(0);
    let skip_space =
        |from: usize| from + text[from.min(text.len())..].iter().take_while(|byte| is_space(**byte)).count();
    let mut name = name.iter();
    let mut is_below = false;
    let mut i = 1;
    while at(i) != 0 && at(i) != b']' {
        if !is_below && is_space(at(i)) {
            is_below = true;
            i = skip_space(i);
            if name.next() != Some(&b'.') || at(i) != b'"' {
                return None;
            }
            i += 1;
            continue;
        }
        if at(i) == b'\\' && is_below {
            i += 1;
        } else if at(i) == b'"' && is_below {
            i = skip_space(i + 1);
            break;
        }
        if name.next() != Some(&at(i)) {
            return None;
        }
        i += 1;
    }
    let is_whole = at(i) == b']' && name.next().is_none();
    is_whole.then(|| skip_space(i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(target_os = "wasi"))]
    fn with(content: &str, new: Option<&str>) -> String {
        let deadline = Deadline::after(|| 0, u64::MAX);
        let renamed = renamed(content.as_bytes(), "old".into(), new.map(Into::into), &deadline);
        String::from_utf8(renamed.unwrap()).unwrap()
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        let long = format!("[core]\n\tx = {}\n", "y".repeat(LONGEST_LINE));
        let deadline = Deadline::after(|| 0, u64::MAX);
        let message = renamed(long.as_bytes(), "old".into(), None, &deadline).unwrap_err().message;
        assert_eq!(message, "error: refusing to work with overly long line in '.git/config' on line 2");
    }

    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn every_way_to_write_a_section_is_rewritten_as_git_does() {
        let headers = [
            "[branch \"old\"]\n",
            "[branch \"old\"]",
            "[branch   \"old\"]\n",
            "  [branch \"old\"]\n",
            "[branch\t\"old\"] ; words\n",
            "[branch \"old\"]remote = x\n",
            "  [branch \"old\"]   remote = x\n",
            "[branch \"old\" ]\n",
            "[branch.old]\n",
            "[BRANCH \"old\"]\n",
            "[branch \"OLD\"]\n",
            "[branch \"ol\\d\"]\n",
            "[branch \"older\"]\n",
            "[branch \"ol\"]\n",
            "[ branch \"old\"]\n",
            "[branch \"old\"]\r\n",
            "[branch \"old\"] # one\n\t# two\n",
            "[branch \"old\"]\n[branch \"old\"]\n",
            "[branch \"old\"] [core]\n",
            "[branch old]\n",
            "[branch \"o\\\"ld\"]\n",
            "[branch]\n",
        ];
        let sandbox = crate::testing::Sandbox::new();
        for header in headers {
            for lines in
                ["", "\tremote = y\n\n# words\n", "merge = a\\\n  b\n\t[core]\n\tx = 1\n", "\tmerge = \"[core]\"\n"]
            {
                let content = format!("[core]\n\tbare = false\n{header}{lines}[remote \"old\"]\n\turl = z\n");
                for new in [None, Some("new/x"), Some("q\"uo\\te"), Some("old")] {
                    sandbox.write("config", &content);
                    let new_name = format!("branch.{}", new.unwrap_or_default());
                    let mut arguments = vec!["config", "--file", "config"];
                    match new {
                        Some(_) => arguments.extend(["--rename-section", "branch.old", &new_name]),
                        None => arguments.extend(["--remove-section", "branch.old"]),
                    }
                    crate::testing::git(&sandbox.root(), &arguments);
                    let theirs = String::from_utf8(sandbox.read("config")).unwrap();
                    assert_eq!(with(&content, new), theirs, "{content:?} {new:?}");
                }
            }
        }
    }
}
