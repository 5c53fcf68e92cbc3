//! The shim in node, with the component as jco transpiles it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Where `cargo xtask test` has put the shim.
const SHIM: &str = "GITGATE_TEST_SHIM";

/// What node needs of packages, pinned by a lock file.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web-demo/shim/tests");

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}\nThis test needs node 20 or later with npm: https://nodejs.org/, or `apt-get install nodejs npm`")
    });
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    print!("{out}");
    assert!(output.status.success(), "{command:?}: {out}\n{err}");
}

/// The packages, installed beside the shim unless they are there as the lock file has them.
fn packages(shim: &Path) -> PathBuf {
    let folder = shim.join("node");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = |folder: &Path| std::fs::read(folder.join("package-lock.json")).ok();
    let is_installed = folder.join("installed").exists() && lock(&folder) == lock(Path::new(TESTS));
    if !is_installed {
        for name in ["package.json", "package-lock.json", ".npmrc"] {
            std::fs::copy(Path::new(TESTS).join(name), folder.join(name)).unwrap();
        }
        let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
        run(Command::new("npm").current_dir(&folder).args(install));
        std::fs::write(folder.join("installed"), "").unwrap();
    }
    folder
}

/// Has node play the script and compare everything.
pub fn compare(transcript: &Value) {
    let shim = std::env::var_os(SHIM).map(PathBuf::from).expect("cargo xtask test sets it");
    let node = packages(&shim);
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
    run(Command::new("node").arg("--stack-size=4000").arg(script).arg(&shim).arg(&out).arg(&file));
}
