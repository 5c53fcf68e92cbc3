//! `move_file`

use std::io;

use serde::{Deserialize, Serialize};

use super::walk::Walk;
use crate::approval::Annotations;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::{Access, SandboxPath};
use crate::platform::{self, Kind};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Move or rename a file, folder or link. Fails if the new path exists.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveFile {
    /// What to move. Of a link, the link itself
    from: String,
    /// The whole new path
    to: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Moved {
    from: String,
    to: String,
}

impl Call for MoveFile {
    const NAME: &'static str = "move_file";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem];
    const ANNOTATIONS: Annotations = Annotations::writes();
    const FILE: &'static str = schema_file!("move_file");
    type Result = Moved;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let from = super::resolve(context, &self.from, Access::Entry)?;
        if from.is_root() {
            return Err(ToolError::zone_root(&self.from).into());
        }
        let stat = super::stat(&from, &self.from)?;
        let to = super::resolve(context, &self.to, Access::Entry)?;
        let moved = Moved { from: from.shown(), to: to.shown() };
        match platform::stat(&to.real()) {
            Ok(there) => return Err(self.in_the_way(there.kind).into()),
            // If a lookup cannot find the destination by this path, nobody could reach the file there, even if the move worked.
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                return Err(ToolError::io(&self.to, &error).into());
            }
            Err(_) => {}
        }
        if stat.kind != Kind::Folder {
            super::require_file_name(&self.to)?;
        } else if moved.to.starts_with(&format!("{}/", moved.from)) {
            return Err(ToolError::bad_args(format!("Cannot move a folder into itself: {}", self.to)).into());
        }
        super::make_parents(&to)?;
        platform::rename(&from.real(), &to.real()).map_err(|error| ToolError::io(&self.to, &error))?;
        if stat.kind == Kind::Folder {
            self.check_reach(&to, context.deadline)?;
        }
        let mut text = format!("Moved {} to {}\n", moved.from, moved.to);
        text.extend(super::submodule_note(context, &to));
        Ok(Output::new::<MoveFile>(text, moved))
    }
}

impl MoveFile {
    /// Fails if an entry below the folder would get a path too long to reach it.
    fn check_reach(&self, folder: &SandboxPath, deadline: &Deadline) -> Result<(), ToolError> {
        let mut walk = Walk::new(folder, true, deadline)?;
        let mut longest = folder.real();
        let found = loop {
            match walk.next() {
                Ok(Some(found)) if found.real.as_os_str().len() > longest.as_os_str().len() => longest = found.real,
                Ok(Some(_)) => {}
                Ok(None) => break platform::stat(&longest).map_err(|error| ToolError::io(&self.to, &error)).map(drop),
                Err(error) => break Err(error),
            }
        };
        found.map_err(|error| match error.kind {
            ErrorKind::BadArgs => ToolError::io(&self.to, &io::ErrorKind::InvalidFilename.into())
                .hint("Paths below it would become too long. Choose a shorter path."),
            _ => error,
        })
    }

    fn in_the_way(&self, kind: Kind) -> ToolError {
        let hint = match kind {
            Kind::Folder => "To move it into that folder, give the whole new path, including the file name.",
            Kind::File | Kind::Link | Kind::Other => "Choose another path, or first delete what is there.",
        };
        ToolError::io(&self.to, &io::ErrorKind::AlreadyExists.into()).hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::options::Options;
    use crate::testing::Sandbox;

    #[test]
    fn t_move_file_01_moves_a_file_with_its_bit_and_makes_folders() {
        let mut sandbox = Sandbox::new();
        sandbox.write_executable("run.sh", "x");
        let moved = sandbox.ok("move_file", json!({"from": "run.sh", "to": "/workspace/bin/new/run.sh"}));
        assert_eq!(moved.text, "Moved /workspace/run.sh to /workspace/bin/new/run.sh\n");
        assert_eq!(moved.structured(), json!({"from": "/workspace/run.sh", "to": "/workspace/bin/new/run.sh"}));
        assert!(!sandbox.exists("run.sh") && sandbox.is_executable("bin/new/run.sh"));
    }

    #[test]
    fn t_move_file_02_moves_a_folder_with_everything_in_it() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a/b/c.md", "c");
        sandbox.ok("move_file", json!({"from": "a", "to": "z/a"}));
        assert_eq!(sandbox.ok("list_files", json!({"recursive": true})).text, "z/\nz/a/\nz/a/b/\nz/a/b/c.md\n");
    }

