//! The one table of names.
//!
//! Sources: Claude Code's published types (`sdk-tools.d.ts` of its package), and the public sources of Codex, Gemini CLI, opencode and
//! Copilot Chat for Visual Studio Code.

use crate::Dialect::{self, ClaudeCode, Codex, Gemini, Opencode, VsCode};

/// The names that some dialects have for one thing.
pub type Names = &'static [(&'static str, &'static [Dialect])];

/// A tool, and what dialects call it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its own name.
    pub ours: &'static str,
    /// Its other names. No two tools share one.
    pub theirs: Names,
}

/// An argument, and what dialects call it.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The tools that take it.
    pub tools: &'static [&'static str],
    /// Its own name.
    pub ours: &'static str,
    /// Its other names. No two arguments of a tool share one. A dialect is shown the first one that it has.
    pub theirs: Names,
}

/// An argument that only explains a call. It is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Remark {
    /// The tools whose calls have it.
    pub tools: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// Who sends it.
    pub dialects: &'static [Dialect],
}

/// The tools that dialects have other names for.
pub const TOOLS: &[Tool] = &[
    Tool {
        ours: "bash",
        theirs: &[
            ("Bash", &[ClaudeCode]),
            ("shell", &[Codex]),
            ("shell_command", &[Codex]),
            ("exec_command", &[Codex]),
            ("run_shell_command", &[Gemini]),
            ("run_in_terminal", &[VsCode]),
        ],
    },
    Tool { ours: "read_file", theirs: &[("Read", &[ClaudeCode]), ("read", &[Opencode])] },
    Tool { ours: "write_file", theirs: &[("Write", &[ClaudeCode]), ("write", &[Opencode])] },
    Tool {
        ours: "edit_file",
        theirs: &[
            ("Edit", &[ClaudeCode]),
            ("MultiEdit", &[ClaudeCode]),
            ("multi_edit", &[ClaudeCode]),
            ("replace", &[Gemini]),
            ("edit", &[Opencode]),
            ("multiedit", &[Opencode]),
            // It makes a file, and never replaces one.
            ("create_file", &[VsCode]),
            ("replace_string_in_file", &[VsCode]),
            ("multi_replace_string_in_file", &[VsCode]),
        ],
    },
    Tool { ours: "apply_patch", theirs: &[("patch", &[Opencode])] },
    Tool {
        ours: "list_files",
        theirs: &[
            ("LS", &[ClaudeCode]),
            ("list_dir", &[Codex, VsCode]),
            ("list_directory", &[Gemini]),
            ("list", &[Opencode]),
        ],
    },
    Tool {
        ours: "search_files",
        theirs: &[
            ("Grep", &[ClaudeCode]),
            ("grep_files", &[Codex]),
            ("grep_search", &[Gemini, VsCode]),
            ("search_file_content", &[Gemini]),
            ("grep", &[Opencode]),
        ],
    },
    Tool { ours: "glob", theirs: &[("Glob", &[ClaudeCode]), ("file_search", &[VsCode])] },
];

/// Tools that take one path.
const ONE_PATH: &[&str] = &["read_file", "write_file", "edit_file", "delete_file", "git_blame", "git_log"];
/// Tools that look through a folder.
const FOLDER: &[&str] = &["list_files", "search_files", "glob"];
const BASH: &[&str] = &["bash"];
const EDIT: &[&str] = &["edit_file"];
const SEARCH: &[&str] = &["search_files"];
const PATTERN: &[&str] = &["search_files", "glob"];

