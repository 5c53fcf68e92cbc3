//! `rg`: ripgrep 13, as it is when it prints into a pipe

mod flags;
mod ignored;
mod options;
mod pattern;
mod search;
mod types;
mod walking;

use bstr::{BString, ByteSlice};

use self::flags::{ENGINE, FILES, TYPE_LIST};
use self::options::{Options, Output};
use self::search::Search;
use self::walking::{Filter, Found, os};
use super::arguments::Given;
use crate::exec::redirect::is_device;
use crate::exec::{Call, Ended};
use crate::io::Source;
use crate::world::{Kind, Stat};

const USAGE: &str = "
USAGE:
    
    rg [OPTIONS] PATTERN [PATH ...]
    rg [OPTIONS] -e PATTERN ... [PATH ...]
    rg [OPTIONS] -f PATTERNFILE ... [PATH ...]
    rg [OPTIONS] --files [PATH ...]
    rg [OPTIONS] --type-list
    command | rg [OPTIONS] PATTERN
    rg [OPTIONS] --help
    rg [OPTIONS] --version
";
/// So many files are read as a whole by ripgrep if they are named.
const MAPPED: usize = 10;

/// What an operand is.
enum Operand {
    /// What the command reads.
    Input,
    /// What can be read only once.
    Source(Source),
    /// A file of the tree.
    File,
    /// A folder.
    Folder(Stat),
    /// Nothing: this is why.
    Wrong(std::io::Error),
}

/// Prints the lines of files that match a pattern.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut given = match flags::read(&call.args) {
        Ok(given) => given,
        Err(message) => {
            let text = format!("error: {message}\n{USAGE}\nFor more information try --help");
            return wrong(call, &text).await;
        }
    };
    if given.has('h') {
        call.line(format!("ripgrep 13.0.0\n{USAGE}")).await?;
        return Ok(0);
    }
    if given.has('V') {
        call.line("ripgrep 13.0.0").await?;
        return Ok(0);
    }
    if let Some(message) = refused(&given) {
        return wrong(call, message).await;
    }
    if given.has(TYPE_LIST) {
        let types = match types::all(&given) {
            Ok(types) => types,
            Err(message) => return wrong(call, &message).await,
        };
        for (name, globs) in types {
            call.line(format!("{name}: {}", globs.join(", "))).await?;
        }
        return Ok(0);
    }
    let lists = given.has(FILES);
    let patterns = match patterns(call, &mut given, lists).await? {
        Ok(patterns) => patterns,
        Err(message) => return wrong(call, &message).await,
    };
    let read = || {
        let matcher = pattern::matcher(&patterns, &given)?;
        let mut options = Options::read(&given)?;
        options.style.replacement = given.value('r').map(|text| pattern::replacement(text, &matcher));
        Ok::<_, String>((matcher, options, Filter::read(call, &given)?))
    };
    let (matcher, options, filter) = match read() {
        Ok(read) => read,
        Err(message) => return wrong(call, &message).await,
    };
    for message in &filter.wrong {
        call.say(format!("{message}\n")).await?;
    }
    if (options.style.most == Some(0) || patterns.is_empty()) && !lists {
        return Ok(1);
    }
    let is_usual = given.operands.is_empty();
    let operands = match is_usual {
        true if !lists && call.stdin.is_given() => vec![BString::from("-")],
        // Its name is not printed.
        true => vec![BString::default()],
        false => given.operands,
    };
    let mut all = Vec::new();
    for name in operands {
        let operand = operand(call, &name);
        all.push((name, operand));
    }
    if lists {
        return list(call, &filter, &options, &all).await;
    }
    let names = options.names.unwrap_or(all.len() > 1 || matches!(all[0].1, Operand::Folder(_)));
    let mut search = Search::new(&matcher, &options, names);
    let mut failed = false;
    let mut searched = false;
    let is_file = |(_, operand): &(BString, Operand)| matches!(operand, Operand::File);
    let is_mapped = all.len() <= MAPPED && all.iter().all(is_file);
    for (name, operand) in all {
        match operand {
            Operand::Wrong(error) => {
                failed = true;
                fail(call, &options, &name, &error).await?;
            }
            Operand::Input => {
                let source = call.stdin.clone();
                search.source(call, &source, &"<stdin>".into()).await?;
            }
            Operand::Source(source) => search.source(call, &source, &name).await?,
            Operand::File => {
                let path = call.shell.path(&name);
                match call.shell.base.files.read(path.as_bstr()) {
                    Ok(text) => search.text(call, text, &name, (true, is_mapped)).await?,
                    Err(error) => {
                        failed = true;
                        fail(call, &options, &name, &error).await?;
                    }
                }
            }
            Operand::Folder(stat) => {
                let mut files = filter.files(call.shell, &name, stat)?;
                while let Some(found) = files.next(call.shell)? {
                    match found {
                        Found::File(entry) => {
                            searched = true;
                            match call.shell.base.files.read(entry.path.as_bstr()) {
                                Ok(text) => search.text(call, text, &entry.shown, (false, false)).await?,
                                Err(error) => {
                                    failed = true;
                                    fail(call, &options, &entry.shown, &error).await?;
                                }
                            }
                        }
                        Found::Wrong(message) => {
                            failed = true;
                            if !options.silent {
                                call.say(format!("{message}\n")).await?;
                            }
                        }
                    }
                    if search.is_done() {
                        return Ok(0);
                    }
                }
                if is_usual && !searched {
                    failed = true;
                    const NONE: &str = "No files were searched, which means ripgrep probably applied a filter you \
                                        didn't expect.\nRunning with --debug will show why files are being skipped.\n";
                    call.say(NONE).await?;
                }
            }
        }
        if search.is_done() {
            return Ok(0);
        }
    }
    Ok(match (failed, search.found) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    })
}

