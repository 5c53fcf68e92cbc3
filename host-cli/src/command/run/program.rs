//! The agent's program: found where the person is, before anything is made for it.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::setup::client::{of_program, opens_a_window};

/// The absolute path of the program that `name` means in the folder `here`, as a shell finds it there.
/// `path` is the value of `PATH`.
///
/// # Errors
/// If there is none, or it is one that `run` is nothing for.
pub fn find(name: &OsStr, here: &Path, path: Option<OsString>) -> Result<PathBuf> {
    if let Some(client) = of_program(Path::new(name)).filter(|_| opens_a_window(Path::new(name))) {
        let what = format!("{} opens a window and ends at once: there is no agent to wait for", name.display());
        let other = if name.as_encoded_bytes().ends_with(b"cursor") { ", or run cursor-agent" } else { "" };
        return Err(HostError::new(ErrorKind::Usage, what).hint(format!(
            "connect it with `gitgate setup {}`{other}, and see what its agent proposes with `gitgate review`",
            client.name()
        )));
    }
    let refused = |why: &str| {
        HostError::new(ErrorKind::Usage, format!("cannot start {}: {why}", name.display()))
            .hint("name a program that is installed: gitgate run -- PROGRAM ARGUMENTS")
    };
    if name.as_encoded_bytes().contains(&b'/') {
        let program = here.join(name);
        return match program.metadata() {
            Ok(_) if is_program(&program) => Ok(program),
            Ok(_) => Err(refused("it is no program")),
            Err(error) => Err(refused(&error.to_string())),
        };
    }
    let path = path.unwrap_or_else(|| "/usr/bin:/bin".into());
    // An empty entry is the folder where the person is.
    let mut found = std::env::split_paths(&path).map(|folder| here.join(folder).join(name));
    found.find(|program| is_program(program)).ok_or_else(|| refused("there is no such program in PATH"))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The same where this process is.
pub fn find_here(name: &OsStr) -> Result<PathBuf> {
    let here = std::env::current_dir().doing("find", Path::new("."))?;
    find(name, &here, std::env::var_os("PATH"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with a program in `bin/agent`, and a file beside it.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for (name, mode) in [("agent", 0o700), ("notes", 0o600)] {
            fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        folder
    }

    #[test]
    fn a_program_is_found_where_the_person_is() {
        let folder = folder();
        let (here, agent) = (folder.path(), folder.path().join("bin/agent"));
        let find = |name: &str, path: &str| find(OsStr::new(name), here, Some(path.into()));
        for (name, path) in [("bin/agent", ""), ("./bin/../bin/agent", ""), ("agent", "/nowhere:bin")] {
            let found = find(name, path).unwrap();
            assert!(found.is_absolute(), "{found:?}");
            assert_eq!(found.canonicalize().unwrap(), agent.canonicalize().unwrap());
        }
        assert_eq!(find(agent.to_str().unwrap(), "").unwrap(), agent);
        for (name, path) in
            [("agent", "/nowhere"), ("notes", "bin"), ("./bin/notes", ""), ("/nowhere/agent", "bin"), ("bin", ".")]
        {
            let error = find(name, path).unwrap_err();
            assert!(error.message.starts_with(&format!("cannot start {name}: ")), "{error:?}");
        }
    }

    #[test]
    fn a_program_that_only_opens_a_window_is_to_be_set_up() {
        for (name, hint) in [("code", "setup vscode`"), ("/opt/cursor", "setup cursor`, or run cursor-agent")] {
            let error = find(OsStr::new(name), Path::new("/"), None).unwrap_err();
            assert!(error.message.contains("opens a window"), "{error:?}");
            assert!(format!("{:?}", error.hint).contains(hint), "{error:?}");
        }
        let error = find(OsStr::new("/nowhere/cursor-agent"), Path::new("/"), None).unwrap_err();
        assert!(error.message.starts_with("cannot start"), "{error:?}");
    }
}
