//! The options of `patch`.

use bstr::{BString, ByteSlice};

use super::backup::{Naming, Style};
use super::hunk::Form;
use crate::commands::arguments::{Flag, Given, Reading, flag, maybe, read as arguments, valued};
use crate::exec::{Call, Ended};

const DRY: char = '\u{e000}';
const BINARY: char = '\u{e001}';
const MISMATCH: char = '\u{e002}';
const NO_MISMATCH: char = '\u{e003}';
const VERBOSE: char = '\u{e004}';
const POSIX: char = '\u{e005}';
const REJECT_FORMAT: char = '\u{e006}';
const READ_ONLY: char = '\u{e007}';
const FOLLOW: char = '\u{e008}';
const MERGE: char = '\u{e009}';

const FLAGS: &[Flag] = &[
    flag('b', "backup"),
    valued('B', "prefix"),
    flag('c', "context"),
    valued('d', "directory"),
    flag('E', "remove-empty-files"),
    flag('f', "force"),
    valued('F', "fuzz"),
    valued('g', "get"),
    valued('i', "input"),
    flag('l', "ignore-whitespace"),
    flag('n', "normal"),
    flag('N', "forward"),
    valued('o', "output"),
    valued('p', "strip"),
    valued('r', "reject-file"),
    flag('R', "reverse"),
    flag('s', "quiet"),
    flag('s', "silent"),
    flag('t', "batch"),
    flag('u', "unified"),
    valued('V', "version-control"),
    valued('Y', "basename-prefix"),
    valued('z', "suffix"),
    flag(DRY, "dry-run"),
    flag(BINARY, "binary"),
    flag(MISMATCH, "backup-if-mismatch"),
    flag(NO_MISMATCH, "no-backup-if-mismatch"),
    flag(VERBOSE, "verbose"),
    flag(POSIX, "posix"),
    valued(REJECT_FORMAT, "reject-format"),
    valued(READ_ONLY, "read-only"),
    flag(FOLLOW, "follow-symlinks"),
    maybe(MERGE, "merge"),
];

/// What to do with a file that cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReadOnly {
    /// Try, and say nothing.
    Ignore,
    /// Try, and say so.
    Warn,
    /// Leave it.
    Fail,
}

/// What was asked for.
pub struct Options {
    /// How many folders of a name are left out. All of them, if nothing was said.
    pub strip: Option<usize>,
    /// How many lines of context need not match.
    pub fuzz: usize,
    /// The form of the patch. Found out, if nothing was said.
    pub form: Option<Form>,
    /// Whether old and new are the other way round.
    pub reverse: bool,
    /// Whether patches that are applied already are skipped.
    pub forward: bool,
    /// Whether nothing is asked, and everything is done.
    pub force: bool,
    /// Whether nothing is asked.
    pub batch: bool,
    /// Whether blanks are all alike.
    pub loose: bool,
    /// Whether little is said.
    pub silent: bool,
    /// Whether much is said.
    pub verbose: bool,
    /// Whether nothing is changed.
    pub dry: bool,
    /// Whether files that end up empty are removed.
    pub removes_empty: bool,
    /// Whether POSIX is followed where it says something else.
    pub posix: bool,
    /// Whether carriage returns stay.
    pub binary: bool,
    /// Whether a link stands for what it leads to.
    pub follows: bool,
    /// Whether every file is kept as it was.
    pub backups: bool,
    /// Whether a file that a patch did not quite fit is kept as it was.
    pub mismatch_backups: bool,
    /// How files that are kept are named.
    pub naming: Naming,
    /// Where all that is patched goes.
    pub output: Option<BString>,
    /// Where rejects go.
    pub reject: Option<BString>,
    /// Whether rejects are unified. As the patch is, if nothing was said.
    pub reject_unified: Option<bool>,
    /// What to do with files that cannot be changed.
    pub read_only: ReadOnly,
    /// Where everything happens.
    pub folder: Option<BString>,
    /// The file that is patched, whatever the patch says.
    pub file: Option<BString>,
    /// Where the patch is.
    pub patch: Option<BString>,
}

