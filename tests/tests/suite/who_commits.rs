//! Who commits: what `git var GIT_AUTHOR_IDENT` says in the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use tests::cli::{Cli, finish};
use tests::repo::Repo;

/// The person's own configuration counts, from the files in their home folder.
fn at_home<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command.env_remove("GIT_CONFIG_GLOBAL").current_dir(folder)
}

/// Writes the person's configuration.
fn configure(cli: &Cli, text: &str) {
    fs::write(cli.folder().join(".gitconfig"), text).unwrap();
}

/// Author and committer, each `NAME <EMAIL>`, as git says it, with these variables. `None` if it knows nobody.
fn of_git(cli: &Cli, folder: &Path, variables: &[(&str, &str)]) -> Option<[String; 2]> {
    let var = |name: &str| {
        // Never guessed, as gitgate never guesses.
        let mut git = cli.shell("sh", &format!("git -c user.useConfigOnly=true var {name}"));
        let out = finish(at_home(git.envs(variables.iter().copied()), folder), b"");
        (out.code == 0).then(|| out.stdout.rsplit_once("> ").unwrap().0.to_owned() + ">")
    };
    Some([var("GIT_AUTHOR_IDENT")?, var("GIT_COMMITTER_IDENT")?])
}

/// Author and committer of a commit in a new sandbox `name`, made in `folder`.
fn of_gitgate(cli: &Cli, folder: &Path, name: &str, variables: &[(&str, &str)]) -> Option<[String; 2]> {
    let run = |words: &[&str]| {
        let mut command = cli.typed(&[&["-s", name], words].concat());
        finish(at_home(command.envs(variables.iter().copied()), folder), b"")
    };
    let made = run(&["new"]).ok();
    let said = made.stdout.lines().find_map(|line| line.strip_prefix("Commits are by "));
    run(&["call", "write_file", r#"{"path": "new.txt", "content": "new\n"}"#]).ok();
    let staged = run(&["call", "git_stage", r#"{"files": ["new.txt"], "message": "Add"}"#]);
    let Some(said) = said else {
        assert!(made.stdout.contains("Nobody can commit yet"), "{made:#?}");
        assert!(staged.fails(1).stderr.contains("user.email"));
        return None;
    };
    staged.ok();
    let log = run(&["call", "git_log", r#"{"max_count": 1, "format": "%an <%ae>%n%cn <%ce>"}"#]).ok().stdout;
    let [author, committer] = log.lines().map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
    assert!(said.starts_with(&author), "{said}: {log}");
    assert_eq!(said.contains(&format!(", and made by {committer}")), author != committer, "{said}");
    Some([author, committer])
}

/// A repository, and what its own configuration has.
fn with(cli: &Cli, name: &str, config: &[(&str, &str)]) -> Repo {
    let repo = Repo::init(&cli.work().join(name));
    repo.write("a", "a\n");
    repo.commit("Begin");
    config.iter().for_each(|(key, value)| drop(repo.git(&["config", key, value])));
    repo
}

#[test]
fn each_key_counts_for_itself_and_the_nearest_one_wins() {
    let cli = Cli::default();
    configure(&cli, "[user]\n\tname = Ada Lovelace\n\temail = home@example.com\n");
    let (work, name) = (("user.email", "work@corp.example"), ("user.name", "A. Lovelace."));
    let (author, committer) = (("author.email", "author@example.org"), ("committer.email", "c@example.org"));
    let variables = [("GIT_AUTHOR_NAME", "Variable"), ("GIT_AUTHOR_EMAIL", "v@example.org")];
    for (at, (config, variables)) in [
        (&[][..], &[][..]),
        (&[work], &[]),
        (&[name, work], &[]),
        (&[work, author, committer], &[]),
        (&[work], &variables[..1]),
        (&[work], &variables),
        (&[], &[("EMAIL", "last@example.org")]),
        (&[committer], &[("GIT_COMMITTER_NAME", "Robot")]),
    ]
    .into_iter()
    .enumerate()
    {
        let repo = with(&cli, &format!("r{at}"), config);
        let git = of_git(&cli, repo.root(), variables);
        assert!(git.is_some());
        assert_eq!(of_gitgate(&cli, repo.root(), &format!("s{at}"), variables), git, "{config:?} {variables:?}");
    }
}

#[test]
fn includes_count_where_their_conditions_hold() {
    let cli = Cli::default();
    let work = cli.work().canonicalize().unwrap();
    configure(
        &cli,
        &format!(
            "[user]\n\tname = Ada\n\temail = home@example.com\n[include]\n\tpath = more.inc\n\
             [includeIf \"gitdir:{}/corp/\"]\n\tpath = corp.inc\n[includeIf \"onbranch:release/**\"]\n\tpath = release.inc\n\
             [includeIf \"hasconfig:remote.*.url:https://corp.example/**\"]\n\tpath = url.inc\n",
            work.display()
        ),
    );
    for (file, name) in [("more", "More"), ("corp", "Corp"), ("release", "Release"), ("url", "Url")] {
        fs::write(cli.folder().join(format!("{file}.inc")), format!("[user]\n\tname = {name}\n")).unwrap();
    }
    let plain = with(&cli, "plain", &[]);
    let corp = with(&cli, "corp/one", &[]);
    let release = with(&cli, "release", &[]);
    release.git(&["checkout", "--quiet", "-b", "release/1"]);
    let url = with(&cli, "url", &[("remote.origin.url", "https://corp.example/a/b.git")]);
    let linked = work.join("linked");
    plain.git(&["config", "extensions.worktreeConfig", "true"]);
    plain.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    Repo::at(&linked).git(&["config", "--worktree", "user.email", "linked@example.org"]);
    let own = with(&cli, "own", &[("include.path", "../own.inc")]);
    own.write("own.inc", "[user]\n\tname = Own\n[include]\n\tpath = deeper.inc\n");
    own.write("deeper.inc", "[user]\n\temail = deeper@example.org\n");
    for (name, folder, expected) in [
        ("plain", plain.root(), "More <home@example.com>"),
        ("corp", corp.root(), "Corp <home@example.com>"),
        ("release", release.root(), "Release <home@example.com>"),
        ("url", url.root(), "Url <home@example.com>"),
        ("linked", linked.as_path(), "More <linked@example.org>"),
        ("own", own.root(), "Own <deeper@example.org>"),
    ] {
        let git = of_git(&cli, folder, &[]);
        assert_eq!(git, Some([expected; 2].map(str::to_owned)), "{name}");
        assert_eq!(of_gitgate(&cli, folder, name, &[]), git, "{name}");
    }
}

#[test]
fn attack_10_a_repositorys_configuration_includes_no_file_of_anybody_else() {
    let cli = Cli::default();
    configure(&cli, "[user]\n\tname = Ada\n\temail = ada@example.org\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("secret.inc");
    fs::write(&file, "[user]\n\tname = Secret\n").unwrap();
    let repo = with(&cli, "hostile", &[("include.path", file.to_str().unwrap()), ("core.fsmonitor", "touch canary")]);
    // A link is followed to where it leads, and so is what another file includes.
    std::os::unix::fs::symlink(&file, repo.root().join("link.inc")).unwrap();
    repo.git(&["config", "--add", "include.path", "../link.inc"]);
    repo.write("nested.inc", &format!("[include]\n\tpath = {}\n", file.display()));
    repo.git(&["config", "--add", "include.path", "../nested.inc"]);
    let both = |who: &str| Some([who; 2].map(str::to_owned));
    assert_eq!(of_git(&cli, repo.root(), &[]), both("Secret <ada@example.org>"), "git follows it");
    assert_eq!(of_gitgate(&cli, repo.root(), "hostile", &[]), both("Ada <ada@example.org>"));
    assert!(!repo.root().join("canary").exists());
}

#[test]
fn who_is_missing_is_said_at_once_and_is_found_or_set_later() {
    let cli = Cli::default();
    let repo = with(&cli, "nobody", &[("user.name", "Ada")]);
    assert_eq!(of_git(&cli, repo.root(), &[]), None);
    assert_eq!(of_gitgate(&cli, repo.root(), "nobody", &[]), None);
    repo.git(&["config", "user.email", "late@example.org"]);
    let run = |words: &[&str]| finish(at_home(&mut cli.typed(&[&["-s", "nobody"], words].concat()), repo.root()), b"");
    let stage = |content: &str| {
        let write = format!(r#"{{"path": "new.txt", "content": "{content}\n"}}"#);
        run(&["call", "write_file", &write]).ok();
        run(&["call", "git_stage", r#"{"files": ["new.txt"], "message": "Add"}"#]).ok();
        let log = run(&["call", "git_log", r#"{"max_count": 1}"#]).ok().stdout;
        log.lines().find_map(|line| line.strip_prefix("Author: ")).unwrap().to_owned()
    };
    assert_eq!(stage("one"), "Ada <late@example.org>");
    run(&["config", "identity", "Grace <grace@example.org>"]).ok();
    assert_eq!(stage("two"), "Grace <grace@example.org>");
    run(&["config", "identity", "nobody"]).exits(2);
}

#[test]
fn what_comes_from_no_repository_here_is_by_the_person() {
    let cli = Cli::default();
    configure(&cli, "[user]\n\tname = Ada\n\temail = home@example.com\n");
    let repo = with(&cli, "around", &[("user.email", "work@corp.example")]);
    repo.git(&["bundle", "create", "--quiet", "../all.bundle", "--all"]);
    let mut command = cli.typed(&["new", "--from", "bundle:../all.bundle"]);
    let made = finish(at_home(&mut command, repo.root()), b"").ok();
    assert!(made.stdout.contains("\nCommits are by Ada <home@example.com> (user.email in "), "{made:#?}");
}
