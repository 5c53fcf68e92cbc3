//! Runs Cargo for the component.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::{TARGET, target};

/// How the component is compiled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Profile {
    /// Small and fast, for release.
    Wasm,
    /// Compiled quickly, for development.
    WasmDev,
}

/// What the component has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Parts {
    /// Every tool.
    All,
    /// Every tool but `bash`, for who wants a smaller file.
    WithoutShell,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Wasm => "wasm",
            Profile::WasmDev => "wasm-dev",
        }
    }
}

/// Variables that Cargo and clippy set for the calling build script. They would change what the inner Cargo does.
const NOT_INHERITED: &[&str] = &[
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MAKEFLAGS",
    "CLIPPY_ARGS",
    "MAKEFLAGS",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
    "TARGET",
];

/// Compiles the crate `component` and returns the path of the core module.
pub fn compile(workspace: &Path, target_dir: &Path, profile: Profile, parts: Parts) -> Result<PathBuf> {
    target::ensure(workspace, TARGET)?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace).args([
        "rustc",
        "--locked",
        "--package",
        "component",
        "--lib",
        "--crate-type",
        "cdylib",
    ]);
    cargo.args(["--target", TARGET, "--profile", profile.name(), "--target-dir"]).arg(target_dir);
    if parts == Parts::WithoutShell {
        cargo.arg("--no-default-features");
    }
    for name in NOT_INHERITED {
        cargo.env_remove(name);
    }
    let status = cargo.status().context("cannot run cargo")?;
    ensure!(status.success(), "the component did not compile");
    Ok(target_dir.join(TARGET).join(profile.name()).join("component.wasm"))
}
