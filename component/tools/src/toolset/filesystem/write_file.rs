//! `write_file`

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::line_ends::LineEnds;
use crate::approval::Annotations;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::{Access, SandboxPath};
use crate::platform::{self, Stat};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Write a whole file, with its parent folders. To change a part, use edit_file.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteFile {
    /// File to write
    path: String,
    /// The whole new content. Not needed to set only `executable`
    content: Option<String>,
    /// How `content` is encoded. Default: utf-8
    encoding: Option<Encoding>,
    /// Whether the file is executable. Default: as it was
    executable: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "base64")]
    Base64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Written {
    path: String,
    operation: Operation,
    /// Bytes in the file as it is now.
    size: usize,
    executable: bool,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Operation {
    Create,
    Update,
    Unchanged,
}

impl Call for WriteFile {
    const NAME: &'static str = "write_file";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem, Toolset::Lean];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive().idempotent();
    const FILE: &'static str = schema_file!("write_file");
    type Result = Written;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let path = super::resolve(context, &self.path, Access::Write)?;
        super::require_file_name(&self.path)?;
        let content = match self.content {
            Some(content) => decode(content, self.encoding)?,
            None if self.executable.is_some() => kept(&path, &self.path)?,
            None => {
                return Err(ToolError::bad_args("content is missing")
                    .hint("Give the whole new content, or only executable to change no more than the mode.")
                    .into());
            }
        };
        let size = content.len();
        let former = former(&path, &self.path)?;
        let executable = self.executable.unwrap_or(former.is_some_and(|former| former.executable));
        let operation = match former {
            None => Operation::Create,
            Some(former) if is_same(&path, &self.path, &former, &content, executable)? => Operation::Unchanged,
            Some(_) => Operation::Update,
        };
        let changes_ends = match operation {
            Operation::Update => new_line_ends(&path, &self.path, &content)?,
            Operation::Create | Operation::Unchanged => None,
        };
        if operation != Operation::Unchanged {
            super::make_parents(&path)?;
            platform::put_file(&path.real(), content, Some(executable))
                .map_err(|error| ToolError::io(&self.path, &error))?;
        }
        let shown = path.shown();
        let mut text = match operation {
            Operation::Unchanged => format!("Unchanged: {shown}\n"),
            Operation::Create | Operation::Update => format!("Wrote {size} bytes to {shown}\n"),
        };
        if let Some((before, now)) = changes_ends {
            text.push_str(&format!("Its lines end with {now} now. Before, all ended with {before}.\n"));
        }
        text.extend(super::submodule_note(context, &path));
        Ok(Output::new::<WriteFile>(text, Written { path: shown, operation, size, executable }))
    }
}

fn decode(content: String, encoding: Option<Encoding>) -> Result<Vec<u8>, ToolError> {
    match encoding {
        None | Some(Encoding::Utf8) => Ok(content.into_bytes()),
        Some(Encoding::Base64) => {
            // Programs wrap base64 into lines.
            let mut content = content.into_bytes();
            content.retain(|byte| !byte.is_ascii_whitespace());
            STANDARD.decode(content).map_err(|error| ToolError::bad_args(format!("content is not base64: {error}")))
        }
    }
}

/// The content of a file whose mode alone is to change.
fn kept(path: &SandboxPath, named: &str) -> Result<Vec<u8>, ToolError> {
    let found = platform::stat(&path.real()).map_err(|error| ToolError::io(named, &error))?;
    super::require_file(found.kind, named)?;
    platform::read(&path.real()).map(|content| content.to_vec()).map_err(|error| ToolError::io(named, &error))
}

/// The file to replace, if it exists.
fn former(path: &SandboxPath, named: &str) -> Result<Option<Stat>, ToolError> {
    let Ok(former) = platform::stat(&path.real()) else {
        // If the path has another problem, creating its folders or writing to it will report that.
        return Ok(None);
    };
    super::require_file(former.kind, named)?;
    Ok(Some(former))
}

/// How all lines of the file end, and how all of the new content end, if that differs. git shows such a change as one of every line.
fn new_line_ends(
    path: &SandboxPath,
    named: &str,
    content: &[u8],
) -> Result<Option<(&'static str, &'static str)>, ToolError> {
    let Some(now) = LineEnds::of(content).name() else { return Ok(None) };
    let former = platform::read(&path.real()).map_err(|error| ToolError::io(named, &error))?;
    Ok(LineEnds::of(&former).name().filter(|before| *before != now).map(|before| (before, now)))
}

