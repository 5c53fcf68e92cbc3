//! The colours of code, worked out for what is on the screen, and a little at a time.

use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::thread;

use gate::review::HunkLine;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::theme::Class;

/// The grammars. Reading them takes longer than drawing the first screen, so another thread does it.
static GRAMMARS: OnceLock<Arc<SyntaxSet>> = OnceLock::new();

/// Bytes of a line that is coloured. A longer one is no code that a person wrote.
const LINE: usize = 2_000;
/// Lines before the screen that are read so that a string or a comment which began there is known.
const BEFORE: usize = 200;

/// Begins to read the grammars.
pub fn prepare() {
    if GRAMMARS.get().is_none() {
        thread::spawn(|| {
            GRAMMARS.get_or_init(|| Arc::new(two_face::syntax::extra_newlines()));
        });
    }
}

/// A part of a line, by its bytes, and what it is.
pub type Piece = (Range<usize>, Class);

/// The colours of one hunk.
#[derive(Debug, Default)]
pub struct Coloured {
    /// By the line's place in the hunk.
    lines: Vec<Option<Vec<Piece>>>,
}

impl Coloured {
    /// What is known of a line.
    pub fn line(&self, at: usize) -> &[Piece] {
        self.lines.get(at).and_then(Option::as_ref).map(Vec::as_slice).unwrap_or_default()
    }

    /// Colours these lines of a hunk, if they are not yet. Says whether that has changed something.
    pub fn colour(&mut self, path: &str, lines: &[HunkLine<'_>], wanted: Range<usize>) -> bool {
        let Some(grammars) = GRAMMARS.get() else { return false };
        self.lines.resize(lines.len(), None);
        let wanted = wanted.start.min(lines.len())..wanted.end.min(lines.len());
        if wanted.clone().all(|at| self.lines[at].is_some()) {
            return false;
        }
        let Some(grammar) = grammar(grammars, path) else {
            wanted.for_each(|at| self.lines[at] = Some(Vec::new()));
            return true;
        };
        let classes = classes();
        // The text as it was, and as it will be: a string that a removed line opens goes on in no added one.
        let [mut old, mut new] = [State::new(grammar), State::new(grammar)];
        let first = wanted.start.saturating_sub(BEFORE);
        for (at, line) in lines.iter().enumerate().take(wanted.end).skip(first) {
            let pieces = match line.sign {
                '-' => old.read(line.text, grammars, classes),
                '+' => new.read(line.text, grammars, classes),
                ' ' => {
                    old.read(line.text, grammars, classes);
                    new.read(line.text, grammars, classes)
                }
                _ => Vec::new(),
            };
            if wanted.contains(&at) {
                self.lines[at] = Some(pieces);
            }
        }
        true
    }
}

/// Whether the grammars are there by now.
pub fn is_ready() -> bool {
    GRAMMARS.get().is_some()
}

fn grammar<'a>(grammars: &'a SyntaxSet, path: &str) -> Option<&'a SyntaxReference> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let end = name.rsplit_once('.').map(|(_, end)| end);
    let found = grammars.find_syntax_by_extension(name).or_else(|| grammars.find_syntax_by_extension(end?));
    found.filter(|grammar| grammar.name != "Plain Text")
}

/// How far one text has been read.
struct State {
    parse: ParseState,
    stack: ScopeStack,
}

impl State {
    fn new(grammar: &SyntaxReference) -> Self {
        State { parse: ParseState::new(grammar), stack: ScopeStack::new() }
    }

    fn read(&mut self, line: &str, grammars: &SyntaxSet, classes: &[(Scope, Class)]) -> Vec<Piece> {
        if line.len() > LINE {
            return Vec::new();
        }
        // A grammar that fails leaves its line as it is.
        let Ok(changes) = self.parse.parse_line(&format!("{line}\n"), grammars) else { return Vec::new() };
        let (mut pieces, mut from) = (Vec::new(), 0);
        for (at, change) in changes {
            let to = at.min(line.len());
            push(&mut pieces, from..to, class(&self.stack, classes));
            from = to;
            if self.stack.apply(&change).is_err() {
                return pieces;
            }
        }
        push(&mut pieces, from..line.len(), class(&self.stack, classes));
        pieces
    }
}

fn push(pieces: &mut Vec<Piece>, range: Range<usize>, class: Class) {
    match pieces.last_mut() {
        _ if range.is_empty() || class == Class::Plain => {}
        Some((last, known)) if *known == class && last.end == range.start => last.end = range.end,
        _ => pieces.push((range, class)),
    }
}

fn class(stack: &ScopeStack, classes: &[(Scope, Class)]) -> Class {
    let of = |scope: &Scope| classes.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, class)| *class);
    stack.as_slice().iter().rev().find_map(of).unwrap_or_default()
}

/// What the scopes of grammars mean, by TextMate's naming conventions.
fn classes() -> &'static [(Scope, Class)] {
    static CLASSES: OnceLock<Vec<(Scope, Class)>> = OnceLock::new();
    const NAMES: [(&str, Class); 16] = [
        ("comment", Class::Comment),
        ("string", Class::String),
        ("constant.character.escape", Class::Constant),
        ("constant", Class::Constant),
        ("keyword.operator", Class::Plain),
        ("keyword", Class::Keyword),
        ("storage.modifier", Class::Keyword),
        ("storage", Class::Keyword),
        ("entity.name.function", Class::Function),
        ("support.function", Class::Function),
        ("variable.function", Class::Function),
        ("entity.name.tag", Class::Keyword),
        ("entity.name", Class::Type),
        ("entity.other.attribute-name", Class::Type),
        ("support", Class::Type),
        ("markup.heading", Class::Keyword),
    ];
    CLASSES.get_or_init(|| {
        let known = NAMES.iter().filter_map(|(name, class)| Some((Scope::new(name).ok()?, *class)));
        known.collect()
    })
}

#[cfg(test)]
mod tests {
    use gate::review::hunk_lines;

    use super::*;

    fn coloured(path: &str, hunk: &str) -> Vec<Vec<(String, Class)>> {
        GRAMMARS.get_or_init(|| Arc::new(two_face::syntax::extra_newlines()));
        let lines = hunk_lines(hunk);
        let mut coloured = Coloured::default();
        assert!(coloured.colour(path, &lines, 0..lines.len()));
        assert!(!coloured.colour(path, &lines, 0..lines.len()), "it is known");
        let of = |(at, line): (usize, &HunkLine<'_>)| {
            let pieces = coloured.line(at).iter();
            pieces.map(|(range, class)| (line.text[range.clone()].to_owned(), *class)).collect()
        };
        lines.iter().enumerate().map(of).collect()
    }

    #[test]
    fn code_is_coloured_by_the_name_of_its_file() {
        let hunk = "@@ -1,1 +1,1 @@\n-let x = \"open\n+fn main() {} // why\n";
        let lines = coloured("src/main.rs", hunk);
        assert!(lines[1].contains(&("fn".to_owned(), Class::Keyword)), "{lines:?}");
        assert!(lines[1].iter().any(|(text, class)| text.contains("why") && *class == Class::Comment), "{lines:?}");
        for path in
            ["a.ts", "a.tsx", "a.py", "a.go", "a.toml", "a.yml", "Dockerfile", "Makefile", "a.java", "a.c", "a.css"]
        {
            assert!(grammar(GRAMMARS.get().unwrap(), path).is_some(), "{path}");
        }
        assert!(coloured("LICENSE.unknown", hunk).iter().all(Vec::is_empty));
    }
}
