//! Commands that run other commands as programs: neither functions nor what only a shell can do.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended, Found, call, ended, find, settled};
use crate::io::Source;

/// The shell's own commands that are programs as well.
const PROGRAMS: &[&str] = &["[", "echo", "false", "kill", "printf", "pwd", "test", "true"];

/// What became of a program.
#[derive(Debug)]
pub enum Ran {
    /// It ended by itself.
    Status(i32),
    /// Nobody read what it wrote.
    Broken,
    /// It cannot be run, for this reason and with this status.
    Missing(String, i32),
}

/// Runs a program in a shell of its own, which reads what is given, or what the caller reads.
pub async fn run(call: &mut Call<'_>, name: &[u8], args: Vec<BString>, stdin: Option<Source>) -> Result<Ran, Ended> {
    call.flush().await?;
    let mut shell = call.shell.fork();
    shell.deeper()?;
    shell.handed = call::exported_functions(&shell);
    shell.functions = Rc::default();
    if let Some(stdin) = stdin {
        shell.fds.set(0, stdin);
    }
    let name = name.to_str_lossy();
    match find(&shell, &name) {
        Found::Builtin(_) if !is_program(&name) => return Ok(missing(127)),
        Found::Nothing(_, status) => return Ok(missing(status)),
        _ => (),
    }
    match Box::pin(call::again(&mut shell, &name, args)).await {
        Err(Ended::Broken) => Ok(Ran::Broken),
        other => {
            let flow = settled(&mut shell, other).await;
            Ok(Ran::Status(ended(&mut shell, flow).await?))
        }
    }
}

fn missing(status: i32) -> Ran {
    let why = if status == 127 { "No such file or directory" } else { "Permission denied" };
    Ran::Missing(why.to_owned(), status)
}

/// Whether one of the shell's own commands is a program as well.
pub fn is_program(name: &str) -> bool {
    PROGRAMS.contains(&name)
}
