//! The parts of a scene's names, texts and rules.

use fastrand::Rng;

pub const FOLDERS: &[&str] = &["", "", "a/", "a/b/", "a-b/", "docs/x y/", "build/", "é/", "a0/"];
pub const NAMES: &[&str] = &[
    "f",
    "g.rs",
    "h.log",
    "with space",
    "quo\"te",
    "tab\there",
    "é",
    "z",
    "a",
    "b",
    "Makefile",
    "-dash",
    "[x]",
    "x.log",
];
/// Names only for scenes of the reading tools.
pub const MORE_NAMES: &[&str] =
    &["main", "side", "st*r", "wh?t", "back\\slash", "日本", "a_rather_long_name_of_a_file.txt", "new\nline"];
pub const RULES: &[&str] = &[
    "*.log\n",
    "build/\n",
    "/a/b\n",
    "!x.log\n",
    "a/**\n!a/f\n",
    "**/b/\n",
    "f\n",
    "z \n",
    "docs/*\r\n",
    "\\[x]\n",
    "# no\n\n",
    "b/*.rs\n",
];
pub const ATTRIBUTES: &[&str] = &[
    "* text=auto\n",
    "*.rs text eol=lf\n",
    "h.log -diff\n",
    "f diff\n",
    "*.log binary\n",
    "z eol=crlf\n",
    "g.rs ident\n",
];
const LINES: &[&str] = &["fn main() {", "    let x = 1;", "}", "", "line", "$Id$", "other line", "\tindented"];
pub const MESSAGES: &[&str] = &[
    "Change something\n",
    "A subject\n\nA paragraph of\ntwo lines.\n\nAnother one.\n\nSigned-off-by: A <a@example.com>\nReviewed-by: B <b@example.com>\n",
    "",
    "\n\n  Blank lines come first\n",
    "Ünïcödé ✓ 日本\n",
    "A subject that goes\non in a second line\n\nThe body\n",
    "No newline at the end",
    "A subject that is so very long that whoever shows it in a narrow column has to cut it off somewhere, or not\n",
    "Tab\there, escape \u{1b}[31mred\u{1b}[0m\n",
    "\"quoted\" 'subject' (HEAD -> main)\n\n    indented\n\ttabbed\n",
];
pub const PEOPLE: &[&str] = &[
    "A U Thor <author@example.com>",
    "Zoë Ångström <zoe@example.org>",
    "日本 太郎 <taro@example.jp>",
    "Dot. Name <dot@example.com>",
    "One <one@example.com>",
    " <no-name@example.com>",
    "No Mail <>",
];
pub const ZONES: &[&str] = &["+0000", "+0100", "-0730", "+1245", "-1200"];

/// Lines that look like a program, sometimes with CRLF, without a newline at the end, or binary.
pub fn text(random: &mut Rng) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.usize(..30) {
        let end = if random.usize(..12) == 0 { "\r\n" } else { "\n" };
        let word = pick(random, LINES);
        text.extend_from_slice(format!("{word}{}{end}", random.usize(..3)).as_bytes());
    }
    if random.usize(..6) == 0 {
        text.extend_from_slice(b"no newline");
    }
    if random.usize(..12) == 0 {
        text.push(0);
    }
    text
}

/// Changes a few lines of `content`.
pub fn edited(random: &mut Rng, content: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..=random.usize(..3) {
        let at = random.usize(..=lines.len());
        match random.usize(..3) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = format!("changed {}\n", random.usize(..9)).into_bytes(),
            _ => lines.insert(at, format!("new {}\n", random.usize(..9)).into_bytes()),
        }
    }
    lines.concat()
}

/// An item of a list, which must not be empty.
pub fn pick<T: Copy>(random: &mut Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}
