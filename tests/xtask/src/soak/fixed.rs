//! The checks that run once.

use anyhow::Result;

use super::Soak;
use crate::step::{Report, run_tests, run_tests_of_node, run_tests_of_python};
use crate::{check, demo, mcp, shim, target_dir, web};

/// Names the component file for the tests that only inspect it.
const COMPONENT: &str = "GITGATE_TEST_COMPONENT";

/// Runs all of them. Random choices follow from `seed`.
pub fn all(soak: &mut Soak, seed: u64) -> Result<()> {
    soak.steps.take("build the shipped component", || demo::build().map(|_| Report::default()))?;
    // The release build leaves the component where other hosts look for it.
    let component = target_dir()?.join("gitgate.wasm");
    for (name, arguments) in [
        ("the shipped component is sealed", &["--", "sealed::"][..]),
        ("the shipped component's size", &["--", "--ignored", "size::the_shipped_component"]),
        ("the shipped component in node", &["--", "--ignored", "--nocapture", "jco::"]),
    ] {
        let arguments = [&["--test", "suite"], arguments].concat();
        let again = format!("{COMPONENT}={} cargo test --package tests {}", component.display(), arguments.join(" "));
        soak.tests(name, &again, check::tests()?.args(&arguments).env(COMPONENT, &component));
    }
    soak.tests(
        "kills, races, limits, much at once",
        "GITGATE_FULL=1 cargo test --package tests --test suite -- kill:: racing:: limits::size:: bulk::",
        check::tests()?
            .args(["--test", "suite", "--", "kill::", "racing::", "limits::size::", "bulk::"])
            .env("GITGATE_FULL", "1"),
    );
    soak.tests(
        "a tool that is added by its recipe",
        "cargo test --package tests --test suite -- --ignored recipes::",
        check::tests()?.args(["--test", "suite", "--", "--ignored", "recipes::"]),
    );
    soak.tests(
        "calls cut off at every look at the clock",
        "GITGATE_FULL=1 cargo test --package tools --lib -- attack_21",
        check::tests()?.args(["--lib", "--", "attack_21"]).env("GITGATE_FULL", "1"),
    );
    soak.work(
        "10,000 calls in node",
        "GITGATE_FULL=1 GITGATE_TEST_SHIM=target/shim cargo test --package gitgate --lib -- --ignored driver::script",
        || run_tests(shim::scripts()?.env("GITGATE_FULL", "1")),
    );
    soak.work(
        "10,000 calls in Chromium",
        "GITGATE_TEST_TRANSCRIPTS=target/shim/transcripts npm run test:script -w sdk",
        || run_tests_of_node(&mut web::scripts()?),
    );
    soak.work("the worker killed 200 times", "GITGATE_KILLS=200 npm run test:kills -w edge", || {
        run_tests_of_node(&mut web::kills(200)?)
    });
    soak.work(
        "1,000 sandboxes in turn, and 16 clients of one for a minute",
        "GITGATE_SANDBOXES=1000 GITGATE_SECONDS=60 npm run test:many -w edge",
        || run_tests_of_node(&mut web::many(1000, 60)?),
    );
    soak.work(
        "requests that schemathesis makes",
        &format!("GITGATE_FULL=1 GITGATE_EXAMPLES=100 GITGATE_SEED={seed} npm run test:described -w edge"),
        || run_tests_of_node(&mut web::described(100, seed)?),
    );
    soak.work(
        "16 MCP clients for a minute",
        "GITGATE_BIN=target/debug/gitgate GITGATE_SECONDS=60 target/mcp/bin/python tests/mcp test_many",
        || run_tests_of_python(mcp::suite()?.arg("test_many").env("GITGATE_SECONDS", "60")),
    );
    soak.tests(
        "a kernel and a real filesystem, damaged journals",
        "GITGATE_FULL=1 cargo test --package vfs --test spec",
        check::tests()?.args(["--test", "spec"]).env("GITGATE_FULL", "1"),
    );
    soak.tests(
        "a trouble at each request to GitHub",
        "GITGATE_FULL=1 cargo test --package gate --test suite -- github_land:: github_limits:: github_read::",
        check::tests()?
            .args(["--test", "suite", "--", "github_land::", "github_limits::", "github_read::"])
            .env("GITGATE_FULL", "1"),
    );
    soak.tests(
        "secrets in ordinary files",
        "GITGATE_FULL=1 cargo test --package gate --test suite -- secrets_ordinary",
        check::tests()?.args(["--test", "suite", "--", "secrets_ordinary"]).env("GITGATE_FULL", "1"),
    );
    Ok(())
}
