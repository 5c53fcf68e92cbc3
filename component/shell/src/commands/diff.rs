//! `diff`

mod confusing;
mod folders;
mod middle;
mod print;
mod script;
mod text;

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use self::script::Change;
use self::text::{Ignored, Text};
use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::date;
use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;
use crate::io::reason;
use crate::regexp::{Regex, Syntax};
use crate::world::Kind;

const FLAGS: &[Flag] = &[
    flag('a', "text"),
    flag('b', "ignore-space-change"),
    flag('B', "ignore-blank-lines"),
    maybe('\x01', "color"),
    flag('c', ""),
    maybe('\x04', "context"),
    flag('d', "minimal"),
    flag('E', "ignore-tab-expansion"),
    valued('F', "show-function-line"),
    flag('H', "speed-large-files"),
    flag('i', "ignore-case"),
    valued('I', "ignore-matching-lines"),
    valued('L', "label"),
    flag('N', "new-file"),
    flag('\x02', "normal"),
    flag('p', "show-c-function"),
    flag('q', "brief"),
    flag('r', "recursive"),
    flag('s', "report-identical-files"),
    flag('\x03', "strip-trailing-cr"),
    flag('u', ""),
    valued('U', ""),
    valued('W', "width"),
    flag('0', ""),
    flag('1', ""),
    flag('2', ""),
    flag('3', ""),
    flag('4', ""),
    flag('5', ""),
    flag('6', ""),
    flag('7', ""),
    flag('8', ""),
    flag('9', ""),
    maybe('\x05', "unified"),
    flag('w', "ignore-all-space"),
    valued('x', "exclude"),
    flag('y', "side-by-side"),
    flag('Z', "ignore-trailing-space"),
];

/// The most bytes of a file that tell whether it is a text.
const LOOKED_AT: usize = 4096;

/// What was asked for.
struct Settings {
    brief: bool,
    says_same: bool,
    folders: bool,
    absent: bool,
    text: bool,
    minimal: bool,
    blank_lines: bool,
    matching: Vec<Regex>,
    ignored: Ignored,
    /// Lines around changes, if they are printed so.
    context: Option<usize>,
    function: Option<Regex>,
    labels: Vec<BString>,
    excluded: Vec<Pattern>,
    /// The options as they were given, for what is said about files in folders.
    options: BString,
}

/// One of two that are compared.
#[derive(Clone, Debug)]
struct Side {
    name: BString,
    /// None if it is not there.
    kind: Option<Kind>,
    modified: i128,
    empty: bool,
}

/// Prints what differs between two files or folders.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = call.args.clone();
    let given = read(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    let settings = match settings(&given, &args) {
        Ok(settings) => settings,
        Err(message) => {
            call.complain(message).await?;
            return Ok(2);
        }
    };
    let [old, new] = match &*given.operands {
        [old, new] => [old, new],
        [_, _, extra, ..] => return call.misused(format!("extra operand '{extra}'"), 2).await,
        operands => {
            let last = operands.first().or(args.last()).map_or(BString::from("diff"), BString::clone);
            return call.misused(format!("missing operand after '{last}'"), 2).await;
        }
    };
    let mut sides = [side(call, old), side(call, new)];
    let kinds = [sides[0].kind, sides[1].kind];
    // A file is compared with the one of the same name in a folder.
    for (this, that) in [(0, 1), (1, 0)] {
        if kinds[this] == Some(Kind::Folder) && kinds[that] != Some(Kind::Folder) && sides[that].name != "-" {
            let file = sides[that].name.rsplit_str("/").next().unwrap_or(b"").as_bstr().to_owned();
            sides[this] = side(call, &folders::below(&sides[this].name, &file));
        }
    }
    let absent = sides.iter().filter(|side| side.kind.is_none()).count();
    if absent == 2 || (absent == 1 && !settings.absent) {
        for side in sides.iter().filter(|side| side.kind.is_none()) {
            call.complain(format!("{}: No such file or directory", side.name)).await?;
        }
        return Ok(2);
    }
    if sides.iter().any(|side| side.kind == Some(Kind::Folder)) {
        return folders::compare(call, &settings, &sides[0], &sides[1]).await;
    }
    files(call, &settings, [&sides[0], &sides[1]], false).await
}

