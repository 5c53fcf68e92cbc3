//! Completes commands and paths of a line.

use std::cell::RefCell;
use std::rc::Rc;

use rustyline::completion::Pair;
use serde_json::json;

use super::{Open, Ran};
use crate::screen;

/// Characters that a shell does not read as themselves, and what ends a word.
const SPECIAL: &str = " \t\n\\'\"`$&|;<>()*?[]{}#!~^";

/// Where a command begins anew.
const BEGINS: &str = "&|;(`\n";

/// Completes in a sandbox.
pub struct Completing {
    open: Rc<RefCell<Open>>,
}

impl Completing {
    pub fn new(open: Rc<RefCell<Open>>) -> Self {
        Completing { open }
    }

    /// Where the word begins in which the cursor stands, and what it may become.
    pub fn complete(&self, line: &str, position: usize) -> (usize, Vec<Pair>) {
        let word = Word::before(&line[..position]);
        let named = match word.is_command && !word.text.contains('/') {
            true => commands(&word.text),
            false => self.paths(&word.text),
        };
        (word.at, named)
    }

    /// What is there under a path. A sandbox that cannot be asked completes nothing.
    fn paths(&self, typed: &str) -> Vec<Pair> {
        let (folder, begin) = typed.rsplit_once('/').map_or(("", typed), |(folder, begin)| (folder, begin));
        let with_slash = &typed[..typed.len() - begin.len()];
        let place = match (with_slash, folder.strip_prefix('~')) {
            ("", _) => "./".to_owned(),
            (_, Some(below)) => format!("~{}", if below.is_empty() { String::new() } else { quoted(below) }),
            _ => quoted(with_slash),
        };
        let Ok(mut open) = self.open.try_borrow_mut() else { return Vec::new() };
        let Open { context, sandbox } = &mut *open;
        // With `-A`, what is hidden is there for those who type the dot.
        let list = json!({ "command": format!("ls -1Ap {place}") });
        let Ok(result) = context.tool(sandbox, "bash", &list) else { return Vec::new() };
        let Ok(ran) = serde_json::from_str::<Ran>(&result.structured) else { return Vec::new() };
        let names = ran.stdout.lines().filter(|name| name.starts_with(begin));
        let names = names.filter(|name| !name.starts_with('.') || begin.starts_with('.'));
        // A name that a terminal would not show as it is cannot be completed.
        let names = names.filter(|name| screen::line(name) == **name);
        names
            .map(|name| {
                let end = if name.ends_with('/') { "" } else { " " };
                Pair {
                    display: name.to_owned(),
                    replacement: format!("{}{}{end}", escaped_path(with_slash), escaped(name)),
                }
            })
            .collect()
    }
}

/// The commands that begin so.
fn commands(begin: &str) -> Vec<Pair> {
    let mut names: Vec<&str> = shell::names().chain(["git"]).filter(|name| name.starts_with(begin)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| Pair { display: name.to_owned(), replacement: format!("{name} ") }).collect()
}

/// The word that a cursor stands behind.
#[derive(Debug, PartialEq)]
struct Word {
    /// Where it begins.
    at: usize,
    /// What it says, without quotes.
    text: String,
    /// Whether it names a command.
    is_command: bool,
}

impl Word {
    /// Reads the line up to the cursor.
    fn before(line: &str) -> Word {
        let mut word = Word { at: 0, text: String::new(), is_command: true };
        let (mut quote, mut escape, mut is_empty) = (None, false, true);
        for (at, character) in line.char_indices() {
            let next = at + character.len_utf8();
            match (quote, character) {
                _ if escape => {
                    escape = false;
                    word.text.push(character);
                }
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('\''), _) => word.text.push(character),
                (_, '\\') => (escape, is_empty) = (true, false),
                (None, '\'' | '"') => (quote, is_empty) = (Some(character), false),
                (None, ' ' | '\t') => {
                    let is_command = word.is_command && (is_empty || word.text.contains('='));
                    (word, is_empty) = (Word { at: next, text: String::new(), is_command }, true);
                }
                (None, character) if BEGINS.contains(character) => {
                    (word, is_empty) = (Word { at: next, text: String::new(), is_command: true }, true);
                }
                (None, '<' | '>') => {
                    (word, is_empty) = (Word { at: next, text: String::new(), is_command: false }, true);
                }
                _ => {
                    is_empty = false;
                    word.text.push(character);
                }
            }
        }
        word
    }
}

/// A text in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A name as a person would type it.
fn escaped(name: &str) -> String {
    let mut typed = String::new();
    for character in name.chars() {
        if SPECIAL.contains(character) {
            typed.push('\\');
        }
        typed.push(character);
    }
    typed
}

/// A path as a person would type it. Its tilde stays one.
fn escaped_path(path: &str) -> String {
    match path.strip_prefix('~') {
        Some(below) => format!("~{}", escaped(below)),
        None => escaped(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_the_cursor_is_read_as_the_shell_reads_it() {
        for (line, at, text, is_command) in [
            ("", 0, "", true),
            ("gi", 0, "gi", true),
            ("ls src/ma", 3, "src/ma", false),
            ("ls | gr", 5, "gr", true),
            ("A=1 ec", 4, "ec", true),
            ("cat 'a b", 4, "a b", false),
            ("cat a\\ b", 4, "a b", false),
            ("cat \"a 'b\" c", 11, "c", false),
            ("echo x >out", 8, "out", false),
            ("echo $(ca", 7, "ca", true),
            ("ls -l  ", 7, "", false),
        ] {
            let wanted = Word { at, text: text.to_owned(), is_command };
            assert_eq!(Word::before(line), wanted, "{line}");
        }
    }

    #[test]
    fn a_command_is_completed_by_name_and_what_is_typed_is_what_the_shell_reads() {
        let named: Vec<String> = commands("gre").into_iter().map(|pair| pair.replacement).collect();
        assert_eq!(named, ["grep "]);
        assert_eq!(commands("git")[0].replacement, "git ");
        assert_eq!(escaped("it's $5.txt"), "it\\'s\\ \\$5.txt");
        assert_eq!(escaped_path("~/a b/"), "~/a\\ b/");
    }
}