/// Prints the names of the files that would be searched.
async fn list(
    call: &mut Call<'_>,
    filter: &Filter,
    options: &Options,
    all: &[(BString, Operand)],
) -> Result<i32, Ended> {
    let (mut failed, mut found) = (false, false);
    let quiet = options.output == Output::Nothing;
    let end = [if options.style.zero { 0 } else { options.style.end }];
    for (name, operand) in all {
        let stat = match operand {
            Operand::Wrong(error) => {
                failed = true;
                fail(call, options, name, error).await?;
                continue;
            }
            Operand::Folder(stat) => stat,
            _ => {
                found = true;
                if !quiet {
                    call.print(name).await?;
                    call.print(&end).await?;
                }
                continue;
            }
        };
        let mut files = filter.files(call.shell, name, stat.clone())?;
        while let Some(next) = files.next(call.shell)? {
            match next {
                Found::File(_) if quiet => return Ok(0),
                Found::File(entry) => {
                    found = true;
                    call.print(&entry.shown).await?;
                    call.print(&end).await?;
                }
                Found::Wrong(message) => {
                    failed = true;
                    if !options.silent {
                        call.say(format!("{message}\n")).await?;
                    }
                }
            }
        }
    }
    Ok(match (failed, found) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    })
}

fn operand(call: &Call<'_>, name: &BString) -> Operand {
    if name == "-" {
        return Operand::Input;
    }
    let path = call.shell.path(name);
    if is_device(call.shell, &path) {
        return call.open(name).map_or_else(Operand::Wrong, Operand::Source);
    }
    match call.shell.base.files.stat(path.as_bstr(), true) {
        Ok(stat) if stat.kind == Kind::Folder => Operand::Folder(stat),
        Ok(_) if name.ends_with(b"/") => Operand::Wrong(std::io::ErrorKind::NotADirectory.into()),
        Ok(_) => Operand::File,
        Err(error) => Operand::Wrong(error),
    }
}

async fn wrong(call: &mut Call<'_>, message: &str) -> Result<i32, Ended> {
    call.say(format!("{message}\n")).await?;
    Ok(2)
}

async fn fail(call: &mut Call<'_>, options: &Options, name: &[u8], error: &std::io::Error) -> Result<(), Ended> {
    if options.silent {
        return Ok(());
    }
    call.say(format!("{}: {}\n", name.as_bstr(), os(error))).await
}

/// What is not here, in ripgrep's words.
fn refused(given: &Given) -> Option<&'static str> {
    let engine = given.value(ENGINE).is_some_and(|engine| engine == "pcre2");
    if given.has('P') || engine {
        return Some("PCRE2 is not available in this build of ripgrep");
    }
    let encoding = given.value('E').map(|encoding| encoding.to_ascii_lowercase());
    let is_known = encoding.is_none_or(|encoding| matches!(&*encoding, b"auto" | b"none" | b"utf-8" | b"utf8"));
    (!is_known).then_some("error: only UTF-8 is searched here, and no other encoding")
}

/// The patterns of all options, or the first operand.
async fn patterns(call: &mut Call<'_>, given: &mut Given, lists: bool) -> Result<Result<Vec<BString>, String>, Ended> {
    let mut patterns = Vec::new();
    for (letter, value) in &given.flags {
        match letter {
            'e' => patterns.push(value.clone()),
            'f' => {
                let content = match call.open(value) {
                    Ok(source) => source.all().await,
                    Err(error) => return Ok(Err(format!("{value}: {}", os(&error)))),
                };
                call.shell.hold(content.len())?;
                patterns.extend(content.lines().map(BString::from));
            }
            _ => (),
        }
    }
    if !(given.has('e') || given.has('f') || lists) {
        if given.operands.is_empty() {
            let missing = "error: The following required arguments were not provided:\n    <PATTERN>\n";
            return Ok(Err(format!("{missing}{USAGE}\nFor more information try --help")));
        }
        patterns.push(given.operands.remove(0));
    }
    Ok(Ok(patterns))
}
