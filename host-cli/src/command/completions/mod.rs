//! Completions: the scripts for the shells, and what gitgate says to them.
//!
//! clap's engine knows the commands and options, and asks `values` for names. It comes with scripts of its own, which are not used: in bash
//! they put names unquoted onto the command line, where a folder's name could be a command, and cut targets off at the colon. So the scripts
//! here ask `gitgate __complete WORD...`, and get a line for each word that fits the last one, with a tab and a description.

mod asking;
mod values;

use std::ffi::OsString;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::engine;

use self::asking::Asking;
use crate::cli::Cli;
use crate::report::{self, Exit};
use crate::screen;

/// Print a shell's completions for gitgate
///
/// They complete names, too: of sandboxes, targets, branches, tools and calls. Put them where your
/// shell looks: for bash in ~/.local/share/bash-completion/completions/gitgate, for zsh as _gitgate
/// into a folder of $fpath, for fish in ~/.config/fish/completions/gitgate.fish.
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell
    #[arg(value_enum)]
    shell: Known,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

impl Completions {
    pub fn run(self) -> anyhow::Result<Exit> {
        report::print(match self.shell {
            Known::Bash => include_str!("gitgate.bash"),
            Known::Zsh => include_str!("_gitgate"),
            Known::Fish => include_str!("gitgate.fish"),
        })?;
        Ok(Exit::Done)
    }
}

/// The word by which the scripts ask, in the place of a command. No person types it, so no help names it.
const ASK: &str = "__complete";

/// The words to complete, if a script asks.
pub(crate) fn asked(arguments: &[OsString]) -> Option<&[OsString]> {
    arguments.get(1).filter(|word| *word == ASK).map(|_| &arguments[2..])
}

/// Answers a script. Who presses a key wants no message, so what fails only has no candidates.
pub(crate) fn answer(words: &[OsString]) -> Exit {
    let lines: String = fitting(words).iter().map(|line| format!("{line}\n")).collect();
    match report::print(&lines) {
        Ok(_) => Exit::Done,
        Err(_) => Exit::Error,
    }
}

/// What fits the last of the words, a line each.
fn fitting(words: &[OsString]) -> Vec<String> {
    let mut command = values::known(Cli::command(), &Asking::of(words));
    let mut line = vec![OsString::from("gitgate")];
    line.extend(words.iter().cloned());
    if words.is_empty() {
        line.push(OsString::new());
    }
    let last = line.len() - 1;
    let here = std::env::current_dir().ok();
    let found = engine::complete(&mut command, line, last, here.as_deref()).unwrap_or_default();
    found.iter().filter_map(shown).collect()
}

/// A candidate as the scripts read it. Leaves out one that a terminal would obey: the shell would show it.
fn shown(candidate: &engine::CompletionCandidate) -> Option<String> {
    let value = candidate.get_value().to_str().filter(|value| screen::line(value) == **value)?;
    let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
    let help = screen::line(help.lines().next().unwrap_or_default());
    Some(if help.is_empty() { value.to_owned() } else { format!("{value}\t{help}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of what fits.
    fn values(words: &[&str]) -> Vec<String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let lines = fitting(&words).into_iter();
        lines.map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn commands_options_and_their_fixed_values_are_completed() {
        assert!(values(&["rev"]).contains(&"review".to_owned()));
        assert!(values(&["push", "--o"]).contains(&"--only".to_owned()));
        assert_eq!(values(&["--color", "al"]), ["always"]);
        assert_eq!(values(&["setup", "cod"]), ["codex"]);
        assert_eq!(values(&["call", "git_pus"]), ["git_push"]);
        assert_eq!(values(&["policy", "explain", "git_pus"]), ["git_push"]);
        assert_eq!(values(&["nothing", "x"]), [""; 0]);
    }

    #[test]
    fn a_script_asks_with_a_word_that_no_help_names() {
        let words = ["gitgate", ASK, "-s", ""].map(OsString::from);
        assert_eq!(asked(&words), Some(&words[2..]));
        assert_eq!(asked(&words[1..]), None);
        assert!(!Cli::command().render_long_help().to_string().contains(ASK));
    }

    #[test]
    fn attack_15_a_name_that_a_terminal_obeys_is_left_out() {
        let shown = |value: &str| shown(&engine::CompletionCandidate::new(value).help(Some("a\x1b[2J".into())));
        let plain = shown("plain").unwrap();
        assert!(plain.starts_with("plain\ta") && !plain.contains('\x1b'), "{plain:?}");
        for odd in ["a\x1b[2J", "a\nb", "a\tb", "a\u{202e}b"] {
            assert_eq!(shown(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn names_of_a_home_are_completed_and_nothing_is_written() {
        let home = tempfile::tempdir().unwrap();
        let sandboxes = home.path().join("sandboxes");
        for name in ["work", "worse"] {
            std::fs::create_dir_all(sandboxes.join(name)).unwrap();
            // As every sandbox has them.
            for file in ["sandbox.toml", "lock"] {
                std::fs::write(sandboxes.join(name).join(file), "").unwrap();
            }
        }
        let home_word = home.path().to_str().unwrap();
        assert_eq!(values(&["--home", home_word, "-s", "wo"]), ["work", "worse"]);
        assert_eq!(values(&["--home", home_word, "--sandbox=wor"]), ["--sandbox=work", "--sandbox=worse"]);
        assert_eq!(values(&["rm", "--home", home_word, "works"]), [""; 0]);
        // They are damaged: there are no candidates, and no message.
        for words in [&["push", "a"][..], &["review", "a"], &["settle", "a"]] {
            assert_eq!(values(&[&["--home", home_word, "-s", "work"], words].concat()), [""; 0]);
        }
        let count = |folder: &std::path::Path| std::fs::read_dir(folder).unwrap().count();
        assert_eq!((count(home.path()), count(&sandboxes), count(&sandboxes.join("work"))), (1, 2, 2));
    }
}
