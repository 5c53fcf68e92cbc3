//! Reads a command line of git, as its parse-options.c does.

use super::Failed;

/// What an option takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Takes {
    Nothing,
    /// Its own word, or what comes behind it.
    Value,
    /// What stands behind a `=`, if anything does.
    Maybe,
}

/// An option.
pub struct Opt {
    /// Its names. The first is the one that it is asked for by. `-<n>` stands for a number by itself.
    names: &'static [&'static str],
    takes: Takes,
}

/// An option that takes nothing.
pub const fn flag(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Nothing }
}

/// An option with a value.
pub const fn value(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Value }
}

/// An option that can have a value.
pub const fn maybe(names: &'static [&'static str]) -> Opt {
    Opt { names, takes: Takes::Maybe }
}

/// Options that change nothing here: there is no terminal, and no hook.
const NOTHING: &[&str] = &["--no-color", "--color=never", "--no-ext-diff", "--no-verify", "--no-gpg-sign", "--no-edit"];

/// What a command line says.
#[derive(Debug, Default)]
pub struct Given {
    set: Vec<(&'static str, Option<String>)>,
    /// How many words stand before each of them.
    before: Vec<usize>,
    /// What is no option, before any `--`.
    pub words: Vec<String>,
    /// What stands behind a `--`.
    pub after: Option<Vec<String>>,
}

impl Given {
    /// Whether an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.set.iter().any(|(set, _)| *set == name)
    }

    /// How often an option was given.
    pub fn count(&self, name: &str) -> usize {
        self.set.iter().filter(|(set, _)| *set == name).count()
    }

    /// How many words stand before an option.
    pub fn before(&self, name: &str) -> Option<usize> {
        let at = self.set.iter().position(|(set, _)| *set == name)?;
        self.before.get(at).copied()
    }

    /// The last value of an option.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.set.iter().rev().filter(|(set, _)| *set == name).find_map(|(_, value)| value.as_deref())
    }

    /// All its values.
    pub fn values<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        self.set.iter().filter(move |(set, _)| *set == name).filter_map(|(_, value)| value.as_deref())
    }

    /// The number that an option has.
    pub fn number(&self, name: &str) -> Result<Option<u32>, Failed> {
        let Some(text) = self.value(name) else { return Ok(None) };
        match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => super::fatal(format!("'{text}': not an integer")),
        }
    }

    /// All words, on both sides of a `--`.
    pub fn all(&self) -> Vec<String> {
        self.words.iter().chain(self.after.iter().flatten()).cloned().collect()
    }
}

/// Reads the words behind the name of a subcommand.
pub fn read(command: &str, options: &'static [Opt], args: Vec<String>) -> Result<Given, Failed> {
    let mut given = Given::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            given.after = Some(args.collect());
            break;
        }
        if NOTHING.contains(&arg.as_str()) && find(options, &arg).is_none() {
            continue;
        }
        if !arg.starts_with('-') || arg == "-" {
            given.words.push(arg);
            continue;
        }
        let number = arg.len() > 1 && arg[1..].bytes().all(|byte| byte.is_ascii_digit());
        if number && let Some(option) = find(options, "-<n>") {
            given.set.push((option.names[0], Some(arg[1..].to_owned())));
        } else if arg.starts_with("--") {
            long(command, options, &arg, &mut args, &mut given)?;
        } else {
            short(command, options, &arg, &mut args, &mut given)?;
        }
        given.before.resize(given.set.len(), given.words.len());
    }
    Ok(given)
}

fn find(options: &'static [Opt], name: &str) -> Option<&'static Opt> {
    options.iter().find(|option| option.names.contains(&name))
}

fn long(
    command: &str,
    options: &'static [Opt],
    arg: &str,
    args: &mut impl Iterator<Item = String>,
    given: &mut Given,
) -> Result<(), Failed> {
    let (name, value) = match arg.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (arg, None),
    };
    let Some(option) = find(options, name) else {
        return Err(unknown(command, options, &format!("error: unknown option `{}'", arg.trim_start_matches('-'))));
    };
    let name = option.names[0];
    match (option.takes, value) {
        (Takes::Nothing, Some(_)) => {
            return Err(unknown(command, options, &format!("error: option `{}' takes no value", &arg[2..])));
        }
        (Takes::Value, None) => match args.next() {
            Some(value) => given.set.push((name, Some(value))),
            None => {
                return Err(unknown(command, options, &format!("error: option `{}' requires a value", &arg[2..])));
            }
        },
        (_, value) => given.set.push((name, value)),
    }
    Ok(())
}

fn short(
    command: &str,
    options: &'static [Opt],
    arg: &str,
    args: &mut impl Iterator<Item = String>,
    given: &mut Given,
) -> Result<(), Failed> {
    for (at, letter) in arg[1..].char_indices() {
        let Some(option) = find(options, &format!("-{letter}")) else {
            return Err(unknown(command, options, &format!("error: unknown switch `{letter}'")));
        };
        let name = option.names[0];
        let rest = &arg[1 + at + letter.len_utf8()..];
        match option.takes {
            Takes::Nothing => given.set.push((name, None)),
            Takes::Maybe => {
                given.set.push((name, (!rest.is_empty()).then(|| rest.to_owned())));
                break;
            }
            Takes::Value if !rest.is_empty() => {
                given.set.push((name, Some(rest.to_owned())));
                break;
            }
            Takes::Value => match args.next() {
                Some(value) => given.set.push((name, Some(value))),
                None => {
                    return Err(unknown(command, options, &format!("error: switch `{letter}' requires a value")));
                }
            },
        }
    }
    Ok(())
}

/// The error about an option, with those that there are.
fn unknown(command: &str, options: &[Opt], error: &str) -> Failed {
    let names: Vec<&str> = options.iter().flat_map(|option| option.names.iter().copied()).collect();
    let known = if names.is_empty() { "no options".to_owned() } else { names.join(" ") };
    Failed::Said(format!("{error}\nhint: `git {command}` of this sandbox has {known}.\n"), 129)
}
