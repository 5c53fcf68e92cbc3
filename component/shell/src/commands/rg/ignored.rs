//! Rules that leave out files, as `.gitignore` has them: the last one that matches holds.

use bstr::{BString, ByteSlice};

use crate::commands::glob::Glob;

/// The most patterns that the braces of one may mean.
const MOST: usize = 1000;

/// The rules of one file, for what is below a folder.
#[derive(Debug)]
pub struct Rules {
    /// The folder, as an absolute path.
    base: BString,
    rules: Vec<Rule>,
    ignores_case: bool,
}

#[derive(Debug)]
struct Rule {
    /// It takes back what others leave out.
    includes: bool,
    /// It is for folders only.
    folders: bool,
    ways: Vec<Way>,
}

#[derive(Debug)]
enum Way {
    /// The last name of a path.
    Name(Glob),
    /// All names of a path.
    Path(Vec<Part>),
}

#[derive(Debug)]
enum Part {
    /// `**`
    Many,
    /// A name.
    Name(Glob),
}

impl Rules {
    /// None yet.
    pub fn new(base: BString) -> Rules {
        Rules { base, rules: Vec::new(), ignores_case: false }
    }

    /// Those of a file's text. A line that is wrong is none.
    pub fn read(base: BString, text: &[u8], ignores_case: bool) -> Rules {
        let mut rules = Rules { base, rules: Vec::new(), ignores_case };
        for line in text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).lines() {
            // What is wrong is told only to who writes an option.
            drop(rules.add(line));
        }
        rules
    }

    /// The rules that are added next match letters of either case.
    pub fn ignore_case(&mut self) {
        self.ignores_case = true;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// How many patterns there are to be tried.
    pub fn weight(&self) -> usize {
        self.rules.iter().map(|rule| rule.ways.len()).sum()
    }

    /// Whether any leaves something out.
    pub fn excludes(&self) -> bool {
        self.rules.iter().any(|rule| !rule.includes)
    }

    /// Adds a line. The error says what is wrong with it.
    pub fn add(&mut self, line: &[u8]) -> Result<(), String> {
        if line.starts_with(b"#") {
            return Ok(());
        }
        let mut line = if line.ends_with(b"\\ ") { line } else { line.trim_end() };
        if line.is_empty() {
            return Ok(());
        }
        let escapes = line.starts_with(b"\\!") || line.starts_with(b"\\#");
        let includes = !escapes && line.starts_with(b"!");
        line = &line[usize::from(escapes || includes)..];
        let is_rooted = !escapes && line.starts_with(b"/");
        line = &line[usize::from(is_rooted)..];
        let folders = line.ends_with(b"/");
        if let Some(rest) = line.strip_suffix(b"/") {
            line = rest.strip_suffix(b"\\").unwrap_or(rest);
        }
        if let Some(wrong) = wrong(line) {
            return Err(format!("error parsing glob '{}': {wrong}", line.as_bstr()));
        }
        let ways = alternatives(line).iter().map(|text| self.way(text, is_rooted || line.contains(&b'/'))).collect();
        self.rules.push(Rule { includes, folders, ways });
        Ok(())
    }

    fn way(&self, text: &[u8], is_path: bool) -> Way {
        let glob = |text: &[u8]| Glob::new(text, self.ignores_case);
        if !is_path {
            return Way::Name(glob(text));
        }
        let mut parts: Vec<Part> = Vec::new();
        for name in text.split_str("/") {
            match (name, parts.last()) {
                (b"**", Some(Part::Many)) => (),
                (b"**", _) => parts.push(Part::Many),
                _ => parts.push(Part::Name(glob(name))),
            }
        }
        match &mut *parts {
            [Part::Many, Part::Name(name)] => Way::Name(name.clone()),
            _ => Way::Path(parts),
        }
    }

    /// Whether an absolute path is left out, or taken back. None if there is no rule for it.
    pub fn leaves_out(&self, path: &[u8], is_folder: bool) -> Option<bool> {
        if self.rules.is_empty() {
            return None;
        }
        let below = path.strip_prefix(self.base.as_slice());
        let below = below.filter(|below| self.base.ends_with(b"/") || below.starts_with(b"/")).unwrap_or(path);
        let below = below.strip_prefix(b"/").unwrap_or(below);
        let name = below.rfind_byte(b'/').map_or(below, |at| &below[at + 1..]);
        let rule = self.rules.iter().rev().find(|rule| {
            (is_folder || !rule.folders)
                && rule.ways.iter().any(|way| match way {
                    Way::Name(glob) => glob.matches(name),
                    Way::Path(parts) => matches(parts, below),
                })
        })?;
        Some(!rule.includes)
    }
}

