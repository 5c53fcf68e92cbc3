//! The MCP server and clients that people use: the official Python client plays the main job and the
//! attacks of `tests/mcp`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Report, run, run_tests_of_python};
use crate::{check, target_dir, workspace};

const WANTED: &str = "Python 3.10 or later is needed with venv and pip: `apt-get install python3-venv`";

/// Looked for first, because it is needed late.
pub fn look() -> Result<Report> {
    let script = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let status = Command::new("python3").args(["-c", script]).status().context(WANTED)?;
    ensure!(status.success(), WANTED);
    Ok(Report::default())
}

/// Plays `tests/mcp`.
pub fn test() -> Result<Report> {
    run_tests_of_python(&mut suite()?)
}

/// What plays it.
pub fn suite() -> Result<Command> {
    run(check::cargo_for("build")?.arg("--bins"))?;
    let mut python = Command::new(clients()?);
    python.arg(tests()).env("GITGATE_BIN", target_dir()?.join("debug/gitgate"));
    python.env("XDG_CACHE_HOME", target_dir()?.join("tests-cache")).env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(folder) = check::memory() {
        python.env("TMPDIR", folder);
    }
    Ok(python)
}

/// A Python that has the clients. They are installed when the list of them has changed.
fn clients() -> Result<PathBuf> {
    let (wanted, place) = (tests().join("requirements.txt"), target_dir()?.join("mcp"));
    let (python, installed) = (place.join("bin/python"), place.join("requirements.txt"));
    let text = std::fs::read(&wanted)?;
    if !std::fs::read(&installed).is_ok_and(|there| there == text) {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place)).context(WANTED)?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&wanted))?;
        std::fs::write(&installed, text)?;
    }
    Ok(python)
}

fn tests() -> PathBuf {
    Path::new(workspace()).join("tests/mcp")
}