/// A number of lines. More than a text can have are as many as it has.
fn lines(digits: &[u8]) -> Option<usize> {
    const MOST: usize = usize::MAX / 4;
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.to_str().ok()?.parse().map_or(Some(MOST), |lines: usize| Some(lines.min(MOST))))?
}

fn settings(given: &Given, args: &[BString]) -> Result<Settings, String> {
    if given.has('c') || given.has('\x04') {
        return Err("the context format is not made here; use -u".to_owned());
    }
    if given.has('y') {
        return Err("columns side by side are not made here; use -u".to_owned());
    }
    let number = |text: &BString| lines(text).ok_or_else(|| format!("invalid context length '{text}'"));
    let mut context = None;
    for (letter, value) in &given.flags {
        let lines = match letter {
            'U' => number(value)?,
            '\x05' if !value.is_empty() => number(value)?,
            'u' | '\x05' => 3,
            _ => continue,
        };
        context = Some(context.map_or(lines, |known: usize| known.max(lines)));
    }
    // The old form, as in `-u0`, counts unless a number was given otherwise.
    let digits: String = given.flags.iter().map(|(letter, _)| *letter).filter(char::is_ascii_digit).collect();
    if let (Some(known), Some(lines)) = (context, lines(digits.as_bytes())) {
        let is_exact = given.has('U') || given.values('\x05').any(|value| !value.is_empty());
        context = Some(if is_exact { known.max(lines) } else { lines });
    }
    if let Some(width) =
        given.value('W').filter(|width| width.to_str().map_or(true, |text| text.parse::<u64>().is_err()))
    {
        return Err(format!("invalid width '{width}'"));
    }
    let regexes = given.values('I').map(|pattern| Syntax::default().read(pattern));
    let function = match given.value('F') {
        Some(pattern) => Some(Syntax::default().read(pattern)?),
        None if given.has('p') => Some(Syntax::default().read(b"^[[:alpha:]$_]")?),
        None => None,
    };
    if given.has('p') && context.is_none() {
        return Err("the context format is not made here; use -u".to_owned());
    }
    Ok(Settings {
        brief: given.has('q'),
        says_same: given.has('s'),
        folders: given.has('r'),
        absent: given.has('N'),
        text: given.has('a'),
        minimal: given.has('d'),
        blank_lines: given.has('B'),
        matching: regexes.collect::<Result<_, _>>()?,
        ignored: Ignored {
            case: given.has('i'),
            all_blanks: given.has('w'),
            blanks: given.has('b'),
            end_blanks: given.has('Z'),
            tabs: given.has('E'),
            returns: given.has('\x03'),
        },
        context,
        function,
        labels: given.values('L').cloned().collect(),
        excluded: given.values('x').map(|pattern| Pattern::written(pattern)).collect(),
        options: folders::options(args, &given.operands),
    })
}

fn side(call: &Call<'_>, name: &BString) -> Side {
    let now = call.shell.base.files.now().nanos;
    let name = name.clone();
    if name == "-" || crate::exec::redirect::is_device(call.shell, &call.shell.path(&name)) {
        return Side { name, kind: Some(Kind::File), modified: now, empty: false };
    }
    match call.shell.base.files.stat(call.shell.path(&name).as_bstr(), true) {
        Ok(stat) => Side {
            name,
            kind: Some(stat.kind),
            modified: stat.modified,
            empty: stat.size == 0 && stat.kind == Kind::File,
        },
        Err(_) => Side { name, kind: None, modified: 0, empty: false },
    }
}

