//! `sed`

mod address;
mod escapes;
mod input;
mod output;
mod range;
mod read;
mod replace;
mod run;
mod script;
mod step;
mod substitute;
mod text;

use bstr::{BString, ByteSlice};

use self::read::{Chunk, Dialect, Origin};
use super::arguments::{Flag, Given, Reading, flag, maybe, parsed, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FOLLOWS: char = '\u{1}';
const POSIX: char = '\u{2}';
const SANDBOX: char = '\u{3}';
const HELP: char = '\u{4}';
const VERSION: char = '\u{5}';

const FLAGS: &[Flag] = &[
    flag('n', "quiet"),
    flag('n', "silent"),
    valued('e', "expression"),
    valued('f', "file"),
    flag(FOLLOWS, "follow-symlinks"),
    maybe('i', "in-place"),
    valued('l', "line-length"),
    flag(POSIX, "posix"),
    flag('E', "regexp-extended"),
    flag('r', "regexp-extended"),
    flag('s', "separate"),
    flag(SANDBOX, "sandbox"),
    flag('u', "unbuffered"),
    flag('b', "binary"),
    flag('z', "null-data"),
    flag(HELP, "help"),
    flag(VERSION, "version"),
];

const USAGE: &str = "Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...

  -n, --quiet, --silent
                 suppress automatic printing of pattern space
  -e script, --expression=script
                 add the script to the commands to be executed
  -f script-file, --file=script-file
                 add the contents of script-file to the commands to be executed
  --follow-symlinks
                 follow symlinks when processing in place
  -i[SUFFIX], --in-place[=SUFFIX]
                 edit files in place (makes backup if SUFFIX supplied)
  -l N, --line-length=N
                 specify the desired line-wrap length for the `l' command
  --posix
                 disable all GNU extensions.
  -E, -r, --regexp-extended
                 use extended regular expressions in the script
                 (for portability use POSIX -E).
  -s, --separate
                 consider files as separate rather than as a single,
                 continuous long stream.
      --sandbox
                 operate in sandbox mode (disable e/r/w commands).
  -u, --unbuffered
                 load minimal amounts of data from the input files and flush
                 the output buffers more often
  -z, --null-data
                 separate lines by NUL characters
      --help     display this help and exit
      --version  output version information and exit

If no -e, --expression, -f, or --file option is given, then the first
non-option argument is taken as the sed script to interpret.  All
remaining arguments are names of input files; if no input files are
specified, then the standard input is read.

";

/// The status of arguments and scripts that are wrong.
const WRONG: i32 = 1;
/// The status when a file cannot be read.
const UNREAD: i32 = 2;
/// The status when it cannot go on.
const PANIC: i32 = 4;
/// How long lines of `l` are, unless something else is said.
const LINE: usize = 70;

/// What options say about how a script runs.
#[derive(Debug)]
struct Options {
    silent: bool,
    posix: bool,
    /// Whether every file begins anew.
    separate: bool,
    /// What is appended to the name of a file that is changed. It may be empty.
    in_place: Option<BString>,
    follows: bool,
    unbuffered: bool,
    /// What ends a line.
    end: u8,
    /// How long lines of `l` are.
    wrap: usize,
}

/// Changes lines as a script says.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let reading = Reading { flags: FLAGS, status: WRONG, stops: false };
    let mut given = match parsed(&std::mem::take(&mut call.args), reading) {
        Ok(given) => given,
        Err(message) => {
            call.complain(message).await?;
            return misused(call).await;
        }
    };
    if given.has(HELP) {
        call.print(USAGE).await?;
        return Ok(0);
    }
    if given.has(VERSION) {
        call.line("sed (GNU sed) 4.9").await?;
        return Ok(0);
    }
    let wrap = match given.value('l').map(|length| length.to_str().ok().and_then(|length| length.parse().ok())) {
        None => LINE,
        Some(Some(length)) => length,
        Some(None) => {
            let length = given.value('l').cloned().unwrap_or_default();
            return failed(call, format!("invalid line length: {length}"), WRONG).await;
        }
    };
    let Some(chunks) = chunks(call, &mut given).await? else { return misused(call).await };
    let options = options(&given, wrap);
    let dialect = Dialect {
        extended: given.has('E') || given.has('r'),
        posix: options.posix,
        sandbox: given.has(SANDBOX),
        // Lines that end with NUL have no line breaks that anchors know of.
        lines: options.end == b'\n',
    };
    match read::read(&chunks, dialect) {
        Ok(script) => run::run(call, script, options, given.operands).await,
        Err(wrong) => failed(call, wrong.message, wrong.status).await,
    }
}

fn options(given: &Given, wrap: usize) -> Options {
    let in_place = given.value('i').cloned();
    Options {
        silent: given.has('n'),
        posix: given.has(POSIX),
        separate: given.has('s') || in_place.is_some(),
        in_place,
        follows: given.has(FOLLOWS),
        unbuffered: given.has('u'),
        end: if given.has('z') { b'\0' } else { b'\n' },
        wrap,
    }
}

/// The parts of the script. None if there are none.
async fn chunks(call: &mut Call<'_>, given: &mut Given) -> Result<Option<Vec<Chunk>>, Ended> {
    let mut chunks = Vec::new();
    let mut expressions = 0;
    for (letter, value) in given.flags.iter().filter(|(letter, _)| matches!(letter, 'e' | 'f')) {
        if *letter == 'e' {
            expressions += 1;
            chunks.push(Chunk { origin: Origin::Expression(expressions), text: value.clone() });
            continue;
        }
        let source = match call.open(value) {
            Ok(source) => source,
            Err(error) => {
                let message = format!("couldn't open file {value}: {}", reason(&error));
                let status = failed(call, message, PANIC).await?;
                return Err(Ended::Status(status));
            }
        };
        let all = source.all().await;
        call.shell.hold(all.len())?;
        let text = all.strip_suffix(b"\n").unwrap_or(&all).into();
        chunks.push(Chunk { origin: Origin::File(value.clone()), text });
    }
    if chunks.is_empty() {
        if given.operands.is_empty() {
            return Ok(None);
        }
        chunks.push(Chunk { origin: Origin::Expression(1), text: given.operands.remove(0) });
    }
    Ok(Some(chunks))
}

async fn misused(call: &mut Call<'_>) -> Result<i32, Ended> {
    call.say(USAGE).await?;
    Ok(WRONG)
}

/// Says what is wrong, and gives the status.
async fn failed(call: &mut Call<'_>, message: impl AsRef<str>, status: i32) -> Result<i32, Ended> {
    call.complain(message).await?;
    Ok(status)
}
