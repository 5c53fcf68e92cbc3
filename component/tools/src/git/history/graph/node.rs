//! Reads the fields of a commit that a walk needs, as strictly as git does.

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::Node;
use crate::error::ToolError;
use crate::git::words::space::TrimSpace;

const TREE: &[u8] = b"tree ";
const PARENT: &[u8] = b"parent ";
/// The number of digits of an id.
const HEX: usize = 40;

/// Reads the commit `id` from `data`.
///
/// # Errors
///
/// In git's words, if the tree or a parent is invalid.
pub fn node(id: ObjectId, data: &[u8]) -> Result<Node, ToolError> {
    let damaged = |what: &str| ToolError::failed(format!("error: {what} {id}"));
    let (tree, mut rest) = entry(data, TREE).ok_or_else(|| damaged("bogus commit object"))?;
    let tree = tree.ok_or_else(|| damaged("bad tree pointer in commit"))?;
    let mut parents = Vec::new();
    // git ignores a line that is too short for a parent.
    while rest.starts_with(PARENT) && rest.len() > PARENT.len() + HEX {
        let parent = entry(rest, PARENT).and_then(|(parent, after)| Some((parent?, after)));
        let (parent, after) = parent.ok_or_else(|| damaged("bad parents in commit"))?;
        parents.push(parent);
        rest = after;
    }
    Ok(Node { id, tree, parents, time: committer(rest).map_or(0, time) })
}

/// The id after `name` in the first line of `text`, and the rest of `text`. The id is `None` if its digits are invalid. The result is
/// `None` if the line has another form or is the last.
fn entry<'t>(text: &'t [u8], name: &[u8]) -> Option<(Option<ObjectId>, &'t [u8])> {
    let (digits, rest) = text.strip_prefix(name)?.split_at_checked(HEX)?;
    let rest = rest.strip_prefix(b"\n").filter(|rest| !rest.is_empty())?;
    Some((ObjectId::from_hex(digits).ok(), rest))
}

/// The line of the committer, which must directly follow the author's.
fn committer(text: &[u8]) -> Option<&[u8]> {
    let (_, rest) = text.strip_prefix(b"author")?.split_once_str("\n")?;
    let (line, _) = rest.strip_prefix(b"committer")?.split_once_str("\n")?;
    Some(line)
}

/// The seconds of a line that ends like `> 1767225600 +0000`, with or without a zone. They saturate at the largest number.
fn time(person: &[u8]) -> u64 {
    let Some(end) = person.rfind_byte(b'>') else {
        return 0;
    };
    let digits = person[end + 1..].trim_space_start().iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_needs_no_zone_and_has_an_end() {
        for (line, seconds) in
            [("A <a> 12", 12), ("A <a> 99999999999999999999 +0000", u64::MAX), ("A", 0), ("A <a> x", 0)]
        {
            assert_eq!(time(line.as_bytes()), seconds, "{line}");
        }
    }

    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn what_is_no_commit_to_git_is_none() {
        let mut sandbox = crate::testing::Sandbox::with_two_commits();
        let tree = sandbox.git(&["write-tree"]).trim_end().to_owned();
        let parent = sandbox.git(&["rev-parse", "HEAD"]).trim_end().to_owned();
        let upper = parent.to_ascii_uppercase();
        let people = "author A <a@x> 1700000000 +0000\ncommitter A <a@x> 1700000000 +0000\n\nx\n";
        let z = "z".repeat(40);
        for content in [
            format!("tree {tree}\nparent {parent}\n{people}"),
            format!("tree {tree}\nparent {upper}\n{people}"),
            format!("tree {tree}\nparent {parent}x\n{people}"),
            format!("tree {tree}\nparent {parent} \n{people}"),
            format!("tree {tree}\nparent {}\n{people}", &parent[1..]),
            format!("tree {tree}\nparent zz\n{people}"),
            format!("tree {tree}\nparent {z}\n{people}"),
            format!("tree {tree}\nparent {parent}\n"),
            format!("tree {tree}\nparent {parent}\n\n"),
            format!("tree {tree}\nparent {}\n", &parent[1..]),
            format!("tree {tree}\nauthor x\nparent {parent}\n\n"),
            format!("parent {parent}\ntree {tree}\n{people}"),
            format!("tree {z}\n{people}"),
            format!("tree {tree} \n{people}"),
            format!("tree {tree}\nx{people}"),
            format!("tree {tree}\n{}", people.replace("committer", "x\ncommitter")),
            format!("tree {tree}\nauthor A\ncommitter A <a@x>17"),
            format!("tree {tree}\n\n"),
            format!("tree {tree}\n"),
            format!("tree {tree}"),
            String::new(),
        ] {
            sandbox.write("commit", &content);
            let id = sandbox.git(&["hash-object", "-t", "commit", "-w", "--literally", "commit"]);
            let id = id.trim_end();
            let output = sandbox.git_output(&["log", "--no-walk", "--format=%T %P %ct", id]);
            let found = node(ObjectId::from_hex(id.as_bytes()).unwrap(), content.as_bytes());
            match found {
                Ok(found) => {
                    let parents: Vec<String> = found.parents.iter().map(ToString::to_string).collect();
                    let time = sandbox.git(&["rev-list", "--timestamp", "--no-walk", id]);
                    let theirs = String::from_utf8(output.stdout).unwrap();
                    let ours = format!("{} {} ", found.tree, parents.join(" "));
                    assert!(output.status.success() && theirs.starts_with(&ours), "{content:?}: {ours}, {theirs}");
                    assert_eq!(time, format!("{} {id}\n", found.time), "{content:?}");
                }
                Err(error) => {
                    let theirs = String::from_utf8(output.stderr).unwrap();
                    assert_eq!(theirs.lines().next(), Some(error.message.as_str()), "{content:?}");
                }
            }
        }
    }
}
