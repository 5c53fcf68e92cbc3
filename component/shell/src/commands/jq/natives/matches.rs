//! Regular expressions. They are those of Rust's `regex`: linear in time, without looking around or back.

use jaq_core::native::{Fun, bome, v};
use jaq_core::{Bind, Native, ValX};
use regex::{Regex, RegexBuilder};

use super::values;
use crate::commands::jq::kind::{Around, Kind};
use crate::commands::jq::ledger;
use crate::commands::jq::map::{Key, Map};
use crate::commands::jq::value::{Fail, List, Val, fail};

/// Regular expressions that are kept.
const KEPT: usize = 16;
/// Bytes that one may become.
const LARGEST: usize = 1 << 20;

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    let matches = Native::<Kind>::new(|mut cv| {
        let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
        bome(asked(cv.0.data().world, &cv.1, &pattern, &flags).map(|asked| asked.matches()))
    });
    let test = Native::<Kind>::new(|mut cv| {
        let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
        bome(asked(cv.0.data().world, &cv.1, &pattern, &flags).map(|asked| {
            ledger::bytes(16 * asked.text.len());
            Val::Bool(asked.regex.is_match(asked.text))
        }))
    });
    let split = Native::<Kind>::new(|mut cv| {
        let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
        bome(asked(cv.0.data().world, &cv.1, &pattern, &flags).map(|asked| asked.split()))
    });
    let substituted = Native::<Kind>::new(|mut cv| {
        let (by, context) = cv.0.pop_fun();
        let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
        let asked = match asked(cv.0.data().world, &cv.1, &pattern, &flags) {
            Ok(asked) => asked,
            Err(error) => return bome(Err(error)),
        };
        let results = asked.substituted(|groups| by.run((context.clone(), groups)));
        Box::new(results.into_iter())
    });
    let mut all = values! {};
    let two_and_filter = [Bind::Var(()), Bind::Var(()), Bind::Fun(())].into();
    all.extend([
        ("!matches", v(2), matches),
        ("!test", v(2), test),
        ("!split", v(2), split),
        ("!sub", two_and_filter, substituted),
    ]);
    all
}

/// A text, and what is sought in it.
struct Asked<'v> {
    text: &'v str,
    regex: Regex,
    global: bool,
    /// Whether empty matches do not count.
    filled: bool,
}

fn asked<'v>(around: &Around, value: &'v Val, pattern: &Val, flags: &Val) -> Result<Asked<'v>, Fail> {
    let Some(text) = value.as_text() else {
        return Err(fail(format!("{} cannot be matched, as it is not a string", value.shown())));
    };
    // The pattern may have its flags with it.
    let (pattern, also) = match pattern.as_list() {
        Some([pattern, flags]) => (pattern, Some(flags)),
        Some([pattern]) => (pattern, None),
        _ => (pattern, None),
    };
    let Some(pattern) = pattern.as_text() else {
        return Err(fail(format!("{} cannot be matched, as it is not a string", pattern.shown())));
    };
    let mut letters = String::new();
    for flags in [Some(flags), also].into_iter().flatten() {
        match flags {
            Val::Null => (),
            Val::Text(text) => letters.push_str(text.text()),
            other => return Err(fail(format!("{} is not a string", other.shown()))),
        }
    }
    if letters.chars().any(|letter| !"gimnpslx".contains(letter)) {
        return Err(fail(format!("{letters} is not a valid modifier string")));
    }
    let has = |letter: char| letters.contains(letter);
    let kept = format!("{}{}{} {pattern}", has('i'), has('x'), has('p'));
    let known = around.expressions.borrow().get(&kept).cloned();
    let regex = match known {
        Some(regex) => regex,
        None => {
            ledger::work(u32::try_from(8 * pattern.len()).unwrap_or(u32::MAX).saturating_add(400));
            let mut builder = RegexBuilder::new(&translated(pattern));
            builder.case_insensitive(has('i')).ignore_whitespace(has('x')).dot_matches_new_line(has('p'));
            builder.size_limit(LARGEST).dfa_size_limit(LARGEST).nest_limit(100);
            let regex = builder.build().map_err(|error| {
                let why = error.to_string();
                fail(format!("{pattern} (at offset 0) is not a valid regex: {}", why.lines().last().unwrap_or("")))
            })?;
            let mut expressions = around.expressions.borrow_mut();
            if expressions.len() >= KEPT {
                expressions.clear();
            }
            expressions.insert(kept, regex.clone());
            regex
        }
    };
    Ok(Asked { text, regex, global: has('g'), filled: has('n') })
}

/// A pattern of Oniguruma as one of `regex`.
fn translated(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut letters = pattern.chars().peekable();
    let mut in_class = 0_u32;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('h') if in_class > 0 => out.push_str("0-9a-fA-F"),
                Some('h') => out.push_str("[0-9a-fA-F]"),
                Some('H') => out.push_str("[^0-9a-fA-F]"),
                Some('Z') => out.push_str("\\z"),
                Some('e') => out.push_str("\\x1b"),
                Some(other @ ('<' | '>' | '"' | '\'' | '`' | ' ' | '_' | '@' | '=' | ',' | ';' | '!' | '%')) => {
                    out.push(other);
                }
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            '[' if in_class > 0 && letters.peek() != Some(&':') => {
                // Classes in classes are the same in both.
                in_class += 1;
                out.push('[');
            }
            '[' => {
                in_class += 1;
                out.push('[');
                if letters.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                if letters.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
            }
            ']' if in_class > 0 => {
                in_class -= 1;
                out.push(']');
            }
            '{' if in_class == 0 && !repeats(letters.clone()) => out.push_str("\\{"),
            '}' if in_class == 0 && !out.ends_with(|last: char| last.is_ascii_digit() || last == ',') => {
                out.push_str("\\}");
            }
            '$' if in_class == 0 => out.push_str("(?:\\n?\\z)"),
            letter => out.push(letter),
        }
    }
    out
}

