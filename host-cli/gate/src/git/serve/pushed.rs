//! What a client pushes (gitprotocol-pack, "Pushing Data To a Server").

use std::ops::Range;

use gix_hash::ObjectId;

use super::super::clean;
use super::super::packet::Lines;
use super::asked::ends;
use super::line::{Next, Unfit, id, next};
use super::sent::Band;

/// A request to `receive-pack`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// What shall become of refs, in the client's order. None if a client only looks whether it may push.
    pub commands: Vec<Command>,
    /// Words of the person who pushes.
    pub options: Vec<String>,
    /// Whether all refs move or none.
    pub atomic: bool,
    /// Where the pack is in the body.
    pub pack: Range<usize>,
    /// Whether the client hears what became of it.
    reports: bool,
    /// Whether it reads bands.
    bands: bool,
}

/// What shall become of a ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its full name, as the client writes it.
    pub name: String,
    /// What it leads to as far as the client knows; `None` if there is no such ref.
    pub old: Option<ObjectId>,
    /// What it shall lead to; `None` to delete it.
    pub new: Option<ObjectId>,
}

/// Refs of one push.
const MOST_COMMANDS: usize = 1000;

/// Bytes of a ref's name.
const LONGEST_NAME: usize = 1024;

/// Options of one push.
const MOST_OPTIONS: usize = 100;

impl Pushed {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(body: &[u8]) -> Result<Self, Unfit> {
        let mut pushed = Pushed {
            commands: Vec::new(),
            options: Vec::new(),
            atomic: false,
            pack: body.len()..body.len(),
            reports: false,
            bands: false,
        };
        let mut lines = Lines::of(body);
        let has_options = pushed.commands(&mut lines)?;
        if has_options {
            pushed.options(&mut lines)?;
        }
        pushed.pack = body.len() - lines.rest().len()..body.len();
        Ok(pushed)
    }

    /// Reads the commands. Returns whether options follow.
    fn commands(&mut self, lines: &mut Lines<'_>) -> Result<bool, Unfit> {
        let mut has_options = false;
        loop {
            let line = match next(lines)? {
                Next::Line(line) => line,
                Next::Flush => return Ok(has_options),
                Next::End if self.commands.is_empty() => return Ok(false),
                Next::End | Next::Delimiter => return Err(ends()),
            };
            let (line, capabilities) = match line.split_once('\0') {
                Some((line, capabilities)) if self.commands.is_empty() => (line, Some(capabilities)),
                Some(_) => return Err(Unfit::new("a command of the push has a byte of zero")),
                None => (line, None),
            };
            if let Some(capabilities) = capabilities {
                has_options = self.can(capabilities)?;
            }
            // Where a client's own history ends says nothing of what it sends.
            if line.starts_with("shallow ") {
                continue;
            }
            if line.starts_with("push-cert") {
                return Err(Unfit::new("a push is signed by who approves it: send it unsigned"));
            }
            let mut parts = line.splitn(3, ' ');
            let (Some(old), Some(new), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(Unfit::new(format!("no command of a push: {}", clean(line))));
            };
            if self.commands.len() == MOST_COMMANDS {
                return Err(Unfit::new(format!("the push has more than {MOST_COMMANDS} refs")));
            }
            if name.len() > LONGEST_NAME {
                return Err(Unfit::new(format!("a ref's name has more than {LONGEST_NAME} bytes")));
            }
            let is_there = |hex| id(hex).map(|id| (!id.is_null()).then_some(id));
            self.commands.push(Command { name: name.to_owned(), old: is_there(old)?, new: is_there(new)? });
        }
    }

    /// Takes what the client can do. Returns whether it sends options.
    fn can(&mut self, capabilities: &str) -> Result<bool, Unfit> {
        let has = |word| capabilities.split(' ').any(|known| known == word);
        if capabilities
            .split(' ')
            .any(|word| word.strip_prefix("object-format=").is_some_and(|format| format != "sha1"))
        {
            return Err(Unfit::new("the sandbox's repository has SHA-1 ids"));
        }
        self.reports = has("report-status") || has("report-status-v2");
        self.bands = has("side-band-64k");
        self.atomic = has("atomic");
        Ok(has("push-options"))
    }

    fn options(&mut self, lines: &mut Lines<'_>) -> Result<(), Unfit> {
        loop {
            match next(lines)? {
                Next::Line(option) if self.options.len() < MOST_OPTIONS => self.options.push(option.to_owned()),
                Next::Line(_) => return Err(Unfit::new(format!("the push has more than {MOST_OPTIONS} options"))),
                Next::Flush => return Ok(()),
                Next::End | Next::Delimiter => return Err(ends()),
            }
        }
    }

    /// The frames of what is said about it.
    pub fn band(&self) -> Band {
        Band::of(self.bands)
    }

