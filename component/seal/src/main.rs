//! `seal WORKSPACE TARGET_DIR`: builds the release component without the native host, and writes it to `TARGET_DIR/gitgate.wasm`, like that
//! host's build. With `--without-shell` behind it, the component has every tool but `bash`, and is `TARGET_DIR/gitgate-small.wasm`.

#![forbid(unsafe_code)]

use std::path::Path;

use anyhow::{Result, bail};
use seal::{Parts, Profile};

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let (workspace, target, parts, name) = match arguments.as_slice() {
        [workspace, target] => (workspace, target, Parts::All, "gitgate.wasm"),
        [workspace, target, option] if option == "--without-shell" => {
            (workspace, target, Parts::WithoutShell, "gitgate-small.wasm")
        }
        _ => bail!("usage: seal WORKSPACE TARGET_DIR [--without-shell]"),
    };
    let target = Path::new(target);
    let component = seal::build(Path::new(workspace), &target.join("component"), Profile::Wasm, parts)?;
    seal::put(&component, &target.join(name))
}
