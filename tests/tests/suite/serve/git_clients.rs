//! git itself as the client: an agent clones its sandbox, and proposes by pushing to it.

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::{Repo, Said};

use super::scene::{Served, opened, scene};

/// The address of the sandbox's repository, with the token as the password.
pub(super) fn url(served: &Served, token: &str) -> String {
    format!("http://x:{token}@{}/git/default", served.address)
}

/// A clone in a folder of its own.
pub(super) fn clone(cli: &Cli, name: &str, arguments: &[&str], url: &str) -> Result<Repo, Said> {
    let place = cli.work().join(name);
    let work = Repo::at(&cli.work());
    let said = work.try_git(&[arguments, &["clone", "--quiet", url, place.to_str().unwrap()]].concat(), b"");
    if said.success { Ok(Repo::at(&place)) } else { Err(said) }
}

pub(super) fn push(clone: &Repo, arguments: &[&str]) -> Said {
    clone.try_git(&[&["push"], arguments].concat(), b"")
}

/// The first push that waits, and its digest.
pub(super) fn waiting(served: &Served, reviewer: &str) -> (String, Value) {
    let (_, listed) = served.get(reviewer, "/sandboxes/default/waiting");
    let place = format!("/sandboxes/default/waiting/{}", listed["waiting"][0]["id"].as_str().expect("something waits"));
    let (status, question) = served.get(reviewer, &place);
    assert_eq!(status, 200, "{question}");
    (format!("{place}/decision"), question["push"]["push"]["digest"].clone())
}

#[test]
fn an_agent_with_git_alone_proposes_amends_and_lands_what_was_approved() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    assert_eq!(clone.git(&["rev-parse", "HEAD"]), repo.git(&["rev-parse", "main"]));
    clone.git(&["fsck", "--strict"]);
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    let said = push(&clone, &[]);
    assert!(said.success && said.stderr.contains("waiting for review"), "{}", said.stderr);
    // The same again waits on.
    let said = push(&clone, &[]);
    assert!(said.success && said.stderr.contains("waiting for review"), "{}", said.stderr);
    let (place, _) = waiting(&served, &reviewer);
    let (status, _) = served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say what of" }));
    assert_eq!(status, 422);
    let said = push(&clone, &[]);
    assert!(!said.success && said.stderr.contains("rejected: Say what of"), "{}", said.stderr);
    clone.write("notes.md", "of today\n");
    clone.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let said = push(&clone, &[]);
    assert!(said.success && said.stderr.contains("waiting for review"), "{}", said.stderr);
    let (place, digest) = waiting(&served, &reviewer);
    let (status, landed) = served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest }));
    assert_eq!(status, 200, "{landed}");
    assert_eq!(repo.git(&["rev-parse", "main"]), clone.git(&["rev-parse", "HEAD"]), "what was approved has its id");
    let said = push(&clone, &[]);
    assert!(said.success && said.stderr.contains("up-to-date"), "{}", said.stderr);
    clone.git(&["fetch", "--quiet"]);
    assert_eq!(clone.git(&["rev-parse", "origin/main"]), clone.git(&["rev-parse", "HEAD"]));
}

#[test]
fn what_the_sandbox_has_is_cloned_and_fetched_in_every_form() {
    let (cli, _repo, served, [_, reviewer, agent]) = scene();
    let zero = ["-c", "protocol.version=0"];
    let forms: [&[&str]; 3] = [&["--no-single-branch"], &["--depth=2"], &["--filter=blob:none"]];
    let mut clones = Vec::new();
    for (number, form) in forms.into_iter().enumerate() {
        for (name, version) in [("two", &[][..]), ("zero", &zero)] {
            let arguments = [version, &["clone", "--quiet"], form].concat();
            let place = cli.work().join(format!("{name}{number}"));
            let url = url(&served, &reviewer);
            Repo::at(&cli.work()).git(&[&arguments[..], &[&url, place.to_str().unwrap()]].concat());
            clones.push((Repo::at(&place), version));
        }
    }
    let id = served.stage(&agent, "later.md");
    for (clone, version) in clones {
        clone.git(&[version, &["pull", "--quiet", "--ff-only"]].concat());
        assert!(clone.git(&["rev-parse", "HEAD"]).starts_with(&id), "{}", clone.path());
        assert_eq!(clone.read("later.md"), "one\n");
        clone.git(&["fsck", "--strict"]);
        clone.git(&[version, &["fetch", "--quiet"]].concat());
        // What a partial clone lacks comes when it is needed.
        clone.git(&["log", "-p", "--stat"]);
    }
}

