//! Parses trailers: the lines `Key: value` at the end of a message (git-interpret-trailers).

use super::arguments::{argument, expanded, switch};
use super::text::Text;
use crate::error::ToolError;
use crate::git::words::space::{TrimSpace, is_blank, is_space};

/// Comparing a key takes as long as scanning this many bytes.
const WORK_PER_KEY: usize = 8;

/// The options of `%(trailers:…)`.
#[derive(Clone, Debug, Default)]
pub struct TrailerOptions {
    /// The wanted keys, ignoring case. Without any, all are wanted.
    keys: Vec<Vec<u8>>,
    /// Whether to drop lines that are no trailers.
    only: bool,
    /// Whether to join values that span several lines.
    unfold: bool,
    key_only: bool,
    value_only: bool,
    /// The text between trailers. Without it, each trailer ends with a line feed.
    separator: Option<Vec<u8>>,
    /// The text between key and value. Without it, `: `.
    key_value_separator: Option<Vec<u8>>,
}

impl TrailerOptions {
    /// Parses the options in `text`, and returns the rest. `None` if git knows no such option.
    pub fn parse(mut text: &str) -> Option<(TrailerOptions, &str)> {
        let mut options = TrailerOptions::default();
        while !text.starts_with(')') {
            if let Some(found) = argument(text, "key") {
                let key = found.value?;
                options.keys.push(key.strip_suffix(':').unwrap_or(key).as_bytes().to_vec());
                options.only = true;
                text = found.rest;
            } else if let Some(found) = argument(text, "separator") {
                options.separator = Some(expanded(found.value.unwrap_or_default()));
                text = found.rest;
            } else if let Some(found) = argument(text, "key_value_separator") {
                options.key_value_separator = Some(expanded(found.value.unwrap_or_default()));
                text = found.rest;
            } else {
                let switches = [
                    ("only", &mut options.only),
                    ("unfold", &mut options.unfold),
                    ("keyonly", &mut options.key_only),
                    ("valueonly", &mut options.value_only),
                ];
                let mut switches = switches.into_iter();
                let (on, to, rest) =
                    switches.find_map(|(name, to)| switch(text, name).map(|(on, rest)| (on, to, rest)))?;
                *to = on;
                text = rest;
            }
        }
        Some((options, text))
    }

    /// Whether the lines are printed unchanged.
    fn is_plain(&self) -> bool {
        !self.only
            && !self.unfold
            && !self.key_only
            && !self.value_only
            && self.keys.is_empty()
            && self.separator.is_none()
            && self.key_value_separator.is_none()
    }

    /// Appends the trailers of `message`, which begins with its subject.
    pub fn append(&self, message: &[u8], out: &mut Text<'_>) -> Result<(), ToolError> {
        let block = block(message);
        if self.is_plain() {
            return out.add(block);
        }
        let start = out.len();
        for line in folded(block) {
            if line.starts_with(b"#") {
                continue;
            }
            match separator(&line).filter(|at| *at > 0) {
                Some(at) => self.trailer(line[..at].trim_space(), line[at + 1..].trim_space(), start, out)?,
                None if !self.only => self.other(&line, start, out)?,
                None => {}
            }
        }
        Ok(())
    }

    fn trailer(&self, key: &[u8], value: &[u8], start: usize, out: &mut Text<'_>) -> Result<(), ToolError> {
        out.work(self.keys.len() * WORK_PER_KEY)?;
        let is_wanted = self.keys.is_empty() || self.keys.iter().any(|wanted| wanted.eq_ignore_ascii_case(key));
        if !is_wanted {
            return Ok(());
        }
        self.part(start, out)?;
        if !self.value_only {
            out.add(key)?;
        }
        if !self.value_only && !self.key_only {
            match &self.key_value_separator {
                Some(separator) => out.add(separator)?,
                None => out.add(b": ")?,
            }
        }
        if !self.key_only {
            match self.unfold {
                true => out.add(&unfolded(value))?,
                false => out.add(value)?,
            }
        }
        if self.separator.is_none() {
            out.add(b"\n")?;
        }
        Ok(())
    }

    /// Appends a line of the block that is no trailer.
    fn other(&self, line: &[u8], start: usize, out: &mut Text<'_>) -> Result<(), ToolError> {
        self.part(start, out)?;
        out.add(line.strip_suffix(b"\n").unwrap_or(line))?;
        match self.separator {
            Some(_) => {
                let end = out.trim_space_end().len();
                out.truncate(end);
                Ok(())
            }
            None => out.add(b"\n"),
        }
    }

    fn part(&self, start: usize, out: &mut Text<'_>) -> Result<(), ToolError> {
        match self.separator.as_ref().filter(|_| out.len() != start) {
            Some(separator) => out.add(separator),
            None => Ok(()),
        }
    }
}

/// The trailers of `message`, which begins with its subject, with each value on one line, as in `git interpret-trailers --parse
/// --no-divider`.
pub fn trailers(message: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let lines = folded(block(message)).into_iter().filter(|line| !line.starts_with(b"#"));
    let trailer = |line: Vec<u8>| {
        let at = separator(&line).filter(|at| *at > 0)?;
        Some((line[..at].trim_space().to_vec(), unfolded(line[at + 1..].trim_space())))
    };
    lines.filter_map(trailer).collect()
}