/// Compares two files, one of which may be absent.
async fn files(call: &mut Call<'_>, settings: &Settings, sides: [&Side; 2], nested: bool) -> Result<i32, Ended> {
    let mut contents = [Bytes::new(), Bytes::new()];
    for (content, side) in contents.iter_mut().zip(sides) {
        if side.kind.is_some() {
            match call.open(&side.name) {
                Ok(source) => *content = source.all().await,
                Err(error) => {
                    call.complain(format!("{}: {}", side.name, reason(&error))).await?;
                    return Ok(2);
                }
            }
        }
    }
    call.shell.hold(contents[0].len() + contents[1].len())?;
    let names = [0, 1].map(|at| settings.labels.get(at).unwrap_or(&sides[at].name));
    if contents[0] == contents[1] {
        if settings.says_same {
            call.line(format!("Files {} and {} are identical", names[0], names[1])).await?;
        }
        return Ok(0);
    }
    let binary = |content: &Bytes| content[..content.len().min(LOOKED_AT)].contains(&0);
    if !settings.text && contents.iter().any(binary) {
        let kind = if settings.brief { "Files" } else { "Binary files" };
        call.line(format!("{kind} {} and {} differ", names[0], names[1])).await?;
        return Ok(1);
    }
    let texts = contents.each_ref().map(|content| Text::of(content, settings.ignored));
    let texts = [&texts[0], &texts[1]];
    // What each line needs, about.
    call.shell.hold((texts[0].lines.len() + texts[1].lines.len()) * 160)?;
    let changes = changes(call, settings, texts)?;
    if changes.iter().all(|change| change.ignored) {
        if settings.says_same {
            call.line(format!("Files {} and {} are identical", names[0], names[1])).await?;
        }
        return Ok(0);
    }
    if settings.brief {
        call.line(format!("Files {} and {} differ", names[0], names[1])).await?;
        return Ok(1);
    }
    if nested {
        let named = names.map(|name| folders::named(name));
        let parts = [&b"diff"[..], &settings.options, &named[0], &named[1]];
        call.line(bstr::join(" ", parts.iter().filter(|part| !part.is_empty()))).await?;
    }
    match settings.context {
        Some(context) => {
            head(call, settings, sides).await?;
            print::unified(call, &changes, texts, context, settings.function.as_ref()).await?;
        }
        None => print::normal(call, &changes, texts).await?,
    }
    Ok(1)
}

fn changes(call: &Call<'_>, settings: &Settings, texts: [&Text; 2]) -> Result<Vec<Change>, Ended> {
    let [old, new] = text::numbered(texts, settings.ignored);
    let mut changes = script::changes(&old, &new, settings.minimal, &|units| call.work(units))?;
    if settings.blank_lines || !settings.matching.is_empty() {
        let blank = |line: &Bytes| {
            let blanks = settings.ignored.all_blanks || settings.ignored.blanks || settings.ignored.end_blanks;
            settings.blank_lines && if blanks { line.trim().is_empty() } else { line.is_empty() }
        };
        let ignored = |line: &Bytes| blank(line) || settings.matching.iter().any(|regex| regex.is_match(line));
        for change in &mut changes {
            let gone = &texts[0].lines[change.old..change.old + change.gone];
            let come = &texts[1].lines[change.new..change.new + change.come];
            change.ignored = gone.iter().chain(come).all(ignored);
        }
    }
    Ok(changes)
}

/// The names and times of what was compared.
async fn head(call: &mut Call<'_>, settings: &Settings, sides: [&Side; 2]) -> Result<(), Ended> {
    let offset = date::offset(call.shell);
    for (at, (mark, side)) in [("--- ", sides[0]), ("+++ ", sides[1])].into_iter().enumerate() {
        call.print(mark).await?;
        match settings.labels.get(at) {
            Some(label) => call.line(label).await?,
            None => {
                let time = date::format(b"%Y-%m-%d %H:%M:%S.%N %z", side.modified, offset);
                call.line(bstr::concat([&folders::named(&side.name)[..], b"\t", &time[..]])).await?;
            }
        }
    }
    Ok(())
}
