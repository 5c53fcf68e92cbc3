//! Runs test binaries of `wasm32-wasip1`. They only print, take arguments and exit; everything else is inside them.

use std::io::Write;
use std::path::Path;

use wasmtime::{Caller, Config, Engine, Extern, Linker, Memory, Module, Store};

/// `EBADF` of preview1: the answer about a descriptor that the host lacks.
const BAD_DESCRIPTOR: i32 = 8;
/// `ENOSYS` of preview1.
const NOT_SUPPORTED: i32 = 52;

/// The result of a test binary.
#[derive(Debug)]
pub struct Ended {
    /// The exit code, or the trap as text.
    pub exit: Result<i32, String>,
    /// All its output.
    pub output: String,
}

struct Process {
    arguments: Vec<String>,
    output: Vec<u8>,
    exit: Option<i32>,
}

/// Runs the module in `file`, and prints its output.
pub fn run(file: &Path, arguments: &[&str]) -> wasmtime::Result<Ended> {
    let mut config = Config::new();
    config.max_wasm_stack(2 << 20);
    let engine = Engine::new(&config)?;
    let module = Module::from_file(&engine, file)?;
    let mut linker = Linker::new(&engine);
    define(&mut linker)?;
    linker.define_unknown_imports_as_traps(&module)?;
    let arguments = std::iter::once("suite").chain(arguments.iter().copied()).map(str::to_owned).collect();
    let mut store = Store::new(&engine, Process { arguments, output: Vec::new(), exit: None });
    let instance = linker.instantiate(&mut store, &module)?;
    let start = instance.get_typed_func::<(), ()>(&mut store, "_start")?;
    let ended = start.call(&mut store, ());
    let process = store.into_data();
    let exit = match (process.exit, ended) {
        (Some(code), _) => Ok(code),
        (None, Ok(())) => Ok(0),
        (None, Err(trap)) => Err(format!("{trap:?}")),
    };
    Ok(Ended { exit, output: String::from_utf8_lossy(&process.output).into_owned() })
}

const PREVIEW1: &str = "wasi_snapshot_preview1";

fn define(linker: &mut Linker<Process>) -> wasmtime::Result<()> {
    linker.func_wrap(PREVIEW1, "fd_write", write)?;
    linker.func_wrap(PREVIEW1, "args_sizes_get", |mut caller: Caller<'_, Process>, count: u32, bytes: u32| {
        let (arguments, size) = (&caller.data().arguments, |text: &String| text.len() + 1);
        let sizes = [arguments.len(), arguments.iter().map(size).sum()].map(|size| size as u32);
        put(&mut caller, count, &sizes[0].to_le_bytes())?;
        put(&mut caller, bytes, &sizes[1].to_le_bytes())?;
        Ok(0)
    })?;
    linker.func_wrap(PREVIEW1, "args_get", |mut caller: Caller<'_, Process>, mut pointers: u32, mut bytes: u32| {
        for argument in caller.data().arguments.clone() {
            put(&mut caller, pointers, &bytes.to_le_bytes())?;
            put(&mut caller, bytes, format!("{argument}\0").as_bytes())?;
            pointers += 4;
            bytes += argument.len() as u32 + 1;
        }
        Ok(0)
    })?;
    linker.func_wrap(PREVIEW1, "environ_sizes_get", |mut caller: Caller<'_, Process>, count: u32, bytes: u32| {
        put(&mut caller, count, &[0; 4])?;
        put(&mut caller, bytes, &[0; 4])?;
        Ok(0)
    })?;
    linker.func_wrap(PREVIEW1, "environ_get", |_: u32, _: u32| 0)?;
    linker.func_wrap(PREVIEW1, "proc_exit", |mut caller: Caller<'_, Process>, code: i32| -> wasmtime::Result<()> {
        caller.data_mut().exit = Some(code);
        Err(wasmtime::Error::msg("the process has ended"))
    })?;
    linker.func_wrap(PREVIEW1, "random_get", |mut caller: Caller<'_, Process>, at: u32, len: u32| {
        put(&mut caller, at, &vec![7; len as usize])?;
        Ok(0)
    })?;
    linker.func_wrap(PREVIEW1, "clock_time_get", |mut caller: Caller<'_, Process>, _: i32, _: i64, at: u32| {
        put(&mut caller, at, &[0; 8])?;
        Ok(0)
    })?;
    linker.func_wrap(PREVIEW1, "fd_prestat_get", |_: i32, _: i32| BAD_DESCRIPTOR)?;
    linker.func_wrap(PREVIEW1, "fd_fdstat_get", |_: i32, _: i32| BAD_DESCRIPTOR)?;
    linker.func_wrap(PREVIEW1, "fd_close", |_: i32| BAD_DESCRIPTOR)?;
    linker.func_wrap(PREVIEW1, "sched_yield", || 0)?;
    linker.func_wrap(PREVIEW1, "poll_oneoff", |_: i32, _: i32, _: i32, _: i32| NOT_SUPPORTED)?;
    Ok(())
}

/// `fd_write` to the output and the error stream: both are printed.
fn write(
    mut caller: Caller<'_, Process>,
    descriptor: i32,
    list: u32,
    count: u32,
    written: u32,
) -> wasmtime::Result<i32> {
    if !(1..=2).contains(&descriptor) {
        return Ok(BAD_DESCRIPTOR);
    }
    let memory = memory(&mut caller)?;
    let data = memory.data(&caller);
    let word = |at: u32| Some(u32::from_le_bytes(*data.get(at as usize..)?.first_chunk()?));
    let part = |n: u32| {
        let (at, len) = (word(list + 8 * n)?, word(list + 8 * n + 4)?);
        data.get(at as usize..)?.get(..len as usize)
    };
    let parts: Option<Vec<&[u8]>> = (0..count).map(part).collect();
    let bytes = parts.ok_or_else(outside)?.concat();
    std::io::stdout().lock().write_all(&bytes)?;
    caller.data_mut().output.extend(&bytes);
    put(&mut caller, written, &(bytes.len() as u32).to_le_bytes())?;
    Ok(0)
}

fn put(caller: &mut Caller<'_, Process>, at: u32, bytes: &[u8]) -> wasmtime::Result<()> {
    let memory = memory(caller)?;
    Ok(memory.write(caller, at as usize, bytes)?)
}

fn memory(caller: &mut Caller<'_, Process>) -> wasmtime::Result<Memory> {
    match caller.get_export("memory") {
        Some(Extern::Memory(memory)) => Ok(memory),
        _ => Err(wasmtime::Error::msg("the module exports no memory")),
    }
}

fn outside() -> wasmtime::Error {
    wasmtime::Error::msg("an address is outside of the module's memory")
}
