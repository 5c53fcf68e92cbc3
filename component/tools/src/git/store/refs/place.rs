//! Checks whether files allow a ref to be renamed.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::Kind as Object;

use super::files::ensure_unlocked;
use super::{read, reflog};
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::paths::WORKSPACE;
use crate::platform::{self, Kind};

/// A planned rename of a ref.
pub struct Place<'p> {
    pub repo: &'p Repo,
    /// The present name.
    pub old: &'p BStr,
    /// The new name. No other ref conflicts with it.
    pub new: &'p BStr,
    /// The object of the ref.
    pub id: ObjectId,
    /// Whether the ref has a log.
    pub has_log: bool,
}

impl Place<'_> {
    /// Fails in git's words if something other than a ref blocks the new name, or if a branch cannot point to this object.
    pub fn ensure_free(&self, deadline: &Deadline) -> Result<(), ToolError> {
        let Place { repo, old, new, .. } = *self;
        let failed = |words: String| Err(ToolError::failed(format!("error: {words}")));
        let written = |name: &BStr, words: String| format!("unable to write current sha1 into {name}: {words}");
        let log = reflog::path(repo, new);
        let old_log = reflog::path(repo, old);
        let is_log_blocked = has_others(&log, &old_log, deadline)?;
        let is_log_below_a_file = is_below_a_file(&log, &old_log, &repo.git_dir().join("logs"));
        if self.has_log && (is_log_blocked || is_log_below_a_file) {
            let lost = self.lost_log("logs/refs/.tmp-renamed-log");
            return failed(format!("directory not empty: .git/logs/{new}{lost}"));
        }
        let lost = self.lost_log(&new.to_str_lossy());
        let (file, old_file) = (path(repo, new)?, path(repo, old)?);
        if is_below_a_file(&file, &old_file, &repo.git_dir()) {
            let lock = format!("Unable to create '/{WORKSPACE}/.git/{new}.lock': Not a directory");
            return failed(format!("unable to rename '{old}' to '{new}': {lock}{lost}"));
        }
        ensure_unlocked(repo, &file).map_err(|error| ToolError {
            message: format!("error: unable to rename '{old}' to '{new}': {}{lost}", error.message),
            ..error
        })?;
        if let [Some(wrong), Some(wrong_again)] = [new, old].map(|name| self.wrong_object(name).transpose()) {
            // git then fails to restore the old ref, too.
            return failed(format!("{}\nerror: {}{lost}", written(new, wrong?), written(old, wrong_again?)));
        }
        if !self.has_log && is_log_blocked {
            let words = format!("cannot update the ref '{new}': there are still logs under '.git/logs/{new}'");
            return failed(written(new, words));
        }
        if has_others(&file, &old_file, deadline)? {
            return failed(written(new, format!("couldn't set '{new}'{lost}")));
        }
        Ok(())
    }

    /// git's error when it cannot move the log back because it has removed the log's former folder.
    fn lost_log(&self, from: &str) -> String {
        let Place { repo, old, new, has_log, .. } = *self;
        let folder = old.rfind_byte(b'/').map_or(BStr::new(b""), |slash| old[..slash].as_bstr());
        let entries = platform::list(&reflog::path(repo, folder)).unwrap_or_default();
        let is_pruned = folder.find_iter(b"/").count() > 1 && entries.len() == 1;
        let is_made_again = new.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"));
        match has_log && is_pruned && !is_made_again {
            true => format!("\nerror: unable to restore logfile {old} from {from}: No such file or directory"),
            false => String::new(),
        }
    }

    /// git's reason not to write a branch `name` that points to this object.
    fn wrong_object(&self, name: &BStr) -> Result<Option<String>, ToolError> {
        let id = self.id;
        let header = self.repo.gix.try_find_header(id).map_err(|error| damaged(&error))?;
        Ok(match header.map(|header| header.kind()) {
            Some(Object::Commit) => None,
            Some(_) => Some(format!("trying to write non-commit object {id} to branch '{name}'")),
            None => Some(format!("trying to write ref '{name}' with nonexistent object {id}")),
        })
    }
}

fn path(repo: &Repo, name: &BStr) -> Result<PathBuf, ToolError> {
    read::path(repo, name)
        .ok_or_else(|| ToolError::failed(format!("error: refusing to update ref with bad name '{name}'")))
}

/// Whether a file is in the place of a parent folder of `path`, below `root`. It ignores `old`, which is about to be removed.
fn is_below_a_file(path: &Path, old: &Path, root: &Path) -> bool {
    let mut above = path.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    above.any(|folder| folder != old && platform::stat(folder).is_ok_and(|stat| stat.kind != Kind::Folder))
}

/// Whether `path` is a folder with a file at any depth. It ignores `old`, which is about to be removed.
fn has_others(path: &Path, old: &Path, deadline: &Deadline) -> Result<bool, ToolError> {
    if !platform::stat(path).is_ok_and(|stat| stat.kind == Kind::Folder) {
        return Ok(false);
    }
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in platform::list(&folder).unwrap_or_default() {
            deadline.poll()?;
            let path = platform::join(&folder, &entry.name);
            match entry.stat.kind {
                Kind::Folder => folders.push(path),
                _ if path == old => {}
                _ => return Ok(true),
            }
        }
    }
    Ok(false)
}
