//! Programs in node, and npm packages from a lock file.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// Runs a node command that succeeds, and returns its output.
///
/// # Panics
///
/// If it cannot be run, or fails.
pub fn run(command: &mut Command) -> String {
    let said = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}\nThis test needs node 20 or later with npm: https://nodejs.org/, or `apt-get install nodejs npm`")
    });
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success(), "{command:?}: {out}\n{err}");
    out.into_owned()
}

/// Installs into `folder` the packages pinned by the lock file beside `from`'s package.json, unless
/// they are there.
///
/// # Panics
///
/// If npm or the filesystem fails.
pub fn install(from: &Path, folder: &Path) {
    fs::create_dir_all(folder).expect("the folder is writable");
    // Parallel tests install one after the other.
    let lock = File::create(folder.join(".lock")).expect("the folder is writable");
    lock.lock().expect("the file can be locked");
    let read = |folder: &Path| fs::read(folder.join("package-lock.json")).ok();
    if folder.join("installed").exists() && read(folder) == read(from) {
        return;
    }
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(from.join(name), folder.join(name)).expect("the file is there");
    }
    let npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    run(Command::new("npm").current_dir(folder).args(npm));
    fs::write(folder.join("installed"), "").expect("the folder is writable");
}
