//! A policy file, in TOML.
//!
//! ```toml
//! base = "gate"                     # for calls that no rule covers: gate or strict
//! protected = ["release/**"]        # besides main, master and production
//!
//! [[deny]]
//! name = "workflows are mine"
//! path = ".github/workflows"
//! reason = "workflows run with secrets"
//! matches = [{ tool = "git_push", paths = [".github/workflows/ci.yml"] }]
//! passes = [{ tool = "git_push", paths = ["docs/workflows.md"] }]
//!
//! [secrets]                         # secrets that need no warning
//! fingerprints = ["0123456789abcdef"]
//! paths = ["tests/fixtures/**"]
//! ```

use std::{fmt, ops::Range};

use serde::{Deserialize, Deserializer, de};
use serde_spanned::Spanned;

use super::{
    Base, MOUNTED,
    example::Example,
    facts::Caller,
    rule::{Bounds, Effect, Rule, RuleName},
};
use crate::{
    hint::Act,
    review::{Flag, Severity},
    secrets::Fingerprint,
    target::TargetKind,
    toml,
};

/// A valid policy file whose examples hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyFile {
    /// The base policy, if the file names one.
    pub base: Option<Base>,
    /// Patterns of protected branches, in addition to the built-in ones.
    pub protected: Vec<String>,
    /// Its rules, grouped by table, in the order of the file.
    pub rules: Vec<Rule>,
    /// Fingerprints of allowed secrets.
    pub secrets: Vec<Fingerprint>,
    /// Patterns of files whose secrets are allowed.
    pub secret_paths: Vec<String>,
}

/// Why a file is not a valid policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAPolicy {
    /// The line, counted from 1, if known.
    pub line: Option<usize>,
    /// Why, without a full stop.
    pub reason: String,
    /// What would show what is right.
    pub act: Option<Act>,
}

impl NotAPolicy {
    fn new(line: Option<usize>, reason: String) -> Self {
        NotAPolicy { line, reason, act: None }
    }
}

impl fmt::Display for NotAPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for NotAPolicy {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    base: Option<Base>,
    #[serde(default)]
    protected: Globs,
    #[serde(default)]
    allow: Vec<Spanned<RawRule>>,
    #[serde(default)]
    ask: Vec<Spanned<RawRule>>,
    #[serde(default)]
    deny: Vec<Spanned<RawRule>>,
    #[serde(default)]
    secrets: RawSecrets,
}

/// Known secrets that may leave, such as examples in tests.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSecrets {
    #[serde(default)]
    fingerprints: Vec<Spanned<String>>,
    #[serde(default)]
    paths: Globs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: Option<String>,
    reason: Option<String>,
    #[serde(default)]
    tool: Globs,
    caller: Option<Caller>,
    #[serde(default)]
    target: Globs,
    #[serde(default)]
    branch: Globs,
    #[serde(default)]
    path: Globs,
    files: Option<u64>,
    bytes: Option<u64>,
    risk: Option<Severity>,
    #[serde(default)]
    flags: Globs,
    #[serde(default)]
    matches: Vec<Spanned<Example>>,
    #[serde(default)]
    passes: Vec<Spanned<Example>>,
}

/// One or more patterns. An empty list is refused, because it would look like a condition without
/// being one.
#[derive(Default)]
struct Globs(Vec<String>);

impl<'de> Deserialize<'de> for Globs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Vec<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(vec![text.to_owned()])
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = seq.next_element()? {
                    texts.push(text);
                }
                Ok(texts)
            }
        }
        let globs = deserializer.deserialize_any(Visitor)?;
        if globs.is_empty() || globs.iter().any(String::is_empty) {
            return Err(de::Error::custom("an empty condition: remove it instead"));
        }
        Ok(Globs(globs))
    }
}

