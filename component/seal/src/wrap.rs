//! Wraps the core module into a component.

use anyhow::{Context as _, Result};
use wit_component::ComponentEncoder;

/// The adapter module for std's one direct import: it passes the call on to the kernel.
const ADAPTER: &str = r#"
(module
  (import "__main_module__" "vfs_random_get" (func $random_get (param i32 i32) (result i32)))
  (func (export "random_get") (param i32 i32) (result i32)
    local.get 0
    local.get 1
    call $random_get))
"#;

/// Wraps `module`, which carries its world in a custom section, into a component.
pub fn wrap(module: &[u8]) -> Result<Vec<u8>> {
    let adapter = wat::parse_str(ADAPTER).context("the adapter is not valid")?;
    ComponentEncoder::default()
        .validate(true)
        .module(module)
        .context("the module does not have the component's world")?
        .adapter("wasi_snapshot_preview1", &adapter)
        .context("the adapter does not fit")?
        .encode()
        .context("the module has imports that nothing answers")
}
