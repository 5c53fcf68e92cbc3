//! Measures the same calls in a page of Chromium: gitgate through the SDK, with its records in OPFS, and isomorphic-git and wasm-git in
//! that page.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::changes;
use super::generate;
use super::measure::{ROUNDS, changed_files};
use super::peers::{self, Peer};
use super::reads;
use super::scripts;
use crate::chromium;

/// Medians in a page.
pub struct Pages {
    /// gitgate's operations, in the order of the table.
    pub times: Vec<(&'static str, Took)>,
    /// Times of the others, with the repository in the page's memory.
    pub peers: Vec<Peer>,
    /// The flush of a record.
    pub flush: Duration,
    /// From reopening the imported sandbox in a new Worker to the first status.
    pub reopen: Duration,
    /// From the navigation of a fresh profile to a new sandbox that answers.
    pub first: Duration,
}

/// Medians of an operation.
pub struct Took {
    /// In the sandbox's Worker, from the message with the call to the reply.
    pub worker: Duration,
    /// From the SDK's call to its reply.
    pub page: Duration,
}

/// Measures a repository. `peers` has the scripts and the packages, `web` the SDK. Chromium keeps its profiles in `folder`, which makes
/// sure they are on a disk.
pub fn measure(peers: &Path, web: &Path, folder: &Path, repo: &Path) -> Result<Pages> {
    std::fs::create_dir_all(folder)?;
    let (operations, calls) = operations();
    let before = [made(&changes::other_branch()), made(&scripts::before())].concat();
    let input = json!({
        "operations": calls,
        "before": before,
        "files": changed_files(),
        "rounds": ROUNDS[1],
    });
    let mut node = Command::new("node");
    node.arg("pages.mjs").arg(web).arg(chromium::PROGRAM).arg(repo).arg(folder).current_dir(peers);
    let mut child =
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("node is needed")?;
    serde_json::to_writer(child.stdin.take().expect("it is piped"), &input)?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "pages.mjs: {}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).context("pages.mjs prints JSON")?;
    let time = |time: &Value| peers::milliseconds(time).context("pages.mjs measures everything");
    let took = |name| {
        let took = &said["times"][name];
        Ok((name, Took { worker: time(&took["worker"])?, page: time(&took["page"])? }))
    };
    let times = operations.into_iter().map(took).collect::<Result<_>>()?;
    let (flush, reopen, first) = (time(&said["flush"])?, time(&said["reopen"])?, time(&said["first"])?);
    Ok(Pages { times, peers: peers::read(&said), flush, reopen, first })
}

/// The names of the operations, and their input for the script.
fn operations() -> (Vec<&'static str>, Vec<Value>) {
    let reads = reads::all(&generate::name(0)).into_iter().map(|read| {
        let calls = made(&[(read.tool, read.arguments)]);
        let does = json!({ "calls": calls, "rounds": ROUNDS[0], "changed": "never", "list": read.list });
        (read.operation, does)
    });
    let scripts = scripts::calls().into_iter().map(|(operation, tool, arguments)| {
        let does = json!({ "calls": made(&[(tool, arguments)]), "rounds": ROUNDS[0], "changed": "never" });
        (operation, does)
    });
    // With each change: whether the script changes files never, once, or before each round.
    let files = changed_files();
    let changes = [(changes::checkout(), "never"), (changes::stash(), "once"), (changes::commit(&files), "each")];
    let changes = changes.into_iter().map(|(change, changed)| {
        let does = json!({ "calls": made(&change.calls), "rounds": ROUNDS[1], "changed": changed });
        (change.operation, does)
    });
    let named = reads.chain(scripts).chain(changes).map(|(operation, mut does)| {
        does["operation"] = operation.into();
        (operation, does)
    });
    named.unzip()
}

fn made(calls: &[(&str, Value)]) -> Vec<Value> {
    calls.iter().map(|(tool, arguments)| json!({ "tool": tool, "args": arguments })).collect()
}
