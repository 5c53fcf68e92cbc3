//! `seal WORKSPACE TARGET_DIR`: builds the release component without the native host, and writes it to `TARGET_DIR/gitgate.wasm`, like that
//! host's build.

#![forbid(unsafe_code)]

use std::path::Path;

use anyhow::{Result, bail};
use seal::Profile;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [workspace, target] = arguments.as_slice() else { bail!("usage: seal WORKSPACE TARGET_DIR") };
    let target = Path::new(target);
    let component = seal::build(Path::new(workspace), &target.join("component"), Profile::Wasm)?;
    seal::put(&component, &target.join("gitgate.wasm"))
}