/// The arguments that dialects have other names for. Those of `edit_file` are also those of each of its edits.
pub const ARGUMENTS: &[Argument] = &[
    Argument {
        tools: ONE_PATH,
        ours: "path",
        theirs: &[
            ("file_path", &[ClaudeCode, Codex, Gemini]),
            ("filePath", &[Opencode, VsCode]),
            ("absolute_path", &[Gemini]),
        ],
    },
    Argument { tools: BASH, ours: "command", theirs: &[("cmd", &[])] },
    Argument {
        tools: BASH,
        ours: "cwd",
        theirs: &[("workdir", &[Codex, Opencode]), ("dir_path", &[Gemini]), ("directory", &[Gemini])],
    },
    Argument { tools: BASH, ours: "timeout_ms", theirs: &[("timeout", &[ClaudeCode, Opencode, VsCode])] },
    Argument { tools: FOLDER, ours: "path", theirs: &[("dir_path", &[Codex, Gemini])] },
    Argument {
        tools: EDIT,
        ours: "old",
        theirs: &[("old_string", &[ClaudeCode, Gemini]), ("oldString", &[Opencode, VsCode])],
    },
    Argument {
        tools: EDIT,
        ours: "new",
        theirs: &[("new_string", &[ClaudeCode, Gemini]), ("newString", &[Opencode, VsCode])],
    },
    Argument {
        tools: EDIT,
        ours: "all",
        theirs: &[("replace_all", &[ClaudeCode]), ("allow_multiple", &[Gemini]), ("replaceAll", &[Opencode])],
    },
    Argument { tools: EDIT, ours: "count", theirs: &[("expected_replacements", &[Gemini])] },
    Argument { tools: EDIT, ours: "edits", theirs: &[("replacements", &[VsCode])] },
    Argument {
        tools: &["apply_patch"],
        ours: "patch",
        theirs: &[("input", &[Codex, VsCode]), ("patchText", &[Opencode])],
    },
    Argument { tools: PATTERN, ours: "pattern", theirs: &[("query", &[VsCode])] },
    Argument {
        tools: SEARCH,
        ours: "glob",
        theirs: &[("include", &[Codex, Opencode]), ("include_pattern", &[Gemini]), ("includePattern", &[VsCode])],
    },
    Argument { tools: SEARCH, ours: "exclude", theirs: &[("exclude_pattern", &[Gemini])] },
    Argument { tools: &["list_files"], ours: "exclude", theirs: &[("ignore", &[ClaudeCode, Gemini, Opencode])] },
    Argument { tools: SEARCH, ours: "before", theirs: &[("-B", &[ClaudeCode])] },
    Argument { tools: SEARCH, ours: "after", theirs: &[("-A", &[ClaudeCode])] },
    Argument { tools: SEARCH, ours: "context", theirs: &[("-C", &[ClaudeCode])] },
    Argument { tools: SEARCH, ours: "ignore_case", theirs: &[("-i", &[ClaudeCode])] },
    Argument { tools: SEARCH, ours: "only_matching", theirs: &[("-o", &[ClaudeCode])] },
    Argument { tools: SEARCH, ours: "literal", theirs: &[("fixed_strings", &[Gemini])] },
    Argument { tools: SEARCH, ours: "per_file", theirs: &[("max_matches_per_file", &[Gemini])] },
    Argument {
        tools: PATTERN,
        ours: "ignored",
        theirs: &[("no_ignore", &[Gemini]), ("includeIgnoredFiles", &[VsCode])],
    },
    Argument {
        tools: PATTERN,
        ours: "limit",
        theirs: &[
            ("head_limit", &[ClaudeCode]),
            ("total_max_matches", &[Gemini]),
            ("maxResults", &[VsCode]),
            ("max_count", &[]),
        ],
    },
    Argument {
        tools: &["list_files", "read_file", "git_branches"],
        ours: "limit",
        theirs: &[("max_count", &[]), ("head_limit", &[])],
    },
    Argument { tools: &["git_log"], ours: "max_count", theirs: &[("limit", &[]), ("head_limit", &[])] },
    Argument {
        tools: &["git_add", "git_restore", "git_diff", "git_checkout"],
        ours: "paths",
        theirs: &[("files", &[])],
    },
    Argument { tools: &["git_stage"], ours: "files", theirs: &[("paths", &[])] },
];

/// The arguments that only explain a call.
pub const REMARKS: &[Remark] = &[
    Remark {
        tools: &["read_file", "write_file", "edit_file", "apply_patch", "search_files", "glob", "list_files"],
        name: "explanation",
        dialects: &[VsCode],
    },
    Remark { tools: BASH, name: "explanation", dialects: &[VsCode] },
    Remark { tools: BASH, name: "goal", dialects: &[VsCode] },
    Remark { tools: BASH, name: "description", dialects: &[ClaudeCode, Gemini, Opencode] },
    Remark { tools: BASH, name: "justification", dialects: &[Codex] },
    Remark { tools: BASH, name: "login", dialects: &[Codex] },
    // There are no jobs: every script is waited for. There is no way around the wall either.
    Remark { tools: BASH, name: "run_in_background", dialects: &[ClaudeCode] },
    Remark { tools: BASH, name: "is_background", dialects: &[Gemini] },
    Remark { tools: BASH, name: "isBackground", dialects: &[VsCode] },
    Remark { tools: BASH, name: "dangerouslyDisableSandbox", dialects: &[ClaudeCode] },
    Remark { tools: BASH, name: "sandbox_permissions", dialects: &[Codex] },
    Remark { tools: BASH, name: "with_escalated_permissions", dialects: &[Codex] },
    Remark { tools: &["edit_file"], name: "instruction", dialects: &[Gemini] },
    // They say how the text came about.
    Remark { tools: &["edit_file", "write_file"], name: "modified_by_user", dialects: &[Gemini] },
    Remark { tools: &["edit_file", "write_file"], name: "ai_proposed_content", dialects: &[Gemini] },
    // Claude Code's "a file may be larger than usual": how much fits is the server's to say here.
    Remark { tools: &["read_file"], name: "allow_large", dialects: &[ClaudeCode] },
    // Lines are always numbered.
    Remark { tools: &["search_files"], name: "-n", dialects: &[ClaudeCode] },
    Remark { tools: &["glob", "list_files"], name: "respect_gemini_ignore", dialects: &[Gemini] },
];

impl Argument {
    /// The argument `ours` of `tool`.
    pub fn of<'a>(tool: &'a str) -> impl Iterator<Item = &'static Argument> + 'a {
        ARGUMENTS.iter().filter(move |argument| argument.tools.contains(&tool))
    }

    /// What `dialect` calls it.
    pub fn name_in(&self, dialect: Dialect) -> Option<&'static str> {
        self.theirs.iter().find(|(_, dialects)| dialects.contains(&dialect)).map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_name_means_one_thing() {
        let mut tools: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.ours).collect();
        assert!(TOOLS.iter().flat_map(|tool| tool.theirs).all(|(name, _)| tools.insert(name)), "{tools:?}");
        let all: BTreeSet<&str> = ARGUMENTS.iter().flat_map(|argument| argument.tools).copied().collect();
        for tool in all {
            let ours: BTreeSet<&str> = Argument::of(tool).map(|argument| argument.ours).collect();
            let mut names: BTreeSet<&str> = ours.clone();
            let theirs = Argument::of(tool).flat_map(|argument| argument.theirs).map(|(name, _)| *name);
            let remarks = REMARKS.iter().filter(|remark| remark.tools.contains(&tool)).map(|remark| remark.name);
            theirs.chain(remarks).for_each(|name| assert!(names.insert(name), "{tool}: {name} means two things"));
        }
    }
}
