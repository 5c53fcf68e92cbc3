//! Reads and edits the packed-refs file, which has a line with an id and a name for each ref.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::sort::sort_by;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::words::space::is_space;
use crate::platform;

/// The number of digits of an id.
const HEX: usize = 40;

/// The packed refs of a repository, in the form of the file.
pub struct Packed {
    data: platform::Contents,
    /// The starts of the lines, sorted by name, if the file's header does not say that it is sorted.
    order: Option<Vec<usize>>,
}

/// A ref in the file.
#[derive(Clone, Copy, Debug)]
pub struct Record<'p> {
    /// The full name.
    pub name: &'p BStr,
    /// The object.
    pub id: ObjectId,
}

impl Packed {
    /// Reads those of `repo`.
    ///
    /// # Errors
    ///
    /// In git's words, if git could not read a line.
    pub fn of(repo: &Repo, deadline: &Deadline) -> Result<Packed, ToolError> {
        let data = match platform::read(&repo.git_dir().join("packed-refs")) {
            Ok(data) => data,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
            Err(error) => return Err(ToolError::io(".git/packed-refs", &error)),
        };
        if !data.is_empty() && !data.ends_with(b"\n") {
            let line = data.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            return Err(unreadable("unterminated", line));
        }
        let header = data.lines().next().filter(|line| line.starts_with(b"# pack-refs with:"));
        let is_sorted = header.is_some_and(|header| header.fields().any(|word| word == b"sorted"));
        let mut packed = Packed { data, order: None };
        let mut starts = Vec::new();
        for line in packed.lines_from(0) {
            deadline.poll_units(units(line.text.len()) + 1)?;
            if is_entry(line.text) {
                record(line.text)?;
                if !is_sorted {
                    starts.push(line.start);
                }
            }
        }
        if !is_sorted {
            sort_by(&mut starts, |one, two| packed.name_at(*one).cmp(packed.name_at(*two)));
            packed.order = Some(starts);
        }
        Ok(packed)
    }

    /// The object of `name`.
    pub fn find(&self, name: &BStr) -> Option<ObjectId> {
        self.from(name).next().filter(|record| record.name == name).map(|record| record.id)
    }

    /// The refs from `name` on, sorted by name.
    pub fn from<'p>(&'p self, name: &BStr) -> Box<dyn Iterator<Item = Record<'p>> + 'p> {
        match &self.order {
            Some(order) => {
                let at = order.partition_point(|start| self.name_at(*start) < name);
                Box::new(order[at..].iter().filter_map(|start| record(self.line_at(*start)).ok()))
            }
            None => {
                let lines = self.lines_from(self.search(name)).map(|line| line.text);
                Box::new(lines.filter(|line| is_entry(line)).filter_map(|line| record(line).ok()))
            }
        }
    }

    /// The file without `name`. `None` if it does not have that ref.
    pub fn without(&self, name: &BStr) -> Option<Vec<u8>> {
        self.find(name)?;
        let mut kept = Vec::with_capacity(self.data.len());
        let mut is_dropped = false;
        for line in self.lines_from(0) {
            if is_entry(line.text) {
                is_dropped = record(line.text).is_ok_and(|record| record.name == name);
            }
            // The next line has the peeled object of a tag.
            if !is_dropped || line.text.starts_with(b"#") {
                kept.extend_from_slice(line.text);
                kept.push(b'\n');
            }
        }
        Some(kept)
    }

    /// The start of the first line in a sorted file whose name is not less than `name`.
    fn search(&self, name: &BStr) -> usize {
        let (mut low, mut high) = (0, self.data.len());
        while low < high {
            let middle = self.start_of_entry(low, low + (high - low) / 2);
            match self.name_at(middle).cmp(name) {
                Ordering::Less => low = self.end_of_line(middle),
                _ if middle == low => return low,
                _ => high = middle,
            }
        }
        low
    }

    /// The start of the entry that contains the byte `at`, or the last one before it. It is never before `low`.
    fn start_of_entry(&self, low: usize, at: usize) -> usize {
        let mut at = at;
        loop {
            let start = self.data[low..at].rfind_byte(b'\n').map_or(low, |end| low + end + 1);
            if start == low || is_entry(self.line_at(start)) {
                return start;
            }
            at = start - 1;
        }
    }

    /// The name in the line at `start`. It is empty, and so sorts first, if the line has none.
    fn name_at(&self, start: usize) -> &BStr {
        record(self.line_at(start)).map_or(BStr::new(b""), |record| record.name)
    }

    fn line_at(&self, start: usize) -> &[u8] {
        let end = self.end_of_line(start);
        self.data[start..end].strip_suffix(b"\n").unwrap_or_default()
    }

    fn end_of_line(&self, start: usize) -> usize {
        self.data[start..].find_byte(b'\n').map_or(self.data.len(), |end| start + end + 1)
    }

    fn lines_from(&self, start: usize) -> impl Iterator<Item = Line<'_>> {
        let mut at = start;
        self.data[start..].lines_with_terminator().map(move |text| {
            let start = at;
            at += text.len();
            Line { start, text: text.strip_suffix(b"\n").unwrap_or(text) }
        })
    }
}

