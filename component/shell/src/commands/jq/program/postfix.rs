//! What begins a term, and what follows it: fields, indices and `?`.

use jaq_core::load::parse::{BinaryOp, Def, Term};
use jaq_core::path::{Opt, Part, Path};

use super::build::{self, Node, bind, call};
use super::lex::{KEYWORDS, Token};
use super::{Around, Read, Reader};

/// Functions without arguments that have one result.
const SINGLE: &[&str] = &[
    "length",
    "keys",
    "keys_unsorted",
    "not",
    "tostring",
    "tonumber",
    "type",
    "add",
    "any",
    "all",
    "floor",
    "sqrt",
    "first",
    "last",
    "sort",
    "unique",
    "reverse",
    "min",
    "max",
    "flatten",
    "tojson",
    "fromjson",
    "ascii_downcase",
    "ascii_upcase",
    "to_entries",
    "from_entries",
    "null",
    "true",
    "false",
    "now",
    "todate",
    "fromdate",
    "empty",
    "error",
    "env",
    "input_filename",
    "values",
    "numbers",
    "strings",
    "arrays",
    "objects",
    "round",
    "ceil",
    "abs",
];

/// A path of terms.
type Parts<'s> = Vec<(Part<Term<&'s str>>, Opt)>;

impl<'s> Reader<'s> {
    /// Reads a term with what follows it.
    pub(super) fn postfix(&mut self) -> Read<'s> {
        self.deeper(|reader| {
            let mut all = reader.primary()?;
            let mut parts: Parts<'s> = Vec::new();
            // Whether all indices have one result.
            let (mut depth, mut single) = (0, true);
            loop {
                let token = reader.peek();
                let key = match token {
                    Token::Field(name) => {
                        reader.lexer.next();
                        Some(build::text(name))
                    }
                    Token::Sign(".") => {
                        reader.lexer.next();
                        match reader.peek() {
                            Token::Quote => Some(reader.string(None)?.term),
                            Token::Sign("[") => None,
                            token => return Err(reader.unexpected(token)),
                        }
                    }
                    Token::Sign("[") => None,
                    Token::Sign("?") => {
                        reader.lexer.next();
                        match parts.last_mut() {
                            Some((_, optional)) => *optional = Opt::Optional,
                            None => {
                                let (depth, single) = (all.depth, all.single);
                                all = reader.node(Term::TryCatch(Box::new(all.term), None), &[depth], single)?;
                            }
                        }
                        continue;
                    }
                    _ => break,
                };
                if let Some(key) = key {
                    parts.push((Part::Index(key), Opt::Essential));
                    continue;
                }
                let (part, inner, one) = reader.index()?;
                if let (Part::Index(index), false) = (&part, one) {
                    // jq runs through the results of an index first.
                    let of = reader.path(all, std::mem::take(&mut parts), depth, single)?;
                    let index = index.clone();
                    let path = Path(vec![(Part::Index(Term::Var("$!i")), Opt::Essential)]);
                    let inside = Term::Path(Box::new(of.term), path);
                    all = reader.node(bind(index, "$!i", inside), &[of.depth + 1, inner], false)?;
                    continue;
                }
                depth = depth.max(inner);
                single = single && one;
                parts.push((part, Opt::Essential));
            }
            reader.path(all, parts, depth, single)
        })
    }

    fn path(&self, of: Node<'s>, parts: Parts<'s>, depth: u32, single: bool) -> Read<'s> {
        if parts.is_empty() {
            return Ok(of);
        }
        let (depths, single) = ([of.depth, depth + 1], of.single && single);
        self.node(Term::Path(Box::new(of.term), Path(parts)), &depths, single)
    }

    /// Reads what is in square brackets: the part, its depth, and whether it has one result.
    fn index(&mut self) -> Read<'s, (Part<Term<&'s str>>, u32, bool)> {
        self.sign("[")?;
        if self.takes(Token::Sign("]")) {
            return Ok((Part::Range(None, None), 0, false));
        }
        let begin = if self.peek() == Token::Sign(":") { None } else { Some(self.pipe()?) };
        if !self.takes(Token::Sign(":")) {
            self.sign("]")?;
            let index = begin.expect("there is no colon");
            return Ok((Part::Index(index.term), index.depth, index.single));
        }
        let end = if self.peek() == Token::Sign("]") { None } else { Some(self.pipe()?) };
        self.sign("]")?;
        let both = || begin.iter().chain(&end);
        let (depth, single) = (both().map(|node| node.depth).max().unwrap_or(0), both().all(|node| node.single));
        if depth == 0 {
            return Err(self.unexpected(Token::Sign("]")));
        }
        Ok((Part::Range(begin.map(|node| node.term), end.map(|node| node.term)), depth, single))
    }

    fn primary(&mut self) -> Read<'s> {
        match self.lexer.next() {
            Token::Number(number) => self.node(Term::Num(number), &[], true),
            Token::Quote => {
                self.lexer.at -= 1;
                self.string(None)
            }
            Token::Format(name) if self.peek() == Token::Quote => self.string(Some(name)),
            Token::Format(name) => self.node(call(name, Vec::new()), &[], true),
            Token::Field(name) => {
                let path = Path(vec![(Part::Index(build::text(name)), Opt::Essential)]);
                self.optional(path)
            }
            Token::Sign("..") => self.node(call("recurse", Vec::new()), &[], false),
            Token::Sign(".") => {
                if self.peek() != Token::Quote {
                    return self.node(Term::Id, &[], true);
                }
                let key = self.string(None)?;
                self.optional(Path(vec![(Part::Index(key.term), Opt::Essential)]))
            }
            Token::Variable("$__loc__") => self.place(),
            Token::Variable(name) => self.node(Term::Var(name), &[], true),
            Token::Sign("(") => {
                let inside = self.pipe()?;
                self.sign(")")?;
                Ok(inside)
            }
            Token::Sign("[") => {
                if self.takes(Token::Sign("]")) {
                    return self.node(Term::Arr(None), &[], true);
                }
                let inside = self.pipe()?;
                self.sign("]")?;
                self.node(Term::Arr(Some(Box::new(inside.term))), &[inside.depth], true)
            }
            Token::Sign("{") => self.object(),
            Token::Word(word) => self.word(word),
            token => Err(self.unexpected(token)),
        }
    }

    /// A path of the input, with the `?` that may follow it.
    fn optional(&mut self, mut path: Path<Term<&'s str>>) -> Read<'s> {
        while self.takes(Token::Sign("?")) {
            path.0[0].1 = Opt::Optional;
        }
        self.node(Term::Path(Box::new(Term::Id), path), &[2], true)
    }

    fn word(&mut self, word: &'s str) -> Read<'s> {
        match word {
            "if" => self.condition(),
            "reduce" | "foreach" => self.fold(word),
            "try" => {
                let body = self.postfix()?;
                let caught = if self.takes(Token::Word("catch")) { Some(self.postfix()?) } else { None };
                let depths = [body.depth, caught.as_ref().map_or(0, |caught| caught.depth)];
                let single = body.single && caught.as_ref().is_none_or(|caught| caught.single);
                let term = Term::TryCatch(Box::new(body.term), caught.map(|caught| Box::new(caught.term)));
                self.node(term, &depths, single)
            }
            "break" if matches!(self.peek(), Token::Variable(_)) => {
                let name = self.variable()?;
                self.node(Term::Break(name), &[], true)
            }
            "import" | "include" | "module" => Err(self.wrong("there are no modules here")),
            word if KEYWORDS.contains(&word) => Err(self.unexpected(Token::Word(word))),
            word => self.call(word),
        }
    }

    fn call(&mut self, name: &'s str) -> Read<'s> {
        let mut args = Vec::new();
        let mut depth = 0;
        if self.takes(Token::Sign("(")) {
            loop {
                let arg = self.pipe()?;
                depth = depth.max(arg.depth);
                args.push(arg.term);
                if !self.takes(Token::Sign(";")) {
                    break;
                }
            }
            self.sign(")")?;
        }
        let known = |around: &&mut Around<'s>| around.name == name && around.count == args.len();
        let filters = self.around.iter_mut().rev().find(known).is_some_and(|around| {
            around.calls_itself = true;
            around.filters
        });
        let single = args.is_empty() && SINGLE.contains(&name);
        let mut term = call(name, args);
        if filters {
            // Each round of such a loop would keep the filters of the round before. As no loop, its depth is limited.
            term = Term::BinOp(Box::new(term), BinaryOp::Pipe(None), Box::new(Term::Id));
        }
        self.node(term, &[depth + 1], single)
    }

    fn condition(&mut self) -> Read<'s> {
        let mut branches = Vec::new();
        let (mut depth, mut single) = (0, true);
        let mut note = |node: &Node<'s>| {
            depth = depth.max(node.depth);
            single = single && node.single;
        };
        let last = loop {
            let condition = self.pipe()?;
            self.expect(Token::Word("then"))?;
            let then = self.pipe()?;
            note(&condition);
            note(&then);
            branches.push((condition.term, then.term));
            match self.lexer.next() {
                Token::Word("elif") => (),
                Token::Word("else") => {
                    let last = self.pipe()?;
                    note(&last);
                    self.expect(Token::Word("end"))?;
                    break Some(Box::new(last.term));
                }
                Token::Word("end") => break None,
                token => return Err(self.unexpected(token)),
            }
        };
        let depth = depth + u32::try_from(branches.len()).unwrap_or(u32::MAX / 2);
        self.node(Term::IfThenElse(branches, last), &[depth], single)
    }

    fn fold(&mut self, name: &'s str) -> Read<'s> {
        let source = self.postfix()?;
        self.expect(Token::Word("as"))?;
        let pattern = self.pattern()?;
        self.sign("(")?;
        let init = self.pipe()?;
        self.sign(";")?;
        let update = self.pipe()?;
        let mut depth = source.depth.max(init.depth).max(update.depth + 1);
        let single = init.single && name == "reduce";
        let each = if name == "reduce" { "!last" } else { "!all" };
        let mut args = vec![init.term, call(each, vec![update.term])];
        if name == "foreach" && self.takes(Token::Sign(";")) {
            let shown = self.pipe()?;
            depth = depth.max(shown.depth);
            args.push(shown.term);
        }
        self.sign(")")?;
        self.node(Term::Fold(name, Box::new(source.term), pattern, args), &[depth], single)
    }

    /// Reads a definition.
    pub(super) fn definition(&mut self) -> Read<'s, Def<&'s str>> {
        self.expect(Token::Word("def"))?;
        let name = match self.lexer.next() {
            Token::Word(name) | Token::Format(name) if !KEYWORDS.contains(&name) => name,
            token => return Err(self.unexpected(token)),
        };
        let mut args = Vec::new();
        if self.takes(Token::Sign("(")) {
            loop {
                match self.lexer.next() {
                    Token::Word(arg) | Token::Variable(arg) => args.push(arg),
                    token => return Err(self.unexpected(token)),
                }
                if !self.takes(Token::Sign(";")) {
                    break;
                }
            }
            self.sign(")")?;
        }
        self.sign(":")?;
        let filters = args.iter().any(|arg| !arg.starts_with('$'));
        self.around.push(Around { name, count: args.len(), filters, calls_itself: false });
        let body = self.pipe()?;
        self.sign(";")?;
        let around = self.around.pop().expect("it was pushed");
        let mut term = body.term;
        if around.calls_itself {
            // A path may not grow for ever.
            term = Term::BinOp(Box::new(call("!guard", Vec::new())), BinaryOp::Pipe(None), Box::new(term));
        }
        // A value can be called like a filter.
        let values = args.iter().filter(|arg| arg.starts_with('$'));
        let values: Vec<_> =
            values.map(|arg| Def { name: &arg[1..], args: Vec::new(), body: Term::Var(*arg) }).collect();
        if !values.is_empty() {
            term = Term::Def(values, Box::new(term));
        }
        self.node(Term::Id, &[body.depth + 3], false)?;
        Ok(Def { name, args, body: term })
    }
}
