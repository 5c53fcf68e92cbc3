//! Reads expressions: tests and actions, and how they are put together.

use bstr::{BString, ByteSlice};

use super::act::{Action, Output};
use super::entry::Links;
use super::name::Style;
use super::number::{DAY, SECOND};
use super::plan::{Node, Plan};
use crate::exec::Call;

/// How deeply parentheses may lie in each other.
const DEEPEST: usize = 100;

/// What concerns the whole walk.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which links are followed.
    pub links: Links,
    /// The least depth at which entries are tested.
    pub least: usize,
    /// The depth of the deepest entries.
    pub most: usize,
    /// Whether a folder comes after what it contains.
    pub depth_first: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { links: Links::default(), least: 0, most: usize::MAX, depth_first: false }
    }
}

/// Reads an expression.
pub struct Parser<'p, 'c> {
    pub(super) call: &'p Call<'c>,
    pub(super) args: &'p [BString],
    pub(super) at: usize,
    depth: usize,
    /// What concerns the whole walk.
    pub options: Options,
    /// What is to be said, but does not end it.
    pub warnings: Vec<String>,
    /// Files that are written.
    pub outputs: Vec<Output>,
    pub(super) batches: usize,
    pub(super) style: Style,
    /// The time that ages in days are counted from: a day ago, or the beginning of today.
    pub(super) day: i128,
    /// Whether something was found that prints or changes anything, so that nothing else is printed.
    pub(super) acts: bool,
    pub(super) prunes: bool,
    pub(super) deletes: bool,
    pub(super) wants_depth: bool,
}

type Parsed<T> = Result<T, String>;

impl<'p, 'c> Parser<'p, 'c> {
    /// One for these words.
    pub fn new(call: &'p Call<'c>, args: &'p [BString], options: Options) -> Parser<'p, 'c> {
        let now = call.shell.base.files.now().nanos;
        Parser {
            call,
            args,
            at: 0,
            depth: 0,
            options,
            warnings: Vec::new(),
            outputs: Vec::new(),
            batches: 0,
            style: Style::default(),
            day: now - DAY * SECOND,
            acts: false,
            prunes: false,
            deletes: false,
            wants_depth: false,
        }
    }

    /// Reads all of it.
    pub fn whole(&mut self) -> Parsed<Plan> {
        let node = match self.args.is_empty() {
            true => Node::All(Vec::new()),
            false => self.each()?,
        };
        if self.at < self.args.len() {
            return Err("you have too many ')'".to_owned());
        }
        if self.deletes && self.prunes && !self.wants_depth {
            return Err("The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to carry on anyway, just explicitly use the -depth option.".to_owned());
        }
        let node = match self.acts {
            true => node,
            false => Node::All(vec![node, Action::Print { output: None, end: b'\n' }.into()]),
        };
        Ok(Plan::new(node, self.batches))
    }

    fn peek(&self) -> Option<&'p [u8]> {
        self.args.get(self.at).map(|arg| arg.as_bytes())
    }

    fn each(&mut self) -> Parsed<Node> {
        self.several(|next| next == b",", Parser::either, Node::Each)
    }

    fn either(&mut self) -> Parsed<Node> {
        self.several(|next| next == b"-o" || next == b"-or", Parser::all, Node::Either)
    }

    /// Parts with an operator between.
    fn several(
        &mut self,
        is_operator: fn(&[u8]) -> bool,
        part: fn(&mut Self) -> Parsed<Node>,
        together: fn(Vec<Node>) -> Node,
    ) -> Parsed<Node> {
        let mut nodes = vec![part(self)?];
        while let Some(operator) = self.peek().filter(|next| is_operator(next)) {
            self.at += 1;
            self.wants_operand(operator)?;
            nodes.push(part(self)?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { together(nodes) })
    }

    fn all(&mut self) -> Parsed<Node> {
        let mut nodes = vec![self.term()?];
        loop {
            match self.peek() {
                None | Some(b")" | b"-o" | b"-or" | b",") => break,
                Some(operator @ (b"-a" | b"-and")) => {
                    self.at += 1;
                    self.wants_operand(operator)?;
                }
                Some(_) => (),
            }
            nodes.push(self.term()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::All(nodes) })
    }

    /// Fails if nothing follows an operator.
    fn wants_operand(&self, operator: &[u8]) -> Parsed<()> {
        let operator = operator.as_bstr();
        match self.peek() {
            None => Err(format!("expected an expression after '{operator}'")),
            Some(b")") => Err(format!("expected an expression between '{operator}' and ')'")),
            Some(_) => Ok(()),
        }
    }

    fn term(&mut self) -> Parsed<Node> {
        let mut negated = false;
        while let Some(operator @ (b"!" | b"-not")) = self.peek() {
            self.at += 1;
            self.wants_operand(operator)?;
            negated = !negated;
        }
        let word = self.peek().expect("it was looked at before");
        self.at += 1;
        let node = match word {
            b"(" => self.group()?,
            b")" if self.depth == 0 => return Err("you have too many ')'".to_owned()),
            b")" => return Err("invalid expression; empty parentheses are not allowed.".to_owned()),
            b"-a" | b"-and" | b"-o" | b"-or" | b"," => {
                let word = word.as_bstr();
                let what = "invalid expression; you have used a binary operator";
                return Err(format!("{what} '{word}' with nothing before it."));
            }
            [b'-', _, ..] => self.primary(word)?,
            word => return Err(self.stray(word)),
        };
        Ok(if negated { Node::Not(Box::new(node)) } else { node })
    }

    fn group(&mut self) -> Parsed<Node> {
        const OPEN: &str = "invalid expression; I was expecting to find a ')' somewhere but did not see one.";
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("invalid expression; parentheses lie in each other more than {DEEPEST} deep"));
        }
        if self.peek().is_none() {
            return Err(OPEN.to_owned());
        }
        let node = self.each()?;
        if self.peek() != Some(b")") {
            return Err(OPEN.to_owned());
        }
        self.at += 1;
        self.depth -= 1;
        Ok(node)
    }

    /// What is wrong with a path behind tests.
    fn stray(&self, word: &[u8]) -> String {
        let message = format!("paths must precede expression: `{}'", word.as_bstr());
        let exists = self.call.shell.base.files.stat(self.call.shell.path(word).as_bstr(), false).is_ok();
        let before = self.at.checked_sub(3).and_then(|at| self.args.get(at)).filter(|before| before.starts_with(b"-"));
        match before {
            Some(before) if exists => format!("{message}\nfind: possible unquoted pattern after predicate `{before}'?"),
            _ => message,
        }
    }

    /// What follows a word.
    pub(super) fn value(&mut self, word: &[u8]) -> Parsed<&'p BString> {
        let value = self.args.get(self.at).ok_or_else(|| format!("missing argument to `{}'", word.as_bstr()))?;
        self.at += 1;
        Ok(value)
    }
}
