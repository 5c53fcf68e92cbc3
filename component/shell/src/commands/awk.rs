//! `awk`, as POSIX has it, with what scripts use of gawk.

mod code;
mod expression;
mod fields;
mod format;
mod functions;
mod input;
mod lex;
mod machine;
mod output;
mod parse;
mod replace;
mod run;
mod step;
mod strings;
mod value;
mod variables;

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use self::code::{Program, Slot};
use self::machine::{Machine, Place};
use self::value::{Array, Table, Value};
use super::arguments::{Flag, Given, Reading, flag, read, valued};
use crate::exec::{Call, Ended};
use crate::world::Now;

const FLAGS: &[Flag] = &[
    valued('F', "field-separator"),
    valued('v', "assign"),
    valued('f', "file"),
    valued('e', "source"),
    flag('b', "characters-as-bytes"),
    flag('P', "posix"),
    flag('c', "traditional"),
    flag('r', "re-interval"),
    flag('s', "no-optimize"),
    flag('O', "optimize"),
    flag('S', "sandbox"),
    flag('V', "version"),
];

/// Runs a program for each record of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: true }).await?;
    if given.has('V') {
        call.line("GNU Awk 5.2.1, API 3.2 (gitgate's own)").await?;
        return Ok(0);
    }
    let mut operands = given.operands.clone();
    let text = source(call, &given, &mut operands).await?;
    let presets: Vec<String> = given
        .values('v')
        .chain(&operands)
        .filter_map(|text| text.split_once_str("=").map(|(name, _)| name.to_str_lossy().into_owned()))
        .filter(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .collect();
    let program = match parse::program(&text, &presets) {
        Ok(program) => program,
        Err((line, message)) => {
            let status = if message.starts_with("fatal: ") { 2 } else { 1 };
            call.complain(format!("cmd. line:{line}: {message}")).await?;
            return Ok(status);
        }
    };
    let mut machine = begun(call, program, &operands);
    let ended = match prepared(&mut machine, &given) {
        Ok(()) => machine.whole(call).await,
        Err(ended) => Err(ended),
    };
    match ended {
        Err(Ended::Failed(message)) => {
            call.flush().await?;
            call.complain(format!("cmd. line:1: fatal: {message}")).await?;
            machine.flush(call).await?;
            Ok(2)
        }
        ended => ended,
    }
}

/// The text of the program: what options name, or the first operand.
async fn source(call: &mut Call<'_>, given: &Given, operands: &mut Vec<BString>) -> Result<Vec<u8>, Ended> {
    let mut text = Vec::new();
    for (letter, value) in given.flags.iter().filter(|(letter, _)| matches!(letter, 'f' | 'e')) {
        if *letter == 'e' {
            text.extend_from_slice(value);
        } else {
            match call.open(value) {
                Ok(source) => text.extend_from_slice(&source.all().await),
                Err(error) => {
                    let why = crate::io::reason(&error);
                    call.complain(format!("fatal: cannot open source file `{value}' for reading: {why}")).await?;
                    return Err(Ended::Status(2));
                }
            }
        }
        text.push(b'\n');
        call.shell.hold(text.len())?;
    }
    if !given.has('f') && !given.has('e') {
        if operands.is_empty() {
            call.say("Usage: awk [POSIX or GNU style options] [--] 'program' file ...\n").await?;
            return Err(Ended::Status(1));
        }
        text = operands.remove(0).into();
    }
    Ok(text)
}

/// A machine whose variables are as they are at the beginning.
fn begun(call: &Call<'_>, program: Program, operands: &[BString]) -> Machine {
    let mut globals = vec![Value::Unset; program.globals.len()];
    for (number, text) in [
        (code::FS, " "),
        (code::OFS, " "),
        (code::ORS, "\n"),
        (code::RS, "\n"),
        (code::SUBSEP, "\x1c"),
        (code::CONVFMT, "%.6g"),
        (code::OFMT, "%.6g"),
        (code::FPAT, "[^[:space:]]+"),
        (code::FILENAME, ""),
        (code::RT, ""),
        (code::ERRNO, ""),
    ] {
        globals[number] = Value::text(text);
    }
    for number in [code::NF, code::NR, code::FNR, code::RSTART, code::RLENGTH, code::IGNORECASE] {
        globals[number] = Value::Num(0.0);
    }
    let environ = call.shell.exported().into_iter().map(|(name, text)| (name.into_bytes(), Value::input(text)));
    globals[code::ENVIRON] = array(environ);
    let argv = std::iter::once(&BString::from("awk"))
        .chain(operands)
        .enumerate()
        .map(|(at, operand)| (at.to_string().into_bytes(), Value::input(operand.clone())))
        .collect::<Vec<_>>();
    globals[code::ARGC] = strings::number(argv.len());
    globals[code::ARGV] = array(argv);
    globals[code::PROCINFO] = array([(b"version".to_vec(), Value::text("5.2.1"))]);
    Machine {
        ranges: vec![false; program.ranges],
        program: Rc::new(program),
        globals,
        stack: Vec::new(),
        frames: Vec::new(),
        record: fields::Record::default(),
        inputs: input::Inputs::default(),
        outputs: output::Outputs::default(),
        cache: expression::Cache::default(),
        now: Now { utc_offset: super::date::offset(call.shell), ..call.shell.base.files.now() },
        seed: 0.0,
        random: 0,
        most: call.shell.base.most,
        made: 0,
        status: 0,
        at: 0,
    }
}

fn array(entries: impl IntoIterator<Item = (Vec<u8>, Value)>) -> Value {
    let table: Table = entries.into_iter().map(|(key, value)| (Rc::new(key), value)).collect();
    Value::Array(Array::of(table))
}

/// Sets what options say.
fn prepared(machine: &mut Machine, given: &Given) -> Result<(), Ended> {
    for (letter, value) in &given.flags {
        match letter {
            'F' => {
                let separator = Value::text(lex::unescaped(value));
                machine.set(&Place::Slot(Slot::Global(code::FS)), separator)?;
            }
            'v' if !machine.preset(value)? => {
                return machine::fatal(format!("`{value}' argument to `-v' is not in `var=value' form"));
            }
            _ => (),
        }
    }
    Ok(())
}
