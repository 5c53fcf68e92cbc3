//! The results as a Markdown table, and its place in `tests/README.md`.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};

use super::app::{self, App};
use super::edge::{self, Edge};
use super::measure::Results;
use super::page_table;
use super::peers::PACKAGES;
use super::served::Served;
use super::timing::Pair;
use crate::date;

const BEGIN: &str = "<!-- bench:begin -->";
const END: &str = "<!-- bench:end -->";

/// Renders the table. All results have the same operations. `far` has the times over the network, `page` those of the built page.
pub fn render(results: &[Results], far: &Network, page: &App, worker: &Edge) -> Result<String> {
    let mut out = format!("Measured on {} on {}. Medians; a ratio below 1 is gitgate's.\n\n|", today()?, machine());
    let mut rule = "\n|---|".to_owned();
    out.push_str(" operation |");
    for result in results {
        out.push_str(&format!(" git, {0} | gitgate, {0} | ratio |", result.name));
        rule.push_str("---:|---:|---:|");
    }
    out.push_str(&rule);
    for (row, (operation, _)) in results.first().context("something was measured")?.times.iter().enumerate() {
        out.push_str(&format!("\n| {operation} |"));
        results.iter().for_each(|result| out.push_str(&cells(result.times[row].1)));
    }
    for (row, what) in [
        "peak memory of a running host, against pack and worktree",
        "peak memory of an import, against pack and worktree",
    ]
    .iter()
    .enumerate()
    {
        out.push_str(&format!("\n| {what} |"));
        for result in results {
            let (content, peak) = (result.content, result.memory[row]);
            let ratio = peak.map_or("".to_owned(), |peak| format!("{:.2}", peak as f64 / content as f64));
            out.push_str(&format!(
                " {} | {} | {ratio} |",
                megabytes(content),
                peak.map_or("unknown".to_owned(), megabytes)
            ));
        }
    }
    out.push_str("\n| growth of the journal in 1,000 stages of one file |");
    results.iter().for_each(|result| out.push_str(&format!(" | {} | |", megabytes(result.journal))));
    out.push('\n');
    out.push_str(&network(far));
    out.push_str(&peers(results));
    out.push_str(&page_table::render(results));
    out.push_str(&app::render(page));
    out.push_str(&edge::render(worker));
    Ok(out)
}

/// What was measured over the network.
pub struct Network {
    /// gitgate as a client.
    pub far: Vec<(&'static str, Pair)>,
    /// gitgate as a server.
    pub served: Served,
}

/// The tables of times over the network.
pub fn network(Network { far, served }: &Network) -> String {
    let mut out = "\nOver HTTP on loopback: git and gitgate with `git http-backend`, and gitgate with a stand-in for GitHub, a program of \
                   node's, which is asked for each object.\n\n| operation | git | gitgate | ratio |\n|---|---:|---:|---:|\n"
        .to_owned();
    let rows = |out: &mut String, times: &[(&str, Pair)]| {
        for (operation, times) in times {
            out.push_str(&format!("| {operation} |{}\n", cells(*times)));
        }
    };
    rows(&mut out, far);
    out.push_str(
        "\ngit as a client of `git http-backend` and of `gitgate serve`.\n\n| operation | `git http-backend` | gitgate | ratio |\n\
         |---|---:|---:|---:|\n",
    );
    rows(&mut out, &served.times);
    let grown = served.grown.map_or("unknown".to_owned(), megabytes);
    out.push_str(&format!(
        "| memory of the server over that before the first clone, against the pack | {} | {grown} | |\n",
        megabytes(served.pack)
    ));
    out
}

/// The table of others that run where gitgate's component can run, with their times as multiples of gitgate's.
fn peers(results: &[Results]) -> String {
    let [isomorphic, _, wasm] = PACKAGES.map(|package| package.replace('@', " "));
    let mut out = format!(
        "\nThe same against {isomorphic} and {wasm}, run by node with the repository in memory: each operation again and again in one \
         process, and how many times as long as gitgate they take.\n\n| operation |"
    );
    let mut rule = "\n|---|".to_owned();
    for result in results {
        out.push_str(&format!(" gitgate, {0} | isomorphic-git, {0} | times | wasm-git, {0} | times |", result.name));
        rule.push_str("---:|---:|---:|---:|---:|");
    }
    out.push_str(&rule);
    let operations = results.first().map_or(0, |result| result.peers.len());
    for row in 0..operations {
        out.push_str(&format!("\n| {} |", results[0].peers[row].operation));
        for result in results {
            let peer = &result.peers[row];
            let ours = result.again(peer.operation);
            out.push_str(&ours.map_or(" none |".to_owned(), |ours| format!(" {} |", milliseconds(ours))));
            [peer.isomorphic, peer.wasm].iter().for_each(|theirs| out.push_str(&against(*theirs, ours)));
        }
    }
    out.push('\n');
    out
}

/// The cells for the time of another implementation, and for its multiple of gitgate's.
pub fn against(theirs: Option<Duration>, ours: Option<Duration>) -> String {
    match (theirs, ours) {
        (Some(theirs), Some(ours)) => {
            format!(" {} | {:.1} |", milliseconds(theirs), theirs.as_secs_f64() / ours.as_secs_f64())
        }
        _ => " none | |".to_owned(),
    }
}

fn cells(pair: Pair) -> String {
    let ratio = pair.gitgate.as_secs_f64() / pair.git.as_secs_f64();
    format!(" {} | {} | {ratio:.2} |", milliseconds(pair.git), milliseconds(pair.gitgate))
}

/// Formats a time for people.
pub fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms < 100.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Puts the table between its marks.
pub fn write(readme: &Path, table: &str) -> Result<()> {
    let text = std::fs::read_to_string(readme).with_context(|| format!("cannot read {}", readme.display()))?;
    std::fs::write(readme, replace(&text, table)?).with_context(|| format!("cannot write {}", readme.display()))
}

fn replace(text: &str, table: &str) -> Result<String> {
    let begin = text.find(BEGIN).with_context(|| format!("the README has no line {BEGIN}"))? + BEGIN.len();
    let end = text.find(END).with_context(|| format!("the README has no line {END}"))?;
    ensure!(begin <= end, "the README has {END} before {BEGIN}");
    Ok(format!("{}\n{table}{}", &text[..begin], &text[end..]))
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok();
    let cpu =
        cpu.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")));
    let name = cpu.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{cores} cores of {name}, {}", std::env::consts::OS)
}

/// The current date in UTC.
fn today() -> Result<String> {
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    let (year, month, day) = date::civil(days);
    Ok(format!("{year}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_the_place_between_the_marks() {
        let text = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        assert_eq!(replace(&text, "| new |\n").unwrap(), format!("before\n{BEGIN}\n| new |\n{END}\nafter\n"));
        assert!(replace("no marks", "").is_err());
        assert!(replace(&format!("{END}{BEGIN}"), "").is_err());
    }
}
