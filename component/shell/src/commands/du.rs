//! `du` and `df`

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use super::entries::{human, last, quoted, size, stat, taken};
use super::walk::{Step, Walk};
use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;
use crate::io::reason;
use crate::world::{Kind, Stat};

const FLAGS: &[Flag] = &[
    flag('0', "null"),
    flag('a', "all"),
    flag('b', "bytes"),
    flag('c', "total"),
    valued('d', "max-depth"),
    flag('h', "human-readable"),
    flag('k', ""),
    flag('L', "dereference"),
    flag('l', "count-links"),
    flag('m', ""),
    flag('P', "no-dereference"),
    flag('s', "summarize"),
    flag('S', "separate-dirs"),
    flag('x', "one-file-system"),
    flag('\x01', "apparent-size"),
    valued('\x02', "exclude"),
];

struct Counting {
    /// Whether the size of the content counts, and not the blocks.
    apparent: bool,
    human: bool,
    unit: u64,
    all: bool,
    deepest: usize,
    separate: bool,
    follows: bool,
    end: &'static str,
    left_out: Vec<Pattern>,
    /// What was counted already.
    seen: BTreeSet<u64>,
}

/// Prints what folders take.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let deepest = match given.value('d').map(|text| text.to_str_lossy().parse::<usize>()) {
        Some(Ok(deepest)) => deepest,
        Some(Err(_)) => {
            let text = given.value('d').cloned().unwrap_or_default();
            return call.misused(format!("invalid maximum depth ‘{text}’"), 1).await;
        }
        None => usize::MAX,
    };
    if given.has('s') && given.has('a') {
        return call.misused("cannot both summarize and show all entries", 1).await;
    }
    if given.has('s') && given.has('d') && deepest > 0 {
        return call.misused(format!("summarizing conflicts with --max-depth={deepest}"), 1).await;
    }
    let units = given.last(&['b', 'h', 'k', 'm']);
    let mut counting = Counting {
        apparent: given.has('b') || given.has('\x01'),
        human: units == Some('h'),
        unit: match units {
            Some('b') => 1,
            Some('m') => 1 << 20,
            _ => 1 << 10,
        },
        all: given.has('a'),
        deepest: if given.has('s') { 0 } else { deepest },
        separate: given.has('S'),
        follows: given.last(&['L', 'P']) == Some('L'),
        end: if given.has('0') { "\0" } else { "\n" },
        left_out: given.values('\x02').map(|pattern| Pattern::written(pattern)).collect(),
        seen: BTreeSet::new(),
    };
    let names = if given.operands.is_empty() { vec![BString::from(".")] } else { given.operands.clone() };
    let (mut status, mut sum) = (0, 0);
    for name in names {
        match stat(call.shell, &name, counting.follows) {
            Ok(found) => sum += counting.tree(call, &name, found, &mut status).await?,
            Err(error) => {
                call.complain(format!("cannot access {}: {}", quoted(&name), reason(&error))).await?;
                status = 1;
            }
        }
    }
    if given.has('c') {
        counting.print(call, sum, b"total").await?;
    }
    Ok(status)
}

impl Counting {
    /// Counts a tree and prints its folders. Returns what all of it takes.
    async fn tree(&mut self, call: &mut Call<'_>, name: &[u8], found: Stat, status: &mut i32) -> Result<u64, Ended> {
        let mut walk = Walk::new(call.shell, name, found, self.follows);
        // For every open folder: what it takes with all that is in it, and what that is without the folders in it.
        let mut open: Vec<(u64, u64)> = Vec::new();
        let mut whole = 0;
        while let Some(step) = walk.next(call.shell)? {
            let (entry, (sum, own)) = match step {
                Step::Entry(entry) => {
                    let is_folder = entry.stat.kind == Kind::Folder;
                    if self.leaves_out(&entry.shown) || !self.seen.insert(entry.stat.inode) {
                        walk.skip();
                        continue;
                    }
                    let bytes = if self.apparent { size(&entry.stat) } else { taken(&entry.stat) };
                    if is_folder {
                        open.push((bytes, bytes));
                        continue;
                    }
                    if let Some(folder) = open.last_mut() {
                        folder.1 += bytes;
                    }
                    (entry, (bytes, bytes))
                }
                Step::Leave(entry) => match open.pop() {
                    Some(sums) => (entry, sums),
                    None => continue,
                },
                Step::Unlisted(entry, error) => {
                    call.complain(format!("cannot read directory {}: {}", quoted(&entry.shown), reason(&error)))
                        .await?;
                    *status = 1;
                    match open.pop() {
                        Some(sums) => (entry, sums),
                        None => continue,
                    }
                }
                Step::Cycle(_) => continue,
            };
            match open.last_mut() {
                Some(folder) => folder.0 += sum,
                None => whole += sum,
            }
            let is_shown = self.all || entry.depth == 0 || entry.stat.kind == Kind::Folder;
            if is_shown && entry.depth <= self.deepest {
                self.print(call, if self.separate { own } else { sum }, &entry.shown).await?;
            }
        }
        Ok(whole)
    }

    fn leaves_out(&self, name: &[u8]) -> bool {
        self.left_out.iter().any(|pattern| pattern.matches(name) || pattern.matches(last(name)))
    }

    async fn print(&self, call: &mut Call<'_>, bytes: u64, name: &[u8]) -> Result<(), Ended> {
        let bytes = if self.human { human(bytes) } else { bytes.div_ceil(self.unit).to_string() };
        call.print(bytes).await?;
        call.print("\t").await?;
        call.print(name).await?;
        call.print(self.end).await
    }
}

/// Says that there are no disks.
pub async fn disks(call: &mut Call<'_>) -> Result<i32, Ended> {
    call.complain("there are no file systems here: use du to see what files take").await?;
    Ok(1)
}
