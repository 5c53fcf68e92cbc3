//! What `tar` was asked for.

use std::collections::VecDeque;

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Writes an archive.
    Create,
    /// Writes more into an archive.
    Append,
    /// Prints names.
    List,
    /// Writes files.
    Extract,
}

/// An operand.
#[derive(Clone, Debug)]
pub enum Step {
    /// What comes next is in this folder.
    Folder(BString),
    /// A member.
    Name(BString),
    /// A file of patterns of what is left out.
    Excludes(BString),
    /// A file of names.
    List(BString),
}

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// What it does.
    pub mode: Mode,
    /// The archive.
    pub file: BString,
    /// Whether it is compressed.
    pub gzip: bool,
    /// A compression that there is not.
    pub other: Option<char>,
    /// How much is said.
    pub verbose: usize,
    /// The operands, in order.
    pub steps: Vec<Step>,
    /// So many parts at the begin of names are left out.
    pub strip: usize,
    /// What is left out. When it writes, each holds only for the operands behind it.
    pub excludes: Vec<(Pattern, usize)>,
    /// Files are printed.
    pub prints: bool,
    /// Files that exist stay.
    pub keeps: bool,
    /// Files that exist stay, and that is no error.
    pub skips: bool,
    /// Files are as new as the extraction.
    pub touches: bool,
    /// Links are followed.
    pub follows: bool,
    /// Folders are written without what is in them.
    pub shallow: bool,
    /// Operands are patterns.
    pub wildcards: bool,
    /// Names of a list end with a null byte.
    pub null: bool,
    /// The suffix of the archive says how it is compressed.
    pub by_suffix: bool,
    /// Names that are given to what is written.
    pub owner: Option<BString>,
    /// The same for groups.
    pub group: Option<BString>,
    /// Numbers are shown for owners.
    pub numeric: bool,
    /// The time of all that is written, in seconds.
    pub time: Option<i64>,
}

/// Long names, with the letter that means the same. Those behind `!` have a value.
const LONG: &[(&str, &str)] = &[
    ("create", "c"),
    ("append", "r"),
    ("list", "t"),
    ("extract", "x"),
    ("get", "x"),
    ("file", "!f"),
    ("gzip", "z"),
    ("gunzip", "z"),
    ("ungzip", "z"),
    ("bzip2", "j"),
    ("xz", "J"),
    ("zstd", "Z"),
    ("verbose", "v"),
    ("directory", "!C"),
    ("to-stdout", "O"),
    ("files-from", "!T"),
    ("exclude-from", "!X"),
    ("preserve-permissions", "p"),
    ("same-permissions", "p"),
    ("keep-old-files", "k"),
    ("touch", "m"),
    ("dereference", "h"),
    ("auto-compress", "a"),
    ("exclude", "!1"),
    ("strip-components", "!2"),
    ("no-recursion", "3"),
    ("wildcards", "4"),
    ("null", "5"),
    ("owner", "!6"),
    ("group", "!7"),
    ("numeric-owner", "8"),
    ("mtime", "!9"),
    ("skip-old-files", "0"),
    ("exclude-vcs", "E"),
    ("sort", "!p"),
    ("format", "!p"),
    ("blocking-factor", "!b"),
    ("overwrite", "p"),
    ("no-same-owner", "p"),
    ("no-same-permissions", "p"),
    ("same-owner", "p"),
    ("recursion", "p"),
    ("no-wildcards", "p"),
    ("anchored", "p"),
    ("no-anchored", "p"),
    ("force-local", "p"),
    ("no-auto-compress", "p"),
    ("warning", "!p"),
];

const LETTERS: &[u8] = b"crtxzjJvOpkmhaBPoSw";
const VALUED: &[u8] = b"fCTXbH";

/// What version control has, which `--exclude-vcs` leaves out.
const VERSIONS: &[&str] =
    &["CVS", "RCS", "SCCS", ".git", ".gitignore", ".gitmodules", ".gitattributes", ".svn", ".hg", ".hgignore", ".bzr"];

