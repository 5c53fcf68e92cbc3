//! The one list of tools. It drives dispatch, the schemas and the reference.

use crate::filesystem::{DeleteFile, EditFile, ListFiles, MoveFile, ReadFile, SearchFiles, WriteFile};
use crate::git::add::GitAdd;
use crate::git::blame::GitBlame;
use crate::git::branch::GitBranch;
use crate::git::diff::GitDiff;
use crate::git::tasks::{lessons::TaskLessons, list::TaskList, next::TaskNext, record::TaskRecord, state::TaskState};
use crate::git::{
    branches::GitBranches, checkout::GitCheckout, commit::GitCommit, discard::GitDiscard, log::GitLog, merge::GitMerge,
    pull::GitPull, push::GitPush, restore::GitRestore, revise::GitRevise, show::GitShow, stage::GitStage,
    stash::GitStash, status::GitStatus,
};
use crate::options::Options;
use crate::session_tools::{SandboxHistory, SandboxImport, SandboxUndo};
use crate::tool::Tool;

/// Every tool.
pub static REGISTRY: &[Tool] = &[
    Tool::of::<ReadFile>(),
    Tool::of::<WriteFile>(),
    Tool::of::<EditFile>(),
    Tool::of::<ListFiles>(),
    Tool::of::<SearchFiles>(),
    Tool::of::<MoveFile>(),
    Tool::of::<DeleteFile>(),
    Tool::of::<GitDiff>(),
    Tool::of::<GitStatus>(),
    Tool::of::<GitLog>(),
    Tool::of::<GitShow>(),
    Tool::of::<GitBlame>(),
    Tool::of::<GitRestore>(),
    Tool::of::<GitAdd>(),
    Tool::of::<GitCommit>(),
    Tool::of::<GitBranch>(),
    Tool::of::<GitCheckout>(),
    Tool::of::<GitStash>(),
    Tool::of::<GitStage>(),
    Tool::of::<GitPush>(),
    Tool::of::<GitDiscard>(),
    Tool::of::<GitRevise>(),
    Tool::of::<GitPull>(),
    Tool::of::<GitMerge>(),
    Tool::of::<GitBranches>(),
    Tool::of::<TaskRecord>(),
    Tool::of::<TaskState>(),
    Tool::of::<TaskList>(),
    Tool::of::<TaskNext>(),
    Tool::of::<TaskLessons>(),
    Tool::of::<SandboxHistory>(),
    Tool::of::<SandboxUndo>(),
    Tool::of::<SandboxImport>(),
];

/// The tools that `options` enable.
pub fn enabled(options: &Options) -> impl Iterator<Item = &'static Tool> {
    REGISTRY.iter().filter(|tool| is_enabled(tool, options))
}

/// Whether `options` enable `tool`.
pub fn is_enabled(tool: &Tool, options: &Options) -> bool {
    let git_is_off = tool.name.starts_with("git_") && !options.git.enabled;
    !git_is_off && tool.toolsets.iter().any(|toolset| options.toolsets.contains(toolset))
}
