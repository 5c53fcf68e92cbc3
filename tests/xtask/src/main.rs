//! The project's own commands. `cargo xtask help` lists them.

#![forbid(unsafe_code)]

mod apt;
mod bench;
mod check;
mod chromium;
mod date;
mod demo;
mod edge;
mod fuzz;
mod mcp;
mod node;
mod output;
mod python;
mod shells;
mod shim;
mod soak;
mod step;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

const HELP: &str = "\
cargo xtask COMMAND

  test              what has to hold before a change is taken: format, clippy, all tests natively, the suites inside wasm, MCP clients,
                    the shim in node, the SDK in Chromium
  soak [--minutes N] [--seed S]
                    what runs long: the component as it is shipped, kills, faults, mutations, and then for N minutes random
                    tests and the fuzz targets, from seeds of the day or from S
  demo              build gitgate and play its main job on a real repository
  bench [--write]   measure gitgate against git side by side; --write puts the table into tests/README.md
  bench far         measure only what goes over the network
  bench edge        measure only the worker for edge functions
  fuzz [TARGET [SECONDS]]
                    run one fuzz target, or each, for so many seconds, or a minute
  shim [--edge]     build the host for JavaScript into target/shim; --edge the one for edge functions, where the worker has it
  web [--build]     build what runs in a browser, and serve the page on loopback; --build only builds
  edge [--build]    build the worker for edge functions, and run it on loopback; --build only builds
  help              this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["test"] => check::all(),
        ["soak", rest @ ..] => soak::Plan::parse(rest).and_then(|plan| soak::all(&plan)),
        ["demo", rest @ ..] => demo::run_demo(rest),
        ["shim"] => shim::report().map(|report| println!("{}", report.note)),
        ["shim", "--edge"] => edge::generate().map(|report| println!("{}", report.note)),
        ["web"] => web::command(false),
        ["web", "--build"] => web::command(true),
        ["edge"] => edge::command(false),
        ["edge", "--build"] => edge::command(true),
        ["fuzz", rest @ ..] => fuzz::command(rest),
        ["bench"] => bench::run(false),
        ["bench", "--write"] => bench::run(true),
        ["bench", "far"] => bench::over_the_network(),
        ["bench", "edge"] => bench::in_workerd(),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("error: unknown command: {}\n\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The target folder, however cargo was told about it.
fn target_dir() -> Result<PathBuf> {
    let said = step::cargo().args(["metadata", "--no-deps", "--format-version", "1", "--locked"]).output()?;
    ensure!(said.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&said.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&said.stdout)?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(PathBuf::from(folder))
}

/// The root of the workspace.
fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two folders below the root")
}
