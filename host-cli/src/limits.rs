//! The limits of a sandbox and its callers, as the README lists them. The gate limits pushes
//! ([`gate::push::PushLimits`]).

use crate::sandbox::wit;

/// The limits of a sandbox.
pub const SANDBOX: wit::Limits = wit::Limits {
    bytes: 1 << 30,
    files: 1_000_000,
    file_bytes: 256 << 20,
    path_bytes: 4096,
    // No tool opens more than a few, so more would be a fault.
    open_files: 1024,
    undo_steps: 100,
    undo_bytes: 256 << 20,
};

/// Bytes of the longest call: a file of the largest size that is allowed, in base64, and more.
pub const CALL_BYTES: u64 = 512 << 20;

/// The longest that any call may run, whatever its arguments say, in milliseconds.
pub const CALL_MS: u64 = 600_000;

/// The shortest time that a tool can be given, in milliseconds.
pub const LEAST_CALL_MS: u64 = 100;

/// The default time of an agent's call, in milliseconds.
pub const USUAL_CALL_MS: u64 = 30_000;

/// Bytes of the longest text that a git tool can be asked for.
pub const TEXT_BYTES: u64 = 5_000_000;

/// Default length of a git tool's text in bytes.
pub const USUAL_TEXT_BYTES: u64 = 200_000;

/// Bytes of the longest worker file.
pub const WORKER_FILE_BYTES: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use gate::approval::VALID_SECONDS;
    use gate::pack::PackLimits;
    use gate::push::PushLimits;

    use super::*;

    /// The section "Limits" of the README, on one line.
    fn readme() -> String {
        let readme = include_str!("../../README.md");
        let (_, section) = readme.split_once("\n## Limits\n").expect("the README has this section");
        let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
        section.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn grouped(number: u64) -> String {
        let digits = number.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("they are digits"));
        groups.collect::<Vec<_>>().join(",")
    }

    #[test]
    fn the_readme_names_every_limit_with_its_number() {
        let readme = readme();
        let (gib, mib) = (|bytes: u64| bytes >> 30, |bytes: u64| bytes >> 20);
        let PushLimits { pack, review_bytes, path_bytes, .. } = PushLimits::default();
        let import = PackLimits::import();
        let wit::Limits { bytes, files, file_bytes, path_bytes: own_path_bytes, undo_steps, undo_bytes, .. } = SANDBOX;
        assert_eq!(path_bytes as u64, u64::from(own_path_bytes));
        for words in [
            format!("holds {} GiB in {} files and folders", gib(bytes), grouped(files)),
            format!("A file has at most {} MiB, a path {} bytes,", mib(file_bytes), grouped(path_bytes as u64)),
            format!("memory is {} MiB", mib(crate::sandbox::memory(&SANDBOX) as u64)),
            format!("Undo reaches back {undo_steps} calls, or as far as {} MiB", mib(undo_bytes)),
            format!("A call has at most {} MiB and {} minutes", mib(CALL_BYTES), CALL_MS / 60_000),
            format!(
                "unless it is told otherwise {} seconds and {} bytes of text",
                USUAL_CALL_MS / 1000,
                grouped(USUAL_TEXT_BYTES)
            ),
            format!("at most {} bytes of text", grouped(TEXT_BYTES)),
            format!("A worker file has at most {} MiB", mib(WORKER_FILE_BYTES)),
            format!("A push has at most {} MiB and {} objects,", mib(pack.pack_bytes), grouped(pack.objects.into())),
            format!("{} MiB each and {} GiB unpacked", mib(pack.object_bytes), gib(pack.total_bytes)),
            format!("from {} MiB on not more than {} times", mib(PackLimits::FREE_BYTES), pack.ratio),
            format!("a review that takes {} GiB", gib(review_bytes)),
            format!("approved within {} minutes", VALID_SECONDS / 60),
            format!("brought in at once is {} GiB", gib(import.pack_bytes)),
        ] {
            assert!(readme.contains(&words), "not in the README's limits: {words}");
        }
    }
}
