//! Builds the component file that every host loads.
//!
//! Three steps. Cargo compiles the crate `component` for `wasm32-wasip1`; the kernel inside defines all its libc imports. An adapter module
//! closes `random_get`, which std imports directly. `wit-component` wraps the module into a component, whose only import is then a clock.
//! The native host's build script calls this crate, so a plain `cargo build` is enough.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(feature = "wrap")]
mod compile;
pub mod target;
#[cfg(feature = "wrap")]
mod wrap;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

#[cfg(feature = "wrap")]
pub use compile::{Parts, Profile};

/// The target that the component is compiled for.
pub const TARGET: &str = "wasm32-wasip1";

/// Builds the component of the workspace at `workspace` in a target directory of its own, and returns the file's content.
#[cfg(feature = "wrap")]
pub fn build(workspace: &Path, target_dir: &Path, profile: Profile, parts: Parts) -> Result<Vec<u8>> {
    let module = compile::compile(workspace, target_dir, profile, parts)?;
    let module = std::fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    wrap::wrap(&module)
}

/// Writes the component to `file`. It replaces the file atomically, because another process may be reading it.
pub fn put(component: &[u8], file: &Path) -> Result<()> {
    let fresh = file.with_extension(format!("wasm.{}", std::process::id()));
    std::fs::write(&fresh, component).with_context(|| format!("cannot write {}", fresh.display()))?;
    std::fs::rename(&fresh, file).with_context(|| format!("cannot write {}", file.display()))
}

/// The source files of the component, for a build script to watch.
pub fn sources(workspace: &Path) -> Vec<PathBuf> {
    [".cargo", "Cargo.lock", "Cargo.toml", "component", "wit"].into_iter().map(|name| workspace.join(name)).collect()
}
