//! Tests the MCP server with common clients: the official Python client plays the main job and the attacks of `tests/mcp`. The inspector's
//! command line and the conformance suite check the rest.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::python::{environment, once};
use crate::step::{Report, run, run_tests_of_python};
use crate::{check, target_dir, workspace};

/// Runs the tests in `tests/mcp`.
pub fn test() -> Result<Report> {
    run_tests_of_python(&mut suite()?)
}

/// The command that runs them.
pub fn suite() -> Result<Command> {
    run(check::cargo_for("build")?.arg("--bins"))?;
    let place = target_dir()?.join("mcp");
    std::fs::create_dir_all(&place)?;
    let programs = environment(&tests().join("requirements.txt"), &place.join("python"))?;
    let mut python = Command::new(programs.join("python"));
    python.arg(tests()).env("GITGATE_BIN", target_dir()?.join("debug/gitgate"));
    python.env("GITGATE_MCP_CLIENTS", packages(&place)?);
    python.env("XDG_CACHE_HOME", target_dir()?.join("tests-cache")).env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(folder) = check::memory() {
        python.env("TMPDIR", folder);
    }
    Ok(python)
}

/// Installs the node packages, and returns the folder of `node_modules`.
fn packages(place: &Path) -> Result<PathBuf> {
    let place = place.join("node");
    let files = ["package.json", "package-lock.json"].map(|name| tests().join(name));
    once(&files.each_ref().map(PathBuf::as_path), &place, || {
        std::fs::create_dir_all(&place)?;
        for file in &files {
            std::fs::copy(file, place.join(file.file_name().expect("it is a file")))?;
        }
        run(Command::new("npm").args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(&place))?;
        Ok(())
    })?;
    Ok(place.join("node_modules"))
}

fn tests() -> PathBuf {
    Path::new(workspace()).join("tests/mcp")
}
