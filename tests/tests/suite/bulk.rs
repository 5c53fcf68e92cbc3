//! Large amounts: thousands of files, a thousand commits, a hundred megabytes. These tests check the results and the memory; the bench
//! measures the time.

use serde_json::{Value, json};
use tests::batch::Batch;
use tests::cli::Cli;
use tests::repo::Repo;

const IDENTITY: &str = "Ada Example <ada@example.org>";

/// Asserts the limit on peak memory. The measured peak is below two thirds of it.
#[track_caller]
fn needs_at_most(batch: &Batch, mib: u64) {
    #[cfg(target_os = "linux")]
    assert!(batch.peak_mib() <= mib, "{} MiB", batch.peak_mib());
    #[cfg(not(target_os = "linux"))]
    let _ = (batch, mib);
}

/// The number of files in a large repository: ten thousand in a soak.
fn files() -> usize {
    trial::times(4_000, 10_000)
}

/// A repository with many files in a hundred folders. A second branch has changed all of them.
fn many_files(cli: &Cli) -> Repo {
    let repo = Repo::init(&cli.work().join("project"));
    let mut stream = Vec::new();
    for (branch, word, from) in [("main", "one", ""), ("other", "two", "from refs/heads/main\n")] {
        let who = "committer Ada Example <ada@example.org> 1700000000 +0100\ndata 4\nMany\n";
        stream.extend_from_slice(format!("commit refs/heads/{branch}\n{who}{from}").as_bytes());
        for number in 0..files() {
            let content = format!("file {number}\n{word}\n");
            let path = format!("d{}/f{number}.txt", number % 100);
            stream.extend_from_slice(format!("M 644 inline {path}\ndata {}\n{content}\n", content.len()).as_bytes());
        }
    }
    assert!(repo.try_git(&["fast-import", "--quiet"], &stream).success);
    repo.git(&["reset", "--quiet", "--hard"]);
    repo
}

#[test]
fn thousands_of_changed_files_are_told_staged_and_pushed() {
    let cli = Cli::default();
    let repo = many_files(&cli);
    cli.unattended();
    cli.run(&["new", "--from", "local:project", "--identity", IDENTITY]).ok();
    let mut batch = Batch::start(&cli);
    let source = json!({ "type": "local", "path": "project", "branch": "other" });
    let pulled = batch.call("git_pull", &json!({ "source": source }));
    assert_eq!(
        (&pulled["hint"], &pulled["conflicts"]),
        (&json!(format!("Pulled {} file(s) successfully.", files())), &json!([]))
    );
    let status = batch.line("git_status", &json!({ "porcelain": true }));
    assert_eq!(status["text"].as_str().unwrap().lines().filter(|line| line.starts_with(" M ")).count(), files());
    let (listed, omitted) = (&status["structured"]["unstaged"], &status["structured"]["unstagedOmitted"]);
    assert_eq!(listed.as_array().unwrap().len() + omitted.as_u64().unwrap() as usize, files());
    let staged = batch.call("git_stage", &json!({ "files": ["."], "message": "Two" }));
    assert_eq!(staged["fileCount"], files());
    let pushed = batch.call("git_push", &json!({ "commitId": staged["commitId"] }));
    assert_eq!(pushed["status"], "success");
    assert_eq!(repo.id("main^{tree}"), repo.id("other^{tree}"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(batch.call("git_status", &json!({}))["staged"], json!([]));
    needs_at_most(&batch, 200);
}

/// The number of commits that wait for one push.
const COMMITS: usize = 1000;

#[test]
fn a_thousand_staged_commits_are_told_discarded_applied_again_and_pushed() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    let bare = repo.bare_clone(&cli.work().join("bare.git"));
    cli.unattended();
    cli.run(&["new", "--from", "bare:bare.git", "--identity", IDENTITY]).ok();
    let mut batch = Batch::start(&cli);
    let mut ids = Vec::new();
    for number in 0..COMMITS {
        let path = format!("new/{}/{number}.md", number % 10);
        batch.call("write_file", &json!({ "path": path, "content": format!("{number}\n") }));
        let staged = batch.call("git_stage", &json!({ "files": [path], "message": format!("Commit {number}") }));
        ids.push(staged["commitId"].clone());
    }
    let waiting = |batch: &mut Batch| {
        let status = batch.call("git_status", &json!({}));
        status["staged"].as_array().unwrap().iter().map(|staged| staged["id"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(waiting(&mut batch), ids);
    batch.call("git_discard", &json!({ "commitId": ids.remove(0) }));
    repo.write("README.md", "# Project\n\nSomebody else was here.\n");
    repo.commit("Somebody else");
    repo.git(&["push", "--quiet", "../bare.git", "main"]);
    batch.call("git_pull", &json!({}));
    assert_eq!(waiting(&mut batch), ids, "a commit that is made again keeps its id");
    let last = ids.last().unwrap();
    assert_eq!(batch.call("git_push", &json!({ "commitId": last }))["status"], "success");
    let messages = bare.git(&["log", "--reverse", "--format=%s", &format!("{}..main", repo.id("main"))]);
    assert!(messages.lines().eq((1..COMMITS).map(|number| format!("Commit {number}"))), "{messages}");
    assert_eq!(waiting(&mut batch), Vec::<Value>::new());
    bare.is_sound();
    needs_at_most(&batch, 200);
}

#[test]
fn a_file_of_many_megabytes_is_changed_told_staged_and_pushed() {
    let megabytes: u32 = trial::times(25, 100);
    let cli = Cli::default();
    let repo = Repo::init(&cli.work().join("project"));
    let line = |number: usize| format!("{number:09} the quick brown fox jumps over the lazy dog, and runs.\n");
    let content: String = (0..megabytes as usize * 1_000_000 / line(0).len()).map(line).collect();
    repo.write("large.txt", &content);
    repo.commit("Large");
    cli.unattended();
    cli.run(&["new", "--from", "local:project", "--identity", IDENTITY]).ok();
    let mut batch = Batch::start(&cli);
    let (old, new) = ("000100000 the quick brown fox", "000100000 THE QUICK BROWN FOX");
    batch.call("edit_file", &json!({ "path": "large.txt", "old": old, "new": new }));
    let diff = batch.line("git_diff", &json!({ "stat": true }));
    assert_eq!(diff["text"], " large.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n");
    let staged = batch.call("git_stage", &json!({ "files": ["large.txt"], "message": "Shout" }));
    let pushed = batch.call("git_push", &json!({ "commitId": staged["commitId"] }));
    assert_eq!(pushed["status"], "success");
    assert!(repo.read("large.txt") == content.replacen(old, new, 1), "what was edited inside is what is outside");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    needs_at_most(&batch, 16 * u64::from(megabytes));
}
