//! Compares the times of the worker for edge functions in workerd with their limits.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::peers;
use super::table::milliseconds;

/// Times of the objects of sandboxes, on loopback.
pub struct Edge {
    /// The 95th percentile of a status of S, with 16 clients that each ask four times a second.
    pub calm: Duration,
    /// The 95th percentile and the median, with 16 clients that ask again at once.
    pub late: Duration,
    pub median: Duration,
    /// The first status of a worker that has just started.
    pub first: Duration,
    /// The first status of an object that is not open, in a worker with another open object: S, S with 1,000 stages, and three folders of L
    /// without history.
    pub cold: Duration,
    pub staged: Duration,
    pub large: Duration,
    /// Memory of workerd in MiB beyond that with an empty sandbox: at most, after the import of that part of L, and after reopening it.
    pub import: f64,
    pub opened: f64,
    /// The same as `import`, from a git server.
    pub by_git: f64,
}

/// Measures the worker built in `edge`. `scripts` has the scripts. The objects store their data in `folder`.
pub fn measure(scripts: &Path, edge: &Path, folder: &Path, [small, large]: [&Path; 2]) -> Result<Edge> {
    let mut node = Command::new("node");
    node.arg("edge.mjs").arg(edge).arg(folder).arg(small).arg(large).current_dir(scripts);
    let output = node.output().context("node is needed")?;
    ensure!(output.status.success(), "edge.mjs: {}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).context("edge.mjs prints JSON")?;
    let time = |name: &str| peers::milliseconds(&said[name]).with_context(|| format!("edge.mjs measures {name}"));
    let memory = |name: &str| said["memory"][name].as_f64().with_context(|| format!("edge.mjs measures {name}"));
    let without = memory("without")?;
    Ok(Edge {
        calm: time("calm")?,
        late: time("late")?,
        median: time("median")?,
        first: time("first")?,
        cold: time("cold")?,
        staged: time("staged")?,
        large: time("large")?,
        import: memory("import")? - without,
        opened: memory("opened")? - without,
        by_git: memory("importByGit")? - without,
    })
}

/// Renders the table.
pub fn render(edge: &Edge) -> String {
    let row = |what, took, bound| format!("| {what} | {} | {bound} |\n", milliseconds(took));
    [
        "\n| the worker, in workerd | takes | may take |\n|---|---:|---:|\n".to_owned(),
        row("a status of S with 16 clients that ask four times a second, 95th percentile", edge.calm, "10 ms"),
        row("the same with 16 that ask again at once", edge.late, ""),
        row("the median of that", edge.median, ""),
        row("the first status of a worker that has just started, S", edge.first, ""),
        row("the first status of another object, which is not open", edge.cold, "100 ms"),
        row("the same with 1,000 stages", edge.staged, "300 ms"),
        row("the same, three folders of L without history", edge.large, "150 ms"),
        format!(
            "| memory for those folders, more than for an empty sandbox | {:.0} MiB | 128 MB in all |\n",
            edge.opened
        ),
        format!("| the same while they are brought in | {:.0} MiB | 128 MB in all |\n", edge.import),
        format!("| the same while they are brought in from a git server | {:.0} MiB | 64 MB |\n", edge.by_git),
    ]
    .concat()
}
