//! `delete_file`

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::{Access, SandboxPath, is_git_folder_name};
use crate::platform::{self, Kind};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Delete a file, link or folder.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteFile {
    /// What to delete. Of a link, only the link
    path: String,
    /// Delete a folder with all that is in it
    #[serde(default)]
    recursive: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Deleted {
    path: String,
    #[cfg_attr(test, schemars(extend("enum" = ["file", "folder", "link"])))]
    kind: &'static str,
    /// Files and links that are gone.
    files: usize,
}

impl Call for DeleteFile {
    const NAME: &'static str = "delete_file";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive().idempotent();
    const FILE: &'static str = schema_file!("delete_file");
    type Result = Deleted;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let path = super::resolve(context, &self.path, Access::Entry)?;
        if path.is_root() {
            return Err(ToolError::zone_root(&self.path).into());
        }
        let stat = super::stat(&path, &self.path)?;
        let entries = match stat.kind {
            Kind::Folder => self.entries(&path, context.deadline)?,
            kind => vec![(path.real(), kind)],
        };
        // The list has each folder before its content.
        for (real, kind) in entries.iter().rev() {
            context.deadline.poll()?;
            let removed = if *kind == Kind::Folder { platform::remove_dir(real) } else { platform::remove_file(real) };
            removed.map_err(|error| ToolError::io(&self.path, &error))?;
        }
        let files = entries.iter().filter(|(_, kind)| *kind != Kind::Folder).count();
        let shown = path.shown();
        let (kind, text) = match stat.kind {
            Kind::Folder if files == 1 => ("folder", format!("Deleted {shown}/ (1 file)\n")),
            Kind::Folder => ("folder", format!("Deleted {shown}/ ({files} files)\n")),
            Kind::Link => ("link", format!("Deleted {shown}\n")),
            Kind::File | Kind::Other => ("file", format!("Deleted {shown}\n")),
        };
        Ok(Output::new::<DeleteFile>(text, Deleted { path: shown, kind, files }))
    }
}

impl DeleteFile {
    /// Deletes the folder and everything in it. It follows no links, and keeps nested repositories.
    fn entries(&self, folder: &SandboxPath, deadline: &Deadline) -> Result<Vec<(PathBuf, Kind)>, ToolError> {
        let failed = |error: io::Error| ToolError::io(&self.path, &error);
        let mut entries = vec![(folder.real(), Kind::Folder)];
        let mut seen = 0;
        while let Some((real, kind)) = entries.get(seen).cloned() {
            deadline.poll()?;
            seen += 1;
            if kind != Kind::Folder {
                continue;
            }
            for entry in platform::list(&real).map_err(failed)? {
                if !self.recursive {
                    return Err(failed(io::ErrorKind::DirectoryNotEmpty.into()));
                }
                if is_git_folder_name(&entry.name) {
                    return Err(ToolError::git_folder(&self.path));
                }
                entries.push((platform::join(&real, &entry.name), entry.stat.kind));
            }
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::options::Options;
    use crate::testing::Sandbox;

    #[test]
    fn t_delete_file_01_deletes_a_file() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a/b.md", "b");
        let deleted = sandbox.ok("delete_file", json!({"path": "a/b.md"}));
        assert_eq!(deleted.text, "Deleted /workspace/a/b.md\n");
        assert_eq!(deleted.structured(), json!({"path": "/workspace/a/b.md", "kind": "file", "files": 1}));
        assert!(sandbox.exists("a") && !sandbox.exists("a/b.md"));
    }

    #[test]
    fn t_delete_file_02_a_folder_with_something_in_it_needs_recursive() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a/b/c.md", "c");
        sandbox.write("a/d.md", "d");
        let error = sandbox.fail("delete_file", json!({"path": "a"}));
        assert_eq!((error.kind.name(), error.message.as_str()), ("execution-failed", "Directory not empty: a"));
        let deleted = sandbox.ok("delete_file", json!({"path": "a", "recursive": true}));
        assert_eq!(deleted.text, "Deleted /workspace/a/ (2 files)\n");
        assert!(!sandbox.exists("a"));
    }

    #[test]
    fn t_delete_file_03_an_empty_folder_needs_nothing() {
        let mut sandbox = Sandbox::new();
        sandbox.mkdir("a");
        sandbox.ok("delete_file", json!({"path": "a/"}));
        assert!(!sandbox.exists("a"));
    }

    #[test]
    fn t_delete_file_04_a_link_is_deleted_itself() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a/b.md", "b");
        sandbox.symlink("../a", "c/link");
        sandbox.symlink("a", "link");
        sandbox.ok("delete_file", json!({"path": "link", "recursive": true}));
        sandbox.ok("delete_file", json!({"path": "c", "recursive": true}));
        assert_eq!(sandbox.ok("list_files", json!({"recursive": true})).text, "a/\na/b.md\n");
    }

    #[test]
    fn t_delete_file_05_zones_and_read_only_files_stay() {
        let mut sandbox = Sandbox::with(Options::default(), &[("docs", false), ("out", true)]);
        sandbox.write("/docs/a.md", "a");
        let before = sandbox.tree();
        for path in [".", "/workspace", "/workspace/", "/out", "/docs", "/docs/a.md", "/"] {
            let error = sandbox.fail("delete_file", json!({"path": path, "recursive": true}));
            assert_eq!(error.kind.name(), "sandbox-violation", "{path}");
        }
        assert_eq!(sandbox.tree(), before);
    }

    #[test]
    fn t_delete_file_06_a_repository_of_its_own_is_left_alone() {
        let mut sandbox = Sandbox::new();
        sandbox.write("sub/a.md", "a");
        sandbox.write("sub/deep/.git/config", "");
        let before = sandbox.tree();
        let error = sandbox.fail("delete_file", json!({"path": "sub", "recursive": true}));
        assert_eq!(error.kind.name(), "sandbox-violation");
        assert_eq!(sandbox.tree(), before);
    }

    #[test]
    fn t_delete_file_07_what_is_not_there_cannot_be_deleted() {
        let error = Sandbox::new().fail("delete_file", json!({"path": "none", "recursive": true}));
        assert_eq!((error.kind.name(), error.message.as_str()), ("not-found", "No such file or directory: none"));
    }
}
