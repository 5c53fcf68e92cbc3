//! `declare`, `typeset`, `local`, `export`, `readonly`: variables and their attributes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use bstr::{BString, ByteSlice};

use crate::exec::assign::{Assigned, New, assign};
use crate::exec::call::Operand;
use crate::exec::command::is_name;
use crate::exec::{Call, Ended, select};
use crate::expand::quote;
use crate::state::Shell;
use crate::value::{Case, Map, Value, Variable};

/// What the flags ask for.
#[derive(Clone, Debug, Default)]
struct Wanted {
    /// Letters that are switched on, and off.
    on: String,
    off: String,
    prints: bool,
    functions: bool,
    global: bool,
}

/// Runs one of the commands.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut wanted = Wanted::default();
    match call.name.as_str() {
        "export" => wanted.on.push('x'),
        "readonly" => wanted.on.push('r'),
        _ => (),
    }
    if call.name == "local" && !call.shell.vars.in_function() {
        call.complain_here("can only be used in a function").await?;
        return Ok(1);
    }
    let mut operands = std::mem::take(&mut call.operands);
    while let Some(Operand::Word(word)) = operands.first() {
        let flags = word.to_str_lossy().into_owned();
        if flags == "--" {
            operands.remove(0);
            break;
        }
        if flags.len() < 2 || !flags.starts_with(['-', '+']) {
            break;
        }
        operands.remove(0);
        let on = flags.starts_with('-');
        for flag in flags[1..].chars() {
            match flag {
                'p' => wanted.prints = true,
                'f' | 'F' => wanted.functions = true,
                'g' => wanted.global = true,
                'n' if call.name == "export" => {
                    wanted.on = wanted.on.replace('x', "");
                    wanted.off.push('x');
                }
                'a' | 'A' | 'i' | 'l' | 'u' | 'n' | 'r' | 'x' | 't' | 'I' => {
                    (if on { &mut wanted.on } else { &mut wanted.off }).push(flag);
                }
                other => {
                    let sign = if on { '-' } else { '+' };
                    call.complain_here(format!("{sign}{other}: invalid option")).await?;
                    return Ok(2);
                }
            }
        }
    }
    if wanted.functions {
        let exports = wanted.on.contains('x') && !wanted.prints;
        if (exports || wanted.off.contains('x')) && !operands.is_empty() {
            return export(call, &operands, exports).await;
        }
        return functions(call, &operands).await;
    }
    if operands.is_empty() {
        return list(call, &wanted).await;
    }
    let mut status = 0;
    for operand in operands {
        if wanted.prints {
            let Operand::Word(name) = operand else { continue };
            status |= print(call, &name.to_str_lossy()).await?;
            continue;
        }
        let (name, assigned) = match operand {
            Operand::Assigned(assigned) => (assigned.name.clone(), Some(assigned)),
            Operand::Word(word) => split(&word),
        };
        if !is_name(name.as_bytes()) {
            call.complain_here(format!("`{name}': not a valid identifier")).await?;
            status = 1;
            continue;
        }
        status |= declare(call, &wanted, &name, assigned).await?;
    }
    Ok(status)
}

/// A word that may be an assignment.
fn split(word: &BString) -> (String, Option<Assigned>) {
    let text = word.to_str_lossy();
    let Some(at) = word.find_byte(b'=') else { return (text.into_owned(), None) };
    let (left, appends) = match word[..at].strip_suffix(b"+") {
        Some(left) => (left, true),
        None => (&word[..at], false),
    };
    let name = left.to_str_lossy().into_owned();
    let (name, index) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, index)) => (name.to_owned(), Some(index.to_owned())),
        None => (name, None),
    };
    let assigned = Assigned { name: name.clone(), index, appends, value: New::Text(word[at + 1..].into()) };
    (name, Some(assigned))
}

