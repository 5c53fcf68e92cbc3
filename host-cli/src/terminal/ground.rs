//! How many colours a terminal has, and whether its ground is light or dark.

use std::io::{Read, Write};

use super::Terminal;
use super::raw::Raw;
use crate::review::Ground;
use crate::screen::colour;

/// Asks for the colour of the ground (xterm's OSC 11), and then for what the terminal is (ECMA-48's DA), which every terminal answers: so the
/// answer to the first one, if there is any, has come before.
const ASK: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";
/// How long the answer may take, in tenths of a second.
const PATIENCE: u8 = 3;

/// What a terminal can show.
pub(crate) fn of(terminal: &Terminal) -> Ground {
    if !colour::on_terminal() {
        return Ground::None;
    }
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    let has_many = var("TERM").contains("256color") || matches!(&*var("COLORTERM"), "truecolor" | "24bit");
    if !has_many {
        return Ground::Sixteen;
    }
    match by_variable(&var("COLORFGBG")).or_else(|| asked(terminal)) {
        Some(true) => Ground::Light,
        Some(false) => Ground::Dark,
        // Nobody knows, and these colours are the person's own.
        None => Ground::Sixteen,
    }
}

/// Whether the ground is light by `COLORFGBG`, as rxvt, Konsole and others set it: `15;0`.
fn by_variable(value: &str) -> Option<bool> {
    let ground: u8 = value.rsplit(';').next()?.parse().ok()?;
    Some(matches!(ground, 7 | 9..=15))
}

fn asked(terminal: &Terminal) -> Option<bool> {
    let raw = Raw::enter_quietly(&terminal.output, PATIENCE).ok()?;
    raw.terminal().write_all(ASK).ok()?;
    let mut answer = Vec::new();
    let mut bytes = [0; 256];
    while let Ok(read) = raw.terminal().read(&mut bytes) {
        answer.extend_from_slice(&bytes[..read]);
        if read == 0 || is_whole(&answer) {
            break;
        }
    }
    is_light(&String::from_utf8_lossy(&answer))
}

/// Whether the answer to the last question is there: `ESC [ ? … c`.
fn is_whole(answer: &[u8]) -> bool {
    answer.ends_with(b"c") && answer.windows(3).any(|part| part == b"\x1b[?")
}

/// Whether `ESC ] 11 ; rgb:ffff/ffff/ffff` is a light colour.
fn is_light(answer: &str) -> Option<bool> {
    let colour = answer.split_once("]11;rgb:")?.1;
    let mut parts = colour.split(['/', '\x1b', '\x07']).take(3).map(|part| {
        let value = u32::from_str_radix(part, 16).ok()?;
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1)?;
        Some(f64::from(value) / f64::from(most))
    });
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // As bright as the eye finds it (ITU-R BT.601).
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_is_light_or_dark_or_nobody_knows() {
        assert_eq!(is_light("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c"), Some(true));
        assert_eq!(is_light("\x1b]11;rgb:1e/1e/2e\x07\x1b[?6c"), Some(false));
        assert_eq!(is_light("\x1b[?62;c"), None);
        assert_eq!(is_light("\x1b]11;rgb:x/y/z\x07"), None);
        assert_eq!(
            [by_variable("15;0"), by_variable("0;default;15"), by_variable("")],
            [Some(false), Some(true), None]
        );
        assert!(is_whole(b"\x1b]11;rgb:0/0/0\x07\x1b[?62c") && !is_whole(b"\x1b]11;rgb:0/0/c"));
    }
}
