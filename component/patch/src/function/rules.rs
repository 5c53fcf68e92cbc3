//! Rules that are tried on a line one after the other.

use regex::bytes::{Regex, RegexBuilder};

/// One rule, as it is written down.
pub(super) enum Rule {
    /// A line that matches starts a function. Its name is the first group, or the whole match where that group is not part of it.
    Name(&'static str),
    /// A line that matches starts none, whatever later rules say.
    Not(&'static str),
}

/// Whether letters match in either case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Counts,
    Either,
}

/// The rules of a driver, ready for use.
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
            // In the C locale a character is a byte. The dot stands for all but NUL.
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

    /// What the first rule that `line` matches takes for its name. `line` has no line end.
    pub(super) fn name<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let decisive = self.0.iter().find(|rule| rule.regex.is_match(line)).filter(|rule| rule.is_name)?;
        let groups = decisive.regex.captures(line)?;
        groups.get(1).or_else(|| groups.get(0)).map(|found| found.as_bytes())
    }
}
