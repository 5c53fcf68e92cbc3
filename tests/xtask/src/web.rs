//! `cargo xtask web`: builds everything for the browser from the component and the shim.
//!
//! `web-demo/sdk/generated` has the generated files: the component as jco transpiles it, the shim, and the types of the tools' arguments.
//! `web-demo/dist` has the files for users.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::python::environment;
use crate::step::{Report, Steps, cargo, run, run_tests_of_node};
use crate::{edge, node, shim, target_dir, workspace};

/// Names the folder of the native host's transcripts for the tests.
const TRANSCRIPTS: &str = "GITGATE_TEST_TRANSCRIPTS";
/// Names the command for the tests, which the tests' build has produced.
const COMMAND: &str = "GITGATE_TEST_GITGATE";
/// Names the schemathesis program for the tests.
const SCHEMATHESIS: &str = "GITGATE_TEST_SCHEMATHESIS";

/// Builds everything from the shipped component, and serves the page unless `only_build`.
pub fn command(only_build: bool) -> Result<()> {
    let mut steps = Steps::default();
    let component = component(&mut steps)?;
    build(&mut steps, &component)?;
    if only_build {
        return Ok(());
    }
    npm(&["run", "serve"])
}

/// Builds everything from this component.
pub fn build(steps: &mut Steps, component: &Path) -> Result<()> {
    generated(steps, component)?;
    steps.take("the shim for edge functions", edge::generate)?;
    steps.take("npm package, page, extension and worker", || npm(&["run", "build"]).map(|()| Report::default()))?;
    steps.take("what is given to users", dist)
}

/// Builds the shipped component.
fn component(steps: &mut Steps) -> Result<PathBuf> {
    steps.take("node", node::look)?;
    let mut component = PathBuf::new();
    steps.take("the component", || {
        component = shipped()?;
        size(&component)
    })?;
    Ok(component)
}

/// Generates the input of the SDK's build.
fn generated(steps: &mut Steps, component: &Path) -> Result<()> {
    steps.take("the shim", shim::report)?;
    steps.take("npm's packages", packages)?;
    steps.take("what is generated", || generate(component))
}

/// Builds SDK and page from the shipped component. Returns their folder, which also contains npm's packages.
pub fn page(steps: &mut Steps) -> Result<PathBuf> {
    let component = component(steps)?;
    generated(steps, &component)?;
    for (name, package) in [("the SDK", "sdk"), ("the page", "app")] {
        steps.take(name, || npm(&["run", "build", "-w", package]).map(|()| Report::default()))?;
    }
    Ok(folder())
}

/// Copies page, both extensions and npm package to the folder for users.
fn dist() -> Result<Report> {
    let dist = folder().join("dist");
    clear(&dist)?;
    let made = [("app/dist", "page"), ("extension/dist", "extension"), ("extension/dist-firefox", "extension-firefox")];
    for (from, to) in made {
        copy_all(&folder().join(from), &dist.join(to))?;
    }
    npm(&["pack", "--workspace", "sdk", "--pack-destination", "dist"])?;
    Ok(Report::note(format!("page, extensions and npm package in {}", dist.display())))
}

/// Empties the folder.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

/// Tests the SDK and its users with the component from the tests' build.
pub fn test() -> Result<Report> {
    run_tests_of_node(&mut npm_test(&["run", "test"])?)
}

/// Plays the native host's transcripts in Chromium.
pub fn scripts() -> Result<Command> {
    npm_test(&["run", "test:script", "-w", "sdk"])
}

/// Kills the worker `times` times, at random moments while it works.
pub fn kills(times: u64) -> Result<Command> {
    let mut npm = npm_test(&["run", "test:kills", "-w", "edge"])?;
    npm.env("GITGATE_KILLS", times.to_string());
    Ok(npm)
}

/// On each server, calls `sandboxes` sandboxes in turn, then one sandbox from sixteen clients for `seconds`.
pub fn many(sandboxes: u64, seconds: u64) -> Result<Command> {
    let mut npm = npm_test(&["run", "test:many", "-w", "edge"])?;
    npm.env("GITGATE_SANDBOXES", sandboxes.to_string()).env("GITGATE_SECONDS", seconds.to_string());
    Ok(npm)
}

