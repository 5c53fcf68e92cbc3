//! One script of calls, played here in wasmtime and by the shim in node: texts, journals, audit
//! logs, object ids and digests are the same, byte for byte. A second time it is played with a host
//! that is dropped at every step, and nothing that was answered is lost.

/// The words of the shim for what a person can do.
#[path = "../../../../web-demo/shim/src/act.rs"]
mod act;
mod generated;
mod node;
mod notes;
mod play;
mod words;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use gate::hex;
use host::target::supply::Import;
use serde_json::{Value, json};

use self::play::Player;
use crate::remote::{Target, TargetSpec};
use crate::sandbox::{Clock, Runtime, STACK};

const SCRIPT: &str = include_str!("../../../../web-demo/shim/tests/script.json");

fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new(trial::git());
    git.current_dir(folder).args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        git.env(date, "2026-11-20T09:00:00+01:00");
    }
    let output = git.output().expect("git is there");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository of two commits, as `gitgate new --from` reads it.
fn import() -> Import {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    fs::write(folder.path().join("README.md"), "# Project\n").unwrap();
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "Begin"]);
    fs::write(folder.path().join("large.txt"), "a line that is there again and again\n".repeat(2000)).unwrap();
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "Add a large file"]);
    let spec = TargetSpec::parse(&format!("local:{}", folder.path().display())).unwrap();
    let supplied = Target::open(&spec, folder.path()).unwrap().supply(&host::target::Silent).unwrap();
    supplied.import(None, None).unwrap()
}

/// The script, as it was played twice.
struct Played {
    script: Value,
    import: Import,
    /// What happened, and what is kept after it: with a host that lives, and with one that is
    /// dropped.
    ways: [(Value, Value); 2],
}

fn played() -> Played {
    let script: Value = serde_json::from_str(SCRIPT).unwrap();
    let import = import();
    let runtime = runtime();
    let ways = [false, true].map(|drops| {
        let player = Player::new(&script, &import, Rc::clone(&runtime), drops);
        (player.play(), player.kept())
    });
    Played { script, import, ways }
}

/// What a player elsewhere needs: what is played, and what has to come of it.
fn transcript(mut script: Value, import: &Import, ways: &[(&str, &(Value, Value))]) -> Value {
    // The order of keys is part of what a call is given.
    for step in script["steps"].as_array_mut().expect("there are steps") {
        // The ids of comments are known once they are made.
        if step["text"].is_null() && step["answers-comment"].is_null() {
            step["text"] = step["arguments"].to_string().into();
        }
    }
    let attached: Vec<String> = import.attached.iter().map(|one| hex::encode(&one.content)).collect();
    let ways = ways.iter().map(|(name, (steps, kept))| ((*name).to_owned(), json!({ "steps": steps, "kept": kept })));
    json!({
        "script": script,
        "tools": host::component::Components::tools(&*runtime()).unwrap(),
        "import": { "arguments": import.arguments.to_string(), "attached": attached },
        "ways": ways.collect::<serde_json::Map<_, _>>(),
    })
}

fn runtime() -> Rc<Runtime> {
    Rc::new(Runtime::load(Clock::fake(), || ()).unwrap())
}

fn with_stack<T: Send>(function: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 * STACK + (1 << 20)).spawn_scoped(scope, function);
        thread.unwrap().join().unwrap()
    })
}

/// What the last `advance` of each step that is a call or an export gave.
fn replies(played: &Value) -> Vec<&Value> {
    let steps = played.as_array().expect("there are steps").iter();
    steps.filter_map(|step| step["turns"].as_array()?.last()?.get("done")).collect()
}

/// What a reply says to whoever made the call, without what differs from one review to the next.
fn said(reply: &Value) -> (String, String) {
    let text = ["text", "message", "reason"].iter().find_map(|name| reply["val"][name].as_str());
    // A comment's id is random, and stands in brackets.
    let line = |line: &str| match line.split_once(']') {
        Some((id, rest)) if id.starts_with('[') && id.len() == 17 => format!("[ID]{rest}\n"),
        _ => format!("{line}\n"),
    };
    (reply["tag"].to_string(), text.unwrap_or_default().lines().map(line).collect())
}

#[test]
fn the_script_has_three_rounds_of_a_review() {
    with_stack(|| {
        let [(lived, _), _] = played().ways;
        let asks = lived.as_array().expect("there are steps").iter().filter_map(|step| step["turns"].as_array());
        let asks = asks.flatten().map(|turn| &turn["need"]["val"]).filter(|ask| ask["listed"].is_array());
        let rounds: Vec<&Value> =
            asks.filter(|ask| ask["push"]["target"].to_string().contains("rounds.bundle")).collect();
        let part = |ask: &Value| {
            let listed = ask["listed"].as_array().expect("files are listed");
            listed.iter().find(|file| file["path"] == "r.md").expect("it is in each").clone()["units"][0].clone()
        };
        let [first, second, third] = &*rounds else { panic!("there are {} rounds", rounds.len()) };
        assert_eq!(part(first)["state"], "new");
        assert_eq!(
            (&part(second)["state"], &part(second)["since"]),
            (&json!("changed"), &json!(" one\n-two\n+three\n"))
        );
        assert_eq!(part(third)["state"], "changed");
        assert_eq!(second["comments"][0]["replies"][0]["text"], "It is three now");
        assert!(third["comments"][0]["settled"]["by"].is_string(), "{}", third["comments"]);
    });
}

#[test]
fn a_host_that_is_dropped_at_every_turn_loses_no_answer() {
    with_stack(|| {
        let [(lived, kept), (dropped, also)] = played().ways;
        let (lived, dropped) = (replies(&lived), replies(&dropped));
        for (at, (one, other)) in lived.iter().zip(&dropped).enumerate() {
            let is_history = one["val"]["text"].as_str().is_some_and(|text| text.contains("sandbox_import"));
            if !is_history {
                assert_eq!(said(one), said(other), "reply {at}");
            }
        }
        assert_eq!(lived.len(), dropped.len());
        assert_eq!(kept["files"], also["files"], "the same bundle leaves");
        let decisions =
            |kept: &Value| play::text(&kept["audit"]).as_bytes().chunks(2).filter(|byte| *byte == b"0a").count();
        assert_eq!(decisions(&kept), decisions(&also), "as many decisions are recorded");
    });
}

#[test]
#[ignore = "needs the shim, node and npm: cargo xtask test"]
fn the_script_is_the_same_in_wasmtime_and_in_node() {
    let Played { script, import, ways: [lived, dropped] } = with_stack(played);
    let transcript = transcript(script, &import, &[("lived", &lived), ("dropped", &dropped)]);
    node::compare(&node::write("script.json", &transcript));
}

#[test]
#[ignore = "needs the shim, node and npm: cargo xtask test"]
fn generated_calls_are_the_same_in_wasmtime_and_in_node() {
    for seed in trial::seeds(0..1) {
        let transcript = with_stack(|| generated::transcript(seed, trial::times(300, 10_000)));
        node::compare(&node::write(&format!("generated-{seed}.json"), &transcript));
    }
}
