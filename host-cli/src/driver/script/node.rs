//! The shim in node, with the component as jco transpiles it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use trial::node::{install, run};

/// Where `cargo xtask test` has put the shim.
const SHIM: &str = "GITGATE_TEST_SHIM";

/// What node needs of packages, pinned by a lock file.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web-demo/shim/tests");

/// Puts a transcript where node, and the tests in Chromium, find it.
pub fn write(name: &str, transcript: &Value) -> PathBuf {
    let folder = shim().join("transcripts");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, transcript.to_string()).unwrap();
    file
}

fn shim() -> PathBuf {
    std::env::var_os(SHIM).map(PathBuf::from).expect("cargo xtask test sets it")
}

/// Has node play what this transcript tells of, and compare everything.
pub fn compare(transcript: &Path) {
    let component = component();
    let main = Path::new(TESTS).join("main.mjs");
    let said = run(Command::new("node").arg("--stack-size=4000").arg(main).arg(shim()).arg(component).arg(transcript));
    print!("{said}");
}

/// The component as jco transpiles it, made once.
fn component() -> &'static Path {
    static COMPONENT: OnceLock<PathBuf> = OnceLock::new();
    COMPONENT.get_or_init(|| {
        // The packages lie beside the shim.
        let node = shim().join("node");
        install(Path::new(TESTS), &node);
        let out = node.join("component");
        let mut jco = Command::new("node");
        jco.arg(node.join("node_modules/.bin/jco")).args(["transpile", env!("GITGATE_COMPONENT"), "-o"]).arg(&out);
        let plain = ["--no-wasi-shim", "--no-typescript", "--no-nodejs-compat", "-q"];
        run(jco.args(["--name", "gitgate", "-I", "async"]).args(plain));
        std::fs::write(out.join("package.json"), "{\"type\": \"module\"}\n").unwrap();
        out
    })
}
