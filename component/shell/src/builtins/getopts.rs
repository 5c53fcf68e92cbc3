//! `getopts`

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};

/// Reads the next option.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let [options, name, given @ ..] = &*args else {
        call.complain_here("usage: getopts optstring name [arg ...]").await?;
        return Ok(2);
    };
    let given: Vec<BString> = if given.is_empty() { call.shell.args.to_vec() } else { given.to_vec() };
    let (silent, options) = match options.strip_prefix(b":") {
        Some(options) => (true, options),
        None => (false, options.as_bytes()),
    };
    let name = name.to_str_lossy().into_owned();
    let index = call.shell.vars.text("OPTIND").and_then(|text| text.to_str().ok()?.parse().ok()).unwrap_or(1);
    let mut state = call.shell.getopts;
    if index != state.index {
        state = crate::state::Getopts { index, letter: 0 };
    }
    let ended = |call: &mut Call<'_>, index: usize| {
        call.shell.getopts = crate::state::Getopts { index, letter: 0 };
        call.shell.set("OPTIND", index.to_string())?;
        call.shell.set(&name, "?")?;
        call.shell.vars.remove("OPTARG");
        Ok(1)
    };
    let Some(arg) = given.get(state.index.saturating_sub(1)) else { return ended(call, state.index.max(1)) };
    if state.letter == 0 {
        if arg == "--" {
            return ended(call, state.index + 1);
        }
        if arg.len() < 2 || !arg.starts_with(b"-") {
            return ended(call, state.index);
        }
        state.letter = 1;
    }
    let letter = arg[state.letter];
    state.letter += 1;
    let rest: BString = arg[state.letter..].into();
    let known = options.find_byte(letter).filter(|_| letter != b':');
    let takes = known.is_some_and(|at| options.get(at + 1) == Some(&b':'));
    if rest.is_empty() || takes {
        state = crate::state::Getopts { index: state.index + 1, letter: 0 };
    }
    let shown = char::from(letter).to_string();
    let mut result: BString = shown.as_str().into();
    let mut value = None;
    if known.is_none() {
        result = "?".into();
        if silent {
            value = Some(BString::from(shown.as_str()));
        } else {
            call.shell.complain(&format!("illegal option -- {shown}")).await?;
        }
    } else if takes {
        if !rest.is_empty() {
            value = Some(rest);
        } else if let Some(next) = given.get(state.index - 1) {
            value = Some(next.clone());
            state.index += 1;
        } else if silent {
            (result, value) = (":".into(), Some(shown.as_str().into()));
        } else {
            result = "?".into();
            call.shell.complain(&format!("option requires an argument -- {shown}")).await?;
        }
    }
    call.shell.getopts = state;
    call.shell.set("OPTIND", state.index.to_string())?;
    call.shell.set(&name, result)?;
    match value {
        Some(value) => call.shell.set("OPTARG", value)?,
        None => call.shell.vars.remove("OPTARG"),
    }
    Ok(0)
}
