//! `-ls`

use bstr::BString;

use super::entry::{Around, Entry};
use super::fields::OWNER;
use super::mode;
use super::number::SECOND;
use crate::commands::date;

/// Half a year, and what is later than now, in seconds.
const OLD: i128 = 6 * 30 * 86_400;
const LATER: i128 = 3_600;

/// An entry as `ls -dils` has it.
pub fn line(entry: &Entry, around: &Around) -> BString {
    let stat = entry.stat();
    let age = around.now - stat.modified;
    let is_far = !(-LATER * SECOND..=OLD * SECOND).contains(&age);
    let format: &[u8] = if is_far { b"%b %e  %Y" } else { b"%b %e %H:%M" };
    let time = date::format(format, stat.modified, around.offset);
    let (inode, blocks, mode) = (stat.inode, entry.blocks(), mode::shown(stat));
    let (names, size) = (entry.names(around), stat.size);
    let mut out: BString =
        format!("{inode:>9} {blocks:>6} {mode} {names:>3} {OWNER:<8} {OWNER:<8} {size:>8} {time} ").into();
    escape(&entry.path, &mut out);
    if let Some(target) = entry.link(around) {
        out.extend_from_slice(b" -> ");
        escape(&target, &mut out);
    }
    out.push(b'\n');
    out
}

fn escape(name: &[u8], out: &mut BString) {
    for byte in name {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b' ' => out.extend_from_slice(b"\\ "),
            b'"' => out.extend_from_slice(b"\\\""),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            byte if byte.is_ascii_graphic() => out.push(*byte),
            byte => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
}
