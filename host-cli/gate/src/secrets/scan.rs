//! One pass over a text.

use patch::sort::sort_by_key;
use std::{cell::OnceCell, ops::Range, sync::OnceLock};

use aho_corasick::automaton::Automaton as _;
use aho_corasick::dfa::DFA;
use aho_corasick::{Input, Match};
use regex::bytes::Regex;

use super::{
    Finding, Fingerprint,
    assign::{self, Assigned},
    generic,
    lines::Lines,
    rule::{Lead, Rule},
    rules,
};
use crate::text;

/// The bytes that an expression reads.
const WINDOW: usize = 8192;
/// A rule does not read again what its expression matched. If the match failed the check, it skips only this fraction of it, so that no
/// more than this many expressions read any byte.
const FAILED: usize = 4;
/// The most findings that wait for overlapping ones.
const WAITING: usize = 64;
/// Longer than any keyword.
const KEYWORD: usize = 64;

/// The keywords of all rules in one automaton, and the rules of each keyword. The generic names come last.
struct Table {
    keywords: DFA,
    rules: Vec<&'static Rule>,
    /// Compiled at the first occurrence of its keyword.
    expressions: Vec<OnceLock<Regex>>,
    of_keyword: Vec<Vec<usize>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rules: Vec<&'static Rule> = rules::all().collect();
        let (mut keywords, mut of_keyword): (Vec<&str>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        let keys = rules.iter().enumerate().flat_map(|(at, rule)| rule.keys.iter().map(move |key| (at, *key)));
        for (at, key) in keys.chain(generic::names().map(|name| (rules.len(), name))) {
            let known = keywords.iter().position(|known| known.eq_ignore_ascii_case(key));
            let place = known.unwrap_or_else(|| {
                keywords.push(key);
                of_keyword.push(Vec::new());
                keywords.len() - 1
            });
            of_keyword[place].push(at);
        }
        let keywords = DFA::builder()
            .ascii_case_insensitive(true)
            .build(&keywords)
            .expect("a few hundred short keywords fit into an automaton");
        Table { keywords, expressions: rules.iter().map(|_| OnceLock::new()).collect(), rules, of_keyword }
    })
}

/// A secret that another rule may still identify better.
#[derive(Clone, Copy)]
struct Hit {
    /// The rule; `None` for the generic ones.
    rule: Option<&'static Rule>,
    start: usize,
    end: usize,
    /// Bytes at the start that reveal nothing: the prefix of its kind.
    prefix: usize,
}

impl Hit {
    fn rank(&self) -> u8 {
        self.rule.map_or(u8::MAX, Rule::rank)
    }
}

/// How much the names of values say in this text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Nothing: only secrets of known formats count.
    Unseen,
    /// With some chance, that the value is a secret.
    Seen,
    /// Without doubt, that the value is a secret: the text holds environment variables.
    OfEnvironment,
}

/// Calls `found` for every secret in `text`, in order. Returns the number of bytes read again after the first pass.
pub(super) fn each(text: &[u8], names: Names, found: &mut dyn FnMut(Finding)) -> usize {
    let table = table();
    let done = vec![0; table.rules.len() + 1];
    let mut scan = Scan { text, done, waiting: Vec::new(), end: 0, lines: Lines::new(), names, again: 0 };
    let found_keys = table.keywords.try_find_overlapping_iter(Input::new(text));
    for key in found_keys.expect("the automaton has every kind of search that this one is") {
        if key.start() > scan.end + KEYWORD || scan.waiting.len() >= WAITING {
            scan.settle(found);
        }
        let assigned = OnceCell::new();
        let seen = names != Names::Unseen;
        let to = || assigned.get_or_init(|| assign::to(text, key.range())).as_ref();
        for at in &table.of_keyword[key.pattern().as_usize()] {
            if scan.done[*at] > key.start() {
                continue;
            }
            let hit = match table.rules.get(*at) {
                Some(rule) if rule.lead != Lead::Named => scan.at_keyword(rule, &key, *at),
                Some(rule) if seen => to().and_then(|assigned| scan.after_name(rule, assigned, *at)),
                None if seen => {
                    if let Some(assigned) = to() {
                        scan.of_no_kind(&key, assigned, *at);
                    }
                    None
                }
                _ => None,
            };
            hit.into_iter().for_each(|hit| scan.keep(hit));
        }
    }
    scan.settle(found);
    scan.again + scan.lines.again
}

struct Scan<'a> {
    text: &'a [u8],
    /// For each rule, the place up to which it need not search again.
    done: Vec<usize>,
    waiting: Vec<Hit>,
    /// The end of the last waiting hit.
    end: usize,
    lines: Lines,
    names: Names,
    /// The number of bytes read again.
    again: usize,
}

