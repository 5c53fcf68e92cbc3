//! Refuses repositories with special files: opening a FIFO waits for ever, and a device is no file.

use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use super::{TargetError, TargetErrorKind, error};

/// How deep refs and their logs are looked through; git's own are three folders deep.
const DEEPEST: usize = 32;

/// Fails if a file that is read to open the repository in `folder` is none.
pub(super) fn ensure_openable(folder: &Path) -> Result<(), TargetError> {
    let dot_git = folder.join(".git");
    ensure_entry(&dot_git)?;
    let named = match fs::metadata(&dot_git) {
        Ok(metadata) if metadata.is_dir() => dot_git,
        Ok(_) => match leads_to(&dot_git, "gitdir:") {
            Some(git_dir) => git_dir,
            None => return Ok(()),
        },
        // It may be a git folder itself; what lies beside one in a worktree is no concern of git's.
        Err(_) if folder.join("objects").is_dir() => folder.to_owned(),
        Err(_) => return Ok(()),
    };
    ensure_top(&named)?;
    leads_to(&named.join("commondir"), "").map_or(Ok(()), |common| ensure_top(&common))
}

/// The path in a file that holds nothing but `before` and a path, if there is one.
fn leads_to(file: &Path, before: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    Some(file.parent()?.join(text.strip_prefix(before)?.trim()))
}

/// Fails if what `git_dir` holds itself is no plain file, folder or link to one.
pub(super) fn ensure_top(git_dir: &Path) -> Result<(), TargetError> {
    ensure_entry(git_dir)?;
    ensure(git_dir, 0)
}

/// Fails if anything that git reads below `git_dir` is no plain file, folder or link to one.
pub(super) fn ensure_whole(git_dir: &Path) -> Result<(), TargetError> {
    ensure_top(git_dir)?;
    for (folder, deepest) in [("objects", 2), ("refs", DEEPEST), ("logs", DEEPEST), ("worktrees", 2), ("info", 0)] {
        ensure(&git_dir.join(folder), deepest)?;
    }
    super::elsewhere::lenders(git_dir)?.iter().try_for_each(|objects| ensure(objects, 2))
}

/// Looks at the entries of `folder`, and of `deeper` folders in it. There need not be one.
fn ensure(folder: &Path, deeper: usize) -> Result<(), TargetError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let entry = entry.map_err(|error| error::io("read", folder, error))?;
        let kind = entry.file_type().map_err(|error| error::io("read", &entry.path(), error))?;
        if kind.is_dir() {
            if deeper > 0 {
                ensure(&entry.path(), deeper - 1)?;
            }
        } else if !kind.is_file() {
            ensure_entry(&entry.path())?;
        }
    }
    Ok(())
}

/// What a link leads to counts; one that leads nowhere is for others to judge.
fn ensure_entry(path: &Path) -> Result<(), TargetError> {
    match fs::metadata(path) {
        Ok(metadata) if !(metadata.is_file() || metadata.is_dir()) => Err(special(path, metadata.file_type())),
        _ => Ok(()),
    }
}

fn special(path: &Path, kind: FileType) -> TargetError {
    use std::os::unix::fs::FileTypeExt;

    let what = match kind {
        kind if kind.is_fifo() => "a FIFO",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    };
    TargetError::new(TargetErrorKind::Damaged, format!("{} is {what}, and not a file", path.display()))
        .hint("remove it, or use a clone of the repository: git never makes such a file")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::{Target, TargetSpec};
    use super::*;

    #[test]
    fn attack_21_a_fifo_in_a_repository_is_an_error_at_once() {
        for file in [
            "packed-refs",
            "config",
            "HEAD",
            "refs/heads/topic",
            "objects/pack/pack-1.idx",
            "objects/ab/cdef",
            "logs/HEAD",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let git = |arguments: &[&str]| {
                assert!(Command::new("git").current_dir(folder.path()).args(arguments).status().unwrap().success());
            };
            git(&["init", "-q"]);
            let path = folder.path().join(".git").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = fs::remove_file(&path);
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            let spec = TargetSpec::parse(&format!("local:{}", folder.path().display())).unwrap();
            let error = Target::open(&spec, Path::new("/")).unwrap_err();
            assert_eq!(error.kind, TargetErrorKind::Damaged, "{file}: {error}");
            assert!(error.to_string().ends_with(&format!("{file} is a FIFO, and not a file")), "{error}");
        }
    }

    #[test]
    fn a_fifo_in_a_worktree_is_the_persons_own() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Command::new("git").args(["init", "-q"]).arg(folder.path()).status().unwrap().success());
        assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
        let spec = TargetSpec::parse(&format!("local:{}", folder.path().display())).unwrap();
        Target::open(&spec, Path::new("/")).unwrap();
    }

    #[test]
    fn attack_21_a_fifo_in_the_place_of_a_git_folder_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Command::new("mkfifo").arg(folder.path().join(".git")).status().unwrap().success());
        let spec = TargetSpec::parse(&format!("local:{}", folder.path().display())).unwrap();
        assert!(Target::open(&spec, Path::new("/")).unwrap_err().to_string().contains("is a FIFO"));
    }
}
