//! Builds the command line and the component, once for a run of the tests.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::environment;

/// The built files.
#[derive(Debug)]
pub struct Built {
    /// The command line.
    pub cli: PathBuf,
    /// The component inside it, or the one that [`COMPONENT`] names.
    pub component: PathBuf,
    /// The target directory.
    pub target: PathBuf,
    /// A cache folder that all runs of the command line share, so that the component is compiled to machine code once.
    pub cache: PathBuf,
}

/// Names another component file, such as the shipped one, for the tests that only read the file.
pub const COMPONENT: &str = "GITGATE_TEST_COMPONENT";

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace")
}

/// The cargo that runs the tests, or the one on the PATH.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    cargo.current_dir(workspace());
    cargo
}

/// Both, built.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> Built {
    let exe = std::env::current_exe().expect("a test runs from a file");
    let profile = exe.ancestors().nth(2).expect("a test lies in TARGET/PROFILE/deps");
    let target = profile.parent().expect("a profile's folder is in the target directory").to_owned();
    // Processes of one run, and parallel runs, build and warm the cache one after the other.
    let lock = File::create(target.join(".tests.lock")).expect("the target directory is writable");
    lock.lock().expect("a file in the target directory can be locked");
    build_cli(&target, profile.ends_with("release"));
    let built = Built {
        cli: profile.join(format!("gitgate{}", std::env::consts::EXE_SUFFIX)),
        component: std::env::var_os(COMPONENT).map_or_else(|| profile.join("gitgate.wasm"), PathBuf::from),
        cache: target.join("tests-cache"),
        target,
    };
    warm(&built);
    built
}

/// The packages and targets give every dependency the same features as `cargo test` at the root, so that nothing is compiled twice: all
/// packages but `seal`, and one test among the targets, for the dependencies of tests.
fn build_cli(target: &Path, release: bool) {
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--locked", "--workspace", "--exclude", "seal"]);
    cargo.args(["--bin", "gitgate", "--test", "suite", "--target-dir"]);
    cargo.arg(target);
    if release {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs the tests, so it can be run");
    assert!(status.success(), "gitgate does not build");
}

/// Creates a sandbox, so that the component's machine code is in the cache before parallel tests start.
fn warm(built: &Built) {
    fs::create_dir_all(&built.cache).expect("the target directory is writable");
    let home = tempfile::tempdir().expect("there is a temporary folder");
    let mut cli = Command::new(&built.cli);
    environment::pin(&mut cli, home.path()).env("XDG_CACHE_HOME", &built.cache);
    let output = cli
        .arg("--home")
        .arg(home.path().join("gitgate"))
        .args(["-s", "default", "new", "--empty"])
        .output()
        .expect("gitgate was built");
    assert!(output.status.success(), "gitgate makes no sandbox: {}", String::from_utf8_lossy(&output.stderr));
}