/// Whether a count of repetitions follows.
fn repeats(letters: impl Iterator<Item = char>) -> bool {
    let inside: String = letters.take_while(|letter| letter.is_ascii_digit() || *letter == ',').collect();
    inside.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Counts characters up to places that come one after the other.
struct Counter<'v> {
    text: &'v str,
    at: usize,
    count: usize,
}

impl Counter<'_> {
    fn to(&mut self, at: usize) -> usize {
        if at < self.at {
            return self.text[..at].chars().count();
        }
        self.count += self.text[self.at..at].chars().count();
        self.at = at;
        self.count
    }
}

type Results<'a> = Box<dyn Iterator<Item = ValX<'a, Val>> + 'a>;

impl<'v> Asked<'v> {
    fn captures(&self) -> Vec<regex::Captures<'v>> {
        ledger::bytes(16 * self.text.len());
        let mut all = Vec::new();
        for captures in self.regex.captures_iter(self.text) {
            let whole = captures.get(0).expect("it has matched");
            if self.filled && whole.is_empty() {
                continue;
            }
            all.push(captures);
            if !self.global || !ledger::work(4) || !ledger::room(all.len() * 256) {
                break;
            }
        }
        all
    }

    fn matches(&self) -> Val {
        let mut counter = Counter { text: self.text, at: 0, count: 0 };
        let mut list = List::default();
        for captures in self.captures() {
            let whole = captures.get(0).expect("it has matched");
            let offset = counter.to(whole.start());
            let groups = captures.iter().zip(self.regex.capture_names()).skip(1);
            let groups = groups.map(|(group, name)| {
                let name = name.map_or(Val::Null, Val::text);
                let Some(group) = group else {
                    let fields =
                        [("offset", Val::Num(-1.0)), ("string", Val::Null), ("length", Val::Num(0.0)), ("name", name)];
                    return Val::map(fields);
                };
                Val::map([
                    (
                        "offset",
                        Val::count(offset + self.text[whole.start().min(group.start())..group.start()].chars().count()),
                    ),
                    ("length", Val::count(group.as_str().chars().count())),
                    ("string", Val::text(group.as_str())),
                    ("name", name),
                ])
            });
            list.push(Val::map([
                ("offset", Val::count(offset)),
                ("length", Val::count(whole.as_str().chars().count())),
                ("string", Val::text(whole.as_str())),
                ("captures", Val::list(groups)),
            ]));
        }
        Val::List(list.into())
    }

    fn split(&self) -> Val {
        let mut list = List::default();
        let mut at = 0;
        for captures in self.captures() {
            let whole = captures.get(0).expect("it has matched");
            list.push(Val::text(&self.text[at..whole.start()]));
            at = whole.end();
        }
        list.push(Val::text(&self.text[at..]));
        Val::List(list.into())
    }

    /// The text with its matches replaced: once for each choice of results.
    fn substituted<'a>(&self, by: impl Fn(Val) -> Results<'a>) -> Vec<ValX<'a, Val>> {
        let mut texts = vec![String::new()];
        let mut at = 0;
        for captures in self.captures() {
            let whole = captures.get(0).expect("it has matched");
            let before = &self.text[at..whole.start()];
            at = whole.end();
            let mut groups = Map::default();
            for (name, group) in self.regex.capture_names().zip(captures.iter()) {
                if let Some(name) = name {
                    let text = group.map_or(Val::Null, |group| Val::text(group.as_str()));
                    groups.insert(Key::new(name), text);
                }
            }
            let mut parts = Vec::new();
            for result in by(Val::Map(groups.into())) {
                match result {
                    Ok(Val::Text(text)) if ledger::room(parts.len() * 16) => parts.push(text),
                    Ok(Val::Text(_)) => return Vec::new(),
                    Ok(other) => {
                        let text = Val::text(before);
                        let message = format!("{} and {} cannot be added", text.shown(), other.shown());
                        return vec![Err(fail(message).into())];
                    }
                    Err(error) => return vec![Err(error)],
                }
            }
            // The usual case has one text, and appends to it.
            if let ([part], [text]) = (&*parts, &mut *texts) {
                text.push_str(before);
                text.push_str(part.text());
                if !ledger::room(text.len()) || !ledger::work(1) {
                    return Vec::new();
                }
                continue;
            }
            let (mut longer, mut held) = (Vec::new(), 0);
            for part in &parts {
                for text in &texts {
                    held += 64 + text.len() + before.len() + part.text().len();
                    if !ledger::room(held) || !ledger::work(1) {
                        return Vec::new();
                    }
                    longer.push([text, before, part.text()].concat());
                }
            }
            texts = longer;
        }
        let rest = &self.text[at..];
        texts.into_iter().map(|text| Ok(Val::text(text + rest))).collect()
    }
}
