//! The one list of tools. Dispatch, the schemas and the reference all use it.

use crate::options::Options;
use crate::tool::Tool;
use crate::toolset::filesystem::{DeleteFile, EditFile, ListFiles, MoveFile, ReadFile, SearchFiles, WriteFile};
use crate::toolset::git::add::GitAdd;
use crate::toolset::git::blame::GitBlame;
use crate::toolset::git::branch::GitBranch;
use crate::toolset::git::branches::GitBranches;
use crate::toolset::git::checkout::GitCheckout;
use crate::toolset::git::commit::GitCommit;
use crate::toolset::git::diff::GitDiff;
use crate::toolset::git::discard::GitDiscard;
use crate::toolset::git::log::GitLog;
use crate::toolset::git::merge::GitMerge;
use crate::toolset::git::pull::GitPull;
use crate::toolset::git::push::GitPush;
use crate::toolset::git::restore::GitRestore;
use crate::toolset::git::revise::GitRevise;
use crate::toolset::git::show::GitShow;
use crate::toolset::git::stage::GitStage;
use crate::toolset::git::stash::GitStash;
use crate::toolset::git::status::GitStatus;
use crate::toolset::sandbox::{SandboxHistory, SandboxImport, SandboxUndo};
use crate::toolset::tasks::lessons::TaskLessons;
use crate::toolset::tasks::list::TaskList;
use crate::toolset::tasks::next::TaskNext;
use crate::toolset::tasks::record::TaskRecord;
use crate::toolset::tasks::state::TaskState;

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

/// The tool named `name`.
pub fn find(name: &str) -> Option<&'static Tool> {
    REGISTRY.iter().find(|tool| tool.name == name)
}

/// The tools that `options` enable.
pub fn enabled(options: &Options) -> impl Iterator<Item = &'static Tool> {
    REGISTRY.iter().filter(|tool| is_enabled(tool, options))
}

/// Whether `options` enable `tool`.
pub fn is_enabled(tool: &Tool, options: &Options) -> bool {
    let git_is_off = tool.name.starts_with("git_") && !options.git.enabled;
    !git_is_off && tool.toolsets.iter().any(|toolset| options.toolsets.contains(toolset))
}
