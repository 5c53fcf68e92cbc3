//! Medians of runs that take turns, so that what else the machine does falls on both alike.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Medians of two ways to do the same.
#[derive(Clone, Copy)]
pub struct Pair {
    pub git: Duration,
    pub gitgate: Duration,
}

/// How long `work` takes.
pub fn time(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

/// Measures `rounds` rounds, each of both; `round` gives the times of git and of gitgate.
pub fn pair(rounds: usize, mut round: impl FnMut(usize) -> Result<(Duration, Duration)>) -> Result<Pair> {
    let (mut git, mut gitgate) = (Vec::new(), Vec::new());
    for n in 0..rounds {
        let (one, other) = round(n)?;
        git.push(one);
        gitgate.push(other);
    }
    Ok(Pair { git: median(git), gitgate: median(gitgate) })
}

/// The one in the middle.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Runs a command that succeeds, with its output read and thrown away, as an agent's host would read it.
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
