//! Terms from their parts.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern, Term};
use jaq_core::ops::{Cmp, Math};

use super::{Read, Reader};

/// How deeply terms may lie in each other. What runs through them goes down the native stack.
pub const DEEPEST: u32 = 250;

/// A term, and what is known about it.
pub struct Node<'s> {
    pub term: Term<&'s str>,
    pub depth: u32,
    /// Whether it never has more than one result.
    pub single: bool,
}

/// A term whose parts have these depths. None if it is too deep.
pub fn node<'s>(term: Term<&'s str>, parts: &[u32], single: bool) -> Option<Node<'s>> {
    let depth = 1 + parts.iter().copied().max().unwrap_or(0);
    (depth <= DEEPEST).then_some(Node { term, depth, single })
}

/// A string.
pub fn text(text: &str) -> Term<&str> {
    Term::Str(None, vec![StrPart::Str(text)])
}

/// A call of a function.
pub fn call<'s>(name: &'s str, args: Vec<Term<&'s str>>) -> Term<&'s str> {
    Term::Call(name, args)
}

fn two<'s>(one: Term<&'s str>, op: BinaryOp<&'s str>, other: Term<&'s str>) -> Term<&'s str> {
    Term::BinOp(Box::new(one), op, Box::new(other))
}

/// Binds a value to a name that no program can use.
pub fn bind<'s>(source: Term<&'s str>, name: &'s str, body: Term<&'s str>) -> Term<&'s str> {
    two(source, BinaryOp::Pipe(Some(Pattern::Var(name))), body)
}

/// The value at each of these paths is given to `each`, with the path as `$!p`.
fn at_paths<'s>(paths: Term<&'s str>, init: Term<&'s str>, each: Term<&'s str>) -> Term<&'s str> {
    let paths = call("path", vec![paths]);
    Term::Fold("reduce", Box::new(paths), Pattern::Var("$!p"), vec![init, call("!last", vec![each])])
}

/// `paths |= update`: what has no result is deleted, when all others are done.
fn updated<'s>(paths: Term<&'s str>, update: Term<&'s str>) -> Term<&'s str> {
    let begin = Term::Arr(Some(Box::new(two(Term::Id, BinaryOp::Comma, Term::Arr(None)))));
    let each = call("!update", vec![Term::Var("$!p"), update]);
    two(at_paths(paths, begin, each), BinaryOp::Pipe(None), call("!updated", Vec::new()))
}

fn operator<'s>(sign: &str) -> Option<BinaryOp<&'s str>> {
    Some(match sign {
        "//" => BinaryOp::Alt,
        "or" => BinaryOp::Or,
        "and" => BinaryOp::And,
        "==" => BinaryOp::Cmp(Cmp::Eq),
        "!=" => BinaryOp::Cmp(Cmp::Ne),
        "<" => BinaryOp::Cmp(Cmp::Lt),
        "<=" => BinaryOp::Cmp(Cmp::Le),
        ">" => BinaryOp::Cmp(Cmp::Gt),
        ">=" => BinaryOp::Cmp(Cmp::Ge),
        "+" => BinaryOp::Math(Math::Add),
        "-" => BinaryOp::Math(Math::Sub),
        "*" => BinaryOp::Math(Math::Mul),
        "/" => BinaryOp::Math(Math::Div),
        "%" => BinaryOp::Math(Math::Rem),
        _ => return None,
    })
}

impl<'s> Reader<'s> {
    /// Joins two terms by an operator.
    pub(super) fn join(&self, one: Node<'s>, sign: &str, other: Node<'s>) -> Read<'s> {
        let (single, both) = (one.single && other.single, !one.single && !other.single);
        // Assignments put some terms around their parts.
        let depth = one.depth.max(other.depth) + if operator(sign).is_some() { u32::from(both) } else { 6 };
        let term = match operator(sign) {
            // jq runs through the results of the right side first.
            Some(op @ (BinaryOp::Math(_) | BinaryOp::Cmp(_))) if both => {
                bind(other.term, "$!r", two(one.term, op, Term::Var("$!r")))
            }
            Some(op) => two(one.term, op, other.term),
            None => assignment(one.term, sign, other.term),
        };
        self.node(term, &[depth], single && sign != "|=")
    }

    /// The value is bound to the first pattern with which the rest has no error.
    pub(super) fn alternatives(&self, source: Node<'s>, patterns: Vec<Pattern<&'s str>>, body: Node<'s>) -> Read<'s> {
        let mut names = Vec::new();
        patterns.iter().for_each(|pattern| variables(pattern, &mut names));
        let depth = source.depth.max(body.depth) + u32::try_from(2 * names.len() + 3 * patterns.len()).unwrap_or(999);
        let mut all = None;
        for pattern in patterns.into_iter().rev() {
            let mut term = two(Term::Var("$!v"), BinaryOp::Pipe(Some(pattern)), body.term.clone());
            for name in &names {
                term = bind(call("null", Vec::new()), name, term);
            }
            // An error is what `catch` gets, instead of the input.
            let term = two(Term::Var("$!d"), BinaryOp::Pipe(None), term);
            all = Some(match all {
                None => term,
                Some(others) => Term::TryCatch(Box::new(term), Some(Box::new(others))),
            });
        }
        let all = all.unwrap_or(Term::Id);
        self.node(bind(Term::Id, "$!d", bind(source.term, "$!v", all)), &[depth], false)
    }
}

fn variables<'s>(pattern: &Pattern<&'s str>, names: &mut Vec<&'s str>) {
    match pattern {
        Pattern::Var(name) if !names.contains(name) => names.push(name),
        Pattern::Var(_) => (),
        Pattern::Arr(items) => items.iter().for_each(|item| variables(item, names)),
        Pattern::Obj(fields) => fields.iter().for_each(|(_, field)| variables(field, names)),
    }
}

fn assignment<'s>(paths: Term<&'s str>, sign: &str, value: Term<&'s str>) -> Term<&'s str> {
    let op = match sign {
        "|=" => return updated(paths, value),
        "=" => {
            let put = call("!put", vec![Term::Var("$!p"), Term::Var("$!v")]);
            return bind(value, "$!v", at_paths(paths, Term::Id, put));
        }
        sign => operator(&sign[..sign.len() - 1]).expect("there is one for each assignment"),
    };
    bind(value, "$!v", updated(paths, two(Term::Id, op, Term::Var("$!v"))))
}
