//! Paths that tools run, obey or trust, in one table.

use bstr::{BStr, ByteSlice};

use super::flags::{Flag, Severity};
use crate::text;

/// Why a path is in the table, and its severity.
type Reason = (Severity, &'static str);

const AGENT: Reason = (Severity::High, "agent instructions or settings");
const CI: Reason = (Severity::High, "continuous integration, which runs with secrets");
const HOOK: Reason = (Severity::High, "hooks, which run on developers' machines");
const SHELL: Reason = (Severity::High, "runs when the project is entered");
const EDITOR: Reason = (Severity::Medium, "editor settings, which can run tasks");
const OWNERS: Reason = (Severity::Medium, "decides who must review changes");
const SETTINGS: Reason = (Severity::Medium, "repository settings on its forge");
const GIT: Reason = (Severity::Medium, "git settings");
const LOADED: Reason = (Severity::Medium, "runs whenever Python starts");
const FETCH: Reason = (Severity::Medium, "decides where code is fetched from, and runs with it");
const BUILD: Reason = (Severity::Medium, "runs when the project is built or entered");
const PROJECT: Reason = (Severity::Low, "decides what is installed and what runs then");
const LOCK: Reason = (Severity::Low, "a lock file, which decides which code is installed");

/// Folders at any depth; lower case.
const FOLDERS: &[(Reason, &[&str])] = &[
    (
        AGENT,
        &[
            ".claude",
            ".cursor",
            ".codex",
            ".gemini",
            ".windsurf",
            ".kiro",
            ".junie",
            ".amazonq",
            ".roo",
            ".continue",
            ".cline",
            ".clinerules",
            ".aider",
            ".opencode",
            ".augment",
            ".goose",
            ".qwen",
            ".trae",
            ".zed",
            ".agents",
        ],
    ),
    (HOOK, &[".husky", ".githooks", ".git-hooks"]),
    (CI, &[".circleci", ".buildkite", ".woodpecker", ".gitlab", ".gitea", ".forgejo", ".tekton"]),
    (EDITOR, &[".vscode", ".idea", ".devcontainer", ".fleet"]),
    (BUILD, &[".cargo", ".mvn"]),
    (SHELL, &[".mise", ".direnv"]),
    (SETTINGS, &[".github"]),
];

/// Names of files in any folder; lower case.
const FILES: &[(Reason, &[&str])] = &[
    (
        AGENT,
        &[
            "agents.md",
            "agent.md",
            "claude.md",
            "claude.local.md",
            "gemini.md",
            "qwen.md",
            "warp.md",
            "codex.md",
            "copilot-instructions.md",
            "skill.md",
            ".cursorrules",
            ".windsurfrules",
            ".clinerules",
            ".roomodes",
            ".goosehints",
            ".rules",
            ".mcp.json",
            "mcp.json",
            "opencode.json",
            "opencode.jsonc",
            ".aiderignore",
        ],
    ),
    (
        CI,
        &[
            ".gitlab-ci.yml",
            ".gitlab-ci.yaml",
            "azure-pipelines.yaml",
            "action.yml",
            "action.yaml",
            ".build.yml",
            "jenkinsfile",
            "azure-pipelines.yml",
            ".travis.yml",
            ".drone.yml",
            ".cirrus.yml",
            "bitbucket-pipelines.yml",
            "appveyor.yml",
            ".appveyor.yml",
            "cloudbuild.yaml",
            "buildspec.yml",
            ".woodpecker.yml",
            "codemagic.yaml",
        ],
    ),
    (HOOK, &[".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml"]),
    (
        SHELL,
        &[
            ".envrc",
            "mise.toml",
            ".mise.toml",
            ".tool-versions",
            ".autoenv",
            ".bashrc",
            ".bash_profile",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".exrc",
        ],
    ),
    (OWNERS, &["codeowners"]),
    (GIT, &[".gitconfig", ".lfsconfig", ".git-blame-ignore-revs"]),
    (LOADED, &["conftest.py", "sitecustomize.py", "usercustomize.py"]),
    (
        FETCH,
        &[".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", ".pypirc", "pip.conf", "nuget.config", ".pnpmfile.cjs"],
    ),
    (
        BUILD,
        &[
            "makefile",
            "gnumakefile",
            "build.rs",
            "setup.py",
            "justfile",
            ".justfile",
            "taskfile.yml",
            "taskfile.yaml",
            "cmakelists.txt",
            "rakefile",
            "gulpfile.js",
            "gruntfile.js",
            "dockerfile",
            "containerfile",
            "vagrantfile",
            "procfile",
            "meson.build",
            "build.bazel",
            "workspace",
            "module.bazel",
            ".eslintrc.js",
            ".eslintrc.cjs",
            "eslint.config.js",
            "eslint.config.mjs",
            ".bazelrc",
            "tiltfile",
            "earthfile",
            "noxfile.py",
            "tox.ini",
            "flake.nix",
            "shell.nix",
            "default.nix",
            "build.sbt",
            "build.zig",
            "binding.gyp",
            "configure",
            "pom.xml",
            "gradlew",
            "gradlew.bat",
            "mvnw",
            "mvnw.cmd",
        ],
    ),
    (
        PROJECT,
        &[
            "package.json",
            "cargo.toml",
            "go.mod",
            "pipfile",
            "requirements.txt",
            "pyproject.toml",
            "setup.cfg",
            "gemfile",
            "composer.json",
            "rust-toolchain",
            "rust-toolchain.toml",
            "pnpm-workspace.yaml",
            "deno.json",
            "deno.jsonc",
        ],
    ),
    (
        LOCK,
        &[
            "cargo.lock",
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
            "poetry.lock",
            "uv.lock",
            "pdm.lock",
            "pipfile.lock",
            "gemfile.lock",
            "composer.lock",
            "go.sum",
            "flake.lock",
            "deno.lock",
            "mix.lock",
            "pubspec.lock",
            "podfile.lock",
            "package.resolved",
            "gradle.lockfile",
        ],
    ),
];

/// How other names of files start or end; lower case.
const STARTS: &[(Reason, &[&str])] =
    &[(AGENT, &[".aider", ".roo", ".cursorrules"]), (BUILD, &["dockerfile.", "docker-compose", "compose."])];
const ENDS: &[(Reason, &[&str])] = &[
    (LOADED, &[".pth"]),
    (BUILD, &[".gradle", ".gradle.kts", ".dockerfile", ".mk", ".cmake", ".bzl"]),
    (EDITOR, &[".code-workspace"]),
    (AGENT, &[".instructions.md", ".chatmode.md", ".prompt.md"]),
];

/// Folders from the top; lower case.
const BELOW: &[(Reason, &[&str])] = &[
    (AGENT, &[".github/instructions/", ".github/prompts/", ".github/agents/", ".github/chatmodes/"]),
    (CI, &[".semaphore/", ".builds/", ".teamcity/"]),
];

/// The flag for a changed path by its name alone, ignoring case. A folder named `hooks` may hold
/// anything, so only an `executable` file in it counts.
pub(super) fn flag(path: &BStr, executable: bool) -> Option<Flag> {
    let lower = path.to_str_lossy().to_lowercase();
    let shown = || text::name(path);
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    match name {
        ".gitmodules" => return Some(Flag::Gitmodules { path: shown() }),
        ".gitattributes" => return Some(Flag::Gitattributes { path: shown() }),
        _ => {}
    }
    if [".github/workflows/", ".github/actions/", ".gitea/workflows/", ".forgejo/workflows/"]
        .iter()
        .any(|folder| lower.starts_with(folder))
    {
        return Some(Flag::Workflow { path: shown() });
    }
    let rows = |rows: &[(Reason, &[&str])], holds: &dyn Fn(&str) -> bool| {
        let rows = rows.iter().filter(|(_, names)| names.iter().any(|name| holds(name)));
        rows.map(|(reason, _)| *reason).max_by_key(|(severity, _)| *severity)
    };
    let hooks = || (executable && folders.split('/').any(|part| part == "hooks")).then_some(HOOK);
    // The most severe, and the first of equals.
    let reasons = [
        rows(FILES, &|file| file == name),
        rows(FOLDERS, &|folder| folders.split('/').any(|part| part == folder)),
        rows(STARTS, &|start| name.starts_with(start)),
        rows(ENDS, &|end| name.ends_with(end)),
        rows(BELOW, &|folder| lower.starts_with(folder)),
        hooks(),
    ];
    let reason = reasons.into_iter().flatten().reduce(|first, other| if other.0 > first.0 { other } else { first });
    reason.map(|(severity, what)| Flag::Privileged { path: shown(), what, severity })
}
