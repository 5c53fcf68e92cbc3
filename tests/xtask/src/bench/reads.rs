//! The calls that read, with the git commands that do the same, and a check that each call did its job.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

/// Changes no file, but must look at all of them.
pub const STATUS: &str = "status, nothing changed";

/// One operation.
pub struct Read {
    /// The name in the table.
    pub operation: &'static str,
    pub tool: &'static str,
    pub arguments: Value,
    /// git's command line.
    pub command: Vec<String>,
    /// The name of a list in the structured result, and its minimum length.
    pub list: (&'static str, usize),
}

impl Read {
    /// Fails if `structured` is not a result of the operation.
    pub fn check(&self, structured: &Value) -> Result<()> {
        let (name, least) = self.list;
        let length = structured[name].as_array().map_or(0, Vec::len);
        ensure!(length >= least, "{}: {length} {name}, not {least}", self.operation);
        Ok(())
    }
}

/// The operations measured in a working tree without changes. `file` has a long history.
pub fn all(file: &str) -> Vec<Read> {
    let most = 5_000_000;
    let read = |operation, tool, arguments, command: &[&str], list| {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Read { operation, tool, arguments, command, list }
    };
    vec![
        read(STATUS, "git_status", json!({}), &["status", "--porcelain=v1", "-b"], ("unstaged", 0)),
        read("log of 100 commits", "git_log", json!({ "max_count": 100 }), &["log", "-100"], ("commits", 100)),
        read(
            "log of a file with 300 revisions",
            "git_log",
            json!({ "path": file, "max_bytes": most }),
            &["log", "--", file],
            ("commits", 300),
        ),
        read(
            "diff of HEAD~50 and HEAD",
            "git_diff",
            json!({ "from_ref": "HEAD~50", "to_ref": "HEAD", "max_bytes": most }),
            &["diff", "HEAD~50", "HEAD"],
            ("files", 50),
        ),
        read("show of a commit", "git_show", json!({}), &["show"], ("commits", 1)),
        read(
            "blame of a file with 300 revisions",
            "git_blame",
            json!({ "path": file, "max_bytes": most }),
            &["blame", "--", file],
            ("commits", 100),
        ),
    ]
}
