//! The command line's contract on failure: a typed error with a hint, the right exit code, and nothing changed.

use std::fs;

use serde_json::json;
use tests::cli::{Cli, Out};
use tests::tree::{self, assert_same};

/// A sandbox from a repository, with snapshots of both folders.
fn opened() -> Cli {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    cli
}

/// Runs a command that must fail with `code` and change nothing at all.
#[track_caller]
fn refused(cli: &Cli, arguments: &[&str], code: i32) -> Out {
    let before = tree::read(cli.folder());
    let out = cli.run(arguments).exits(code);
    assert_same(&before, &tree::read(cli.folder()), &format!("{arguments:?}"));
    out
}

/// A call that a tool must refuse with `kind`, a message and a hint.
#[track_caller]
fn call_refused(cli: &Cli, tool: &str, arguments: &str, kind: &str) {
    let out = refused(cli, &["call", tool, arguments, "--json", "--yes"], 1);
    let error = &out.json()["error"];
    assert_eq!(error["kind"], kind, "{tool} {arguments}: {error}");
    assert!(!error["message"].as_str().unwrap().is_empty(), "{tool} {arguments}: {error}");
    let plain = refused(cli, &["call", tool, arguments, "--yes"], 1);
    assert!(plain.stderr.starts_with("error: "), "{plain:#?}");
}

#[test]
fn calls_that_make_no_sense() {
    let cli = opened();
    for (tool, arguments, kind) in [
        ("no_such_tool", "{}", "unknown-tool"),
        ("read_file", "{\"path\": \"README.md\", \"extra\": 1}", "bad-args"),
        ("read_file", "{\"path\": 7}", "bad-args"),
        ("read_file", "{}", "bad-args"),
        ("read_file", "[]", "bad-args"),
        ("read_file", "{\"path\":", "bad-args"),
        ("git_status", "{\"timeout_ms\": 1}", "bad-args"),
        ("git_diff", "{\"max_bytes\": 0}", "bad-args"),
        ("git_stage", "{\"files\": [], \"message\": \"x\"}", "bad-args"),
        ("git_stage", "{\"files\": [\"README.md\"], \"message\": \" \"}", "bad-args"),
        ("search_files", "{\"pattern\": \"(\"}", "bad-args"),
        ("read_file", "{\"path\": \"none\"}", "not-found"),
        ("git_stage", "{\"files\": [\"README.md\"], \"message\": \"Nothing\"}", "execution-failed"),
    ] {
        call_refused(&cli, tool, arguments, kind);
    }
}

#[test]
fn paths_that_lead_out_of_the_zones_or_into_the_repository() {
    let cli = opened();
    for path in [
        "../x",
        "/etc/passwd",
        "/workspace/../etc/passwd",
        "/nozone/x",
        "src/../../x",
        ".git/config",
        ".GIT/config",
        ".git /config",
        "git~1/config",
        ".git::$INDEX_ALLOCATION/config",
        ".g\u{200c}it/config",
        "src/.git/hooks/pre-commit",
    ] {
        let content = json!({ "path": path, "content": "x" }).to_string();
        call_refused(&cli, "write_file", &content, "sandbox-violation");
        call_refused(&cli, "move_file", &json!({ "from": "README.md", "to": path }).to_string(), "sandbox-violation");
    }
    call_refused(&cli, "read_file", "{\"path\": \".git/config\"}", "sandbox-violation");
    call_refused(&cli, "git_stage", "{\"files\": [\"../x\"], \"message\": \"x\"}", "sandbox-violation");
}

#[test]
fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    let cli = opened();
    for arguments in [
        &[][..],
        &["no-such-command"],
        &["new", "--no-such-flag"],
        &["-s", "../x", "ls"],
        &["-s", "", "ls"],
        &["-s", ".hidden", "new"],
        &["-s", "a/b", "new"],
        &["-s", "con", "new"],
        &["-s", "x", "new", "--from", "ext::sh -c id"],
        &["-s", "x", "new", "--from", "local:project#../../config"],
        &["-s", "x", "new", "--from", "local:project#--upload-pack=x"],
        &["-s", "x", "new", "--from", "local:project#a..b"],
        &["-s", "x", "new", "--identity", "nobody"],
        &["push", "HEAD", "--to", "local:project#a b"],
        &["push", "HEAD", "--to", "nowhere"],
        &["push", "HEAD", "--approve", "abc"],
        &["undo", "0"],
        &["undo", "-1"],
        &["call", "git_status", "--as", "root"],
    ] {
        let out = refused(&cli, arguments, 2);
        assert!(!out.stderr.is_empty() && out.stdout.is_empty(), "{arguments:?}: {out:#?}");
    }
}

#[test]
fn a_sandbox_that_is_not_there() {
    let cli = opened();
    for arguments in
        [&["-s", "none", "status"][..], &["-s", "none", "call", "git_status"], &["rm", "none"], &["-s", "none", "undo"]]
    {
        let out = refused(&cli, arguments, 1);
        assert!(out.stderr.starts_with("error: there is no sandbox 'none'\nhint: "), "{out:#?}");
    }
    let out = refused(&cli, &["new", "--empty"], 1);
    assert!(out.stderr.starts_with("error: the sandbox 'default' already exists\nhint: "), "{out:#?}");
}

#[test]
fn sources_that_cannot_be_opened_leave_no_sandbox() {
    let cli = opened();
    fs::create_dir(cli.work().join("empty")).unwrap();
    fs::write(cli.work().join("file"), "not a repository").unwrap();
    fs::write(cli.work().join("bad.bundle"), "# v2 git bundle\nnonsense").unwrap();
    for from in [
        "local:none",
        "local:empty",
        "local:file",
        "bare:empty",
        "bundle:none.bundle",
        "bundle:bad.bundle",
        "local:project#no-such-branch",
    ] {
        let before = tree::read(cli.folder());
        let out = cli.run(&["-s", "x", "new", "--from", from]).fails(1);
        let after = tree::read(cli.folder());
        assert_same(&before, &after, from);
        assert!(!out.stderr.contains("panicked"), "{out:#?}");
    }
    assert!(cli.run(&["ls"]).ok().stdout.contains("\ndefault "));
}

