//! Runs the suites of the component's crates as the component runs: in WebAssembly, on the kernel's filesystem.

use std::path::PathBuf;
use std::process::Stdio;

use tests::built::{built, cargo};
use tests::{host, wasm};

/// Compiles the suites, with real output and exit, and returns the modules with their names.
fn modules() -> Vec<(String, PathBuf)> {
    let mut cargo = cargo();
    cargo.args([
        "test",
        "--no-run",
        "--locked",
        "--message-format",
        "json-render-diagnostics",
        "--target",
        "wasm32-wasip1",
    ]);
    cargo.args([
        "--profile",
        "wasm-dev",
        "-p",
        "vfs",
        "-p",
        "tools",
        "-p",
        "patch",
        "--lib",
        "--test",
        "spec",
        "--features",
        "vfs/stdio",
    ]);
    cargo.arg("--target-dir").arg(built().target.join("component"));
    // Compiled like the component, so that both share their common dependencies.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    let output = cargo.stderr(Stdio::inherit()).output().expect("cargo runs the tests");
    assert!(output.status.success(), "the suites do not compile for wasm32-wasip1");
    let text = String::from_utf8(output.stdout).expect("cargo prints JSON");
    let artifacts = text.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let file = message["executable"].as_str()?;
        Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(file)))
    });
    artifacts.collect()
}

/// The shared crates, for servers in a page or in an edge function.
#[test]
#[ignore = "compiles the host for WebAssembly: cargo xtask test"]
fn the_host_compiles_for_pages() {
    let mut cargo = cargo();
    cargo.args(["check", "--locked", "-p", "host", "-p", "api", "--target", "wasm32-unknown-unknown"]);
    cargo.arg("--target-dir").arg(built().target.join("pages"));
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    assert!(
        cargo.status().expect("cargo runs the tests").success(),
        "what every body shares does not compile for wasm32-unknown-unknown"
    );
}

/// How many tests ran, from the last line that libtest prints: `test result: ok. 12 passed; 0 failed; …`
fn passed(output: &str) -> Option<usize> {
    let result = output.lines().rev().find_map(|line| line.strip_prefix("test result: ok. "))?;
    result.split_whitespace().next()?.parse().ok()
}

#[test]
#[ignore = "compiles the suites for WebAssembly: cargo xtask test"]
fn the_suites_pass_inside_wasm() {
    host::with_stack(|| {
        let modules = modules();
        let names: Vec<&str> = modules.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["vfs", "spec", "tools", "patch"] {
            assert!(names.contains(&name), "{name} has no suite in {names:?}");
        }
        for (name, file) in &modules {
            let ended = wasm::run(file, &[]).unwrap_or_else(|error| panic!("{name} cannot be run: {error:?}"));
            assert_eq!(ended.exit, Ok(0), "{name}: {}", ended.output);
            let passed = passed(&ended.output).unwrap_or_else(|| panic!("{name} has no result: {}", ended.output));
            assert!(passed > 0 || name == "vfs", "no test of {name} ran");
        }
    });
}