    #[test]
    fn t_move_file_03_a_link_is_moved_itself() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "a");
        sandbox.symlink("a.md", "link");
        sandbox.ok("move_file", json!({"from": "link", "to": "other"}));
        assert_eq!(std::fs::read_link(sandbox.real("other")).unwrap().to_str(), Some("a.md"));
        assert!(sandbox.exists("a.md"));
    }

    #[test]
    fn t_move_file_04_what_is_at_the_new_path_stays() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "a");
        sandbox.write("b.md", "b");
        sandbox.mkdir("folder");
        sandbox.symlink("nowhere", "dangling");
        let before = sandbox.tree();
        for to in ["b.md", "folder", "dangling", "a.md", "/workspace"] {
            let error = sandbox.fail("move_file", json!({"from": "a.md", "to": to}));
            assert_eq!((error.kind.name(), error.message), ("execution-failed", format!("File exists: {to}")));
        }
        assert_eq!(sandbox.tree(), before);
    }

    #[test]
    fn t_move_file_05_a_folder_does_not_go_into_itself() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a/b.md", "b");
        sandbox.symlink("a", "link");
        let before = sandbox.tree();
        for to in ["a/c", "a/b/c/d", "link/c"] {
            let error = sandbox.fail("move_file", json!({"from": "a", "to": to}));
            assert_eq!(
                (error.kind.name(), error.message),
                ("bad-args", format!("Cannot move a folder into itself: {to}"))
            );
        }
        assert_eq!(sandbox.tree(), before);
        sandbox.ok("move_file", json!({"from": "a", "to": "ab"}));
    }

    #[test]
    fn t_move_file_06_zones_stay_and_read_only_ones_are_not_touched() {
        let mut sandbox = Sandbox::with(Options::default(), &[("docs", false), ("out", true)]);
        sandbox.write("/docs/a.md", "a");
        sandbox.write("b.md", "b");
        let before = sandbox.tree();
        for (from, to) in [
            ("/docs/a.md", "a.md"),
            ("b.md", "/docs/b.md"),
            ("/docs", "d"),
            (".", "/out/w"),
            ("b.md", "/elsewhere/b.md"),
        ] {
            assert_eq!(
                sandbox.fail("move_file", json!({"from": from, "to": to})).kind.name(),
                "sandbox-violation",
                "{from} {to}"
            );
        }
        assert_eq!(sandbox.tree(), before);
        sandbox.ok("move_file", json!({"from": "b.md", "to": "/out/b.md"}));
        assert_eq!(sandbox.read("/out/b.md"), b"b");
    }

    #[test]
    fn t_move_file_07_what_is_not_there_cannot_be_moved() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "a");
        let error = sandbox.fail("move_file", json!({"from": "none", "to": "x/y"}));
        assert_eq!((error.kind.name(), error.message.as_str()), ("not-found", "No such file or directory: none"));
        let error = sandbox.fail("move_file", json!({"from": "a.md", "to": "a.md/b"}));
        assert_eq!(error.message, "Not a directory: /workspace/a.md");
        assert!(!sandbox.exists("x"));
    }

    #[test]
    fn t_move_file_08_only_a_folder_goes_to_a_path_that_ends_with_a_slash() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "a");
        sandbox.mkdir("folder");
        let error = sandbox.fail("move_file", json!({"from": "a.md", "to": "new/"}));
        assert_eq!(
            (error.kind.name(), error.message.as_str()),
            ("bad-args", "A file path cannot end with a slash: new/")
        );
        sandbox.ok("move_file", json!({"from": "folder", "to": "new/"}));
        assert!(sandbox.exists("new"));
    }

    #[test]
    fn t_move_file_09_a_folder_goes_where_all_that_is_in_it_can_be_reached() {
        let mut sandbox = Sandbox::new();
        // Folders with names of 199 bytes.
        let deep = |name: &str, folders: usize| format!("{}/", name.repeat(199)).repeat(folders);
        let target = deep("e", 12);
        sandbox.mkdir(&target);
        sandbox.mkdir(&deep("d", 12));
        // Only the last file is out of reach.
        sandbox.write(&format!("{}{}", deep("f", 9), "f".repeat(199)), "");
        for name in ["d", "f"] {
            let to = format!("{target}{name}");
            let error = sandbox.fail("move_file", json!({"from": name.repeat(199), "to": to}));
            assert_eq!((error.kind.name(), error.message), ("bad-args", format!("File name too long: {to}")));
            assert!(error.hint.starts_with("Paths below it"), "{}", error.hint);
        }
        sandbox.mkdir(&deep("g", 4));
        sandbox.ok("move_file", json!({"from": "g".repeat(199), "to": format!("{target}g")}));
    }
}