async fn declare(call: &mut Call<'_>, wanted: &Wanted, name: &str, assigned: Option<Assigned>) -> Result<i32, Ended> {
    let makes_own = match call.name.as_str() {
        "local" => true,
        "declare" | "typeset" => call.shell.vars.in_function() && !wanted.global,
        _ => false,
    };
    let shell = &mut *call.shell;
    if makes_own {
        shell.vars.hide(name);
    }
    if wanted.off.contains('r') && shell.vars.itself(name).is_some_and(|variable| variable.readonly) {
        call.complain_here(format!("{name}: readonly variable")).await?;
        return Ok(1);
    }
    let refers = wanted.on.contains('n');
    let target = if refers { name.to_owned() } else { shell.vars.resolved(name).to_owned() };
    if shell.vars.itself(&target).is_some_and(|variable| variable.readonly) && assigned.is_some() {
        call.complain_here(format!("{target}: readonly variable")).await?;
        return Ok(1);
    }
    let variable = shell.vars.entry(&target);
    // What makes something of a value comes before it, and what forbids it behind it.
    shape(variable, wanted, matches!(assigned, Some(Assigned { value: New::Elements(_), .. })));
    if refers {
        if let Some(Assigned { value: New::Text(text), .. }) = assigned {
            variable.value = Some(Value::Text(text));
        }
        variable.reference = true;
        return Ok(0);
    }
    if let Some(mut assigned) = assigned {
        assigned.name = target.clone();
        assign(shell, &assigned).await?;
    }
    let variable = shell.vars.entry(&target);
    variable.readonly |= wanted.on.contains('r');
    Ok(0)
}

fn shape(variable: &mut Variable, wanted: &Wanted, has_elements: bool) {
    for (flags, on) in [(&wanted.on, true), (&wanted.off, false)] {
        for flag in flags.chars() {
            match flag {
                'x' => variable.exported = on,
                'i' => variable.integer = on,
                'l' => variable.case = on.then_some(Case::Lower),
                'u' => variable.case = on.then_some(Case::Upper),
                'n' if !on => variable.reference = false,
                'a' if on && !matches!(variable.value, Some(Value::List(_))) => {
                    let first = variable.value.take().and_then(|value| value.text().cloned());
                    // Without a value it stays unset.
                    variable.value = Some(Value::List(BTreeMap::from_iter(first.map(|first| (0, first)))));
                }
                'A' if on && !matches!(variable.value, Some(Value::Map(_))) => {
                    variable.value = Some(Value::Map(Map::default()));
                }
                _ => (),
            }
        }
    }
    if has_elements && variable.value.is_none() {
        variable.value = Some(Value::List(BTreeMap::new()));
    }
}

/// How `declare -p` writes a variable.
fn declaration(name: &str, variable: &Variable) -> BString {
    let flags = crate::expand::flags(variable);
    let mut line = BString::from(format!("declare -{} {name}", if flags.is_empty() { "-" } else { &flags }));
    match &variable.value {
        None => (),
        Some(Value::Text(text)) => {
            line.push(b'=');
            line.extend_from_slice(&quote::double(text));
        }
        Some(Value::List(list)) => {
            line.extend_from_slice(b"=(");
            for (at, (index, text)) in list.iter().enumerate() {
                line.extend_from_slice(format!("{}[{index}]=", if at > 0 { " " } else { "" }).as_bytes());
                line.extend_from_slice(&quote::double(text));
            }
            line.push(b')');
        }
        Some(Value::Map(map)) => {
            line.extend_from_slice(b"=(");
            for (key, text) in map.iter() {
                line.push(b'[');
                let plain = key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:".contains(byte));
                line.extend_from_slice(&if plain { key.clone() } else { quote::double(key) });
                line.extend_from_slice(b"]=");
                line.extend_from_slice(&quote::double(text));
                line.push(b' ');
            }
            line.push(b')');
        }
    }
    line
}

