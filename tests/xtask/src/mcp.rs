//! The MCP server and clients that people use: the official Python client plays the main job and the
//! attacks of `tests/mcp`, the inspector's command line and the conformance suite look at the rest.

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
    let place = target_dir()?.join("mcp");
    std::fs::create_dir_all(&place)?;
    let mut python = Command::new(python(&place)?);
    python.arg(tests()).env("GITGATE_BIN", target_dir()?.join("debug/gitgate"));
    python.env("GITGATE_MCP_CLIENTS", packages(&place)?);
    python.env("XDG_CACHE_HOME", target_dir()?.join("tests-cache")).env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(folder) = check::memory() {
        python.env("TMPDIR", folder);
    }
    Ok(python)
}

/// A Python that has the client. It is installed when the list of packages has changed.
fn python(place: &Path) -> Result<PathBuf> {
    let place = place.join("python");
    once(&["requirements.txt"], &place, || {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place)).context(WANTED)?;
        let wanted = tests().join("requirements.txt");
        let mut pip = Command::new(place.join("bin/python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(wanted))?;
        Ok(())
    })?;
    Ok(place.join("bin/python"))
}

/// The folder with the programs of node's.
fn packages(place: &Path) -> Result<PathBuf> {
    let place = place.join("node");
    let files = ["package.json", "package-lock.json"];
    once(&files, &place, || {
        std::fs::create_dir_all(&place)?;
        for file in files {
            std::fs::copy(tests().join(file), place.join(file))?;
        }
        run(Command::new("npm").args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(&place))?;
        Ok(())
    })?;
    Ok(place.join("node_modules"))
}

/// Installs into a folder what these files of `tests/mcp` list, unless it has been installed from the same.
fn once(files: &[&str], place: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = files.iter().map(|file| Ok(std::fs::read(tests().join(file))?)).collect::<Result<Vec<_>>>()?.concat();
    let installed = place.join("installed-from");
    if std::fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    install()?;
    Ok(std::fs::write(installed, wanted)?)
}

fn tests() -> PathBuf {
    Path::new(workspace()).join("tests/mcp")
}
