//! Builds the sealed component that the binary carries, and leaves a copy beside the binary; the one that is optimized for use also
//! where other hosts look for it: `target/gitgate.wasm`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

fn main() -> Result<()> {
    // Asked for now, not when this was compiled: several checkouts may share a target directory.
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").context("Cargo sets CARGO_MANIFEST_DIR")?);
    let workspace = manifest.parent().context("the crate is in the workspace")?;
    for source in seal::sources(workspace) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").context("Cargo sets OUT_DIR")?);
    let target = target_dir(&out)?;
    let profile = match env::var("PROFILE").as_deref() {
        Ok("release") => seal::Profile::Wasm,
        _ => seal::Profile::WasmDev,
    };
    let component = seal::build(workspace, &target.join("component"), profile, seal::Parts::All)?;
    let file = out.join("gitgate.wasm");
    std::fs::write(&file, &component)?;
    let profile_dir = out.ancestors().nth(3).context("OUT_DIR is deep in the target directory")?;
    seal::put(&component, &profile_dir.join("gitgate.wasm"))?;
    if profile == seal::Profile::Wasm {
        seal::put(&component, &target.join("gitgate.wasm"))?;
    }
    println!("cargo::rustc-env=GITGATE_COMPONENT={}", file.display());
    // The host names its cache of compiled code by this, and so need not hash megabytes at every start.
    let digest: String = Sha256::digest(&component).iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=GITGATE_COMPONENT_SHA256={digest}");
    Ok(())
}

/// The target directory of the build that runs this script: `OUT_DIR` is `TARGET_DIR/[TRIPLE/]PROFILE/build/NAME/out`.
fn target_dir(out: &Path) -> Result<PathBuf> {
    let profile = out.ancestors().nth(3).context("OUT_DIR is deep in the target directory")?;
    let parent = profile.parent().context("a profile's folder is in the target directory")?;
    let cross = env::var("TARGET").ok().is_some_and(|triple| parent.ends_with(triple));
    let target = if cross { parent.parent() } else { Some(parent) };
    Ok(target.context("the target directory has a name")?.to_owned())
}
