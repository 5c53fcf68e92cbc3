//! `--stat`: names, counts, and a bar of `+` and `-`, fitted to a width.

use bstr::{BString, ByteSlice};

use super::{Extent, FileStat, shortstat};

/// The columns around name, number and bar: a space, ` | `, a space, and one that stays free.
const FURNITURE: usize = 6;
/// The bar keeps at least this many columns.
const NARROWEST_BAR: usize = 6;
/// The name keeps at least ten columns. With the bar's six, no terminal is narrower than this.
const NARROWEST: usize = 16 + 6;

/// Appends the lines of `git diff --stat` for a terminal of `width` columns, including the summary
/// line. Appends nothing if there is no file.
pub fn stat(files: &[FileStat], width: usize, out: &mut Vec<u8>) {
    let names: Vec<BString> = files.iter().map(FileStat::printed_name).collect();
    let layout = Layout::fit(files, &names, width);
    for (file, name) in files.iter().zip(&names) {
        layout.name(name, out);
        match file.extent {
            Extent::Lines { added, deleted } => layout.lines(added, deleted, out),
            Extent::Binary { old_size, new_size } => layout.binary(old_size, new_size, out),
            Extent::Unmerged => out.extend_from_slice(b"Unmerged"),
        }
        out.push(b'\n');
    }
    shortstat(files, out);
}

/// The widths of the three columns.
struct Layout {
    name: usize,
    number: usize,
    bar: usize,
    most_changes: u64,
}

impl Layout {
    fn fit(files: &[FileStat], names: &[BString], width: usize) -> Self {
        let longest_name = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let (mut most_changes, mut number, mut text) = (0, 0, 0);
        for file in files {
            match file.extent {
                Extent::Lines { added, deleted } => most_changes = most_changes.max(added + deleted),
                Extent::Binary { old_size, new_size } => {
                    // "Bin 12 -> 345 bytes". The number column holds "Bin".
                    text = text.max(14 + digits(old_size) + digits(new_size));
                    number = 3;
                }
                Extent::Unmerged => text = text.max("Unmerged".len()),
            }
        }
        let number = digits(most_changes).max(number);
        let width = width.max(NARROWEST + number);
        let wanted = usize::try_from(most_changes).unwrap_or(usize::MAX);
        let mut bar = if wanted.saturating_add(4) > text { wanted } else { text - 4 };
        let mut name = longest_name;
        if name.saturating_add(number + FURNITURE).saturating_add(bar) > width {
            // Five eighths for the name, the rest for the bar; each may take what the other leaves.
            let share = width * 3 / 8;
            if bar.saturating_add(number + FURNITURE) > share {
                bar = share.saturating_sub(number + FURNITURE).max(NARROWEST_BAR);
            }
            let left = width - number - FURNITURE - bar;
            if name > left {
                name = left;
            } else {
                bar = width - number - FURNITURE - name;
            }
        }
        Self { name, number, bar, most_changes }
    }

    /// ` name | `. A name that is too long loses its front, up to a slash if there is one.
    fn name(&self, name: &[u8], out: &mut Vec<u8>) {
        let mut column = BString::default();
        if name.len() > self.name {
            let kept = &name[name.len() - self.name.saturating_sub(3)..];
            column.extend_from_slice(b"...");
            column.extend_from_slice(&kept[kept.find_byte(b'/').unwrap_or(0)..]);
        } else {
            column.extend_from_slice(name);
        }
        let padding = self.name.saturating_sub(column.len());
        out.push(b' ');
        out.extend_from_slice(&column);
        out.extend(std::iter::repeat_n(b' ', padding));
        out.extend_from_slice(b" | ");
    }

    fn lines(&self, added: u64, deleted: u64, out: &mut Vec<u8>) {
        let total = added + deleted;
        let number = self.number;
        out.extend_from_slice(format!("{total:number$}").as_bytes());
        if total > 0 {
            out.push(b' ');
        }
        let (plus, minus) = self.scaled(added, deleted);
        out.extend(std::iter::repeat_n(b'+', plus));
        out.extend(std::iter::repeat_n(b'-', minus));
    }

    fn binary(&self, old_size: u64, new_size: u64, out: &mut Vec<u8>) {
        let number = self.number;
        out.extend_from_slice(format!("{:>number$}", "Bin").as_bytes());
        if (old_size, new_size) != (0, 0) {
            out.extend_from_slice(format!(" {old_size} -> {new_size} bytes").as_bytes());
        }
    }

    /// The lengths of the two parts of a bar. A part that changed at all shows at least one sign,
    /// and if both changed, both do.
    fn scaled(&self, added: u64, deleted: u64) -> (usize, usize) {
        let room = self.bar as u64;
        let (plus, minus) = if room > self.most_changes {
            (added, deleted)
        } else {
            let mut total = self.scale(added + deleted);
            if total < 2 && added > 0 && deleted > 0 {
                total = 2;
            }
            if added < deleted {
                let plus = self.scale(added);
                (plus, total - plus)
            } else {
                let minus = self.scale(deleted);
                (total - minus, minus)
            }
        };
        let columns = |length| usize::try_from(length).expect("a bar fits the terminal");
        (columns(plus), columns(minus))
    }

    fn scale(&self, lines: u64) -> u64 {
        if lines == 0 { 0 } else { 1 + lines * (self.bar as u64 - 1) / self.most_changes }
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}
