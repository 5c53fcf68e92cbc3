//! What a host holds a sandbox and its callers to. What a push may be, the gate says
//! ([`gate::push::PushLimits`]). The READMEs of the component, the host and the gate name these
//! numbers.

use crate::wit;

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

/// The most bytes of text that an agent's client is sent at once, unless the person says otherwise. Clients cut off what is longer than 25,000
/// tokens, and then nobody says how to go on.
pub const CLIENT_TEXT_BYTES: u64 = 80_000;

/// The longest that a call waits for the person before it comes back, in seconds.
pub const WAIT_SECONDS: u64 = 3600;

/// Bytes of the longest worker file.
pub const WORKER_FILE_BYTES: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use gate::approval::VALID_SECONDS;
    use gate::pack::PackLimits;
    use gate::push::PushLimits;

    use super::*;

    /// The section "Limits" of a README, on one line.
    fn limits(readme: &str) -> String {
        let (_, section) = readme.split_once("\n## Limits\n").expect("the README has this section");
        let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
        section.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn assert_named(file: &str, readme: &str, limit: &[String]) {
        let section = limits(readme);
        for words in limit {
            assert!(section.contains(words), "not in the limits of {file}: {words}");
        }
    }

    fn grouped(number: u64) -> String {
        let digits = number.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("they are digits"));
        groups.collect::<Vec<_>>().join(",")
    }

    fn gib(bytes: u64) -> u64 {
        bytes >> 30
    }

    fn mib(bytes: u64) -> u64 {
        bytes >> 20
    }

    #[test]
    fn the_readme_of_the_component_names_what_a_sandbox_holds() {
        let wit::Limits { bytes, files, file_bytes, path_bytes, undo_steps, undo_bytes, .. } = SANDBOX;
        assert_eq!(PushLimits::default().path_bytes as u64, u64::from(path_bytes), "no path is too long to be pushed");
        assert_named(
            "component/README.md",
            include_str!("../../../component/README.md"),
            &[
                format!("holds {} GiB in {} files and folders", gib(bytes), grouped(files)),
                format!("memory is {} MiB", mib(crate::session::memory(&SANDBOX))),
                format!("A file has at most {} MiB, a path {} bytes,", mib(file_bytes), grouped(path_bytes.into())),
                format!("Undo reaches back {undo_steps} calls, or as far as {} MiB", mib(undo_bytes)),
            ],
        );
    }

    #[test]
    fn the_readme_of_the_host_names_what_a_call_may_take() {
        assert_named(
            "host-cli/README.md",
            include_str!("../../README.md"),
            &[
                format!("A call has at most {} MiB and {} minutes", mib(CALL_BYTES), CALL_MS / 60_000),
                format!(
                    "{} seconds and {} bytes of text unless it is told otherwise",
                    USUAL_CALL_MS / 1000,
                    grouped(USUAL_TEXT_BYTES)
                ),
                format!("at most {} bytes of text", grouped(TEXT_BYTES)),
                format!("A worker file has at most {} MiB", mib(WORKER_FILE_BYTES)),
                format!("At most {} GiB can be brought in at once", gib(PackLimits::import().pack_bytes)),
            ],
        );
    }

    #[test]
    fn the_readme_of_the_gate_names_what_a_push_may_be() {
        let PushLimits { pack, review_bytes, .. } = PushLimits::default();
        assert_named(
            "host-cli/gate/README.md",
            include_str!("../../gate/README.md"),
            &[
                format!("A push has at most {} MiB and", mib(pack.pack_bytes)),
                format!("and {} objects,", grouped(pack.objects.into())),
                format!("{} MiB each and {} GiB unpacked", mib(pack.object_bytes), gib(pack.total_bytes)),
                format!("at most {} times its size and {} MiB more", pack.ratio, mib(PackLimits::FREE_BYTES)),
                format!("A review takes at most {} GiB", gib(review_bytes)),
                format!("approved within {} minutes", VALID_SECONDS / 60),
            ],
        );
    }
}