/// Sends `examples` requests for each operation with each token to each server. schemathesis generates them from the description.
pub fn described(examples: u64, seed: u64) -> Result<Command> {
    let mut npm = npm_test(&["run", "test:described", "-w", "edge"])?;
    npm.env("GITGATE_EXAMPLES", examples.to_string()).env("GITGATE_SEED", seed.to_string());
    Ok(npm)
}

/// An npm command that runs tests.
fn npm_test(arguments: &[&str]) -> Result<Command> {
    let shim = shim::build()?;
    packages()?;
    generate(&target_dir()?.join("debug/gitgate.wasm"))?;
    edge::generate()?;
    npm(&["run", "build"])?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder()).arg("--silent").args(arguments).env(TRANSCRIPTS, shim::transcripts(&shim));
    let target = target_dir()?;
    npm.env(COMMAND, target.join("debug/gitgate")).env("XDG_CACHE_HOME", target.join("tests-cache"));
    let wanted = folder().join("edge/test/requirements.txt");
    npm.env(SCHEMATHESIS, environment(&wanted, &target.join("schemathesis"))?.join("schemathesis"));
    Ok(npm)
}

/// Builds the component for use without the native host.
fn shipped() -> Result<PathBuf> {
    let target = target_dir()?;
    run(cargo().args(["run", "--quiet", "--locked", "--package", "seal", "--"]).arg(workspace()).arg(&target))?;
    Ok(target.join("gitgate.wasm"))
}

fn size(file: &Path) -> Result<Report> {
    let bytes = fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len();
    Ok(Report::note(format!("{} KiB", bytes / 1024)))
}

/// The folder of the npm workspace.
pub fn folder() -> PathBuf {
    workspace().join("web-demo")
}

/// Runs an npm command.
pub fn npm(arguments: &[&str]) -> Result<()> {
    run(Command::new("npm").current_dir(folder()).args(["--silent"]).args(arguments)).map(drop)
}

/// Installs the packages of the lock file, unless they are installed.
fn packages() -> Result<Report> {
    let (lock, mark) = (folder().join("package-lock.json"), folder().join("node_modules/.lock"));
    let wanted = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(Report::note("as they were"));
    }
    npm(&["ci", "--no-audit", "--no-fund"])?;
    fs::write(&mark, wanted).with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(Report::default())
}

/// Copies the shim, the transpiled component and the tools' types to the SDK's folder.
fn generate(component: &Path) -> Result<Report> {
    let generated = folder().join("sdk/generated");
    clear(&generated)?;
    let shim = target_dir()?.join("shim");
    fs::create_dir_all(generated.join("shim"))?;
    for name in ["shim.js", "shim_bg.wasm"] {
        fs::copy(shim.join(name), generated.join("shim").join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    let mut jco = Command::new("node");
    jco.arg(folder().join("node_modules/.bin/jco")).arg("transpile").arg(component);
    jco.arg("-o").arg(generated.join("component")).args(["--name", "gitgate", "-I", "async", "--no-wasi-shim"]);
    run(jco.args(["--no-nodejs-compat", "--no-typescript", "--minify", "-q"]))?;
    fs::write(generated.join("package.json"), "{\"type\": \"module\"}\n")?;
    let tools = script("tools.mjs", &generated, Stdio::null())?;
    fs::write(generated.join("tools.json"), tools)?;
    let types = script("types.mjs", &generated, File::open(generated.join("tools.json"))?.into())?;
    fs::write(generated.join("tools.ts"), types)?;
    size(&generated.join("component/gitgate.core.wasm"))
}

/// The output of one of the SDK's scripts.
fn script(name: &str, generated: &Path, input: Stdio) -> Result<Vec<u8>> {
    let mut node = Command::new("node");
    node.arg(folder().join("sdk/scripts").join(name)).arg(generated).stdin(input);
    let said = node.output().context("cannot run node")?;
    ensure!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
    Ok(said.stdout)
}