#[test]
fn a_clone_gets_deltas_as_they_are_stored_and_nothing_that_no_branch_reaches() {
    let cli = Cli::default();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let repo = cli.repository("project");
    // Commits of two branches in turn, so that neither's objects lie together in the pack.
    let digits = |number: u64| format!("{:x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut text: String = (1..4000).map(digits).collect();
    repo.git(&["branch", "side"]);
    for number in 0..6 {
        text.push_str(&digits(number + 5000));
        repo.write("large", &text);
        repo.commit("Change something large");
        repo.git(&["checkout", "--quiet", "side"]);
        let other: String = (1..3000).map(|line| digits(line * 7 + number * 100_000)).collect();
        repo.write("other", &other);
        repo.commit("Change something else");
        repo.git(&["checkout", "--quiet", "main"]);
    }
    repo.git(&["repack", "-adfq", "--depth=50", "--window=50"]);
    let (served, [_, reviewer, agent]) = opened(&cli);
    served.stage(&agent, "later.md");
    let clone = clone(&cli, "clone", &[], &url(&served, &reviewer)).unwrap();
    clone.git(&["fsck", "--strict"]);
    let objects = |of: &Repo, arguments: &[&str]| -> std::collections::BTreeSet<String> {
        of.git(arguments).lines().map(|line| line.chars().take(40).collect()).collect()
    };
    let here = objects(&clone, &["cat-file", "--batch-all-objects", "--batch-check"]);
    assert_eq!(here, objects(&clone, &["rev-list", "--objects", "--all"]), "nothing else was sent");
    assert!(here.is_superset(&objects(&repo, &["rev-list", "--objects", "main"])));
    let bytes = |of: &Repo| -> u64 {
        let counted = of.git(&["count-objects", "-v"]);
        counted.lines().find_map(|line| line.strip_prefix("size-pack: ")).expect("git's form").parse().unwrap()
    };
    let [ours, all] = [bytes(&clone), bytes(&repo)];
    assert!(ours < all / 2, "deltas stay deltas: {ours} KiB of {all}");
}

#[test]
fn another_branch_is_proposed_to_the_branch_of_its_name() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.git(&["checkout", "--quiet", "-b", "fix"]);
    clone.write("fix.md", "fixed\n");
    clone.commit("Fix it");
    let said = push(&clone, &["origin", "fix"]);
    assert!(said.success && said.stderr.contains("(fix), waiting for review"), "{}", said.stderr);
    let (place, digest) = waiting(&served, &reviewer);
    let (status, landed) = served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest }));
    assert_eq!(status, 200, "{landed}");
    assert_eq!(repo.git(&["rev-parse", "fix"]), clone.git(&["rev-parse", "fix"]));
}

#[test]
fn what_a_pull_has_made_anew_stays_the_agents_to_amend() {
    let (cli, repo, served, [owner, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    assert!(push(&clone, &[]).success);
    repo.write("theirs.md", "meanwhile\n");
    let theirs = repo.commit("Work meanwhile");
    let (status, pulled) = served.call(&owner, "git_pull", &json!({}));
    assert_eq!(status, 200, "{pulled}");
    clone.git(&["pull", "--quiet", "--rebase"]);
    clone.write("notes.md", "two\n");
    clone.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let said = push(&clone, &[]);
    assert!(said.success && said.stderr.contains("waiting for review"), "{}", said.stderr);
    let (place, digest) = waiting(&served, &reviewer);
    let (status, landed) = served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest }));
    assert_eq!(status, 200, "{landed}");
    assert_eq!(repo.git(&["rev-parse", "main"]), clone.git(&["rev-parse", "HEAD"]));
    assert_eq!(repo.git(&["rev-parse", "main~1"]), theirs);
    // A commit by a tool is nobody's to replace by a push, even if the agent landed it on another branch.
    served.stage(&owner, "tools.md");
    clone.git(&["pull", "--quiet", "--rebase"]);
    assert!(push(&clone, &["origin", "HEAD:fix"]).success);
    let (place, digest) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0, 200);
    assert_eq!(repo.git(&["rev-parse", "fix"]), clone.git(&["rev-parse", "HEAD"]));
    repo.write("theirs.md", "again\n");
    repo.commit("More meanwhile");
    assert_eq!(served.call(&owner, "git_pull", &json!({})).0, 200);
    clone.git(&["pull", "--quiet", "--rebase"]);
    clone.git(&["commit", "--quiet", "--amend", "-m", "Replaced"]);
    let said = push(&clone, &[]);
    assert!(!said.success && said.stderr.contains("that you have not pushed"), "{}", said.stderr);
}

