//! Measures peak memory, by Linux's count (`VmHWM` in proc_pid_status(5)), in a separate process: otherwise the memory of other tests would
//! count too.

use std::process::Command;

/// Set in the separate process.
const ALONE: &str = "GATE_MEASURED_ALONE";
const SAYS: &str = "bytes at the peak: ";

/// The bytes by which `work` raises the peak of `prepare`. Only the test with the full name `test` may call it, and only once.
pub fn rise<T>(test: &str, prepare: impl FnOnce() -> T, work: impl FnOnce(T)) -> u64 {
    if std::env::var_os(ALONE).is_some() {
        let prepared = prepare();
        let before = peak();
        work(prepared);
        // The kernel counts in steps and per processor, so a peak may seem to fall a little.
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