#[test]
fn a_source_that_is_damaged_is_refused_whole() {
    let cli = opened();
    let repo = tests::repo::Repo::at(&cli.work().join("project"));
    repo.git(&["repack", "-adq"]);
    let packs = repo.root().join(".git/objects/pack");
    let pack = fs::read_dir(&packs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|name| name == "pack"));
    let pack = pack.expect("git has made a pack");
    let sound = fs::read(&pack).unwrap();
    fs::remove_file(&pack).unwrap();
    for at in [sound.len() / 4, sound.len() / 2, sound.len() - 30] {
        let mut damaged = sound.clone();
        damaged[at] ^= 0x10;
        fs::write(&pack, &damaged).unwrap();
        refused(&cli, &["-s", "x", "new", "--from", "local:project"], 1);
    }
    fs::write(&pack, &sound[..sound.len() / 2]).unwrap();
    refused(&cli, &["-s", "x", "new", "--from", "local:project"], 1);
}

#[test]
fn targets_that_cannot_be_pushed_to() {
    let cli = opened();
    fs::create_dir(cli.work().join("empty")).unwrap();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    for to in ["local:none", "local:empty", "bare:empty"] {
        let out = refused(&cli, &["push", "--to", to], 1);
        assert!(out.stderr.starts_with("error: ") && out.stderr.contains("\nhint: "), "{to}: {out:#?}");
    }
    refused(&cli, &["push", "no-such-commit", "--to", "local:project"], 1);
}

#[cfg(unix)]
#[test]
fn a_target_that_is_read_only_is_refused_and_left_alone() {
    let cli = opened();
    cli.unattended();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    let before = tree::read(&cli.work());
    let project = cli.work().join("project");
    read_only(&cli, &project, &["push", "--to", "local:project", "--yes"]).fails(1);
    assert_same(&before, &tree::read(&cli.work()), "the target");
    cli.run(&["push", "--to", "local:project", "--yes"]).ok();
}

/// Runs a command for which `folder` is read-only by its modes, even as root: without the capability to override modes.
#[cfg(unix)]
fn read_only(cli: &Cli, folder: &std::path::Path, arguments: &[&str]) -> Out {
    use std::os::unix::fs::PermissionsExt;
    let folders = [folder.join(".git/objects"), folder.join(".git/refs/heads"), folder.join(".git"), folder.to_owned()];
    let set =
        |mode| folders.iter().for_each(|folder| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap());
    set(0o555);
    let is_root = fs::write(folder.join("probe"), "").is_ok();
    let gitgate = cli.command(arguments);
    let mut command = std::process::Command::new(if is_root { "setpriv".as_ref() } else { gitgate.get_program() });
    if is_root {
        fs::remove_file(folder.join("probe")).unwrap();
        command.args(["--bounding-set", "-dac_override,-dac_read_search"]).arg(gitgate.get_program());
    }
    command.args(arguments).env_clear().current_dir(cli.work());
    command.envs(gitgate.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let out = tests::cli::finish(&mut command, b"");
    set(0o755);
    out
}

#[test]
fn a_configuration_that_makes_no_sense_says_where_and_why() {
    let cli = opened();
    for (text, reason) in [
        ("unattended = 1\n", ":1: "),
        ("unattend = true\n", ":1: unknown field `unattend`"),
        ("\n[tools.git]\ntimeout_ms = 5\n", ":3: timeout_ms is 5; it must be between 100 and 600000"),
        ("[tools.git]\nmax_bytes = 0\n", ":2: max_bytes is 0; it must be between 1 and 5000000"),
        ("unattended = ", ":1: "),
    ] {
        fs::write(cli.home().join("gitgate.toml"), text).unwrap();
        let out = refused(&cli, &["status"], 2);
        assert!(
            out.stderr.starts_with("error: ") && out.stderr.contains(&format!("gitgate.toml{reason}")),
            "{text:?}: {out:#?}"
        );
    }
}

#[test]
fn the_git_tools_can_be_switched_off() {
    let cli = opened();
    cli.configure("[tools.git]\nenabled = false\n");
    call_refused(&cli, "git_status", "{}", "unknown-tool");
    cli.call("read_file", &json!({ "path": "README.md" })).ok();
}

#[test]
fn without_an_identity_staging_says_how_to_set_one() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    let out = cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).exits(1);
    assert!(out.stderr.contains("user.email") || out.stderr.contains("identity"), "{out:#?}");
}

#[test]
fn a_journal_that_is_damaged_on_the_disk_is_reported() {
    let cli = opened();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    let journal = cli.home().join("sandboxes/default/journal");
    let sound = fs::read(&journal).unwrap();
    let mut damaged = sound.clone();
    damaged[sound.len() / 3] ^= 4;
    fs::write(&journal, &damaged).unwrap();
    let out = cli.run(&["status"]).exits(1);
    assert!(out.stderr.starts_with("error: "), "{out:#?}");
    assert_eq!(fs::read(&journal).unwrap(), damaged, "what is damaged is not made worse");
    // A cut tail is no damage: the last call was never answered.
    fs::write(&journal, &sound[..sound.len() - 3]).unwrap();
    cli.call("read_file", &json!({ "path": "README.md" })).ok();
    cli.call("read_file", &json!({ "path": "a" })).fails(1);
}
