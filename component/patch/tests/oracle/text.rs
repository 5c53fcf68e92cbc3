//! Random contents and random edits.

use fastrand::Rng;

/// Lines that look like code, and lines that git treats specially: form feeds, carriage returns,
/// long lines, lines that look like parts of a patch.
const LINES: &[&str] = &[
    "",
    "",
    "",
    "}",
    "    }",
    "        }",
    "\t}",
    "fn first() {",
    "fn second(argument: usize) -> usize {",
    "    if x {",
    "    return;",
    "        x += 1;",
    "\tx += 1;",
    "  \t",
    "\x0c",
    " \x0b text",
    "_underscore = 1   ",
    "$dollar",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    "\\ No newline at end of file",
    "é ü 中文",
    "a line with a carriage return inside \r here",
    "static const char *a_function_name_that_is_longer_than_eighty_bytes(int one, int two, int three)",
    "aé中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中",
    "b中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é中é",
    "nonca\u{fffe}racter",
    "labelaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa            blanks at 80",
];

/// A text as lines without their ends.
#[derive(Clone)]
pub struct Text {
    lines: Vec<String>,
    end: &'static str,
    ends_with_newline: bool,
}

impl Text {
    pub fn random(random: &mut Rng, most_lines: usize) -> Self {
        let count = random.usize(..=most_lines);
        let variety = *random.choice(&[2, 8, 40, 1000]).unwrap();
        Self {
            lines: (0..count).map(|_| line(random, variety)).collect(),
            end: if random.usize(..8) == 0 { "\r\n" } else { "\n" },
            ends_with_newline: random.usize(..5) != 0,
        }
    }

    /// A copy with `edits` random edits.
    pub fn edited(&self, random: &mut Rng, edits: usize) -> Self {
        let mut text = self.clone();
        for _ in 0..edits {
            text.edit(random);
        }
        text
    }

    fn edit(&mut self, random: &mut Rng) {
        let at = random.usize(..=self.lines.len());
        let length = (1 + random.usize(..6)).min(self.lines.len() - at);
        match random.usize(..12) {
            0..=3 => {
                let variety = *random.choice(&[2, 40, 1000]).unwrap();
                let count = 1 + random.usize(..5);
                let new: Vec<_> = (0..count).map(|_| line(random, variety)).collect();
                self.lines.splice(at..at, new);
            }
            4..=6 => drop(self.lines.drain(at..at + length)),
            7 | 8 => {
                for index in at..at + length {
                    self.lines[index] = line(random, 1000);
                }
            }
            9 => {
                let block = self.lines[at..at + length].to_vec();
                self.lines.splice(at..at, block);
            }
            10 => {
                let block: Vec<_> = self.lines.drain(at..at + length).collect();
                let to = random.usize(..=self.lines.len());
                self.lines.splice(to..to, block);
            }
            _ if random.usize(..4) == 0 => self.end = *random.choice(&["\n", "\r\n"]).unwrap(),
            _ => self.ends_with_newline = !self.ends_with_newline,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.lines.join(self.end).into_bytes();
        if self.ends_with_newline && !self.lines.is_empty() {
            bytes.extend_from_slice(self.end.as_bytes());
        }
        bytes
    }
}

fn line(random: &mut Rng, variety: usize) -> String {
    let kind = random.usize(..variety);
    match LINES.get(kind) {
        Some(known) => (*known).to_owned(),
        None => format!("{}value_{kind} = {kind};", "    ".repeat(kind % 4)),
    }
}

/// Bytes that are hardly text, or not at all.
pub fn binary(random: &mut Rng) -> Vec<u8> {
    let length = random.usize(..9000);
    let mut bytes: Vec<u8> = (0..length).map(|_| u8::try_from(random.usize(..256)).expect("below 256")).collect();
    if random.usize(..3) == 0 {
        // A NUL too late to count.
        bytes.iter_mut().take(8000).for_each(|byte| *byte |= 1);
    }
    bytes
}
