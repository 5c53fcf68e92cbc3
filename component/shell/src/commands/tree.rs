//! `tree`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::entries::{below, stat, trimmed};
use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;
use crate::state::Shell;
use crate::world::{Kind, Stat};

const FLAGS: &[Flag] = &[
    flag('a', ""),
    flag('C', ""),
    flag('d', ""),
    flag('f', ""),
    flag('F', ""),
    flag('i', ""),
    valued('I', ""),
    valued('L', ""),
    flag('n', ""),
    flag('N', ""),
    valued('P', ""),
    flag('\x01', "noreport"),
    flag('\x02', "dirsfirst"),
    flag('\x03', "prune"),
    valued('\x04', "charset"),
    flag('\x05', "ignore-case"),
];

struct Options {
    all: bool,
    folders_only: bool,
    whole_names: bool,
    marks: bool,
    flat: bool,
    folders_first: bool,
    prunes: bool,
    deepest: usize,
    wanted: Vec<Pattern>,
    unwanted: Vec<Pattern>,
}

impl Options {
    fn of(given: &Given, deepest: usize) -> Options {
        let patterns = |letter| {
            let texts = given.values(letter).flat_map(|text| text.split_str("|"));
            texts.map(|text| Pattern::written(text).ignoring_case(given.has('\x05'))).collect()
        };
        Options {
            all: given.has('a'),
            folders_only: given.has('d'),
            whole_names: given.has('f'),
            marks: given.has('F'),
            flat: given.has('i'),
            folders_first: given.has('\x02'),
            prunes: given.has('\x03'),
            deepest,
            wanted: patterns('P'),
            unwanted: patterns('I'),
        }
    }
}

/// An entry of a folder.
struct Item {
    name: BString,
    path: BString,
    stat: Stat,
    /// Where it leads, if it is a link, and what is there.
    target: Option<(BString, Option<Stat>)>,
    /// Whether it is a folder, or leads to one.
    is_folder: bool,
}

/// A folder that is being printed.
struct Open {
    shown: BString,
    rest: std::iter::Peekable<std::vec::IntoIter<Item>>,
}

/// Prints trees.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let deepest = match given.value('L').map(|text| text.to_str_lossy().parse::<usize>()) {
        None => usize::MAX,
        Some(Ok(deepest)) if deepest > 0 => deepest,
        Some(_) => {
            call.complain("Invalid level, must be greater than 0.").await?;
            return Ok(1);
        }
    };
    let options = Options::of(&given, deepest);
    let names = if given.operands.is_empty() { vec![BString::from(".")] } else { given.operands.clone() };
    let (mut folders, mut files, mut status) = (0_u64, 0_u64, 0);
    for name in names {
        let name = if options.whole_names { trimmed(&name).into() } else { name };
        let found = stat(call.shell, &name, true);
        call.print(&name).await?;
        match found {
            Ok(found) if found.kind == Kind::Folder => {
                call.line(if options.marks && !name.ends_with(b"/") { "/" } else { "" }).await?;
                let (more_folders, more_files) = print(call, &options, &name).await?;
                folders += more_folders;
                files += more_files;
            }
            Ok(_) => {
                call.line("  [error opening dir]").await?;
                files += 1;
            }
            Err(_) => {
                call.line("  [error opening dir]").await?;
                status = 2;
            }
        }
    }
    if !given.has('\x01') {
        let many = |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let mut report = format!("\n{}", many(folders, "directory", "directories"));
        if !options.folders_only {
            report.push_str(&format!(", {}", many(files, "file", "files")));
        }
        call.line(report).await?;
    }
    Ok(status)
}