/// Whether the names of a path match: a star is never more than one, and two are any number.
fn matches(parts: &[Part], path: &[u8]) -> bool {
    let names: Vec<&[u8]> = path.split_str("/").collect();
    // Where parts can end: as in a table of which beginnings match which.
    let mut ends = vec![false; names.len() + 1];
    ends[0] = true;
    for (at, part) in parts.iter().enumerate() {
        let mut next = vec![false; names.len() + 1];
        match part {
            Part::Many => {
                let first = ends.iter().position(|is_end| *is_end);
                // At the end of a pattern it is what is inside, and not the folder itself.
                let least = usize::from(at + 1 == parts.len());
                if let Some(first) = first {
                    next.iter_mut().skip(first + least).for_each(|is_end| *is_end = true);
                }
            }
            Part::Name(glob) => {
                for (place, name) in names.iter().enumerate() {
                    next[place + 1] = ends[place] && glob.matches(name);
                }
            }
        }
        ends = next;
    }
    ends[names.len()]
}

/// What is wrong with a pattern.
fn wrong(pattern: &[u8]) -> Option<&'static str> {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < pattern.len() {
        match pattern[at] {
            b'\\' => at += 1,
            b'[' => match class(&pattern[at..]) {
                Some(length) => at += length - 1,
                None => return Some("unclosed character class; missing ']'"),
            },
            b'{' => depth += 1,
            b'}' if depth == 0 => {
                return Some("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
            }
            b'}' => depth -= 1,
            _ => (),
        }
        at += 1;
    }
    (depth > 0).then_some("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)")
}

/// How long a class is that begins here.
fn class(text: &[u8]) -> Option<usize> {
    let begin = if matches!(text.get(1), Some(b'!' | b'^')) { 2 } else { 1 };
    text.get(begin + 1..)?.find_byte(b']').map(|at| begin + at + 2)
}

/// A pattern without braces for each way that it can be read. Too many are one that has braces.
pub fn alternatives(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut done = Vec::new();
    let mut left = vec![pattern.to_vec()];
    while let Some(pattern) = left.pop() {
        match braces(&pattern) {
            Some((begin, commas)) if done.len() + left.len() < MOST => {
                let end = commas[commas.len() - 1];
                let mut from = begin + 1;
                let mut ways = Vec::new();
                for comma in &commas {
                    ways.push([&pattern[..begin], &pattern[from..*comma], &pattern[end + 1..]].concat());
                    from = comma + 1;
                }
                left.extend(ways.into_iter().rev());
            }
            _ => done.push(pattern),
        }
    }
    done
}

/// The first braces of a pattern: where they open, and where each of their parts ends.
fn braces(pattern: &[u8]) -> Option<(usize, Vec<usize>)> {
    let (mut begin, mut ends, mut depth) = (0, Vec::new(), 0_usize);
    let mut at = 0;
    while at < pattern.len() {
        match pattern[at] {
            b'\\' => at += 1,
            b'[' => at += class(&pattern[at..]).map_or(0, |length| length - 1),
            b'{' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            b',' if depth == 1 => ends.push(at),
            b'}' if depth == 1 => {
                ends.push(at);
                return Some((begin, ends));
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => (),
        }
        at += 1;
    }
    None
}