/// `message` without its trailers. It must begin with its subject.
pub fn without_trailers(message: &[u8]) -> &[u8] {
    let message = super::body::without_comments(message);
    &message[..message.len() - block(message).len()]
}

fn begins_with_space(line: &[u8]) -> bool {
    line.first().is_some_and(|byte| is_space(*byte))
}

/// The position of the colon in `Key: value` or `Key : value`.
fn separator(line: &[u8]) -> Option<usize> {
    let mut spaces = false;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b':' => return Some(at),
            b' ' | b'\t' if at > 0 => spaces = true,
            byte if !spaces && (byte.is_ascii_alphanumeric() || *byte == b'-') => {}
            _ => return None,
        }
    }
    None
}

/// The lines of `block`, each joined with its indented continuation lines.
fn folded(block: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut goes_on = false;
    for line in block.split_inclusive(|byte| *byte == b'\n') {
        match lines.last_mut() {
            Some(last) if goes_on && begins_with_space(line) => last.extend_from_slice(line),
            _ => {
                goes_on = separator(line).is_some_and(|at| at > 0);
                lines.push(line.to_vec());
            }
        }
    }
    lines
}

/// Replaces each line feed in `value`, and the white space after it, by one space.
fn unfolded(value: &[u8]) -> Vec<u8> {
    let mut lines = value.split(|byte| *byte == b'\n');
    let mut out = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        let line = line.trim_space_start();
        // A line of white space is part of the previous line feed.
        if line.is_empty() {
            continue;
        }
        out.push(b' ');
        out.extend_from_slice(line);
    }
    out.trim_space().to_vec()
}

/// Trailers that git itself writes.
const GENERATED: [&[u8]; 2] = [b"Signed-off-by: ", b"(cherry picked from commit "];

/// The last paragraph of `message`, if it is a block of trailers: all its lines are trailers, or a quarter of them if git wrote one.
fn block(message: &[u8]) -> &[u8] {
    let message = super::body::without_comments(message);
    let mut start = message.len();
    let title: usize = message
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| line.starts_with(b"#") || !is_blank(line))
        .map(<[u8]>::len)
        .sum();
    let (mut trailers, mut others, mut indented) = (0, 0, 0);
    let (mut generated, mut is_empty) = (false, true);
    for line in message[title..].split_inclusive(|byte| *byte == b'\n').rev() {
        start -= line.len();
        if line.starts_with(b"#") {
            others += std::mem::take(&mut indented);
        } else if is_blank(line) {
            if is_empty {
                continue;
            }
            others += indented;
            let counts = (generated && trailers * 3 >= others) || (trailers > 0 && others == 0);
            return if counts { &message[start + line.len()..] } else { b"" };
        } else if GENERATED.iter().any(|prefix| line.starts_with(prefix)) {
            (trailers, indented, generated, is_empty) = (trailers + 1, 0, true, false);
        } else if separator(line).is_some_and(|at| at > 0) && !begins_with_space(line) {
            (trailers, indented, is_empty) = (trailers + 1, 0, false);
        } else if begins_with_space(line) {
            (indented, is_empty) = (indented + 1, false);
        } else {
            (others, is_empty) = (others + 1 + std::mem::take(&mut indented), false);
        }
    }
    b""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Deadline;

    fn shown(options: &str, message: &str) -> String {
        let options = format!("{options})");
        let (options, rest) = TrailerOptions::parse(&options).unwrap();
        assert_eq!(rest, ")");
        let deadline = Deadline::after(|| 0, u64::MAX / 2);
        let mut out = Text::new(&deadline);
        options.append(message.as_bytes(), &mut out).unwrap();
        String::from_utf8(out.to_vec()).unwrap()
    }

    const MESSAGE: &str = "subject\n\nbody: no\n\nKey: value\n  goes on\nOther : b\n";

    #[test]
    fn the_last_paragraph_is_shown_as_asked() {
        assert_eq!(shown("", MESSAGE), "Key: value\n  goes on\nOther : b\n");
        assert_eq!(shown("unfold", MESSAGE), "Key: value goes on\nOther: b\n");
        assert_eq!(shown("key=other,valueonly,separator=%x2C", MESSAGE), "b");
        assert_eq!(shown("keyonly,separator=%n", MESSAGE), "Key\nOther");
        assert_eq!(shown("only,key_value_separator=>", MESSAGE), "Key>value\n  goes on\nOther>b\n");
    }

    #[test]
    fn a_paragraph_of_prose_has_none() {
        assert_eq!(shown("", "subject\n\nKey: value\nprose\n"), "");
        assert_eq!(shown("", "subject\n\nSigned-off-by: A\nprose\n"), "Signed-off-by: A\nprose\n");
        assert_eq!(shown("only", "subject\n\nSigned-off-by: A\nprose\n"), "Signed-off-by: A\n");
        assert_eq!(shown("", "Key: value\n"), "");
        assert!(TrailerOptions::parse("other)").is_none());
    }
}
