//! The same component in another host: jco transpiles it to JavaScript, and node plays it, so that nothing depends on wasmtime.

use std::path::{Path, PathBuf};
use std::process::Command;

use tests::built::{built, workspace};
use trial::node::run;

const JCO: &str = "@bytecodealliance/jco@1.35.0";

/// jco in a folder of the target directory, installed once.
fn jco() -> PathBuf {
    let folder = built().target.join("jco").join(JCO.rsplit('@').next().expect("a version follows the last @"));
    let jco = folder.join("node_modules/.bin/jco");
    if !jco.exists() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("package.json"), "{\"private\": true}\n").unwrap();
        run(Command::new("npm").current_dir(&folder).args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--silent",
            JCO,
        ]));
    }
    jco
}

fn transpile(jco: &Path, into: &Path) {
    let mut command = Command::new("node");
    command.arg(jco).arg("transpile").arg(&built().component).arg("-o").arg(into);
    run(command.args(["--name", "gitgate", "-I", "async", "--no-wasi-shim", "--no-typescript", "-q"]));
}

#[test]
#[ignore = "needs node and npm: cargo xtask soak"]
fn stage_push_and_undo_in_node() {
    // Parallel runs install and transpile one after the other.
    let lock = std::fs::File::create(built().target.join(".jco.lock")).unwrap();
    lock.lock().unwrap();
    let into = built().target.join("jco/out");
    transpile(&jco(), &into);
    std::fs::write(into.join("package.json"), "{\"type\": \"module\"}\n").unwrap();
    let out = run(Command::new("node").arg(workspace().join("tests/jco/smoke.mjs")).arg(&into));
    assert_eq!(out, "passed\n");
}