#[test]
fn attack_what_is_no_proposal_is_refused_in_words_and_changes_nothing() {
    let (cli, repo, served, [_, _, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    let before = [repo.git(&["for-each-ref"]), clone.git(&["ls-remote", "origin"])];
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    clone.git(&["tag", "v9"]);
    for (refspec, words) in [
        ("v9", "tags are not proposed"),
        (":main", "not deleted by a push"),
        ("HEAD:refs/gate/verdicts/1", "only branches are proposed"),
        ("HEAD:refs/heads/main/below", "in the way"),
        ("+HEAD~3:main", "non-fast-forward"),
        ("HEAD:refs/heads/con", "con"),
        ("HEAD:refs/heads/a\u{200b}b", "refs/heads/"),
    ] {
        let said = push(&clone, &["origin", refspec]);
        assert!(!said.success && said.stderr.contains(words), "{refspec}: {}", said.stderr);
        assert_eq!([repo.git(&["for-each-ref"]), clone.git(&["ls-remote", "origin"])], before, "{refspec}");
    }
    // What a review could not show is refused before it is taken.
    let blob = clone.git(&["hash-object", "-w", "notes.md"]);
    let entry = format!("100644 blob {blob}\tconfig\0");
    let below = clone.try_git(&["mktree", "-z"], entry.as_bytes()).stdout;
    let entry = format!("040000 tree {}\t.GIT\0", String::from_utf8(below).unwrap().trim_end());
    let tree = String::from_utf8(clone.try_git(&["mktree", "-z"], entry.as_bytes()).stdout).unwrap();
    let commit = clone.git(&["commit-tree", "-p", "origin/main", "-m", "Alias", tree.trim_end()]);
    let said = push(&clone, &["origin", &format!("{commit}:refs/heads/main")]);
    assert!(!said.success && said.stderr.contains(".GIT"), "{}", said.stderr);
    assert_eq!([repo.git(&["for-each-ref"]), clone.git(&["ls-remote", "origin"])], before);
}

#[test]
fn attack_13_a_token_clones_its_own_sandbox_and_only_an_agents_pushes() {
    let (cli, _repo, served, [owner, reviewer, agent]) = scene();
    cli.run(&["-s", "other", "new", "--empty"]).ok();
    for token in [&reviewer, &owner] {
        let clone = clone(&cli, &token[..16], &[], &url(&served, token)).unwrap();
        clone.write("notes.md", "one\n");
        clone.commit("Add notes");
        let said = push(&clone, &[]);
        assert!(!said.success && said.stderr.contains("only an agent's token pushes"), "{}", said.stderr);
    }
    for (name, place) in [
        ("wrong", format!("http://x:gitgate_agent_wrong@{}/git/default", served.address)),
        ("elsewhere", url(&served, &agent).replace("/git/default", "/git/other")),
        ("nowhere", url(&served, &agent).replace("/git/default", "/git/none")),
        ("operator", url(&served, &served.operator)),
    ] {
        let said = clone(&cli, name, &["-c", "core.askPass=true"], &place).expect_err(name);
        assert!(
            said.stderr.contains("Authentication failed") || said.stderr.contains("403"),
            "{name}: {}",
            said.stderr
        );
    }
    let dumb =
        clone(&cli, "dumb", &["-c", "core.askPass=true"], &format!("{}/HEAD", url(&served, &agent))).unwrap_err();
    assert!(dumb.stderr.contains("not found"), "{}", dumb.stderr);
}

#[test]
fn a_push_that_a_rule_denies_fails_and_one_that_is_the_users_is_staged() {
    for (rule, is_taken, words) in [
        ("[[deny]]\ntool = \"git_push\"\nreason = \"not from here\"\n", false, "not from here"),
        ("", true, "staged: the user reviews it"),
    ] {
        let cli = Cli::default();
        cli.configure(if is_taken { "" } else { "[tools.git]\npush = \"assisted\"\n" });
        let policy = cli.work().join("policy.toml");
        std::fs::write(&policy, rule).unwrap();
        let repo = cli.repository("project");
        let new = ["new", "--from", "local:project", "--policy", policy.to_str().unwrap()];
        cli.run(&[&new[..], &["--identity", "Ada <ada@example.org>"]].concat()).ok();
        let served = Served::start(&cli);
        let agent = served.token(&served.token(&served.operator, "owner"), "agent");
        let before = repo.git(&["for-each-ref"]);
        let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
        clone.write("notes.md", "one\n");
        clone.commit("Add notes");
        let said = push(&clone, &[]);
        assert_eq!((said.success, said.stderr.contains(words)), (is_taken, true), "{}", said.stderr);
        assert_eq!(repo.git(&["for-each-ref"]), before);
    }
}