/// Reads the arguments.
pub fn read(args: &[BString]) -> Result<Options, (String, i32)> {
    let mut reader = Reader { options: fresh(), mode: None };
    let mut rest: VecDeque<BString> = args.to_vec().into();
    // The old style: letters first, and then their values in order.
    if let Some(first) = rest.pop_front_if(|first| !first.starts_with(b"-")) {
        for letter in first.bytes() {
            let value = match VALUED.contains(&letter) {
                true => Some(rest.pop_front().ok_or_else(|| (needs(letter), USAGE))?),
                false => None,
            };
            reader.letter(letter, value).map_err(usage)?;
        }
    }
    while let Some(arg) = rest.pop_front() {
        if arg == "--" {
            reader.options.steps.extend(rest.drain(..).map(Step::Name));
        } else if let Some(long) = arg.strip_prefix(b"--") {
            reader.long(long, &mut rest).map_err(usage)?;
        } else if arg.len() > 1 && arg.starts_with(b"-") {
            for (at, letter) in arg.bytes().enumerate().skip(1) {
                if !VALUED.contains(&letter) {
                    reader.letter(letter, None).map_err(usage)?;
                    continue;
                }
                let behind = BString::from(&arg[at + 1..]);
                let value =
                    if behind.is_empty() { rest.pop_front().ok_or_else(|| (needs(letter), USAGE))? } else { behind };
                reader.letter(letter, Some(value)).map_err(usage)?;
                break;
            }
        } else {
            reader.options.steps.push(Step::Name(arg));
        }
    }
    let missing = "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options";
    reader.options.mode = reader.mode.ok_or_else(|| (missing.to_owned(), 2))?;
    Ok(reader.options)
}

/// The status if an option is wrong.
const USAGE: i32 = 64;

fn usage(message: String) -> (String, i32) {
    (message, USAGE)
}

fn needs(letter: u8) -> String {
    format!("option requires an argument -- '{}'", char::from(letter))
}

fn fresh() -> Options {
    Options {
        mode: Mode::List,
        file: "-".into(),
        gzip: false,
        other: None,
        verbose: 0,
        steps: Vec::new(),
        strip: 0,
        excludes: Vec::new(),
        prints: false,
        keeps: false,
        skips: false,
        touches: false,
        follows: false,
        shallow: false,
        wildcards: false,
        null: false,
        by_suffix: false,
        owner: None,
        group: None,
        numeric: false,
        time: None,
    }
}

struct Reader {
    options: Options,
    mode: Option<Mode>,
}

impl Reader {
    fn long(&mut self, long: &[u8], rest: &mut VecDeque<BString>) -> Result<(), String> {
        let (name, value) = match long.split_once_str("=") {
            Some((name, value)) => (name, Some(BString::from(value))),
            None => (long, None),
        };
        let shown = name.as_bstr();
        let Some((_, letter)) = LONG.iter().find(|(known, _)| known.as_bytes() == name) else {
            return Err(format!("unrecognized option '--{shown}'"));
        };
        let Some(letter) = letter.strip_prefix('!') else {
            return match value {
                Some(_) => Err(format!("option '--{shown}' doesn't allow an argument")),
                None => self.letter(letter.as_bytes()[0], None),
            };
        };
        let value = value.or_else(|| rest.pop_front());
        let value = value.ok_or_else(|| format!("option '--{shown}' requires an argument"))?;
        self.letter(letter.as_bytes()[0], Some(value))
    }

