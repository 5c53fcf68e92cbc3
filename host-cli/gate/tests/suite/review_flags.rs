//! A sentence describes each risk of a changed file or of a whole push.

use crate::support::{
    Repo,
    pushing::{Scene, facts, request},
};
use gate::push::{PushLimits, TargetFacts, check};
use gate::review::{Flag, Review, Severity};

fn said(scene: &Scene) -> Vec<(Severity, String)> {
    scene.review("topic").flags.iter().map(|flag| (flag.severity(), flag.sentence())).collect()
}

#[test]
fn attack_18_a_new_file_that_gitignore_leaves_out_is_said() {
    let repo = Repo::new();
    repo.write(".gitignore", "*.log\n/build/\n!keep.log\n").write("lib/.gitignore", "local.*\n").commit("base");
    repo.write("old.log", "x\n").git(&["add", "-f", "old.log"]);
    repo.git(&["commit", "-q", "-m", "an old one"]);
    let scene = Scene::of(repo);
    for path in ["a.log", "keep.log", "build/x/y", "src/build/x", "lib/local.rs", "local.rs"] {
        scene.repo.write(path, "y\n");
    }
    scene.repo.write("old.log", "changed\n").git(&["add", "-f", "."]);
    scene.repo.git(&["commit", "-q", "-m", "forced"]);
    assert_eq!(
        said(&scene),
        [
            "Adds a.log, which .gitignore ignores (*.log)",
            "Adds build/, which .gitignore ignores (/build/)",
            "Adds lib/local.rs, which .gitignore ignores (local.*)",
        ]
        .map(|sentence| (Severity::Medium, sentence.to_owned()))
    );
}