/// Reads the options of `patch`. What is wrong is said.
pub async fn read(call: &mut Call<'_>) -> Result<Options, Ended> {
    let given = arguments(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    if given.has(MERGE) {
        call.complain("--merge is not supported: apply the patch and look at the rejects").await?;
        return Err(Ended::Status(2));
    }
    if let [_, _, extra, ..] = &*given.operands {
        let status = call.misused(format!("{extra}: extra operand"), 2).await?;
        return Err(Ended::Status(status));
    }
    match settled(call, &given) {
        Ok(options) => Ok(options),
        Err(Wrong::Fatal(message)) => {
            call.complain(format!("**** {message}")).await?;
            Err(Ended::Status(2))
        }
        Err(Wrong::Word(message)) => {
            let status = call.misused(message, 2).await?;
            Err(Ended::Status(status))
        }
    }
}

enum Wrong {
    Fatal(String),
    Word(String),
}

fn settled(call: &Call<'_>, given: &Given) -> Result<Options, Wrong> {
    if given.has('g') {
        number(given, 'g', "get option value", true)?;
    }
    let strip = number(given, 'p', "strip count", false)?;
    let fuzz = number(given, 'F', "fuzz factor", false)?.unwrap_or(2);
    let form = given.last(&['c', 'n', 'u']).map(|letter| match letter {
        'c' => Form::Context,
        'n' => Form::Normal,
        _ => Form::Unified,
    });
    let posix = given.has(POSIX);
    let word = |letter, what: &str| {
        let value = given.value(letter).map(|value| value.to_str_lossy().into_owned()).unwrap_or_default();
        Wrong::Word(format!("invalid argument '{value}' for '{what}'"))
    };
    let reject_unified = match given.value(REJECT_FORMAT).map(|value| value.as_slice()) {
        None => None,
        Some(b"unified") => Some(true),
        Some(b"context") => Some(false),
        Some(_) => return Err(word(REJECT_FORMAT, "reject format")),
    };
    let read_only = match given.value(READ_ONLY).map(|value| value.as_slice()) {
        None | Some(b"warn") => ReadOnly::Warn,
        Some(b"ignore") => ReadOnly::Ignore,
        Some(b"fail") => ReadOnly::Fail,
        Some(_) => return Err(word(READ_ONLY, "read-only")),
    };
    let mut operands = given.operands.iter().cloned();
    let file = operands.next();
    Ok(Options {
        strip,
        fuzz,
        form,
        reverse: given.has('R'),
        forward: given.has('N'),
        force: given.has('f'),
        batch: given.has('t'),
        loose: given.has('l'),
        silent: given.last(&['s', VERBOSE]) == Some('s'),
        verbose: given.last(&['s', VERBOSE]) == Some(VERBOSE),
        dry: given.has(DRY),
        removes_empty: given.has('E'),
        posix,
        binary: given.has(BINARY),
        follows: given.has(FOLLOW),
        backups: given.has('b'),
        mismatch_backups: match given.last(&[MISMATCH, NO_MISMATCH]) {
            Some(letter) => letter == MISMATCH,
            None => true,
        },
        naming: naming(call, given)?,
        output: given.value('o').cloned(),
        reject: given.value('r').cloned(),
        reject_unified,
        read_only,
        folder: given.value('d').cloned(),
        file,
        patch: operands.next().or_else(|| given.value('i').cloned()),
    })
}

fn naming(call: &Call<'_>, given: &Given) -> Result<Naming, Wrong> {
    let part = |letter, what: &str| match given.value(letter) {
        Some(value) if value.is_empty() => Err(Wrong::Fatal(format!("{what} is empty"))),
        value => Ok(value.cloned()),
    };
    let prefix = part('B', "backup prefix")?;
    let base = part('Y', "backup basename prefix")?;
    let suffix = part('z', "backup suffix")?;
    let of_env = || call.shell.text("PATCH_VERSION_CONTROL").or_else(|| call.shell.text("VERSION_CONTROL"));
    let style = match given.value('V').cloned().or_else(of_env) {
        None => Style::Existing,
        Some(word) => match Style::named(&word) {
            Some(style) => style,
            None if given.has('V') => {
                return Err(Wrong::Word(format!("invalid argument '{word}' for '--version-control or -V option'")));
            }
            None => Style::Existing,
        },
    };
    let simple = prefix.is_some() || base.is_some() || suffix.is_some();
    let usual = call.shell.text("SIMPLE_BACKUP_SUFFIX").filter(|suffix| !suffix.is_empty());
    let usual = usual.unwrap_or_else(|| ".orig".into());
    Ok(Naming {
        suffix: suffix.unwrap_or_else(|| if simple { BString::default() } else { usual }),
        prefix: prefix.unwrap_or_default(),
        base: base.unwrap_or_default(),
        style: if simple { Style::Simple } else { style },
    })
}

fn number(given: &Given, letter: char, what: &str, signed: bool) -> Result<Option<usize>, Wrong> {
    let Some(value) = given.value(letter) else { return Ok(None) };
    let wrong = |why: &str| Err(Wrong::Fatal(format!("{what} {value} {why}")));
    let digits = value.strip_prefix(b"-").or_else(|| value.strip_prefix(b"+")).unwrap_or(value);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return wrong("is not a number");
    }
    let Ok(number) = digits.to_str_lossy().parse::<u32>() else { return wrong("is too large") };
    if value.starts_with(b"-") && !signed {
        return wrong("is negative");
    }
    Ok(usize::try_from(number).ok())
}