async fn print(call: &mut Call<'_>, name: &str) -> Result<i32, Ended> {
    let line = call.shell.vars.itself(name).map(|variable| declaration(name, variable));
    match line {
        Some(line) => {
            call.line(line).await?;
            Ok(0)
        }
        None => {
            call.complain_here(format!("{name}: not found")).await?;
            Ok(1)
        }
    }
}

async fn list(call: &mut Call<'_>, wanted: &Wanted) -> Result<i32, Ended> {
    let takes = |(name, variable): &(&String, &Variable)| {
        let own = call.name != "local" || call.shell.vars.is_own(name);
        own && wanted.on.chars().all(|flag| match flag {
            'x' => variable.exported,
            'r' => variable.readonly,
            'i' => variable.integer,
            'a' => matches!(variable.value, Some(Value::List(_))),
            'A' => matches!(variable.value, Some(Value::Map(_))),
            _ => true,
        })
    };
    let plain = wanted.on.is_empty() && !wanted.prints;
    let lines: Vec<BString> = call
        .shell
        .vars
        .iter()
        .filter(takes)
        .filter_map(|(name, variable)| match plain {
            true => setting(name, variable),
            false => Some(declaration(name, variable)),
        })
        .collect();
    for line in lines {
        call.line(line).await?;
    }
    Ok(0)
}

/// How `set` writes a variable.
pub fn setting(name: &str, variable: &Variable) -> Option<BString> {
    let mut line = BString::from(format!("{name}="));
    match variable.value.as_ref()? {
        Value::Text(text) => line.extend_from_slice(&quote::listed(text)),
        _ => {
            let declared = declaration(name, variable);
            let at = declared.find_byte(b'=')?;
            line.extend_from_slice(&declared[at + 1..]);
        }
    }
    Some(line)
}

/// The names of functions, or whether there are such.
async fn functions(call: &mut Call<'_>, operands: &[Operand]) -> Result<i32, Ended> {
    if operands.is_empty() {
        let names: Vec<String> = call.shell.functions.keys().cloned().collect();
        for name in names {
            call.line(format!("declare -f {name}")).await?;
        }
        return Ok(0);
    }
    let mut status = 0;
    for operand in operands {
        let Operand::Word(name) = operand else { continue };
        let name = name.to_str_lossy();
        match body(call.shell, &name) {
            Some(text) => call.line(text).await?,
            None => status = 1,
        }
    }
    Ok(status)
}

/// Has the shells that are called have these functions, or takes that back.
async fn export(call: &mut Call<'_>, operands: &[Operand], exported: bool) -> Result<i32, Ended> {
    let mut status = 0;
    for operand in operands {
        let Operand::Word(name) = operand else { continue };
        match Rc::make_mut(&mut call.shell.functions).get_mut(&*name.to_str_lossy()) {
            Some(function) => Rc::make_mut(function).exported = exported,
            None => {
                call.complain_here(format!("{name}: not a function")).await?;
                status = 1;
            }
        }
    }
    Ok(status)
}

/// A function as text.
pub fn body(shell: &Shell, name: &str) -> Option<String> {
    let function = shell.functions.get(name)?;
    let lines = function.body.0.to_string();
    let lines: Vec<_> = lines.lines().map(as_written).collect();
    Some(format!("{name} () \n{}", lines.join("\n")))
}

/// A line of a function, without what reading it has put in: see `parse::menus` and `parse::nothing`.
fn as_written(line: &str) -> Cow<'_, str> {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let (word, rest) = match (code.strip_prefix("for "), code.strip_prefix(&*format!("for {}", select::MARK))) {
        (_, Some(rest)) => ("select", rest),
        (Some(rest), None) => ("for", rest),
        (None, None) => return line.into(),
    };
    let rest = rest.strip_suffix(" in ${IFS+};").map_or_else(|| rest.to_owned(), |name| format!("{name} in ;"));
    format!("{indent}{word} {rest}").into()
}
