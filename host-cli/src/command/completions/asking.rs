//! Whose names are asked for: what the words before the last one say of home and sandbox.

use std::ffi::OsString;
use std::path::PathBuf;

use gate::id::SandboxId;

use crate::cli::sandbox_of_environment;
use crate::command::Context;
use crate::home::Home;
use crate::sandbox::Clock;

/// The home and the sandbox that the words name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asking {
    home: Option<PathBuf>,
    sandbox: Option<String>,
}

impl Asking {
    /// Reads unfinished words, which clap would refuse. After `--` there are no options.
    pub fn of(words: &[OsString]) -> Self {
        let mut asking = Asking::default();
        let before = &words[..words.len().saturating_sub(1)];
        let mut words = before.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--");
        while let Some(word) = words.next() {
            if let Some(home) = value(&word, &["--home"], &mut words) {
                asking.home = Some(home.into());
            } else if let Some(name) = value(&word, &["--sandbox", "-s"], &mut words) {
                asking.sandbox = Some(name);
            }
        }
        asking
    }

    /// The context, with the sandbox that a command would work on. `None` if there is none.
    pub fn context(&self) -> Option<Context> {
        let context = self.of_all()?;
        let named = context.is_named.then(|| context.name.clone());
        let choice = context.standing().ok()?.choose(named).ok()?;
        Some(Context { name: choice.name, ..context })
    }

    /// The context of what is for all sandboxes unless one is named.
    pub fn of_all(&self) -> Option<Context> {
        let home = self.home.clone().or_else(|| std::env::var_os("GITGATE_HOME").map(PathBuf::from));
        let named: Option<SandboxId> = match &self.sandbox {
            Some(name) => Some(name.parse().ok()?),
            None => sandbox_of_environment().ok()?,
        };
        Some(Context::new(Home::find(home).ok()?, named, Clock::default()))
    }
}

/// The value of the option, if `word` is one of `names` with or before it.
fn value<'w>(
    word: &str,
    names: &[&str],
    words: &mut impl Iterator<Item = std::borrow::Cow<'w, str>>,
) -> Option<String> {
    for name in names {
        match word.strip_prefix(name) {
            Some("") => return words.next().map(|value| value.into_owned()),
            Some(rest) if name.starts_with("--") => {
                if let Some(value) = rest.strip_prefix('=') {
                    return Some(value.to_owned());
                }
            }
            Some(rest) => return Some(rest.strip_prefix('=').unwrap_or(rest).to_owned()),
            None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_and_sandbox_are_read_wherever_they_stand() {
        let asking = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let Asking { home, sandbox } = Asking::of(&words);
            (home.map(|home| home.display().to_string()), sandbox)
        };
        let both = (Some("/h".to_owned()), Some("work".to_owned()));
        for words in [
            &["-s", "work", "--home", "/h", "push", ""][..],
            &["push", "--home=/h", "--sandbox=work", ""],
            &["push", "-swork", "--home", "/h", ""],
            &["-s=work", "--home=/h", "run", "--", "-s", "other", ""],
        ] {
            assert_eq!(asking(words), both, "{words:?}");
        }
        for words in [&[][..], &["push"], &["-s", "work"], &["push", "-s"], &["--sandboxes=a", ""]] {
            assert_eq!(asking(words), (None, None), "{words:?}");
        }
    }
}
