//! The policy of a sandbox: its base, the file given to `new --policy`, and the rules saved at the
//! prompt.

use std::path::PathBuf;
use std::str::FromStr;

use gate::policy::{Base, EXPORT, PolicyFile};

use crate::error::{ErrorKind, HostError, Result};
use crate::hint::{Act, Hint};

/// The name under which a sandbox keeps the saved rules.
pub const REMEMBERED: &str = "policy.toml";

/// What `new --policy` may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyChoice {
    /// A built-in policy.
    Base(Base),
    /// A file with rules.
    File(PathBuf),
}

impl Default for PolicyChoice {
    fn default() -> Self {
        PolicyChoice::Base(Base::default())
    }
}

impl FromStr for PolicyChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let base = Base::ALL.into_iter().find(|base| base.name() == text);
        Ok(base.map_or_else(|| PolicyChoice::File(text.into()), PolicyChoice::Base))
    }
}

/// Reads the policy file `text`, which stands in `place`. Rules may name `tools`, and an export. `act`
/// gives a body's words for what a person can do.
///
/// # Errors
/// [`ErrorKind::Usage`] if it is no policy file.
pub fn parse(place: &str, text: &str, tools: &[&str], act: impl FnOnce(&Act) -> String) -> Result<PolicyFile> {
    let tools: Vec<&str> = tools.iter().copied().chain([EXPORT]).collect();
    PolicyFile::parse(text, place, &tools).map_err(|error| {
        let line = error.line.map_or_else(String::new, |line| format!(":{line}"));
        let see = error.act.map_or_else(String::new, |it| format!("; {}", act(&it)));
        let hint = Hint::new("correct that line, then ", Act::CheckPolicy, "");
        HostError::new(ErrorKind::Usage, format!("{place}{line}: {}{see}", error.reason)).hint(hint)
    })
}

/// `text` of saved rules, if there are any, with `rule` added as it would stand in a policy file.
pub fn with_rule(text: Option<String>, rule: &str) -> String {
    let mut text = text.unwrap_or_else(|| "# Rules saved at the prompt. You can edit them.\n".to_owned());
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(rule);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unworded(act: &Act) -> String {
        format!("{act:?}")
    }

    #[test]
    fn a_choice_is_a_base_or_a_file() {
        assert_eq!("strict".parse(), Ok(PolicyChoice::Base(Base::Strict)));
        assert_eq!("./gate".parse(), Ok(PolicyChoice::File("./gate".into())));
    }

    #[test]
    fn a_rule_is_added_behind_others() {
        let first = with_rule(None, "[[allow]]\ntool = \"a\"\n");
        let both = with_rule(Some(first.clone()), "[[allow]]\ntool = \"b\"\n");
        assert_eq!(both, format!("{first}\n[[allow]]\ntool = \"b\"\n"));
        assert_eq!(parse("p", &both, &["a", "b"], unworded).unwrap().rules.len(), 2);
        assert_eq!(parse("p", &both, &["a"], unworded).unwrap_err().kind, ErrorKind::Usage);
    }
}
