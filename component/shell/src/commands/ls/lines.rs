//! How `ls` writes entries.

use bstr::{BString, ByteSlice};

use super::{Item, Marks, Options};
use crate::commands::date;
use crate::commands::date::offset;
use crate::commands::entries::{OWNER, OWNER_ID, human, mode, shown_mode, size, taken};
use crate::exec::{Call, Ended};
use crate::world::{Kind, Stat};

/// Half a year, in nanoseconds: what is older is written with its year.
const RECENT: i128 = 31_556_952 / 2 * 1_000_000_000;

/// Prints entries, one a line.
pub async fn print(call: &mut Call<'_>, items: &[Item], options: &Options) -> Result<(), Ended> {
    let sizes: Vec<String> = items.iter().map(|item| shown_size(&item.stat, options)).collect();
    let widest = sizes.iter().map(String::len).max().unwrap_or(0);
    let blocks: Vec<String> = items.iter().map(|item| shown_blocks(taken(&item.stat), options)).collect();
    let widest_blocks = blocks.iter().map(String::len).max().unwrap_or(0);
    for (at, item) in items.iter().enumerate() {
        call.work(1)?;
        if options.blocks {
            call.print(format!("{:>widest_blocks$} ", blocks[at])).await?;
        }
        if options.long {
            let mut line = format!("{} 1 ", shown_mode(&item.stat));
            let id = OWNER_ID.to_string();
            let owner = if options.numbers { &id } else { OWNER };
            for _ in 0..u32::from(options.owner) + u32::from(options.group) {
                line.push_str(owner);
                line.push(' ');
            }
            line.push_str(&format!("{:>widest$} ", sizes[at]));
            call.print(line).await?;
            let time = time(call, &item.stat, options);
            call.print(time).await?;
            call.print(" ").await?;
        }
        call.print(&item.name).await?;
        let end = behind(call, item, options);
        call.line(end).await?;
    }
    Ok(())
}

/// Prints what all entries of a folder take.
pub async fn total(call: &mut Call<'_>, items: &[Item], options: &Options) -> Result<(), Ended> {
    let bytes = items.iter().map(|item| taken(&item.stat)).sum();
    call.line(format!("total {}", shown_blocks(bytes, options))).await
}

fn shown_size(stat: &Stat, options: &Options) -> String {
    if options.human { human(size(stat)) } else { size(stat).to_string() }
}

fn shown_blocks(bytes: u64, options: &Options) -> String {
    if options.human { human(bytes) } else { (bytes / 1024).to_string() }
}

fn time(call: &Call<'_>, stat: &Stat, options: &Options) -> BString {
    let now = call.shell.base.files.now().nanos;
    let recent = stat.modified <= now && stat.modified > now - RECENT;
    let (new, old): (&[u8], &[u8]) = match options.style.as_slice() {
        b"full-iso" => (b"%Y-%m-%d %H:%M:%S.%N %z", b"%Y-%m-%d %H:%M:%S.%N %z"),
        b"long-iso" => (b"%Y-%m-%d %H:%M", b"%Y-%m-%d %H:%M"),
        b"iso" => (b"%m-%d %H:%M", b"%Y-%m-%d "),
        [b'+', format @ ..] => match format.split_once_str("\n") {
            Some((old, new)) => (new, old),
            None => (format, format),
        },
        _ => (b"%b %e %H:%M", b"%b %e  %Y"),
    };
    date::format(if recent { new } else { old }, stat.modified, offset(call.shell))
}

fn mark(stat: &Stat, marks: Marks) -> &'static str {
    match (marks, stat.kind) {
        (Marks::None, _) => "",
        (_, Kind::Folder) => "/",
        (Marks::Folders, _) => "",
        (_, Kind::Link) => "@",
        (Marks::Types, _) => "",
        (Marks::All, Kind::File) if mode(stat) & 0o111 != 0 => "*",
        (Marks::All, Kind::File) => "",
    }
}

/// What stands behind a name.
fn behind(call: &Call<'_>, item: &Item, options: &Options) -> BString {
    if item.stat.kind != Kind::Link || !options.long {
        return mark(&item.stat, options.marks).into();
    }
    let target =
        call.shell.base.files.world().and_then(|world| world.read_link(item.path.as_bstr())).unwrap_or_default();
    let mark = item.goal.as_ref().map(|goal| mark(goal, options.marks)).unwrap_or_default();
    [b" -> ", target.as_slice(), mark.as_bytes()].concat().into()
}
