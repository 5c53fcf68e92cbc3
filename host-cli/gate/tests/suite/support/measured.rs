//! Peak memory, as Linux counts it (`VmHWM` in proc_pid_status(5)), in a process of its own: beside other tests
//! theirs would be counted as well.

use std::process::Command;

/// Set in that process.
const ALONE: &str = "GATE_MEASURED_ALONE";
const SAYS: &str = "bytes at the peak: ";

/// Bytes by which `work` raises the peak that `prepare` leaves. Only the test of the full name `test` calls it, once.
pub fn rise<T>(test: &str, prepare: impl FnOnce() -> T, work: impl FnOnce(T)) -> u64 {
    if std::env::var_os(ALONE).is_some() {
        let prepared = prepare();
        let before = peak();
        work(prepared);
        // The kernel counts in steps and by each processor, so that a peak can seem to fall a little.
        println!("{SAYS}{}", peak().saturating_sub(before));
        std::process::exit(0);
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    let output = alone.args([test, "--exact", "--nocapture"]).env(ALONE, "1").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (_, bytes) = said.split_once(SAYS).unwrap_or_else(|| panic!("{test} did not run alone: {said}"));
    bytes.trim().parse().unwrap()
}

fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() * 1024
}
