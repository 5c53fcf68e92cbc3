//! Rules that a driver tries on a line one after the other.

use regex::bytes::{Regex, RegexBuilder};

/// The source of one rule.
pub(super) enum Rule {
    /// A matching line starts a function. Its name is the first group, or the whole match if that group did not take part.
    Name(&'static str),
    /// A matching line does not start a function, even if a later rule matches.
    Not(&'static str),
}

/// Whether the rule ignores case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Counts,
    Either,
}

/// The compiled rules of a driver.
pub(super) struct Rules(Vec<Compiled>);

struct Compiled {
    regex: Regex,
    is_name: bool,
}

impl Rules {
    pub(super) fn new(rules: &[Rule], case: Case) -> Self {
        let compile = |rule: &Rule| {
            let (pattern, is_name) = match rule {
                Rule::Name(pattern) => (pattern, true),
                Rule::Not(pattern) => (pattern, false),
            };
            // In the C locale a character is a byte. The dot matches every byte but NUL.
            let regex = RegexBuilder::new(pattern)
                .unicode(false)
                .line_terminator(0)
                .case_insensitive(case == Case::Either)
                .build()
                .expect("the patterns are constants, and all of them are tested");
            Compiled { regex, is_name }
        };
        Self(rules.iter().map(compile).collect())
    }

    /// The name from the first rule that `line` matches. `line` has no line end.
    pub(super) fn name<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let decisive = self.0.iter().find(|rule| rule.regex.is_match(line)).filter(|rule| rule.is_name)?;
        let groups = decisive.regex.captures(line)?;
        groups.get(1).or_else(|| groups.get(0)).map(|found| found.as_bytes())
    }
}
