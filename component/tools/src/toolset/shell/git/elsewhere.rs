//! What a git of the sandbox does not do by itself: what reaches out of it, and what is another tool's.

use super::{Ended, Failed, Line};

/// Commands that there are, for a hint.
const HERE: &str = "add blame branch cat-file check-ignore checkout cherry-pick commit config describe diff for-each-ref grep hash-object \
                    log ls-files ls-tree merge merge-base mv push remote reset restore rev-list rev-parse revert rm shortlog show \
                    show-ref stash status switch symbolic-ref tag version";

/// Commands that are something else here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("pull", "call the tool git_pull"),
    ("fetch", "call the tool git_pull, which fetches too; git_branches lists the branches of a repository outside"),
    ("ls-remote", "call the tool git_branches"),
    ("clone", "the sandbox has one repository, at /workspace, and reaches no other"),
    ("init", "the sandbox has its repository, at /workspace"),
    ("rebase", "call the tool git_pull to re-apply commits on new ones, or git_revise to change a staged commit"),
    ("worktree", "the sandbox has one worktree, at /workspace"),
    ("submodule", "submodules are kept as they are, and not entered"),
    ("bisect", "check commits out one by one"),
    ("reflog", "sandbox_history lists what was done, and sandbox_undo takes it back"),
    ("clean", "list the files with `git ls-files -o --exclude-standard`, and remove them with rm"),
    ("archive", "copy the files with `git show REV:PATH > FILE`, or pack those of the working tree with tar"),
    ("gc", "nothing has to be collected"),
    ("format-patch", "call the tool git_patches, or use git diff A B > FILE"),
    ("apply", "use `patch -p1 < FILE`"),
    ("am", "use `patch -p1 < FILE`, then git commit"),
];

/// What there is.
pub fn help(line: &mut Line<'_, '_>) -> Ended {
    line.line("usage: git [-C <path>] <command> [<args>]\n\nThis is the sandbox's own git. Its commands:");
    let mut width = 0;
    let mut text = String::new();
    for name in HERE.split_whitespace() {
        if width + name.len() > 72 {
            text.push('\n');
            width = 0;
        }
        text.push_str(&format!("   {name}"));
        width += name.len() + 3;
    }
    line.line(text);
    Ok(())
}

/// A command that is none of the others.
pub fn run(_: &mut Line<'_, '_>, name: &str, _: &[String]) -> Ended {
    let text = match ELSEWHERE.iter().find(|(known, _)| *known == name) {
        Some((_, hint)) => format!("fatal: git {name} is not here\nhint: {hint}\n"),
        None => format!("git: '{name}' is not a git command of this sandbox.\nhint: It has {HERE}.\n"),
    };
    Err(Failed::Said(text, 1))
}
