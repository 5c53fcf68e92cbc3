//! The cost of durability: a call against the disk's own write and sync, and the start of a process whose sandbox has a long history.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::generate;
use super::host::Host;
use super::place::{Place, git};
use super::timing::{Pair, pair, spawn, time};

/// Rounds of each measurement.
const ROUNDS: usize = 101;
/// Calls in the long history.
const CALLS: usize = 10_000;

/// A call that writes a small file, against a write and sync of only its record in the same folder.
pub fn append(host: &mut Host, sandbox: &Path) -> Result<Pair> {
    let journal = sandbox.join("journal");
    let length = || anyhow::Ok(std::fs::metadata(&journal)?.len());
    let alone = sandbox.with_extension("alone");
    let mut file = File::create(&alone)?;
    let measured = pair(ROUNDS, |n| {
        let before = length()?;
        let write = json!({ "path": generate::name(0), "content": format!("{n}\n") });
        let gitgate = time(|| host.call("write_file", &write).map(drop))?;
        let record = vec![b'x'; usize::try_from(length()?.saturating_sub(before))?];
        let disk = time(|| {
            file.write_all(&record)?;
            Ok(file.sync_data()?)
        })?;
        Ok((disk, gitgate))
    });
    std::fs::remove_file(alone)?;
    measured
}

/// A status as a whole process, in a sandbox with [`CALLS`] calls.
pub fn open(place: &Place, clone: &Path) -> Result<Pair> {
    let mut host = Host::start(place.gitgate("bench"))?;
    for n in 0..CALLS {
        let name = generate::name(n % 1000);
        host.call("write_file", &json!({ "path": name, "content": format!("{n}\n") }))?;
    }
    host.end()?;
    pair(9, |_| {
        let git = time(|| spawn(git(clone).args(["status", "--porcelain=v1", "-b"])))?;
        Ok((git, time(|| spawn(place.gitgate("bench").args(["call", "git_status"])))?))
    })
}
