//! The shim in node, with the component as jco transpiles it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use trial::node::{install, run};

/// Where `cargo xtask test` has put the shim.
const SHIM: &str = "GITGATE_TEST_SHIM";

/// What node needs of packages, pinned by a lock file.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web-demo/shim/tests");

/// Has node play the script and compare everything.
pub fn compare(transcript: &Value) {
    let shim = std::env::var_os(SHIM).map(PathBuf::from).expect("cargo xtask test sets it");
    // The packages lie beside the shim.
    let node = shim.join("node");
    install(Path::new(TESTS), &node);
    let out = node.join("component");
    let mut jco = Command::new("node");
    jco.arg(node.join("node_modules/.bin/jco")).args(["transpile", env!("GITGATE_COMPONENT"), "-o"]).arg(&out);
    run(jco.args([
        "--name",
        "gitgate",
        "-I",
        "async",
        "--no-wasi-shim",
        "--no-typescript",
        "--no-nodejs-compat",
        "-q",
    ]));
    std::fs::write(out.join("package.json"), "{\"type\": \"module\"}\n").unwrap();
    let file = node.join("transcript.json");
    std::fs::write(&file, transcript.to_string()).unwrap();
    let script = Path::new(TESTS).join("main.mjs");
    let said = run(Command::new("node").arg("--stack-size=4000").arg(script).arg(&shim).arg(&out).arg(&file));
    print!("{said}");
}
