//! A copy of the workspace, and the tool that is added to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tests::built::{cargo, workspace};

const TOOL: &str = r##"//! `count_lines`: count the lines of a file.

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::Access;
use crate::platform;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Count the lines of a file.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CountLines {
    /// File to count, absolute (/workspace/notes.md) or relative to /workspace.
    path: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counted {
    lines: usize,
}

impl Call for CountLines {
    const NAME: &'static str = "count_lines";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("count_lines");
    type Result = Counted;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let zones = &context.session.zones;
        let path = zones.resolve(&self.path, &zones.workspace(), Access::Read)?;
        let content = platform::read(&path.real()).map_err(|error| ToolError::io(&path.shown(), &error))?;
        let lines = content.iter().filter(|byte| **byte == b'\n').count();
        Ok(Output::new::<CountLines>(format!("{lines}\n"), Counted { lines }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::Sandbox;

    #[test]
    fn lines_are_counted() {
        let mut sandbox = Sandbox::new();
        sandbox.write("a", "one\ntwo\n");
        assert_eq!(sandbox.ok("count_lines", json!({"path": "a"})).structured()["lines"], 2);
    }
}
"##;

/// A copy of what git tracks in the workspace.
pub struct Copy(TempDir);

impl Copy {
    /// As it is now, committed or not.
    pub fn of_workspace() -> Copy {
        let folder = tempfile::tempdir().unwrap();
        let listed = git(workspace(), &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        for path in listed.split('\0').filter(|path| workspace().join(path).is_file()) {
            let to = folder.path().join(path);
            fs::create_dir_all(to.parent().expect("a file is in a folder")).unwrap();
            fs::copy(workspace().join(path), to).unwrap();
        }
        git(folder.path(), &["init", "--quiet"]);
        git(folder.path(), &["add", "--all"]);
        Copy(folder)
    }

    /// Follows the recipe, but for the reference.
    pub fn add_tool(&self) {
        let tools = self.0.path().join("component/tools");
        fs::write(tools.join("src/toolset/filesystem/count_lines.rs"), TOOL).unwrap();
        fs::write(tools.join("schemas/count_lines.json"), "{}\n").unwrap();
        let insert = |path: &str, before: &str, line: &str| {
            let path = tools.join(path);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(before), "{} has {before:?}", path.display());
            fs::write(&path, text.replacen(before, &format!("{line}{before}"), 1)).unwrap();
        };
        insert("src/toolset/filesystem.rs", "pub mod delete_file;", "pub mod count_lines;\n");
        insert(
            "src/registry.rs",
            "    Tool::of::<filesystem::read_file::ReadFile>(),",
            "    Tool::of::<filesystem::count_lines::CountLines>(),\n",
        );
    }

    /// Whether the tools' tests that `filter` names pass; `accepts`: they write the schemas anew.
    pub fn passes(&self, filter: &str, accepts: bool) -> bool {
        let mut cargo = cargo();
        cargo.current_dir(self.0.path()).args(["test", "--locked", "-p", "tools", "--lib", "--", filter]);
        // A target folder of its own: a cargo that runs this may hold the workspace's.
        cargo.env("CARGO_TARGET_DIR", self.0.path().join("target")).stdout(Stdio::null());
        if accepts {
            cargo.env("GITGATE_ACCEPT", "1");
        }
        cargo.status().unwrap().success()
    }

    /// The schema of the tool, as it is now.
    pub fn schema(&self) -> String {
        fs::read_to_string(self.0.path().join("component/tools/schemas/count_lines.json")).unwrap()
    }

    /// The files that are not as they were copied.
    pub fn changed(&self) -> BTreeSet<String> {
        let status = git(self.0.path(), &["status", "--porcelain", "--untracked-files=all"]);
        let changed = status.lines().filter(|line| !line.starts_with("A  "));
        changed.map(|line| line[3..].to_owned()).collect()
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
