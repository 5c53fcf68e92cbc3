//! `ls`

mod lines;
mod options;
mod order;

use bstr::{BString, ByteSlice};

use self::options::{Hidden, Marks, Options};
use super::entries::{below, quoted, stat};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::{Kind, Stat};

/// An entry that is listed.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name, as it is printed.
    pub name: BString,
    /// Its absolute path.
    pub path: BString,
    /// Its metadata.
    pub stat: Stat,
    /// The metadata of what it leads to, if it is a link.
    pub goal: Option<Stat>,
}

impl Item {
    fn of(shell: &Shell, name: BString, path: BString, stat: Stat) -> Item {
        let goal = match stat.kind {
            Kind::Link => shell.base.files.stat(path.as_bstr(), true).ok(),
            _ => None,
        };
        Item { name, path, stat, goal }
    }
}

/// A folder that is to be listed.
struct Folder {
    name: BString,
    /// The folders that it is in, by number, if links are followed.
    within: Vec<u64>,
    is_operand: bool,
}

/// Lists folders, and files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let (options, mut names) = options::read_all(call).await?;
    if names.is_empty() {
        names.push(".".into());
    }
    let has_headers = names.len() > 1 || options.recursive;
    let mut status = 0;
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for name in names {
        match operand(call.shell, &options, &name) {
            Ok(found) => {
                let path = call.shell.path(&name);
                let item = Item::of(call.shell, name, path, found);
                let is_listed = item.stat.kind == Kind::Folder && !options.itself;
                if is_listed { folders.push(item) } else { files.push(item) }
            }
            Err(error) => {
                call.complain(format!("cannot access {}: {}", quoted(&name), reason(&error))).await?;
                status = 2;
            }
        }
    }
    order::sort(&mut files, &options);
    order::sort(&mut folders, &options);
    lines::print(call, &files, &options).await?;
    let mut printed = !files.is_empty();
    let folder = |item: Item| Folder { name: item.name, within: Vec::new(), is_operand: true };
    let mut pending: Vec<Folder> = folders.into_iter().rev().map(folder).collect();
    while let Some(folder) = pending.pop() {
        call.work(1)?;
        let path = call.shell.path(&folder.name);
        let listed = match call.shell.base.files.list(path.as_bstr()) {
            Ok(listed) => listed,
            Err(error) => {
                call.complain(format!("cannot open directory {}: {}", quoted(&folder.name), reason(&error))).await?;
                status = if folder.is_operand { 2 } else { status.max(1) };
                continue;
            }
        };
        if has_headers {
            call.print(if printed { "\n" } else { "" }).await?;
            call.print(&folder.name).await?;
            call.line(":").await?;
        }
        printed = true;
        let mut items = entries(call.shell, &options, &path, listed)?;
        order::sort(&mut items, &options);
        if options.long || options.blocks {
            lines::total(call, &items, &options).await?;
        }
        lines::print(call, &items, &options).await?;
        if options.recursive && !descend(call, &options, &folder, items, &mut pending).await? {
            status = 2;
        }
    }
    Ok(status)
}

/// The metadata of an operand. Whether a link is followed depends on the options, and on what it leads to.
fn operand(shell: &Shell, options: &Options, name: &[u8]) -> std::io::Result<Stat> {
    if options.follows {
        return stat(shell, name, true);
    }
    let itself = options.itself || options.long || options.marks == Marks::All;
    if (!itself || options.follows_operands)
        && let Ok(found) = stat(shell, name, true)
        && (found.kind == Kind::Folder || options.follows_operands)
    {
        return Ok(found);
    }
    stat(shell, name, false)
}

/// The entries of a folder that are to be seen.
fn entries(shell: &Shell, options: &Options, path: &BString, listed: Vec<(BString, Stat)>) -> Result<Vec<Item>, Ended> {
    let mut items = Vec::new();
    if options.hidden == Hidden::All {
        let up = super::entries::parent(path.as_bstr()).to_owned();
        for (name, path) in [(".", path.clone()), ("..", up)] {
            if let Ok(stat) = shell.base.files.stat(path.as_bstr(), true) {
                items.push(Item { name: name.into(), path, stat, goal: None });
            }
        }
    }
    for (name, stat) in listed {
        shell.work(1)?;
        let is_hidden = name.starts_with(b".") && options.hidden == Hidden::No
            || options.backups_left_out && name.ends_with(b"~")
            || options.left_out.iter().any(|pattern| pattern.matches(&name));
        if is_hidden {
            continue;
        }
        let path = below(path, &name);
        let mut item = Item::of(shell, name, path, stat);
        if options.follows {
            item.stat = item.goal.take().unwrap_or(item.stat);
        }
        items.push(item);
    }
    Ok(items)
}

/// Puts the folders of a folder before those that are pending. Returns whether all of them can be listed.
async fn descend(
    call: &mut Call<'_>,
    options: &Options,
    folder: &Folder,
    items: Vec<Item>,
    pending: &mut Vec<Folder>,
) -> Result<bool, Ended> {
    let mut within = folder.within.clone();
    if options.follows {
        let own = call.shell.base.files.stat(call.shell.path(&folder.name).as_bstr(), true);
        within.extend(own.ok().map(|own| own.inode));
    }
    let mut fine = true;
    for item in items.into_iter().rev() {
        if item.stat.kind != Kind::Folder || matches!(item.name.as_slice(), b"." | b"..") {
            continue;
        }
        let name = below(&folder.name, &item.name);
        if within.contains(&item.stat.inode) {
            call.complain(format!("{name}: not listing already-listed directory")).await?;
            fine = false;
            continue;
        }
        pending.push(Folder { name, within: within.clone(), is_operand: false });
    }
    Ok(fine)
}