/// Whether the file already has this content and mode. Writing it again would only make it look changed.
fn is_same(
    path: &SandboxPath,
    named: &str,
    former: &Stat,
    content: &[u8],
    executable: bool,
) -> Result<bool, ToolError> {
    if former.size != content.len() as u64 || former.executable != executable {
        return Ok(false);
    }
    let current = platform::read(&path.real()).map_err(|error| ToolError::io(named, &error))?;
    Ok(current[..] == *content)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::Sandbox;

    #[test]
    fn t_write_file_01_makes_a_file_and_its_folders() {
        let mut sandbox = Sandbox::new();
        let written = sandbox.ok("write_file", json!({"path": "a/b/c.md", "content": "twelve bytes"}));
        assert_eq!(written.text, "Wrote 12 bytes to /workspace/a/b/c.md\n");
        let structured = json!({"path": "/workspace/a/b/c.md", "operation": "create", "size": 12, "executable": false});
        assert_eq!(written.structured(), structured);
        assert_eq!(sandbox.read("a/b/c.md"), b"twelve bytes");
    }

    #[test]
    fn t_write_file_02_replaces_a_file_and_keeps_its_executable_bit() {
        let mut sandbox = Sandbox::new();
        sandbox.write_executable("run.sh", "a long former content");
        let written = sandbox.ok("write_file", json!({"path": "run.sh", "content": "new"}));
        assert_eq!(
            (&written.structured()["operation"], &written.structured()["executable"]),
            (&json!("update"), &json!(true))
        );
        assert_eq!(sandbox.read("run.sh"), b"new");
        assert!(sandbox.is_executable("run.sh"));
    }

    #[test]
    fn t_write_file_03_sets_and_clears_the_executable_bit() {
        let mut sandbox = Sandbox::new();
        for (executable, operation) in [(true, "create"), (false, "update"), (true, "update")] {
            let written = sandbox.ok("write_file", json!({"path": "run.sh", "content": "x", "executable": executable}));
            assert_eq!(written.structured()["operation"], operation);
            assert_eq!(sandbox.is_executable("run.sh"), executable);
        }
    }

    #[test]
    fn t_write_file_04_equal_content_is_not_written_again() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "same");
        let before = std::fs::metadata(sandbox.real("a.md")).unwrap().modified().unwrap();
        let written = sandbox.ok("write_file", json!({"path": "a.md", "content": "same"}));
        assert_eq!(
            (written.text.as_str(), &written.structured()["operation"]),
            ("Unchanged: /workspace/a.md\n", &json!("unchanged"))
        );
        assert_eq!(std::fs::metadata(sandbox.real("a.md")).unwrap().modified().unwrap(), before);
    }

    #[test]
    fn t_write_file_05_base64_stands_for_any_bytes() {
        let mut sandbox = Sandbox::new();
        sandbox.ok("write_file", json!({"path": "a.bin", "content": "/wBh\nCg==\n", "encoding": "base64"}));
        assert_eq!(sandbox.read("a.bin"), b"\xff\x00a\n");
        let error = sandbox.fail("write_file", json!({"path": "b.bin", "content": "%", "encoding": "base64"}));
        assert!(error.kind.name() == "bad-args" && error.message.starts_with("content is not base64: "), "{error:?}");
        assert!(!sandbox.exists("b.bin"));
        assert_eq!(
            sandbox.fail("write_file", json!({"path": "c", "content": "", "encoding": "latin1"})).kind.name(),
            "bad-args"
        );
    }

    #[test]
    fn t_write_file_06_through_a_link_the_target_is_written() {
        let mut sandbox = Sandbox::new();
        sandbox.write("real/a.md", "old");
        sandbox.symlink("real/a.md", "link.md");
        sandbox.symlink("real", "folder");
        sandbox.symlink("real/new.md", "dangling.md");
        let written = sandbox.ok("write_file", json!({"path": "link.md", "content": "one"}));
        assert_eq!(written.structured()["path"], "/workspace/real/a.md");
        sandbox.ok("write_file", json!({"path": "folder/b.md", "content": "two"}));
        sandbox.ok("write_file", json!({"path": "dangling.md", "content": "three"}));
        assert_eq!((sandbox.read("real/a.md"), sandbox.read("real/b.md")), (b"one".to_vec(), b"two".to_vec()));
        assert_eq!(sandbox.read("real/new.md"), b"three");
    }

    #[test]
    fn t_write_file_07_what_is_no_file_is_not_replaced() {
        let mut sandbox = Sandbox::new();
        sandbox.mkdir("folder");
        sandbox.write("a.md", "");
        let before = sandbox.tree();
        for (path, message) in [
            ("folder", "Is a directory: folder"),
            (".", "Is a directory: ."),
            ("a.md/b/c", "Not a directory: /workspace/a.md"),
        ] {
            let error = sandbox.fail("write_file", json!({"path": path, "content": "x"}));
            assert_eq!((error.kind.name(), error.message.as_str()), ("execution-failed", message));
        }
        assert_eq!(sandbox.tree(), before);
    }

    #[test]
    fn t_write_file_08_an_empty_file_can_be_made() {
        let mut sandbox = Sandbox::new();
        assert_eq!(
            sandbox.ok("write_file", json!({"path": "a", "content": ""})).text,
            "Wrote 0 bytes to /workspace/a\n"
        );
        assert_eq!(sandbox.read("a"), b"");
    }

    #[test]
    fn t_write_file_11_sets_the_mode_alone() {
        let mut sandbox = Sandbox::new();
        sandbox.write("run.sh", "echo\r\n");
        let written = sandbox.ok("write_file", json!({"path": "run.sh", "executable": true})).structured();
        assert_eq!((&written["operation"], &written["executable"]), (&json!("update"), &json!(true)));
        assert!(sandbox.is_executable("run.sh"));
        assert_eq!(sandbox.read("run.sh"), b"echo\r\n");
        let again = sandbox.ok("write_file", json!({"path": "run.sh", "executable": true}));
        assert_eq!(again.text, "Unchanged: /workspace/run.sh\n");
        let missing = sandbox.fail("write_file", json!({"path": "none.sh", "executable": true}));
        assert_eq!(missing.message, "No such file or directory: none.sh");
        assert_eq!(sandbox.fail("write_file", json!({"path": "run.sh"})).message, "content is missing");
        assert!(!sandbox.exists("none.sh"));
    }

    #[test]
    fn t_write_file_10_says_so_when_every_line_ends_in_another_way() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a.md", "one\r\ntwo\r\n");
        let written = sandbox.ok("write_file", json!({"path": "a.md", "content": "one\ntwo\n"}));
        let said = "Wrote 8 bytes to /workspace/a.md\nIts lines end with LF now. Before, all ended with CRLF.\n";
        assert_eq!(written.text, said);
        assert_eq!(sandbox.read("a.md"), b"one\ntwo\n");
        let written = sandbox.ok("write_file", json!({"path": "a.md", "content": "one\n"}));
        assert_eq!(written.text, "Wrote 4 bytes to /workspace/a.md\n");
    }

    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn t_write_file_12_says_that_a_file_below_a_submodule_cannot_be_committed() {
        let mut sandbox = Sandbox::with_repository();
        let url = "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = https://example.org/lib\n";
        sandbox.write(".gitmodules", url);
        sandbox.git(&["add", ".gitmodules"]);
        let commit = sandbox.git(&["hash-object", "-t", "tree", "/dev/null"]);
        sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},vendor/lib", commit.trim())]);
        let written = sandbox.ok("write_file", json!({"path": "vendor/lib/a.c", "content": "a\n"}));
        let note = "vendor/lib is a submodule, so this file cannot be committed from here.\n";
        assert_eq!(written.text, format!("Wrote 2 bytes to /workspace/vendor/lib/a.c\n{note}"));
        let moved = sandbox.ok("write_file", json!({"path": "vendor/a.c", "content": "a\n"}));
        assert_eq!(moved.text, "Wrote 2 bytes to /workspace/vendor/a.c\n");
        let moved = sandbox.ok("move_file", json!({"from": "vendor/a.c", "to": "vendor/lib/b.c"}));
        assert!(moved.text.ends_with(note), "{}", moved.text);
    }

    #[test]
    fn t_write_file_09_a_path_that_means_a_folder_is_refused() {
        let mut sandbox = Sandbox::new();
        let error = sandbox.fail("write_file", json!({"path": "notes/", "content": "x"}));
        assert_eq!(
            (error.kind.name(), error.message.as_str()),
            ("bad-args", "A file path cannot end with a slash: notes/")
        );
        assert!(!sandbox.exists("notes"));
    }
}
