//! `unset`, `shift`, `let`.

use std::rc::Rc;

use bstr::ByteSlice;

use super::flow::number;
use crate::exec::{Call, Ended};
use crate::expand::{self, arithmetic};
use crate::value::Value;

/// `unset`
pub async fn unset(call: &mut Call<'_>) -> Result<i32, Ended> {
    let (mut functions, mut variables, mut itself) = (false, false, false);
    let mut status = 0;
    for arg in std::mem::take(&mut call.args) {
        let name = arg.to_str_lossy().into_owned();
        match name.as_str() {
            "-f" => functions = true,
            "-v" => variables = true,
            "-n" => itself = true,
            _ if functions => drop(Rc::make_mut(&mut call.shell.functions).remove(&name)),
            _ => {
                if let Some((name, key)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                    element(call, name, key).await?;
                    continue;
                }
                let resolved = if itself { name.clone() } else { call.shell.vars.resolved(&name).to_owned() };
                match call.shell.vars.itself(&resolved) {
                    Some(variable) if variable.readonly => {
                        call.complain_here(format!("{name}: cannot unset: readonly variable")).await?;
                        status = 1;
                    }
                    Some(_) => call.shell.vars.remove(&resolved),
                    None if !variables => drop(Rc::make_mut(&mut call.shell.functions).remove(&name)),
                    None => (),
                }
            }
        }
    }
    Ok(status)
}

async fn element(call: &mut Call<'_>, name: &str, key: &str) -> Result<(), Ended> {
    let name = call.shell.vars.resolved(name).to_owned();
    let Some(value) = call.shell.vars.itself(&name).and_then(|variable| variable.value.clone()) else { return Ok(()) };
    let value = match value {
        Value::Map(mut map) => {
            let key = expand::key(call.shell, key).await?;
            map.remove(&key);
            Value::Map(map)
        }
        Value::List(_) if matches!(key, "@" | "*") => {
            call.shell.vars.remove(&name);
            return Ok(());
        }
        Value::List(mut list) => {
            let at = arithmetic::run(call.shell, key).await?;
            let at = if at < 0 { list.last_key_value().map_or(0, |(last, _)| last + 1) + at } else { at };
            list.remove(&at);
            Value::List(list)
        }
        Value::Text(text) => Value::Text(text),
    };
    call.shell.vars.entry(&name).value = Some(value);
    Ok(())
}

/// `shift`
pub async fn shift(call: &mut Call<'_>) -> Result<i32, Ended> {
    let count = number(call, 0).await?.unwrap_or(1);
    let args = &mut call.shell.args;
    match usize::try_from(count) {
        Ok(count) if count <= args.len() => {
            Rc::make_mut(args).drain(..count);
            Ok(0)
        }
        Ok(_) => Ok(1),
        Err(_) => {
            call.complain_here(format!("{count}: shift count out of range")).await?;
            Ok(1)
        }
    }
}

/// `let`
pub async fn calculate(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut last = 0;
    for arg in std::mem::take(&mut call.args) {
        last = arithmetic::evaluate(call.shell, &arg)?;
    }
    Ok(i32::from(last == 0))
}
