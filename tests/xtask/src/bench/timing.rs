//! Medians of runs that alternate, so other load on the machine affects both alike.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Medians of two ways to do the same.
#[derive(Clone, Copy)]
pub struct Pair {
    pub git: Duration,
    pub gitgate: Duration,
}

/// The duration of `work`.
pub fn time(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

/// Measures `rounds` rounds of both. `round` returns the times of git and of gitgate.
pub fn pair(rounds: usize, mut round: impl FnMut(usize) -> Result<(Duration, Duration)>) -> Result<Pair> {
    let (mut git, mut gitgate) = (Vec::new(), Vec::new());
    for n in 0..rounds {
        let (one, other) = round(n)?;
        git.push(one);
        gitgate.push(other);
    }
    Ok(Pair { git: median(git), gitgate: median(gitgate) })
}

/// The middle one of the times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Runs a command that must succeed, and reads and discards its output, as an agent's host would read it.
pub fn spawn(command: &mut Command) -> Result<()> {
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [5, 1, 9, 3, 7].map(Duration::from_secs);
        assert_eq!(median(times.to_vec()), Duration::from_secs(5));
    }
}
