//! Parameters that the shell keeps itself.

use brush_parser::word::SpecialParameter as Special;
use bstr::BString;

use crate::state::{SOURCED, Shell};
use crate::value::{Value, Variable};

/// The version of bash that scripts are told of.
pub const VERSION: &str = "5.2.15(1)-release";
/// The process that there would be.
const PROCESS: &str = "1";

/// A special parameter.
pub fn parameter(shell: &Shell, parameter: &Special) -> Option<BString> {
    Some(match parameter {
        Special::PositionalParameterCount => shell.args.len().to_string().into(),
        Special::LastExitStatus => shell.status.to_string().into(),
        Special::CurrentOptionFlags => shell.options.letters().into(),
        Special::ProcessId => PROCESS.into(),
        Special::ShellName => shell.name.clone(),
        Special::LastBackgroundProcessId => return None,
        Special::AllPositionalParameters { .. } => bstr::join(" ", shell.args.iter()).into(),
    })
}

/// The text of a variable that the shell keeps itself. None if it is none, or was unset.
pub fn text(shell: &Shell, name: &str) -> Option<BString> {
    let now = || shell.base.files.now();
    Some(match name {
        "_" => shell.last.clone(),
        "LINENO" => shell.line.max(1).to_string().into(),
        "BASHPID" | "PPID" => PROCESS.into(),
        "UID" | "EUID" => "1000".into(),
        "RANDOM" => {
            // The minimal generator of Park and Miller, as bash has it.
            let seed = &shell.base.random;
            let next = u64::from(seed.get().max(1)) * 16_807 % 2_147_483_647;
            let next = u32::try_from(next).expect("it is smaller than the modulus");
            seed.set(next);
            ((next ^ (next >> 16)) & 0x7fff).to_string().into()
        }
        "SECONDS" => shell.slept().wrapping_add(shell.seconds).to_string().into(),
        "EPOCHSECONDS" => now().nanos.div_euclid(1_000_000_000).to_string().into(),
        "EPOCHREALTIME" => {
            let micros = now().nanos.div_euclid(1_000);
            format!("{}.{:06}", micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000)).into()
        }
        "BASH_SUBSHELL" => shell.subshell.to_string().into(),
        "BASH_VERSION" => VERSION.into(),
        "FUNCNAME" => list(shell, name)?.into_iter().next()?,
        "BASH_COMMAND" => BString::from(shell.command.as_deref()?),
        "PIPESTATUS" => shell.statuses.first()?.to_string().into(),
        "BASH_SOURCE" | "BASH_VERSINFO" => list(shell, name)?.into_iter().next()?,
        "SHELLOPTS" => {
            let on = |(name, _, field): &(&'static str, char, fn(&mut _) -> &mut bool)| {
                let mut options = shell.options;
                (*field(&mut options)).then_some(*name)
            };
            let mut names: Vec<&str> = super::super::state::options::SET.iter().filter_map(on).collect();
            names.extend(["braceexpand", "hashall", "interactive-comments"]);
            names.sort_unstable();
            names.join(":").into()
        }
        _ => return None,
    })
}

/// The elements of an array that the shell keeps itself.
pub fn list(shell: &Shell, name: &str) -> Option<Vec<BString>> {
    let texts = |texts: &[&str]| Some(texts.iter().map(|text| BString::from(*text)).collect());
    match name {
        "PIPESTATUS" => Some(shell.statuses.iter().map(|status| status.to_string().into()).collect()),
        "FUNCNAME" => {
            // It is there only in functions, though files that are sourced stand in it as well.
            if shell.frames.iter().all(|frame| frame.function == SOURCED) {
                return Some(Vec::new());
            }
            let mut names: Vec<BString> =
                shell.frames.iter().rev().map(|frame| frame.function.as_str().into()).collect();
            // A text that is no file has no function around it.
            if !names.is_empty() && !outermost(shell).is_empty() {
                names.push("main".into());
            }
            Some(names)
        }
        "BASH_LINENO" => {
            let lines = shell.frames.iter().rev().map(|frame| frame.line.to_string().into());
            let end = (!outermost(shell).is_empty()).then(|| "0".into());
            Some(lines.chain(end).collect())
        }
        "BASH_SOURCE" => {
            let callers = shell.frames.iter().rev().map(|frame| &frame.from.source);
            let all = [&shell.place.source].into_iter().chain(callers);
            Some(all.filter(|source| !source.is_empty()).map(|source| BString::clone(source)).collect())
        }
        "DIRSTACK" => {
            let left = shell.folders.iter().rev().cloned();
            Some([shell.folder.clone()].into_iter().chain(left).collect())
        }
        "GROUPS" => texts(&["1000"]),
        "BASH_VERSINFO" => texts(&["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"]),
        _ => None,
    }
}

/// All elements of an array, or the text of a variable.
pub fn elements(shell: &Shell, name: &str) -> Option<Vec<BString>> {
    if let Some(list) = list(shell, name) {
        return Some(list);
    }
    if let Some(text) = text(shell, name) {
        return Some(vec![text]);
    }
    let Variable { value, .. } = shell.vars.get(name)?;
    value.as_ref().map(Value::all)
}

/// The file that the shell runs, or nothing if it runs a text.
pub fn outermost(shell: &Shell) -> &BString {
    &shell.frames.first().map_or(&shell.place, |frame| &frame.from).source
}