    /// Whether words reach the client before the end.
    pub fn hears_words(&self) -> bool {
        self.bands
    }

    /// The answer: what a person is told, and what became of each ref, or why of none.
    pub fn report(&self, words: &str, unpacked: Result<(), &str>, refs: &[(String, Result<(), String>)]) -> Vec<u8> {
        let mut answer = Vec::new();
        self.band().words(words, &mut answer);
        self.ending(unpacked, refs, &mut answer);
        answer
    }

    /// Ends an answer whose words have been said.
    pub fn ending(&self, unpacked: Result<(), &str>, refs: &[(String, Result<(), String>)], answer: &mut Vec<u8>) {
        let mut report = Vec::new();
        if self.reports {
            let mut packets = super::super::packet::Packets::default();
            match unpacked {
                Ok(()) => packets.line(format_args!("unpack ok")),
                Err(why) => packets.line(format_args!("unpack {}", one_line(why))),
            };
            for (name, became) in refs {
                match became {
                    Ok(()) => packets.line(format_args!("ok {name}")),
                    Err(why) => packets.line(format_args!("ng {name} {}", one_line(why))),
                };
            }
            packets.flush();
            report = packets.into();
        }
        self.band().data(&report, answer);
        self.band().end(answer);
    }
}

/// What fits into a line of a report.
fn one_line(words: &str) -> String {
    const MOST: usize = 400;
    let words = words.replace(['\n', '\r'], " ");
    words[..words.floor_char_boundary(MOST)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(line: &str) -> String {
        format!("{:04x}{line}", line.len() + 4)
    }

    fn command(capabilities: &str) -> String {
        packet(&format!("{} {} refs/heads/main\0 {capabilities}", "0".repeat(40), "a".repeat(40)))
    }

    #[test]
    fn a_push_has_commands_options_and_a_pack() {
        let more = packet(&format!("{} {} refs/heads/old", "b".repeat(40), "0".repeat(40)));
        let shallow = packet(&format!("shallow {}", "c".repeat(40)));
        let body = format!(
            "{}{shallow}{more}0000{}0000PACK",
            command("report-status-v2 side-band-64k push-options atomic object-format=sha1"),
            packet("wait")
        );
        let pushed = Pushed::read(body.as_bytes()).unwrap();
        let id = |digit: &str| ObjectId::from_hex(digit.repeat(40).as_bytes()).unwrap();
        let expected = [
            Command { name: "refs/heads/main".to_owned(), old: None, new: Some(id("a")) },
            Command { name: "refs/heads/old".to_owned(), old: Some(id("b")), new: None },
        ];
        assert_eq!(pushed.commands, expected);
        assert_eq!((pushed.options.as_slice(), pushed.atomic), (&["wait".to_owned()][..], true));
        assert_eq!(&body.as_bytes()[pushed.pack.clone()], b"PACK");
    }

    #[test]
    fn who_only_looks_whether_it_may_push_pushes_nothing() {
        for body in [&b""[..], b"0000"] {
            assert_eq!(Pushed::read(body).unwrap().commands, []);
        }
    }

    #[test]
    fn attack_12_what_is_no_push_is_refused_with_words() {
        let zero = "0".repeat(40);
        for (body, said) in [
            (command("report-status"), "too early"),
            (packet("x"), "no command"),
            (packet(&format!("{zero} {zero} {}", "x".repeat(1025))), "more than 1024 bytes"),
            (packet(&format!("{zero} {zero}")), "no command"),
            (packet(&format!("{zero} zz refs/heads/main")), "an id that is none"),
            (format!("{}{}0000", command(""), command("")), "byte of zero"),
            (command("object-format=sha256"), "SHA-1"),
            (packet("push-cert\0push-options"), "send it unsigned"),
            (format!("{}0000{}", command("push-options"), packet("wait")), "too early"),
            ("zzzz".to_owned(), "packet lines"),
        ] {
            let unfit = Pushed::read(body.as_bytes()).unwrap_err();
            assert!(unfit.0.contains(said), "{body:?}: {unfit}");
        }
    }

    #[test]
    fn the_report_says_what_became_of_each_ref() {
        let pushed = Pushed::read(format!("{}0000", command("report-status side-band-64k")).as_bytes()).unwrap();
        let became = [("refs/heads/main".to_owned(), Err("no\nway".to_owned()))];
        let answer = pushed.report("proposed\n", Ok(()), &became);
        let text = String::from_utf8(answer).unwrap();
        assert_eq!(text, "000e\u{2}proposed\n0035\u{1}000eunpack ok\n001eng refs/heads/main no way\n00000000");
        let silent = Pushed::read(format!("{}0000", command("")).as_bytes()).unwrap();
        assert_eq!(silent.report("proposed\n", Ok(()), &became), b"");
    }
}
