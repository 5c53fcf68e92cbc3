//! The options of `rg`, and how its arguments are read.

use bstr::{BString, ByteSlice};

use crate::commands::arguments::{Flag, Given, Reading, Value, flag, parsed, valued};

/// The letter of an option that has none.
const fn own(number: u32) -> char {
    match char::from_u32(0xE000 + number) {
        Some(letter) => letter,
        None => '\0',
    }
}

/// What is accepted without any effect here.
const NOTHING: char = own(0);
/// The same, with a value.
const NOTHING_VALUED: char = own(1);
pub const BINARY: char = own(2);
pub const NO_BINARY: char = own(3);
pub const COLOR: char = own(4);
pub const COLUMN: char = own(5);
pub const NO_COLUMN: char = own(6);
pub const SEPARATOR: char = own(7);
pub const NO_SEPARATOR: char = own(8);
pub const COUNT_MATCHES: char = own(9);
pub const AROUND_MARK: char = own(10);
pub const SELECTED_MARK: char = own(11);
pub const FILES: char = own(12);
pub const WITHOUT_MATCH: char = own(13);
pub const GLOB_CASE: char = own(14);
pub const HEADING: char = own(15);
pub const NO_HEADING: char = own(16);
pub const NO_HIDDEN: char = own(17);
pub const IGLOB: char = own(18);
pub const IGNORE_FILE: char = own(19);
pub const IGNORE_FILE_CASE: char = own(20);
pub const INCLUDE_ZERO: char = own(21);
pub const PREVIEW: char = own(22);
pub const MAX_FILESIZE: char = own(23);
pub const DOTALL: char = own(24);
pub const NO_IGNORE: char = own(25);
pub const IGNORE: char = own(26);
pub const NO_IGNORE_DOT: char = own(27);
pub const IGNORE_DOT: char = own(28);
pub const NO_IGNORE_FILES: char = own(29);
pub const IGNORE_FILES: char = own(30);
pub const NO_IGNORE_PARENT: char = own(31);
pub const IGNORE_PARENT: char = own(32);
pub const NO_IGNORE_VCS: char = own(33);
pub const IGNORE_VCS: char = own(34);
pub const NO_MESSAGES: char = own(35);
pub const MESSAGES: char = own(36);
pub const NULL_DATA: char = own(37);
pub const PASSTHRU: char = own(38);
pub const SORT: char = own(39);
pub const SORTR: char = own(40);
pub const TRIM: char = own(41);
pub const NO_TRIM: char = own(42);
pub const TYPE_ADD: char = own(43);
pub const TYPE_CLEAR: char = own(44);
pub const TYPE_LIST: char = own(45);
pub const VIMGREP: char = own(46);
pub const NO_TEXT: char = own(47);
pub const NO_FIXED: char = own(48);
pub const NO_FOLLOW: char = own(49);
pub const NO_MULTILINE: char = own(50);
pub const NO_DOTALL: char = own(51);
pub const ENGINE: char = own(52);
pub const NO_UNICODE: char = own(53);
pub const NO_PREVIEW: char = own(54);
pub const NO_CASE: char = own(55);