#[test]
fn patterns_of_gitignore_match_what_git_matches() {
    let patterns = [
        "q?y\r",
        "*.log",
        "!a.log",
        "/top",
        "dir/",
        "a/b",
        "a/**/z",
        "**/deep",
        "tail/**",
        "q?x",
        "[a-c]1",
        "[!a-c]2",
        "\\#hash",
        "sp\\ ",
        "sp2   ",
        "*",
        "!*",
        "**",
        "x*y*z",
        "a*/b",
        "[[:digit:]]d",
        "[]-]e",
        "[z",
        "/a/*/c",
        "dir",
        "!dir/in",
        "*.l[ao]g",
        "doc/*.txt",
        "\\!bang",
        "a\\*b",
        "**/a/**",
        "#no",
        "/",
        "",
        "sub/dir/",
        "mid**dle",
    ];
    let paths = [
        "qxy",
        "a.log",
        "b.log",
        "x/a.log",
        "top",
        "x/top",
        "dir/in",
        "x/dir/in",
        "a/b",
        "a/z",
        "a/q/r/z",
        "deep/x",
        "o/deep",
        "tail/t",
        "qxx",
        "q/x",
        "a1",
        "d1",
        "a2",
        "d2",
        "#hash",
        "sp ",
        "sp2",
        "xyz",
        "x-y-z",
        "x/y/z",
        "ab/b",
        "1d",
        "]e",
        "-e",
        "[z",
        "a/x/c",
        "a/x/y/c",
        "doc/a.txt",
        "doc/b/a.txt",
        "!bang",
        "a*b",
        "q/a/w",
        "#no",
        "sub/dir/f",
        "o/sub/dir/f",
        "middle",
        "mid/dle",
    ];
    let mut wrong = Vec::new();
    for pattern in patterns {
        let repo = Repo::new();
        repo.write(".gitignore", format!("{pattern}\n")).git(&["add", "-f", ".gitignore"]);
        repo.git(&["commit", "-q", "-m", "base"]);
        let scene = Scene::of(repo);
        let blob = scene.repo.id("HEAD:.gitignore");
        // Some of them are the folders of others.
        for paths in [&paths[..], &["dir", "tail"]] {
            let index: String = paths.iter().map(|path| format!("100644 {blob}\t{path}\n")).collect();
            scene.repo.git(&["read-tree", &scene.base.to_string()]);
            scene.repo.git_with(&["update-index", "--add", "--index-info"], index.as_bytes());
            scene.repo.git(&["commit", "-q", "-m", "add"]);
            let flags = scene.review("topic").flags;
            scene.repo.git(&["reset", "-q", "--soft", &scene.base.to_string()]);
            let mut check = scene.repo.command(&["check-ignore", "--no-index", "--"]);
            let gits = check.args(paths).output().unwrap().stdout;
            for path in paths {
                let within = |flagged: &str| path == &flagged || flagged.ends_with('/') && path.starts_with(flagged);
                let ours = flags.iter().any(|flag| matches!(flag, Flag::IgnoredAdded { path, .. } if within(path)));
                if ours != gits.split(|byte| *byte == b'\n').any(|ignored| ignored == path.as_bytes()) {
                    wrong.push(format!("{pattern:?} {path:?}: {ours}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn markers_of_an_unfinished_merge_are_said_once_they_are_new() {
    let marks = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n";
    let repo = Repo::new();
    repo.write("old", marks).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("old", format!("{marks}more\n")).write("new", marks).commit("merge");
    scene.repo.write("title.rst", "Title\n=======\n").commit("text");
    let expected = (Severity::Medium, "Leaves the markers of an unfinished merge in new".to_owned());
    assert_eq!(said(&scene), [expected]);
}

#[test]
fn pointers_of_lfs_and_large_texts_are_said() {
    let scene = Scene::simple();
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n", "0".repeat(64));
    scene.repo.write("model.bin", pointer).write("table.csv", "1,2,3\n".repeat(200_000)).commit("large");
    assert_eq!(
        said(&scene),
        [
            (Severity::Low, "Points model.bin to content in Git LFS that is not part of this review".to_owned()),
            (Severity::Low, "Includes the large text file table.csv of 1.1 MB".to_owned()),
        ]
    );
}

fn repo_of(count: usize) -> Repo {
    let repo = Repo::new();
    for number in 0..count {
        repo.write(&format!("d{}/{number}", number % 3), format!("file {number}\n"));
    }
    repo.commit("base");
    repo
}

fn deletions(count: usize, deleted: usize) -> Vec<String> {
    let scene = Scene::of(repo_of(count));
    for number in 0..deleted {
        scene.repo.remove(&format!("d{}/{number}", number % 3));
    }
    scene.repo.commit("fewer");
    scene.sentences()
}

#[test]
fn many_deletions_are_said() {
    assert_eq!(deletions(100, 21), ["Deletes 21 files"]);
    assert_eq!(deletions(100, 20), [""; 0]);
    assert_eq!(deletions(12, 7), ["Deletes 7 files"]);
    assert_eq!(deletions(12, 6), [""; 0], "half of them");
    assert_eq!(deletions(10, 6), ["Deletes 6 files"]);
    assert_eq!(deletions(9, 6), [""; 0], "a few files");
}

#[test]
fn files_that_move_are_not_deleted() {
    let scene = Scene::of(repo_of(30));
    scene.repo.git(&["mv", "d0", "e0"]);
    scene.repo.git(&["mv", "d1", "e1"]);
    scene.repo.git(&["mv", "d2", "e2"]);
    scene.repo.commit("moved");
    assert_eq!(scene.sentences(), [""; 0]);
}

#[test]
fn attack_20_every_privileged_path_has_its_severity() {
    use Severity::{High, Low, Medium};
    let rows = [
        (".husky/pre-commit", High),
        (".husky/package.json", High),
        (".claude/skills/x/setup.py", High),
        (".github/prompts/x.md", High),
        (".github/dependabot.yml", Medium),
        ("azure-pipelines.yaml", High),
        ("x.code-workspace", Medium),
        ("Cargo.toml", Low),
        ("go.mod", Low),
        (".githooks/post-checkout", High),
        (".git-hooks/x", High),
        (".envrc", High),
        (".mcp.json", High),
        (".claude/settings.json", High),
        ("sub/CLAUDE.md", High),
        ("GEMINI.md", High),
        (".aider.conf.yml", High),
        (".roomodes", High),
        (".roo/rules/x.md", High),
        (".clinerules/a.md", High),
        (".kiro/steering/a.md", High),
        (".junie/guidelines.md", High),
        (".amazonq/rules/a.md", High),
        ("opencode.json", High),
        (".gitlab-ci.yml", High),
        (".circleci/config.yml", High),
        (".tool-versions", High),
        ("mise.toml", High),
        ("CODEOWNERS", Medium),
        (".vscode/tasks.json", Medium),
        ("Dockerfile", Medium),
        ("dev.Dockerfile", Medium),
        ("docker-compose.prod.yml", Medium),
        ("justfile", Medium),
        ("Taskfile.yml", Medium),
        ("CMakeLists.txt", Medium),
        ("app/build.gradle.kts", Medium),
        ("conftest.py", Medium),
        ("sitecustomize.py", Medium),
        ("x.pth", Medium),
        (".yarnrc.yml", Medium),
        ("bunfig.toml", Medium),
        (".npmrc", Medium),
        ("build.rs", Medium),
        ("package.json", Low),
        ("pyproject.toml", Low),
        ("setup.cfg", Low),
        ("rust-toolchain.toml", Low),
        ("vite.config.ts", Medium),
        ("web/vitest.config.mts", Medium),
        ("jest.config.cjs", Medium),
        ("webpack.config.js", Medium),
        ("next.config.mjs", Medium),
        ("babel.config.js", Medium),
        ("rollup.config.js", Medium),
        ("postcss.config.js", Medium),
        ("tailwind.config.ts", Medium),
        ("playwright.config.ts", Medium),
        ("karma.conf.js", Medium),
        (".rspec", Medium),
        (".tmux.conf", Medium),
        (".vimrc", High),
        (".gdbinit", High),
        (".zprofile", High),
        ("Gemfile", Medium),
        ("mix.exs", Medium),
        ("App.csproj", Medium),
        ("Cargo.lock", Low),
        ("web/yarn.lock", Low),
    ];
    let scene = Scene::simple();
    for (path, _) in rows {
        scene.repo.write(path, "x\n");
    }
    scene.repo.commit("all");
    let review = scene.review("topic");
    for (path, severity) in rows {
        let of = |flag: &&Flag| matches!(flag, Flag::Privileged { path: flagged, .. } if flagged == path);
        let flag = review.flags.iter().find(of).unwrap_or_else(|| panic!("{path} is not flagged"));
        assert_eq!(flag.severity(), severity, "{path}");
        let json = serde_json::to_value(flag).unwrap();
        assert_eq!(json["severity"], format!("{severity:?}").to_lowercase(), "{path}");
    }
}

#[test]
fn attack_20_what_a_manifest_makes_run_is_said_by_name() {
    let repo = Repo::new();
    repo.write("package.json", "{\"scripts\": {\"test\": \"jest\"}}").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("package.json", "{\"scripts\": {\"test\": \"jest\", \"postinstall\": \"node x.js\"}}");
    scene.repo.write("crate/Cargo.toml", "[package]\nname = \"x\"\n[lib]\nproc-macro = true\n").commit("run");
    let review = scene.review("topic");
    let said = |severity: Severity| {
        let flags = review.flags.iter().filter(move |flag| flag.severity() == severity);
        flags.map(gate::review::Flag::sentence).collect::<Vec<_>>()
    };
    assert_eq!(
        said(Severity::Medium),
        ["Changes what crate/Cargo.toml runs: the procedural macro, which runs in the compiler: true"]
    );
    assert_eq!(said(Severity::High), ["On install, package.json runs the script postinstall: node x.js"]);
}

#[test]
fn attack_20_programs_in_a_folder_of_hooks_are_said() {
    let scene = Scene::simple();
    scene.repo.write("hooks/use-state.ts", "x\n").commit("of another kind");
    assert_eq!(scene.sentences(), [""; 0]);
    scene.repo.write("hooks/pre-commit", "x\n").git(&["add", "."]);
    scene.repo.git(&["update-index", "--chmod=+x", "hooks/pre-commit"]);
    scene.repo.git(&["commit", "-q", "-m", "a hook"]);
    let expected =
        ["Changes hooks/pre-commit: hooks, which run on developers' machines", "Makes hooks/pre-commit executable"];
    assert_eq!(scene.sentences(), expected);
}

#[test]
fn a_new_branch_that_is_built_on_nothing_of_the_target_is_said_to_be_unrelated() {
    let scene = Scene::simple();
    scene.repo.git(&["checkout", "-q", "--orphan", "other"]);
    scene.repo.commit("another beginning");
    let said = |tips: &[gix_hash::ObjectId]| {
        let pack = scene.repo.pack(&["HEAD"]);
        let request = request("topic", None, scene.repo.id("HEAD"), pack);
        let facts = TargetFacts { tips: Some(tips.to_vec()), ..facts(None) };
        let checked = check(request, &scene.target, facts, &PushLimits::default()).unwrap();
        Review::of(&checked, &scene.target).unwrap().flags.iter().any(|flag| flag.name() == "unrelated")
    };
    assert!(said(&[scene.base]));
    assert!(!said(&[]), "nothing is there yet");
    scene.repo.git(&["checkout", "-q", "-b", "topic", &scene.base.to_string()]);
    scene.repo.write("a", "a\n").commit("on top");
    assert!(!said(&[scene.base]));
}

#[test]
fn attack_18_a_change_of_case_alone_shows_both_names() {
    let repo = Repo::new();
    repo.write("Readme.md", "text\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.git(&["mv", "Readme.md", "README.md"]);
    scene.repo.commit("case");
    assert_eq!(scene.review("topic").summary(), "R Readme.md -> README.md (+0 -0)\n");
}

#[test]
fn attack_18_a_file_that_becomes_a_symlink_is_both() {
    let scene = Scene::simple();
    scene.repo.remove("kept.txt");
    std::os::unix::fs::symlink("/etc/passwd", scene.repo.path().join("kept.txt")).unwrap();
    scene.repo.commit("link");
    let expected = ["Makes kept.txt a symlink to /etc/passwd", "Turns kept.txt into another kind of file"];
    assert_eq!(scene.sentences(), expected);
}

#[test]
fn the_readme_lists_every_flag_with_its_severity() {
    let readme = include_str!("../../README.md");
    for name in Flag::names() {
        let severity = Flag::severity_of(name).map_or("by the path", Severity::name);
        let row = format!("\n| `{name}` | {severity} | ");
        assert!(readme.contains(&row), "host-cli/gate/README.md has no row{row}");
    }
}