/// A line without its line feed.
struct Line<'p> {
    start: usize,
    text: &'p [u8],
}

/// Whether the line is neither the header nor the peeled object of a tag.
fn is_entry(line: &[u8]) -> bool {
    !line.starts_with(b"#") && !line.starts_with(b"^")
}

fn record(line: &[u8]) -> Result<Record<'_>, ToolError> {
    let parsed = line.split_at_checked(HEX).and_then(|(digits, rest)| {
        let (space, name) = rest.split_first()?;
        let id = ObjectId::from_hex(digits).ok().filter(|_| is_space(*space))?;
        Some(Record { name: name.as_bstr(), id })
    });
    parsed.ok_or_else(|| unreadable("unexpected", line))
}

fn unreadable(what: &str, line: &[u8]) -> ToolError {
    ToolError::failed(format!("fatal: {what} line in .git/packed-refs: {}", line.as_bstr()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(header: &str, names: &[&str]) -> String {
        let id = "1".repeat(HEX);
        let lines: String = names.iter().map(|name| format!("{id} {name}\n^{id}\n")).collect();
        format!("{header}{lines}")
    }

    fn of(content: &str) -> Result<Packed, ToolError> {
        let mut sandbox = crate::testing::Sandbox::new();
        sandbox.calling("sandbox_import", serde_json::json!({})).as_user().done().unwrap();
        sandbox.write(".git/packed-refs", content);
        let repo = sandbox.session.repo().unwrap();
        Packed::of(&repo, &Deadline::after(|| 0, u64::MAX))
    }

    #[test]
    fn every_ref_is_found_and_the_list_begins_at_any_name() {
        let names = ["refs/heads/a", "refs/heads/a/b", "refs/heads/ab", "refs/heads/c", "refs/tags/z"];
        let mut mixed = names;
        mixed.reverse();
        for content in [packed("# pack-refs with: peeled fully-peeled sorted \n", &names), packed("", &mixed)] {
            let packed = of(&content).unwrap();
            for (at, name) in names.iter().enumerate() {
                assert!(packed.find((*name).into()).is_some(), "{name}");
                let found: Vec<_> = packed.from((*name).into()).map(|record| record.name.to_string()).collect();
                assert_eq!(found, names[at..]);
            }
            for absent in ["", "refs/heads/", "refs/heads/b", "refs/zz"] {
                assert!(packed.find(absent.into()).is_none(), "{absent}");
            }
            assert_eq!(packed.from("refs/heads/b".into()).count(), 2);
            let left = of(std::str::from_utf8(&packed.without("refs/heads/ab".into()).unwrap()).unwrap()).unwrap();
            assert_eq!(left.from("".into()).count(), 4);
            assert!(packed.without("refs/heads/b".into()).is_none());
        }
    }

    #[test]
    fn a_line_that_git_would_not_read_is_named() {
        let message = |content: &str| of(content).err().unwrap().message;
        assert_eq!(message("nonsense\n"), "fatal: unexpected line in .git/packed-refs: nonsense");
        assert_eq!(message("x\ny"), "fatal: unterminated line in .git/packed-refs: y");
    }
}