impl Scan<'_> {
    /// Searches around a keyword that is a part of the secret, or leads to it in the rule's own way.
    fn at_keyword(&mut self, rule: &'static Rule, key: &Match, at: usize) -> Option<Hit> {
        let start = match rule.lead {
            Lead::Reach(most) => {
                let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'~' | b'.' | b'-');
                key.start() - self.text[..key.start()].iter().rev().take(most).take_while(part).count()
            }
            _ => key.start(),
        };
        if rule.lead != Lead::Before && !begins(self.text, start) {
            return None;
        }
        let prefix = if rule.lead == Lead::Token { key.len() } else { 0 };
        let secret = self.matched(rule, start, at)?;
        let ends = rule.lead == Lead::Before || self.ends(&secret, start, u8::is_ascii_alphanumeric);
        ends.then_some(Hit { rule: Some(rule), start: secret.start, end: secret.end, prefix })
    }

    /// Examines the value of a name that contains the keyword.
    fn after_name(&mut self, rule: &'static Rule, assigned: &Assigned, at: usize) -> Option<Hit> {
        if !generic::may_name_a_secret(&self.text[assigned.name.clone()]) {
            return None;
        }
        let secret = self.matched(rule, assigned.value, at)?;
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'+' | b'-');
        let ends = self.ends(&secret, assigned.value, part);
        ends.then_some(Hit { rule: Some(rule), start: secret.start, end: secret.end, prefix: 0 })
    }

    /// Whether a secret ends where the expression says, and does not continue with a `part`; or is longer than the window that starts at
    /// `start`.
    fn ends(&self, secret: &Range<usize>, start: usize, part: impl Fn(&u8) -> bool) -> bool {
        secret.end == start + WINDOW || !self.text.get(secret.end).is_some_and(part)
    }

    /// Examines all values of a generic name.
    fn of_no_kind(&mut self, key: &Match, assigned: &Assigned, at: usize) {
        let mut next = None;
        let sure = self.names == Names::OfEnvironment;
        while let Some(judged) = generic::judge(self.text, key.range(), next.as_ref().unwrap_or(assigned), sure) {
            let assigned = next.as_ref().unwrap_or(assigned);
            self.again += judged.value.len();
            if assigned.quote.is_none() {
                // A value may consist of keywords and signs, and each of them would judge everything after it.
                self.done[at] = judged.value.end;
            }
            if judged.secret {
                self.keep(Hit { rule: None, start: judged.value.start, end: judged.value.end, prefix: 0 });
            }
            next = assigned.next(self.text, judged.value.end);
            if next.is_none() {
                break;
            }
        }
    }

    fn keep(&mut self, hit: Hit) {
        self.end = self.end.max(hit.end);
        self.waiting.push(hit);
    }

    /// The match of the rule's expression at `start`, if it passes the rule's check.
    fn matched(&mut self, rule: &'static Rule, start: usize, at: usize) -> Option<Range<usize>> {
        let window = &self.text[start..self.text.len().min(start + WINDOW)];
        self.again += window.len();
        let regex = table().expressions[at].get_or_init(|| rule.regex());
        let (whole, secret) = if regex.captures_len() > 1 {
            let groups = regex.captures(window)?;
            (groups.get(0)?.end(), groups.get(1)?.range())
        } else {
            let whole = regex.find(window)?;
            (whole.end(), whole.range())
        };
        let holds = rule.check.holds(&window[secret.clone()]);
        self.done[at] = start + if holds { whole } else { whole.div_ceil(FAILED) };
        holds.then_some(start + secret.start..start + secret.end)
    }

    /// Of overlapping hits, the one from the better rule remains.
    fn settle(&mut self, found: &mut dyn FnMut(Finding)) {
        let mut waiting = std::mem::take(&mut self.waiting);
        sort_by_key(&mut waiting, |hit| (hit.rank(), hit.start));
        let mut kept: Vec<Hit> = Vec::with_capacity(waiting.len());
        for hit in waiting {
            self.again += kept.len();
            if kept.iter().all(|other| hit.end <= other.start || other.end <= hit.start) {
                kept.push(hit);
            }
        }
        sort_by_key(&mut kept, |hit| hit.start);
        for hit in kept {
            let line = self.lines.of(self.text, hit.start);
            found(finding(self.text, hit, line));
        }
    }
}

/// Whether a token can start at `start`: not after a letter or digit, unless that ends an escape.
fn begins(text: &[u8], start: usize) -> bool {
    match text[..start] {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'\\', b'u', a, b, c, d] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => true,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., last] => !last.is_ascii_alphanumeric(),
        [] => true,
    }
}

fn finding(text: &[u8], hit: Hit, line: usize) -> Finding {
    let secret = &text[hit.start..hit.end];
    let shown = match hit.prefix {
        0 => (secret.len() / 6).clamp(1, 4),
        prefix => (prefix + 2).min(secret.len() / 2),
    };
    Finding {
        rule: hit.rule.map_or("generic", |rule| rule.id),
        words: hit.rule.map_or("what looks like a password or key", |rule| rule.words),
        line,
        shown: format!("{}…", text::name(&secret[..shown])),
        fingerprint: Fingerprint::of(secret),
        entry: None,
        place: hit.start..hit.end,
    }
}

#[cfg(test)]
mod tests;