    fn letter(&mut self, letter: u8, value: Option<BString>) -> Result<(), String> {
        let long = b"0123456789EZ".contains(&letter);
        if !LETTERS.contains(&letter) && !VALUED.contains(&letter) && !long {
            return Err(format!("invalid option -- '{}'", char::from(letter)));
        }
        let options = &mut self.options;
        let value = value.unwrap_or_default();
        match letter {
            b'c' => self.choose(Mode::Create)?,
            b'r' => self.choose(Mode::Append)?,
            b't' => self.choose(Mode::List)?,
            b'x' => self.choose(Mode::Extract)?,
            b'f' => options.file = value,
            b'z' => options.gzip = true,
            b'j' | b'J' | b'Z' => options.other = Some(char::from(letter)),
            b'v' => options.verbose += 1,
            b'C' => options.steps.push(Step::Folder(value)),
            b'T' => options.steps.push(Step::List(value)),
            b'O' => options.prints = true,
            b'k' => options.keeps = true,
            b'0' => options.skips = true,
            b'm' => options.touches = true,
            b'h' => options.follows = true,
            b'a' => options.by_suffix = true,
            b'1' => options.exclude(value.trim_end_with(|char| char == '/')),
            b'2' => {
                let count = value.to_str().ok().and_then(|count| count.parse().ok());
                options.strip = count.ok_or_else(|| format!("{value}: Invalid number of elements"))?;
            }
            b'3' => options.shallow = true,
            b'4' => options.wildcards = true,
            b'5' => options.null = true,
            b'6' => options.owner = Some(value),
            b'7' => options.group = Some(value),
            b'8' => options.numeric = true,
            b'9' => {
                let time = value.strip_prefix(b"@").and_then(|time| time.to_str().ok()?.parse().ok());
                options.time = Some(time.ok_or_else(|| format!("Invalid time stamp: ‘{value}’"))?);
            }
            b'E' => VERSIONS.iter().for_each(|name| options.exclude(name.as_bytes())),
            b'X' => options.steps.push(Step::Excludes(value)),
            // The rest has no meaning here: there is one user, and blocks are what they are.
            _ => (),
        }
        Ok(())
    }

    fn choose(&mut self, mode: Mode) -> Result<(), String> {
        if self.mode.is_some_and(|before| before != mode) {
            return Err("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option".to_owned());
        }
        self.mode = Some(mode);
        Ok(())
    }
}

impl Options {
    /// Leaves out what a pattern matches, from here on.
    fn exclude(&mut self, pattern: &[u8]) {
        self.excludes.push((Pattern::written(pattern), self.steps.len()));
    }

    /// Whether a pattern comes behind all operands, where it means nothing.
    pub fn excludes_nothing(&self) -> bool {
        let named = self.steps.iter().rposition(|step| matches!(step, Step::Name(_) | Step::List(_)));
        named.is_some_and(|last| self.excludes.iter().any(|(_, from)| *from > last))
    }

    /// The same with the names that are in files, or what is wrong.
    pub async fn with_lists(mut self, call: &mut Call<'_>) -> Result<Result<Options, String>, Ended> {
        if self.by_suffix && self.mode == Mode::Create {
            self.gzip |= self.file.ends_with(b".gz") || self.file.ends_with(b".tgz");
        }
        let mut steps = Vec::new();
        for step in std::mem::take(&mut self.steps) {
            let (file, excludes) = match step {
                Step::List(file) => (file, false),
                Step::Excludes(file) => (file, true),
                step => {
                    steps.push(step);
                    continue;
                }
            };
            let source = match call.open(&file) {
                Ok(source) => source,
                Err(error) => return Ok(Err(format!("{file}: Cannot open: {}", crate::io::reason(&error)))),
            };
            let end = if self.null { 0 } else { b'\n' };
            while let Some(name) = source.line(end).await {
                call.work(1)?;
                let name = name.strip_suffix(&[end]).unwrap_or(&name);
                if excludes {
                    self.excludes.push((Pattern::written(name), 0));
                } else if !name.is_empty() {
                    steps.push(Step::Name(name.into()));
                }
                call.shell.hold(steps.len() * 64)?;
            }
        }
        self.steps = steps;
        Ok(Ok(self))
    }
}