/// All of them.
pub const FLAGS: &[Flag] = &[
    valued('A', "after-context"),
    valued('B', "before-context"),
    valued('C', "context"),
    flag('F', "fixed-strings"),
    flag('H', "with-filename"),
    flag('I', "no-filename"),
    flag('L', "follow"),
    valued('M', "max-columns"),
    flag('N', "no-line-number"),
    flag('P', "pcre2"),
    flag('S', "smart-case"),
    valued('T', "type-not"),
    flag('U', "multiline"),
    flag('V', "version"),
    flag('.', "hidden"),
    flag('0', "null"),
    flag('a', "text"),
    flag('b', "byte-offset"),
    flag('c', "count"),
    valued('d', "max-depth"),
    valued('d', "maxdepth"),
    valued('E', "encoding"),
    valued('e', "regexp"),
    valued('f', "file"),
    valued('g', "glob"),
    flag('h', "help"),
    flag('i', "ignore-case"),
    valued('j', "threads"),
    flag('l', "files-with-matches"),
    valued('m', "max-count"),
    flag('n', "line-number"),
    flag('o', "only-matching"),
    flag('p', "pretty"),
    flag('q', "quiet"),
    valued('r', "replace"),
    flag('s', "case-sensitive"),
    valued('t', "type"),
    flag('u', "unrestricted"),
    flag('v', "invert-match"),
    flag('w', "word-regexp"),
    flag('x', "line-regexp"),
    flag(BINARY, "binary"),
    flag(NO_BINARY, "no-binary"),
    valued(COLOR, "color"),
    flag(COLUMN, "column"),
    flag(NO_COLUMN, "no-column"),
    valued(SEPARATOR, "context-separator"),
    flag(NO_SEPARATOR, "no-context-separator"),
    flag(COUNT_MATCHES, "count-matches"),
    valued(AROUND_MARK, "field-context-separator"),
    valued(SELECTED_MARK, "field-match-separator"),
    flag(FILES, "files"),
    flag(WITHOUT_MATCH, "files-without-match"),
    flag(GLOB_CASE, "glob-case-insensitive"),
    flag(HEADING, "heading"),
    flag(NO_HEADING, "no-heading"),
    flag(NO_HIDDEN, "no-hidden"),
    valued(IGLOB, "iglob"),
    valued(IGNORE_FILE, "ignore-file"),
    flag(IGNORE_FILE_CASE, "ignore-file-case-insensitive"),
    flag(INCLUDE_ZERO, "include-zero"),
    flag(PREVIEW, "max-columns-preview"),
    flag(NO_PREVIEW, "no-max-columns-preview"),
    valued(MAX_FILESIZE, "max-filesize"),
    flag(DOTALL, "multiline-dotall"),
    flag(NO_DOTALL, "no-multiline-dotall"),
    flag(NO_IGNORE, "no-ignore"),
    flag(IGNORE, "ignore"),
    flag(NO_IGNORE_DOT, "no-ignore-dot"),
    flag(IGNORE_DOT, "ignore-dot"),
    flag(NO_IGNORE_FILES, "no-ignore-files"),
    flag(IGNORE_FILES, "ignore-files"),
    flag(NO_IGNORE_PARENT, "no-ignore-parent"),
    flag(IGNORE_PARENT, "ignore-parent"),
    flag(NO_IGNORE_VCS, "no-ignore-vcs"),
    flag(IGNORE_VCS, "ignore-vcs"),
    flag(NO_MESSAGES, "no-messages"),
    flag(MESSAGES, "messages"),
    flag(NULL_DATA, "null-data"),
    flag(PASSTHRU, "passthru"),
    flag(PASSTHRU, "passthrough"),
    valued(SORT, "sort"),
    valued(SORTR, "sortr"),
    flag(TRIM, "trim"),
    flag(NO_TRIM, "no-trim"),
    valued(TYPE_ADD, "type-add"),
    valued(TYPE_CLEAR, "type-clear"),
    flag(TYPE_LIST, "type-list"),
    flag(VIMGREP, "vimgrep"),
    flag(NO_TEXT, "no-text"),
    flag(NO_FIXED, "no-fixed-strings"),
    flag(NO_FOLLOW, "no-follow"),
    flag(NO_MULTILINE, "no-multiline"),
    flag(NO_CASE, "no-ignore-case"),
    valued(ENGINE, "engine"),
    flag(NO_UNICODE, "no-unicode"),
    flag(NOTHING, "block-buffered"),
    flag(NOTHING, "debug"),
    flag(NOTHING, "line-buffered"),
    flag(NOTHING, "mmap"),
    flag(NOTHING, "no-config"),
    flag(NOTHING, "no-ignore-exclude"),
    flag(NOTHING, "no-ignore-global"),
    flag(NOTHING, "no-ignore-messages"),
    flag(NOTHING, "no-mmap"),
    flag(NOTHING, "no-pcre2"),
    flag(NOTHING, "no-pre"),
    flag(NOTHING, "no-require-git"),
    flag(NOTHING, "no-search-zip"),
    flag(NOTHING, "no-stats"),
    flag(NOTHING, "one-file-system"),
    flag(NOTHING, "trace"),
    flag(NOTHING, "unicode"),
    valued(NOTHING_VALUED, "colors"),
    valued(NOTHING_VALUED, "dfa-size-limit"),
    valued(NOTHING_VALUED, "regex-size-limit"),
];

/// Reads arguments. The error is in ripgrep's words.
pub fn read(args: &[BString]) -> Result<Given, String> {
    let args = plain(args)?;
    parsed(&args, Reading { flags: FLAGS, status: 2, stops: false })
}

/// The arguments without what getopt does not know: `-A=2`. Long names are written out.
fn plain(args: &[BString]) -> Result<Vec<BString>, String> {
    let unknown = |name: &str| format!("Found argument '{name}' which wasn't expected, or isn't valid in this context");
    let empty = |flag: &Flag| format!("The argument '--{} <VALUE>' requires a value but none was supplied", flag.long);
    let mut out = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            out.push(arg.clone());
            out.extend(rest.cloned());
            break;
        }
        let mut arg = arg.clone();
        let mut open = None;
        if let Some(long) = arg.strip_prefix(b"--") {
            let name = long.split_once_str("=").map_or(long, |(name, _)| name);
            let flag = FLAGS.iter().find(|flag| flag.long.as_bytes() == name);
            let flag = flag.ok_or_else(|| unknown(&format!("--{}", name.as_bstr())))?;
            open = Some(flag).filter(|flag| flag.value == Value::Needed && name.len() == long.len());
        } else if arg.len() > 1 && arg.starts_with(b"-") {
            for at in 1..arg.len() {
                let letter = char::from(arg[at]);
                let flag = FLAGS.iter().find(|flag| flag.letter == letter);
                let flag = flag.ok_or_else(|| unknown(&format!("-{letter}")))?;
                if flag.value == Value::Needed {
                    if arg.get(at + 1) == Some(&b'=') {
                        arg.remove(at + 1);
                    }
                    open = Some(flag).filter(|_| at + 1 == arg.len());
                    break;
                }
            }
        }
        out.push(arg);
        if let Some(flag) = open {
            out.push(rest.next().ok_or_else(|| empty(flag))?.clone());
        }
    }
    Ok(out)
}
