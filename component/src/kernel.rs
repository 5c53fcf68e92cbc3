//! The kernel below `std::fs`, as calls begin and end.

use vfs::{Limits, Root};

use crate::exports::gitgate::sandbox::session as wit;

/// Puts the tree in place and makes the zones' folders.
pub fn set_up(tree: Root, options: &wit::Options) -> Root {
    vfs::process::with(|kernel| {
        kernel.reset(tree);
        kernel.set_limits(Limits {
            bytes: options.limits.bytes,
            files: options.limits.files,
            file_bytes: options.limits.file_bytes,
            path_bytes: options.limits.path_bytes as usize,
            open_files: options.limits.open_files as usize,
        });
    });
    for zone in std::iter::once("workspace").chain(options.zones.iter().map(|zone| zone.name.as_str())) {
        // A folder that is there already is what is wanted.
        let _ = std::fs::create_dir(format!("/{zone}"));
    }
    vfs::process::with(|kernel| {
        let read_only: Vec<String> =
            options.zones.iter().filter(|zone| !zone.writable).map(|zone| format!("/{}", zone.name)).collect();
        let read_only: Vec<&[u8]> = read_only.iter().map(String::as_bytes).collect();
        kernel.set_read_only(&read_only).expect("the zones' folders were made above");
        kernel.root()
    })
}

pub fn begin(now: u64, seed: u64) {
    vfs::process::with(|kernel| {
        kernel.set_now(now);
        kernel.set_seed(seed);
    });
}

pub fn end() -> Root {
    vfs::process::with(|kernel| {
        kernel.set_interrupt(None);
        kernel.root()
    })
}

pub fn put(tree: Root) {
    vfs::process::with(|kernel| kernel.reset(tree));
}
