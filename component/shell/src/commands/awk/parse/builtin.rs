//! Calls of the functions that awk has.

use super::super::code::{Builtin, Op, Target};
use super::expression::Kind;
use super::{Parser, Wrong};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Value,
    /// An expression, or a text that is one.
    Regex,
    Array,
    /// Anything.
    Any,
}
use Is::{Any, Array, Regex, Value};

/// A function: how many arguments it needs, and what they are.
type Known = (&'static str, Builtin, usize, &'static [Is]);

const KNOWN: &[Known] = &[
    ("and", Builtin::And, 2, &[Value; 8]),
    ("asort", Builtin::Asort, 1, &[Array, Array, Value]),
    ("asorti", Builtin::Asorti, 1, &[Array, Array, Value]),
    ("atan2", Builtin::Atan2, 2, &[Value, Value]),
    ("close", Builtin::Close, 1, &[Value, Value]),
    ("compl", Builtin::Compl, 1, &[Value]),
    ("cos", Builtin::Cos, 1, &[Value]),
    ("exp", Builtin::Exp, 1, &[Value]),
    ("fflush", Builtin::Fflush, 0, &[Value]),
    ("gensub", Builtin::Gensub, 3, &[Regex, Value, Value, Value]),
    ("index", Builtin::Index, 2, &[Value, Value]),
    ("int", Builtin::Int, 1, &[Value]),
    ("isarray", Builtin::Isarray, 1, &[Any]),
    ("length", Builtin::Length, 0, &[Any]),
    ("log", Builtin::Log, 1, &[Value]),
    ("lshift", Builtin::Lshift, 2, &[Value, Value]),
    ("match", Builtin::Match, 2, &[Value, Regex, Array]),
    ("mktime", Builtin::Mktime, 1, &[Value, Value]),
    ("or", Builtin::Or, 2, &[Value; 8]),
    ("patsplit", Builtin::Patsplit, 2, &[Value, Array, Regex, Array]),
    ("rand", Builtin::Rand, 0, &[]),
    ("rshift", Builtin::Rshift, 2, &[Value, Value]),
    ("sin", Builtin::Sin, 1, &[Value]),
    ("split", Builtin::Split, 2, &[Value, Array, Regex, Array]),
    ("sprintf", Builtin::Sprintf, 1, &[Value; 1]),
    ("sqrt", Builtin::Sqrt, 1, &[Value]),
    ("srand", Builtin::Srand, 0, &[Value]),
    ("strftime", Builtin::Strftime, 0, &[Value, Value, Value]),
    ("strtonum", Builtin::Strtonum, 1, &[Value]),
    ("substr", Builtin::Substr, 2, &[Value, Value, Value]),
    ("system", Builtin::System, 1, &[Value]),
    ("systime", Builtin::Systime, 0, &[]),
    ("tolower", Builtin::Tolower, 1, &[Value]),
    ("toupper", Builtin::Toupper, 1, &[Value]),
    ("typeof", Builtin::Typeof, 1, &[Any]),
    ("xor", Builtin::Xor, 2, &[Value; 8]),
];

/// Whether a word is a function, so that a value begins with it.
pub(super) fn begins_value(word: &str) -> bool {
    matches!(word, "sub" | "gsub") || KNOWN.iter().any(|(name, ..)| *name == word)
}

impl Parser {
    pub(super) fn builtin(&mut self, word: &str) -> Result<Kind, Wrong> {
        if matches!(word, "sub" | "gsub") {
            return self.replacement(word == "gsub");
        }
        let Some((_, builtin, least, kinds)) = KNOWN.iter().find(|(name, ..)| *name == word) else {
            self.at -= 1;
            return self.wrong();
        };
        let mut count = 0;
        if self.accept("(") {
            count = self.inside(|parser| parser.arguments(*builtin, kinds))?;
            self.expect(")")?;
        } else if *builtin != Builtin::Length {
            return self.wrong();
        }
        if count < *least {
            return Err((self.line(), format!("{count} is invalid as number of arguments for {word}")));
        }
        if *builtin == Builtin::Length && count == 0 || *builtin == Builtin::Gensub && count == 3 {
            self.emit(Op::Num(0.0));
            self.emit(Op::Field);
            count += 1;
        }
        self.emit(Op::Builtin(*builtin, count));
        Ok(Kind::Value)
    }

    fn arguments(&mut self, builtin: Builtin, kinds: &[Is]) -> Result<usize, Wrong> {
        let mut count = 0;
        self.newlines();
        while !self.is(")") {
            let kind = match kinds.get(count) {
                Some(kind) => *kind,
                None if builtin == Builtin::Sprintf => Value,
                None => return self.wrong(),
            };
            match kind {
                Value => self.whole()?,
                Any => self.argument()?,
                Regex => {
                    let kind = self.ternary()?;
                    self.regex_or_value(kind);
                }
                Array => {
                    let arr = self.array()?;
                    self.emit(Op::ArrayArg(arr));
                }
            }
            count += 1;
            self.newlines();
            if !self.accept(",") {
                break;
            }
            self.newlines();
        }
        Ok(count)
    }

    fn replacement(&mut self, all: bool) -> Result<Kind, Wrong> {
        self.expect("(")?;
        let target = self.inside(|parser| {
            parser.newlines();
            let kind = parser.ternary()?;
            parser.regex_or_value(kind);
            parser.newlines();
            parser.expect(",")?;
            parser.newlines();
            parser.whole()?;
            parser.newlines();
            if !parser.accept(",") {
                parser.emit(Op::Num(0.0));
                return Ok(Target::Field);
            }
            parser.newlines();
            let target = match parser.ternary()? {
                Kind::Place(target) => target,
                kind => {
                    parser.operand(kind);
                    Target::Nowhere
                }
            };
            parser.newlines();
            Ok(target)
        })?;
        self.expect(")")?;
        self.emit(Op::Replace(all, target));
        Ok(Kind::Value)
    }
}
