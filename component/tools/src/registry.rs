//! The one list of tools. Dispatch, the schemas and the reference all use it.

use crate::options::Options;
use crate::tool::Tool;
#[cfg(feature = "shell")]
use crate::toolset::shell;
use crate::toolset::{filesystem, git, sandbox, tasks};

/// Every tool.
pub static REGISTRY: &[Tool] = &[
    #[cfg(feature = "shell")]
    Tool::of::<shell::bash::Bash>(),
    Tool::of::<filesystem::read_file::ReadFile>(),
    Tool::of::<filesystem::write_file::WriteFile>(),
    Tool::of::<filesystem::edit_file::EditFile>(),
    Tool::of::<filesystem::apply_patch::ApplyPatch>(),
    Tool::of::<filesystem::list_files::ListFiles>(),
    Tool::of::<filesystem::search_files::SearchFiles>(),
    Tool::of::<filesystem::glob::Glob>(),
    Tool::of::<filesystem::move_file::MoveFile>(),
    Tool::of::<filesystem::delete_file::DeleteFile>(),
    Tool::of::<git::diff::GitDiff>(),
    Tool::of::<git::diff::patches::GitPatches>(),
    Tool::of::<git::status::GitStatus>(),
    Tool::of::<git::log::GitLog>(),
    Tool::of::<git::show::GitShow>(),
    Tool::of::<git::blame::GitBlame>(),
    Tool::of::<git::restore::GitRestore>(),
    Tool::of::<git::add::GitAdd>(),
    Tool::of::<git::commit::GitCommit>(),
    Tool::of::<git::branch::GitBranch>(),
    Tool::of::<git::checkout::GitCheckout>(),
    Tool::of::<git::stash::GitStash>(),
    Tool::of::<git::merge_branch::GitMergeBranch>(),
    Tool::of::<git::cherry_pick::GitCherryPick>(),
    Tool::of::<git::revert::GitRevert>(),
    Tool::of::<git::review::GitReview>(),
    Tool::of::<git::tag::GitTag>(),
    Tool::of::<git::stage::GitStage>(),
    Tool::of::<git::push::GitPush>(),
    Tool::of::<git::discard::GitDiscard>(),
    Tool::of::<git::revise::GitRevise>(),
    Tool::of::<git::pull::GitPull>(),
    Tool::of::<git::merge::GitMerge>(),
    Tool::of::<git::branches::GitBranches>(),
    Tool::of::<tasks::record::TaskRecord>(),
    Tool::of::<tasks::state::TaskState>(),
    Tool::of::<tasks::list::TaskList>(),
    Tool::of::<tasks::next::TaskNext>(),
    Tool::of::<tasks::lessons::TaskLessons>(),
    Tool::of::<sandbox::history::SandboxHistory>(),
    Tool::of::<sandbox::undo::SandboxUndo>(),
    Tool::of::<sandbox::import::SandboxImport>(),
    Tool::of::<sandbox::receive::SandboxReceive>(),
    Tool::of::<sandbox::refs::SandboxRefs>(),
    Tool::of::<sandbox::upload::SandboxUpload>(),
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
