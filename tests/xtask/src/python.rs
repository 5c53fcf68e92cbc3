//! Python with its packages, in virtual environments in the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Report, run};

const WANTED: &str = "Python 3.10 or later is needed with venv and pip: `apt-get install python3-venv`";

/// Checks for Python. Commands call this first, because only a late step needs it.
pub fn look() -> Result<Report> {
    let script = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let status = Command::new("python3").args(["-c", script]).status().context(WANTED)?;
    ensure!(status.success(), WANTED);
    Ok(Report::default())
}

/// Creates a virtual environment in `place` with the packages in `requirements`. Returns the folder of its programs.
pub fn environment(requirements: &Path, place: &Path) -> Result<PathBuf> {
    let programs = place.join("bin");
    once(&[requirements], place, || {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place)).context(WANTED)?;
        let mut pip = Command::new(programs.join("python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements))?;
        Ok(())
    })?;
    Ok(programs)
}

/// Installs what these files list into a folder, unless it was installed from the same files.
pub fn once(files: &[&Path], place: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = files.iter().map(|file| Ok(std::fs::read(file)?)).collect::<Result<Vec<_>>>()?.concat();
    let installed = place.join("installed-from");
    if std::fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    install()?;
    Ok(std::fs::write(installed, wanted)?)
}
