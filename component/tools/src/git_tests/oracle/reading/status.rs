//! `git_status`

use super::values::{flag, timeout, working_dir};
use crate::git_tests::oracle::calls::Tool;

pub fn tool() -> Tool {
    Tool {
        name: "git_status",
        command: "status",
        arguments: vec![
            flag("porcelain", |_, _, _| {}),
            flag("branch", |_, _, _| {}),
            flag("untracked", |_, _, _| {}),
            timeout(),
            working_dir(),
        ],
        options: |arguments, line| {
            // All three are on by default. Two have an option that turns them on.
            let is_on = |name: &str| arguments.get(name).is_none_or(|value| value == true);
            let mut option = |name: &str, given: bool| line.options.extend(given.then(|| name.to_owned()));
            option("--porcelain=1", is_on("porcelain"));
            option("-b", is_on("porcelain") && is_on("branch"));
            option("-uno", !is_on("untracked"));
        },
        permits: |_| true,
        leaves_out: |_, _| false,
    }
}
