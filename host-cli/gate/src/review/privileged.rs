//! Paths that tools run, obey or trust, in one table.

use bstr::{BStr, ByteSlice};

use super::flags::Flag;
use crate::text;

const AGENT: &str = "instructions or settings of agents";
const EDITOR: &str = "editor settings, which can run tasks";
const CI: &str = "continuous integration, which runs with secrets";
const LOCK: &str = "a lock file, which decides which code is installed";
const OWNERS: &str = "decides who must review changes";
const HOOK: &str = "hooks, which run on developers' machines";
const BUILD: &str = "runs when the project is built or entered";

/// Folders at any depth, and file names in any folder; lower case.
const FOLDERS: [(&str, &str); 14] = [
    (".vscode", EDITOR),
    (".idea", EDITOR),
    (".devcontainer", EDITOR),
    (".claude", AGENT),
    (".cursor", AGENT),
    (".codex", AGENT),
    (".gemini", AGENT),
    (".windsurf", AGENT),
    (".circleci", CI),
    (".buildkite", CI),
    (".husky", HOOK),
    (".githooks", HOOK),
    (".cargo", BUILD),
    (".github", "settings of the repository on GitHub"),
];
const FILES: [(&str, &str); 33] = [
    ("codeowners", OWNERS),
    ("agents.md", AGENT),
    ("claude.md", AGENT),
    ("gemini.md", AGENT),
    (".cursorrules", AGENT),
    (".windsurfrules", AGENT),
    ("copilot-instructions.md", AGENT),
    (".mcp.json", AGENT),
    (".gitlab-ci.yml", CI),
    ("jenkinsfile", CI),
    ("azure-pipelines.yml", CI),
    (".travis.yml", CI),
    (".pre-commit-config.yaml", HOOK),
    ("lefthook.yml", HOOK),
    (".envrc", BUILD),
    ("makefile", BUILD),
    ("build.rs", BUILD),
    ("setup.py", BUILD),
    (".npmrc", BUILD),
    (".gitconfig", "settings of git"),
    ("cargo.lock", LOCK),
    ("package-lock.json", LOCK),
    ("npm-shrinkwrap.json", LOCK),
    ("yarn.lock", LOCK),
    ("pnpm-lock.yaml", LOCK),
    ("bun.lock", LOCK),
    ("poetry.lock", LOCK),
    ("uv.lock", LOCK),
    ("pipfile.lock", LOCK),
    ("gemfile.lock", LOCK),
    ("composer.lock", LOCK),
    ("go.sum", LOCK),
    ("flake.lock", LOCK),
];

/// The flag that a changed path deserves for its name alone. Case plays no part.
pub(super) fn flag(path: &BStr) -> Option<Flag> {
    let lower = path.to_str_lossy().to_lowercase();
    let shown = || text::name(path);
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    match name {
        ".gitmodules" => return Some(Flag::Gitmodules { path: shown() }),
        ".gitattributes" => return Some(Flag::Gitattributes { path: shown() }),
        _ => {}
    }
    if lower.starts_with(".github/workflows/") || lower.starts_with(".github/actions/") {
        return Some(Flag::Workflow { path: shown() });
    }
    let by_name = FILES.iter().find(|(file, _)| *file == name);
    let by_folder = || FOLDERS.iter().find(|(folder, _)| folders.split('/').any(|part| part == *folder));
    by_name.or_else(by_folder).map(|(_, what)| Flag::Privileged { path: shown(), what })
}
