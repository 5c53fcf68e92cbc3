//! The size of the shipped component, which every page that uses it downloads.

use std::fs;
use std::process::Command;

use tests::built::{COMPONENT, built};

/// Bytes of the file.
const RAW: u64 = 12_862_499;
/// Bytes of it in transit: brotli, quality 11.
const COMPRESSED: u64 = 3_000_564;
/// The permitted difference of both, in thousandths.
const UNNOTICED: u64 = 5;

/// Compresses the file in its argument, and prints the compressed size in bytes.
const BROTLI: &str = "const { brotliCompressSync, constants: c } = require('node:zlib');
const file = require('node:fs').readFileSync(process.argv[1]);
const params = { [c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: file.length };
console.log(brotliCompressSync(file, { params }).length);";

/// Only this test measures the size, so a smaller component must change the constants too: otherwise it could grow back unnoticed.
#[test]
#[ignore = "needs node and the shipped component: cargo xtask soak"]
fn the_shipped_component_has_the_size_that_is_written_here() {
    assert!(std::env::var_os(COMPONENT).is_some(), "{COMPONENT} names the component that was built for use");
    let component = &built().component;
    let raw = fs::metadata(component).unwrap().len();
    let output = Command::new("node").args(["-e", BROTLI]).arg(component).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let compressed = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    let differs = |now: u64, then: u64| now.abs_diff(then) * 1000 > then * UNNOTICED;
    assert!(
        !differs(raw, RAW) && !differs(compressed, COMPRESSED),
        "the component has {raw} bytes ({:+}) and {compressed} compressed ({:+})",
        raw.cast_signed() - RAW.cast_signed(),
        compressed.cast_signed() - COMPRESSED.cast_signed()
    );
}
