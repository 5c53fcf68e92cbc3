//! POSIX's regular expressions, with GNU's additions. What goes without references to groups runs in linear time.

mod backtrack;
mod lines;
mod node;
mod read;

pub use self::lines::Around;

use std::cell::OnceCell;

use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

/// Where groups are: the whole match first.
pub type Groups = Vec<Option<(usize, usize)>>;

/// A regular expression.
#[derive(Debug)]
pub struct Regex {
    engine: Engine,
    /// How many groups it has, with the whole.
    pub groups: usize,
}

#[derive(Debug)]
enum Engine {
    Linear { first: regex::bytes::Regex, text: String, longest: Option<Longest> },
    Backtrack(backtrack::Program),
}

/// What finds the longest of several matches that begin at one place, as POSIX wants it.
#[derive(Debug)]
struct Longest {
    end: meta::Regex,
    /// The same up to the end of the text, for its groups.
    whole: OnceCell<regex::bytes::Regex>,
}

/// How an expression is written, and what it is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// `()` `{}` `+` `?` `|` are special without a backslash.
    pub extended: bool,
    /// Case does not matter.
    pub ignores_case: bool,
    /// `^` and `$` match at line breaks as well.
    pub multiline: bool,
}

/// The most states of an expression.
const SIZE: usize = 8 << 20;

/// Reads an expression of `[[ =~ ]]`.
pub fn extended(pattern: &[u8], ignores_case: bool) -> Result<Regex, String> {
    Syntax { extended: true, ignores_case, multiline: false }.read(pattern)
}

/// What is wrong with an expression in Rust's syntax, as ripgrep shows it.
pub fn wrong(pattern: &str) -> Option<String> {
    let config = syntax::Config::new().utf8(false).multi_line(true);
    syntax::parse_with(pattern, &config).err().map(|error| error.to_string())
}

/// An expression that matches this text.
pub fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in text {
        if b"\\^$.[]|()?*+{}".contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}

impl Syntax {
    /// Reads an expression. The error is in GNU's words.
    pub fn read(self, pattern: &[u8]) -> Result<Regex, String> {
        let (node, groups, refers) = read::read(pattern, self.extended)?;
        if refers {
            let program = backtrack::Program::new(node, groups, self);
            return Ok(Regex { engine: Engine::Backtrack(program), groups: groups + 1 });
        }
        let text = node.written(self);
        let longest = node.is_ambiguous().then(|| longest(&text)).transpose()?;
        Ok(Regex { engine: Engine::Linear { first: compiled(&text)?, text, longest }, groups: groups + 1 })
    }
}

impl Regex {
    /// One in Rust's syntax, as ripgrep and `grep -P` have it.
    pub fn rust(pattern: &str) -> Result<Regex, String> {
        let first = compiled(pattern)?;
        let groups = first.captures_len();
        Ok(Regex { engine: Engine::Linear { first, text: String::new(), longest: None }, groups })
    }

    /// The number of the group of this name.
    pub fn group(&self, name: &str) -> Option<usize> {
        match &self.engine {
            Engine::Linear { first, .. } => first.capture_names().position(|other| other == Some(name)),
            Engine::Backtrack(_) => None,
        }
    }

    /// Whether it matches anywhere.
    pub fn is_match(&self, text: &[u8]) -> bool {
        match &self.engine {
            Engine::Linear { first, .. } => first.is_match(text),
            Engine::Backtrack(program) => program.search(text, 0).is_some(),
        }
    }

    /// The first match from a place on.
    pub fn find(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Linear { first, longest, .. } => {
                let found = first.find_at(text, at)?;
                let Some(longest) = longest else { return Some((found.start(), found.end())) };
                Some((found.start(), longest.end(text, found.start()).unwrap_or(found.end())))
            }
            Engine::Backtrack(program) => program.search(text, at)?[0],
        }
    }

    /// The groups of the first match from a place on.
    pub fn captures(&self, text: &[u8], at: usize) -> Option<Groups> {
        match &self.engine {
            Engine::Linear { first, longest: None, .. } => Some(of(&first.captures_at(text, at)?)),
            Engine::Linear { first, longest: Some(longest), text: written } => {
                let found = first.find_at(text, at)?;
                let end = longest.end(text, found.start()).unwrap_or(found.end());
                let whole = longest.whole.get_or_init(|| {
                    compiled(&format!("(?:{written})\\z")).expect("it is hardly larger than what was compiled before")
                });
                let captured = whole.captures_at(&text[..end], found.start());
                match captured.filter(|groups| groups.get(0).is_some_and(|all| all.start() == found.start())) {
                    Some(groups) => Some(of(&groups)),
                    None => Some(of(&first.captures_at(text, at)?)),
                }
            }
            Engine::Backtrack(program) => program.search(text, at),
        }
    }

    /// The texts of the groups of the first match.
    pub fn groups<'t>(&self, text: &'t [u8]) -> Option<Vec<Option<&'t [u8]>>> {
        let groups = self.captures(text, 0)?;
        Some(groups.into_iter().map(|group| group.map(|(begin, end)| &text[begin..end])).collect())
    }
}

impl Longest {
    fn end(&self, text: &[u8], at: usize) -> Option<usize> {
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        self.end.search(&input).map(|found| found.end())
    }
}

fn of(captures: &regex::bytes::Captures<'_>) -> Groups {
    captures.iter().map(|group| group.map(|group| (group.start(), group.end()))).collect()
}

fn compiled(text: &str) -> Result<regex::bytes::Regex, String> {
    let mut builder = regex::bytes::RegexBuilder::new(text);
    builder.size_limit(SIZE).dfa_size_limit(SIZE).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "Regular expression too big".to_owned(),
        error => error.to_string(),
    })
}

fn longest(text: &str) -> Result<Longest, String> {
    let config = meta::Config::new().match_kind(MatchKind::All).nfa_size_limit(Some(SIZE)).utf8_empty(false);
    let mut builder = meta::Builder::new();
    builder.configure(config).syntax(syntax::Config::new().utf8(false));
    let end = builder.build(text).map_err(|_| "Regular expression too big".to_owned())?;
    Ok(Longest { end, whole: OnceCell::new() })
}
