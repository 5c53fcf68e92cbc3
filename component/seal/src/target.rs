//! Installs targets that a build needs and a machine may lack.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Installs the standard library for `target` if the toolchain of the workspace at `workspace` lacks it. rustup reads `rust-toolchain.toml`
/// and does so by itself, unless its configuration forbids it.
pub fn ensure(workspace: &Path, target: &str) -> Result<()> {
    let sysroot = Command::new("rustc")
        .current_dir(workspace)
        .args(["--print", "sysroot"])
        .output()
        .context("cannot run rustc")?;
    let sysroot = String::from_utf8(sysroot.stdout).context("rustc's sysroot is not UTF-8")?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).exists() {
        return Ok(());
    }
    let status = Command::new("rustup").current_dir(workspace).args(["target", "add", target]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => bail!("the Rust target {target} is missing and could not be installed; run: rustup target add {target}"),
    }
}
