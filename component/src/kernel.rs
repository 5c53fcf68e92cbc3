//! Prepares the kernel below `std::fs` at the start and the end of a call.

use std::collections::BTreeSet;
use std::io;

use tools::paths::{Zone, Zones};
use vfs::inode::Name;
use vfs::{Errno, Kernel, Kind, Limits, ROOT_FD, Root};

use crate::{fault, misuse};

/// The zone that always exists.
const WORKSPACE: &str = "workspace";

/// Fails if a zone's name cannot name a separate folder at the root of the tree.
pub fn check_zones(zones: &[wit::Zone]) -> Result<(), wit::Fault> {
    let mut names = BTreeSet::from([WORKSPACE]);
    for zone in zones {
        if Name::new(zone.name.as_bytes()).is_none() {
            return Err(misuse(&format!("invalid zone name: {:?}", zone.name)));
        }
        if !names.insert(&zone.name) {
            return Err(misuse(&format!("duplicate zone name: {}", zone.name)));
        }
    }
    Ok(())
}

/// The zones as the tools have them.
pub fn zones(zones: &[wit::Zone]) -> Zones {
    let zone = |zone: &wit::Zone| Zone {
        name: zone.name.clone(),
        root: format!("/{}", zone.name).into(),
        writable: zone.writable,
    };
    Zones::new("/workspace", zones.iter().map(zone).collect())
}

/// Puts the tree in place and makes the zones' folders.
pub fn set_up(tree: Root, options: &wit::Options) -> Result<Root, wit::Fault> {
    vfs::process::with(|kernel| {
        kernel.reset(tree);
        kernel.set_limits(limits(options));
        make_folder(kernel, WORKSPACE)?;
        let mut read_only = Vec::new();
        for zone in &options.zones {
            make_folder(kernel, &zone.name)?;
            if !zone.writable {
                read_only.push(format!("/{}", zone.name));
            }
        }
        let paths: Vec<&[u8]> = read_only.iter().map(String::as_bytes).collect();
        kernel.set_read_only(&paths).map_err(|errno| no_folder("of the read-only zones", errno))?;
        Ok(kernel.root())
    })
}

fn limits(options: &wit::Options) -> Limits {
    Limits {
        bytes: options.limits.bytes,
        files: options.limits.files,
        file_bytes: options.limits.file_bytes,
        path_bytes: options.limits.path_bytes as usize,
        open_files: options.limits.open_files as usize,
    }
}

/// An existing folder is fine.
fn make_folder(kernel: &mut Kernel, zone: &str) -> Result<(), wit::Fault> {
    let path = format!("/{zone}");
    let made = match kernel.mkdir(ROOT_FD, path.as_bytes()) {
        Err(Errno::Exist) => match kernel.stat(ROOT_FD, path.as_bytes(), false) {
            Ok(stat) if stat.kind != Kind::Directory => Err(Errno::Notdir),
            stat => stat.map(drop),
        },
        made => made,
    };
    made.map_err(|errno| no_folder(zone, errno))
}

fn no_folder(zone: &str, errno: Errno) -> wit::Fault {
    match errno {
        Errno::Nospc => fault::out_of_space(zone),
        errno => misuse(&format!("cannot create the folder of zone {zone}: {}", io::Error::from(errno))),
    }
}

pub fn begin(now: u64, seed: u64) {
    vfs::process::with(|kernel| {
        kernel.set_now(now);
        kernel.set_seed(seed);
    });
}

/// Lifts the size limits until the call ends. Only memory bounds the tree then.
pub fn lift_limits() {
    vfs::process::with(|kernel| kernel.set_limits(kernel.limits().clone().of_size_lifted()));
}

pub fn end(options: &wit::Options) -> Root {
    vfs::process::with(|kernel| {
        kernel.set_interrupt(None);
        kernel.set_limits(limits(options));
        kernel.root()
    })
}

pub fn put(tree: Root) {
    vfs::process::with(|kernel| kernel.reset(tree));
}