impl PolicyFile {
    /// Parses `text`, which messages call `file`. `tools` are the names of all tools.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, or names a tool or flag that does not exist: a
    /// misspelt rule would protect nothing. Also an example that does not hold, and an allow rule
    /// that does not say for which tools.
    pub fn parse(text: &str, file: &str, tools: &[&str]) -> Result<Self, NotAPolicy> {
        let reader = Reader { text, file, tools };
        let raw: Raw = toml::from_str(text)
            .map_err(|error| NotAPolicy::new(error.line(text), error.message().replace('\n', ", ")))?;
        let tables = [(Effect::Deny, raw.deny), (Effect::Ask, raw.ask), (Effect::Allow, raw.allow)];
        let rules = tables.into_iter().flat_map(|(effect, rules)| rules.into_iter().map(move |rule| (effect, rule)));
        let rules = rules.map(|(effect, rule)| reader.rule(effect, rule)).collect::<Result<_, _>>()?;
        let secrets = raw.secrets.fingerprints.iter().map(|text| reader.fingerprint(text)).collect::<Result<_, _>>()?;
        Ok(PolicyFile { base: raw.base, protected: raw.protected.0, rules, secrets, secret_paths: raw.secrets.paths.0 })
    }
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    tools: &'a [&'a str],
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        toml::line(self.text, span)
    }

    fn fingerprint(&self, text: &Spanned<String>) -> Result<Fingerprint, NotAPolicy> {
        let refuse = |fault: crate::Fault| NotAPolicy::new(Some(self.line(&text.span())), fault.message);
        text.get_ref().parse().map_err(refuse)
    }

    fn rule(&self, effect: Effect, raw: Spanned<RawRule>) -> Result<Rule, NotAPolicy> {
        let line = self.line(&raw.span());
        let refuse = |reason: String| NotAPolicy::new(Some(line), reason);
        let raw = raw.into_inner();
        if effect == Effect::Allow && raw.tool.0.is_empty() {
            return Err(refuse("an allow rule must name its tools, such as tool = \"git_stage\"".to_owned()));
        }
        for glob in &raw.tool.0 {
            // Which tools another server has is not known here.
            let is_mounted = glob.starts_with(MOUNTED);
            if !is_mounted && !self.tools.iter().any(|tool| crate::glob::matches(glob.as_bytes(), tool.as_bytes())) {
                let refused = refuse(format!("there is no tool \"{glob}\""));
                return Err(NotAPolicy { act: Some(Act::ListTools), ..refused });
            }
        }
        if let Some(flag) = raw.flags.0.iter().find(|flag| Flag::names().all(|name| name != *flag)) {
            let names: Vec<_> = Flag::names().collect();
            return Err(refuse(format!("there is no flag \"{flag}\"; the flags are {}", names.join(", "))));
        }
        let wrong = raw.path.0.iter().find_map(|path| matches_no_path(path));
        let wrong = wrong.or_else(|| raw.branch.0.iter().find_map(|branch| matches_no_branch(branch)));
        if let Some(reason) = wrong.or_else(|| raw.target.0.iter().find_map(|target| matches_no_target(target))) {
            return Err(refuse(reason));
        }
        let bounds = Bounds {
            tool: raw.tool.0,
            caller: raw.caller,
            target: raw.target.0,
            branch: raw.branch.0,
            path: raw.path.0,
            files: raw.files,
            bytes: raw.bytes,
            risk: raw.risk,
            flags: raw.flags.0,
        };
        let name = RuleName { name: raw.name, file: self.file.to_owned(), line };
        let rule = Rule { name, effect, reason: raw.reason, bounds };
        for (examples, expected) in [(&raw.matches, true), (&raw.passes, false)] {
            for example in examples {
                let line = self.line(&example.span());
                self.example(&rule, example.get_ref(), expected)
                    .map_err(|reason| NotAPolicy::new(Some(line), reason))?;
            }
        }
        Ok(rule)
    }

    fn example(&self, rule: &Rule, example: &Example, expected: bool) -> Result<(), String> {
        if !example.tool.starts_with(MOUNTED) && !self.tools.contains(&example.tool.as_str()) {
            return Err(format!("the example's tool \"{}\" does not exist", example.tool));
        }
        if rule.applies_to(&example.facts()?) == expected {
            return Ok(());
        }
        Err(match expected {
            true => format!("the {} rule does not match its example", rule.effect.name()),
            false => format!("the {} rule matches an example that must pass", rule.effect.name()),
        })
    }
}

/// Why no path can match a pattern. A misspelt rule would protect nothing.
fn matches_no_path(glob: &str) -> Option<String> {
    let odd = glob.trim_end_matches('/').split('/').any(|part| matches!(part, "" | "." | ".."));
    odd.then(|| {
        format!("\"{glob}\" matches no path: write it from the top of the repository, without a leading / or ./, such as docs/a.md")
    })
}

fn matches_no_branch(glob: &str) -> Option<String> {
    let short = glob.strip_prefix("refs/heads/");
    let odd = glob.is_empty() || glob.starts_with('/') || glob.ends_with('/');
    let name = short.unwrap_or("main");
    (short.is_some() || odd).then(|| format!("\"{glob}\" matches no branch: write its short name, such as {name}"))
}

fn matches_no_target(glob: &str) -> Option<String> {
    let known = TargetKind::all().any(|kind| glob.starts_with(&format!("{}:", kind.as_str())));
    let open = glob.starts_with(['*', '?']);
    let ends = glob.ends_with('/');
    (!(known || open) || ends).then(|| {
        format!(
            "\"{glob}\" matches no target: write it as gitgate shows it, such as local:/home/me/project or *:/home/me/**"
        )
    })
}
