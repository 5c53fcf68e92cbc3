//! Compares the times of the built page in Chromium with their limits.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::peers;
use super::table::milliseconds;
use crate::chromium;

/// Medians over fresh profiles, so everything happens for the first time.
pub struct App {
    /// Time from the navigation to a usable start screen, and to the first sandbox.
    pub usable: Duration,
    pub opened: Duration,
    /// Time from the click to a painted review.
    pub review: Duration,
    /// While the script scrolls through the diff: the longest frame, and the share of frames over 50 ms.
    pub longest: Duration,
    pub over: f64,
}

/// Measures the page in `web`. `scripts` has the scripts. Chromium keeps its profiles in `folder`.
pub fn measure(scripts: &Path, web: &Path, folder: &Path) -> Result<App> {
    let mut node = Command::new("node");
    node.arg("app.mjs").arg(web).arg(chromium::PROGRAM).arg(folder).current_dir(scripts);
    let output = node.output().context("node is needed")?;
    ensure!(output.status.success(), "app.mjs: {}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).context("app.mjs prints JSON")?;
    let time = |name: &str| peers::milliseconds(&said[name]).with_context(|| format!("app.mjs measures {name}"));
    let over = said["over"].as_f64().context("app.mjs counts frames")?;
    Ok(App {
        usable: time("usable")?,
        opened: time("opened")?,
        review: time("review")?,
        longest: time("longest")?,
        over,
    })
}

/// Renders the table.
pub fn render(app: &App) -> String {
    let row = |what, took, bound| format!("| {what} | {} | {bound} |\n", milliseconds(took));
    [
        "\n| the page, each time in a fresh profile | takes | may take |\n|---|---:|---:|\n".to_owned(),
        row("from navigation to a start screen that can be used", app.usable, "1.5 s"),
        row("from navigation to the first sandbox, made as soon as it can be", app.opened, "1.5 s"),
        row("from the click to the painted review of a diff of 20,000 lines", app.review, "300 ms"),
        row("the longest frame while it is scrolled through, 1,000 lines a second", app.longest, "50 ms"),
        format!("| frames of more than 50 ms meanwhile | {:.1} % | none |\n", app.over * 100.0),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_stands_beside_its_bound() {
        let ms = Duration::from_millis;
        let app = App { usable: ms(310), opened: ms(920), review: ms(250), longest: ms(41), over: 0.0125 };
        let table = render(&app);
        assert!(table.contains(" can be used | 310 ms | 1.5 s |\n"), "{table}");
        assert!(table.contains(" as it can be | 920 ms | 1.5 s |\n"), "{table}");
        assert!(table.contains(" 20,000 lines | 250 ms | 300 ms |\n"), "{table}");
        assert!(table.contains(" a second | 41.0 ms | 50 ms |\n"), "{table}");
        assert!(table.contains(" meanwhile | 1.2 % | none |\n"), "{table}");
    }
}
