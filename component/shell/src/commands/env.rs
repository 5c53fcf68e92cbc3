//! `env` and `printenv`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended, call};
use crate::value::Variable;

const FLAGS: &[Flag] =
    &[flag('i', "ignore-environment"), flag('0', "null"), valued('u', "unset"), valued('C', "chdir")];

/// Prints the exported variables, or runs a command with others.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 125, stops: true }).await?;
    let mut shell = call.shell.fork();
    let mut hide = |name: &str| {
        if shell.vars.itself(name).is_some_and(|variable| variable.exported) {
            shell.vars.remove(name);
        }
    };
    if given.has('i') || given.operands.first().is_some_and(|first| first == "-") {
        for (name, _) in call.shell.exported() {
            hide(&name);
        }
    }
    given.values('u').for_each(|name| hide(&name.to_str_lossy()));
    let mut operands = given.operands.iter().filter(|operand| *operand != "-").peekable();
    while let Some((name, text)) = operands.peek().and_then(|operand| operand.split_once_str("=")) {
        operands.next();
        *shell.vars.entry(&name.to_str_lossy()) = Variable { exported: true, ..Variable::of(text) };
    }
    if let Some(folder) = given.value('C') {
        shell.folder = shell.path(folder);
    }
    let Some(name) = operands.next() else {
        let end = if given.has('0') { "\0" } else { "\n" };
        for (name, text) in shell.exported() {
            call.print([name.as_bytes(), b"=", &text, end.as_bytes()].concat()).await?;
        }
        return Ok(0);
    };
    let args: Vec<BString> = operands.cloned().collect();
    call.flush().await?;
    call::again(&mut shell, &name.to_str_lossy(), args).await
}

/// Prints the text of variables.
pub async fn printenv(call: &mut Call<'_>) -> Result<i32, Ended> {
    let exported = call.shell.exported();
    let names = std::mem::take(&mut call.args);
    if names.is_empty() {
        for (name, text) in exported {
            call.line([name.as_bytes(), b"=", &text].concat()).await?;
        }
        return Ok(0);
    }
    let mut status = 0;
    for name in names {
        match exported.iter().find(|(known, _)| name == known.as_str()) {
            Some((_, text)) => call.line(text).await?,
            None => status = 1,
        }
    }
    Ok(status)
}
