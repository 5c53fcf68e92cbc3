//! `set` and `shopt`.

use std::rc::Rc;

use bstr::ByteSlice;

use crate::exec::{Call, Ended};
use crate::state::options::{IGNORED, SET, SHOPT};

/// `set`
pub async fn set(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    if args.is_empty() {
        let lines: Vec<_> =
            call.shell.vars.iter().filter_map(|(name, variable)| super::declare::setting(name, variable)).collect();
        for line in lines {
            call.line(line).await?;
        }
        return Ok(0);
    }
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.to_str_lossy().into_owned();
        let on = text.starts_with('-');
        if text == "--" || text == "-" {
            call.shell.args = Rc::new(args[at + 1..].to_vec());
            return Ok(0);
        }
        if text.len() < 2 || !text.starts_with(['-', '+']) {
            call.shell.args = Rc::new(args[at..].to_vec());
            return Ok(0);
        }
        at += 1;
        for letter in text[1..].chars() {
            if letter == 'o' {
                let Some(name) = args.get(at) else {
                    list(call).await?;
                    return Ok(0);
                };
                at += 1;
                let name = name.to_str_lossy().into_owned();
                if let Some((.., field)) = SET.iter().find(|(known, ..)| *known == name) {
                    *field(&mut call.shell.options) = on;
                } else if !IGNORED.iter().any(|(known, _)| *known == name) {
                    call.complain_here(format!("{name}: invalid option name")).await?;
                    return Ok(2);
                }
            } else if let Some((.., field)) = SET.iter().find(|(_, known, _)| *known == letter) {
                *field(&mut call.shell.options) = on;
            } else if !IGNORED.iter().any(|(_, known)| *known == letter) {
                call.complain_here(format!("-{letter}: invalid option")).await?;
                return Ok(2);
            }
        }
    }
    Ok(0)
}

async fn list(call: &mut Call<'_>) -> Result<(), Ended> {
    let mut options = call.shell.options;
    let known = SET.iter().map(|(name, _, field)| (*name, *field(&mut options)));
    let mut all: Vec<(&str, bool)> = known.collect();
    all.extend(
        IGNORED.iter().map(|(name, _)| (*name, matches!(*name, "braceexpand" | "hashall" | "interactive-comments"))),
    );
    all.sort_unstable();
    for (name, on) in all {
        call.line(format!("{name:<15}\t{}", if on { "on" } else { "off" })).await?;
    }
    Ok(())
}

/// `shopt`
pub async fn shopt(call: &mut Call<'_>) -> Result<i32, Ended> {
    let (mut sets, mut quiet) = (None, false);
    let mut names = Vec::new();
    for arg in std::mem::take(&mut call.args) {
        match arg.as_bytes() {
            b"-s" => sets = Some(true),
            b"-u" => sets = Some(false),
            b"-q" => quiet = true,
            b"-p" | b"-o" => (),
            _ => names.push(arg.to_str_lossy().into_owned()),
        }
    }
    let mut status = 0;
    let all = names.is_empty();
    for (known, field) in SHOPT.iter().filter(|(known, _)| all || names.iter().any(|name| name == known)) {
        match sets {
            Some(on) if !all => *field(&mut call.shell.options) = on,
            _ => {
                let on = *field(&mut call.shell.options);
                status |= i32::from(!on && !all);
                if !quiet && sets.is_none_or(|wanted| wanted == on) {
                    call.line(format!("{known:<15}\t{}", if on { "on" } else { "off" })).await?;
                }
            }
        }
    }
    for name in names {
        // Options that change nothing in a script are taken.
        const OTHERS: &[&str] = &[
            "autocd",
            "cdspell",
            "checkhash",
            "checkjobs",
            "checkwinsize",
            "cmdhist",
            "compat31",
            "direxpand",
            "extquote",
            "globasciiranges",
            "histappend",
            "huponexit",
            "interactive_comments",
            "localvar_inherit",
            "localvar_unset",
            "patsub_replacement",
            "progcomp",
            "promptvars",
            "sourcepath",
            "xpg_echo",
        ];
        if !SHOPT.iter().any(|(known, _)| *known == name) && !OTHERS.contains(&name.as_str()) {
            call.complain_here(format!("{name}: invalid shell option name")).await?;
            status = 1;
        }
    }
    Ok(status)
}