/// Prints what is in a folder. Returns how many folders and files that were.
async fn print(call: &mut Call<'_>, options: &Options, name: &[u8]) -> Result<(u64, u64), Ended> {
    let path = call.shell.path(name);
    let first = items(call.shell, options, &path, 1)?;
    // An empty folder does not count itself.
    let mut folders = u64::from(!first.is_empty());
    let mut files = 0;
    let mut open = vec![Open { shown: name.into(), rest: first.into_iter().peekable() }];
    while let Some(folder) = open.last_mut() {
        call.work(1)?;
        let Some(item) = folder.rest.next() else {
            open.pop();
            continue;
        };
        let shown = below(&folder.shown, &item.name);
        if !options.flat {
            call.print(indent(&mut open)).await?;
        }
        call.print(if options.whole_names { &shown } else { &item.name }).await?;
        call.line(behind(&item, options)).await?;
        match item.is_folder {
            true => folders += 1,
            false => files += 1,
        }
        if item.stat.kind == Kind::Folder && open.len() < options.deepest {
            let items = items(call.shell, options, &item.path, open.len() + 1)?;
            open.push(Open { shown, rest: items.into_iter().peekable() });
        }
    }
    Ok((folders, files))
}

/// The lines before a name. The blanks after a vertical one cannot be broken, as the real command has them.
fn indent(open: &mut [Open]) -> String {
    let mut line = String::new();
    let last = open.len() - 1;
    for (at, folder) in open.iter_mut().enumerate() {
        line.push_str(match (at == last, folder.rest.peek().is_some()) {
            (true, true) => "├── ",
            (true, false) => "└── ",
            (false, true) => "│\u{a0}\u{a0} ",
            (false, false) => "    ",
        });
    }
    line
}

/// What stands behind a name.
fn behind(item: &Item, options: &Options) -> BString {
    let mark = |stat: &Stat| match stat.kind {
        _ if !options.marks => "",
        Kind::Folder => "/",
        Kind::File if stat.executable => "*",
        _ => "",
    };
    match &item.target {
        None => mark(&item.stat).into(),
        Some((target, goal)) => {
            let mark = goal.as_ref().map(mark).unwrap_or_default();
            [b" -> ", target.as_slice(), mark.as_bytes()].concat().into()
        }
    }
}

/// The entries of a folder that are to be seen.
fn items(shell: &Shell, options: &Options, path: &BString, depth: usize) -> Result<Vec<Item>, Ended> {
    let files = &shell.base.files;
    let Ok(list) = files.list(path.as_bstr()) else { return Ok(Vec::new()) };
    let mut items = Vec::new();
    for (name, stat) in list {
        shell.work(1)?;
        if name.starts_with(b".") && !options.all {
            continue;
        }
        let path = below(path, &name);
        let target = match stat.kind {
            Kind::Link => {
                let target = files.world().and_then(|world| world.read_link(path.as_bstr())).unwrap_or_default();
                Some((target, files.stat(path.as_bstr(), true).ok()))
            }
            _ => None,
        };
        let goal = target.as_ref().map_or(Some(&stat), |(_, goal)| goal.as_ref());
        let is_folder = goal.is_some_and(|goal| goal.kind == Kind::Folder);
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&name));
        let is_wanted = options.wanted.is_empty() || stat.kind == Kind::Folder || matches(&options.wanted);
        if !is_wanted || matches(&options.unwanted) || options.folders_only && !is_folder {
            continue;
        }
        items.push(Item { name, path, stat, target, is_folder });
    }
    if options.folders_first {
        items.sort_by_key(|item| !item.is_folder);
    }
    if options.prunes {
        let mut kept = Vec::new();
        for item in items {
            if item.stat.kind != Kind::Folder || holds(shell, options, &item.path, depth + 1)? {
                kept.push(item);
            }
        }
        items = kept;
    }
    Ok(items)
}

/// Whether there is anything but folders below a folder, as deep as is looked.
fn holds(shell: &Shell, options: &Options, path: &BString, depth: usize) -> Result<bool, Ended> {
    let unpruned =
        Options { prunes: false, wanted: options.wanted.clone(), unwanted: options.unwanted.clone(), ..*options };
    let mut folders = vec![(path.clone(), depth)];
    while let Some((path, depth)) = folders.pop() {
        if depth > options.deepest {
            continue;
        }
        for item in items(shell, &unpruned, &path, depth)? {
            if item.stat.kind != Kind::Folder {
                return Ok(true);
            }
            folders.push((item.path, depth + 1));
        }
    }
    Ok(false)
}
