//! Detects text that odd bytes make git take for binary.

use bstr::ByteSlice;

use crate::{format::tree::Mode, text};

/// The bytes at the start by which git tells text from binary content.
const HEAD: usize = 8000;
/// The most odd bytes in 100 bytes of text. Compressed files and programs have nearly 60.
const TEXT: usize = 30;
/// The same for executable files, where a wrong guess costs more than an unreadable patch.
const PROGRAM: usize = 50;

/// Whether git takes `content` for binary although a person can read it, or should, because it can be run. A script stays a script whatever
/// follows its lines.
pub(super) fn disguised(mode: Mode, content: &[u8]) -> bool {
    if !text::is_binary(content) {
        return false;
    }
    let head = &content[..content.len().min(HEAD)];
    let at_most = |share: usize, part: &[u8]| odd(part) <= part.len() / 100 * share + part.len() % 100 * share / 100;
    // Shells also run a file without `#!` if its first line is plain.
    let plain_start = || content.lines().next().is_some_and(|line| !line.is_empty() && odd(line) == 0);
    content.starts_with(b"#!")
        || at_most(TEXT, head)
        || at_most(TEXT, content)
        || mode == Mode::Executable && (plain_start() || at_most(PROGRAM, content))
}

/// Whether the first line is text, so that a shell would run it. Known formats that start like this are not scripts.
pub(crate) fn starts_plainly(content: &[u8]) -> bool {
    const LINE: usize = 1000;
    let is_format = [&b"%PDF-"[..], b"%!PS", b"SQLite format 3"].iter().any(|format| content.starts_with(format));
    let line = content[..content.len().min(LINE)].lines_with_terminator().next();
    !is_format && line.is_some_and(|line| line.ends_with(b"\n") && line.len() > 1 && odd(line) == 0)
}

/// Counts the bytes that are not text: control characters except white space, and invalid UTF-8.
fn odd(content: &[u8]) -> usize {
    let control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let chunks = content.utf8_chunks();
    chunks.map(|chunk| chunk.invalid().len() + chunk.valid().as_bytes().iter().filter(control).count()).sum()
}

/// Whether line ends occur within lines. In many languages a carriage return ends a line, and a comment with it. A text without other line
/// ends comes from an old Macintosh, unless it `is_program`.
pub(crate) fn has_inner_ends(content: &[u8], is_program: bool) -> bool {
    let is_inner = |at: usize| !matches!(content.get(at + 1), None | Some(b'\n'));
    (is_program || content.contains(&b'\n')) && content.find_iter("\r").any(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes like a compressor's output.
    fn noise(count: u32) -> Vec<u8> {
        (1..=count).map(|number| (number.wrapping_mul(0x9e37_79b9) >> 23) as u8).collect()
    }

    #[test]
    fn attack_18_no_odd_byte_makes_a_script_binary() {
        for tail in [&b"\0"[..], b"\0\xff", &[0; 100_000], &noise(100_000)] {
            let script = [b"#!/bin/sh\nrm -rf ~\nexit\n", tail].concat();
            for mode in [Mode::File, Mode::Executable] {
                assert!(disguised(mode, &script) || !text::is_binary(&script));
            }
            // A shell also runs it without its first line.
            assert!(disguised(Mode::Executable, &script[10..]) || !text::is_binary(&script[10..]));
        }
    }

    #[test]
    fn attack_18_text_is_judged_by_the_share_of_its_odd_bytes() {
        let text = b"on: push\njobs: {}\n".repeat(1000);
        assert!(!disguised(Mode::File, &text), "git shows it");
        for odd in [&b"\0"[..], b"\0\xff", &[0; 7000], &noise(7000)] {
            for disguise in [[&text, odd].concat(), [odd, &text].concat()] {
                assert_eq!(disguised(Mode::File, &disguise), text::is_binary(&disguise));
            }
        }
    }

    #[test]
    fn attack_18_a_line_that_ends_within_a_line_misleads() {
        assert!(has_inner_ends(b"// see the notes\rrequire('child_process')\n", false));
        assert!(has_inner_ends(b"// see the notes\rrequire('child_process')", true));
        for plain in [&b"a\r\nb\r\n"[..], b"a\nb\r", b"a\rb\rc", b"a\nb\n"] {
            assert!(!has_inner_ends(plain, false), "{plain:?}");
        }
    }

    #[test]
    fn what_no_person_can_read_is_not_called_text() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &noise(20_000)].concat();
        let elf = [&b"\x7fELF\x02\x01\x01"[..], &[0; 300], &noise(20_000)].concat();
        for content in [png, elf, vec![0; 100], b"PK\x03\x04\0\0".to_vec()] {
            assert!(text::is_binary(&content));
            assert!(!disguised(Mode::File, &content) && !disguised(Mode::Executable, &content));
        }
    }
}
