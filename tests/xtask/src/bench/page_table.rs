//! Formats the times of a page as Markdown.

use super::measure::Results;
use super::pages::{Pages, Took};
use super::table::{against, milliseconds};

/// The tables of the results measured in pages.
pub fn render(results: &[Results]) -> String {
    let measured: Vec<(&Results, &Pages)> =
        results.iter().filter_map(|result| Some((result, result.pages.as_ref()?))).collect();
    let operations: String = measured.iter().map(|(result, pages)| operations(result, pages)).collect();
    operations + &opening(&measured)
}

/// The times of gitgate's operations in a page, against the native host and the others.
fn operations(result: &Results, pages: &Pages) -> String {
    let name = result.name;
    let mut out = format!(
        "\nIn a page of Chromium with {name}, gitgate by its SDK with its records in OPFS, the others in the page's memory: each operation \
         again and again. The Worker's time is that of its calls, with their records flushed. It is set against the running host's, which has \
         a pipe's two ways in it. The page's has the messages in it, and the others take so many times as long.\n\n\
         | operation | native host | in the Worker | ratio | in the page | isomorphic-git | times | wasm-git | times |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for (operation, Took { worker, page }) in &pages.times {
        let host = result.again(operation).map_or(" none |".to_owned(), |host| format!(" {} |", milliseconds(host)));
        let ratio = result
            .again(operation)
            .map_or(String::new(), |host| format!("{:.2}", worker.as_secs_f64() / host.as_secs_f64()));
        let peer = pages.peers.iter().find(|peer| peer.operation == *operation);
        let theirs = peer.map_or([None; 2], |peer| [peer.isomorphic, peer.wasm]);
        let theirs = theirs.map(|theirs| against(theirs, Some(*page))).concat();
        let [worker, page] = [worker, page].map(|took| milliseconds(*took));
        out.push_str(&format!("| {operation} |{host} {worker} | {ratio} | {page} |{theirs}\n"));
    }
    out
}

/// The times of everything else that a page waits for.
fn opening(measured: &[(&Results, &Pages)]) -> String {
    let names: Vec<&str> = measured.iter().map(|(result, _)| result.name).collect();
    let rule = "---:|".repeat(names.len());
    let row = |what, time: &dyn Fn(&Pages) -> _| {
        let times: Vec<String> = measured.iter().map(|(_, pages)| milliseconds(time(pages))).collect();
        format!("| {what} | {} |\n", times.join(" | "))
    };
    [
        format!("\n| in a page | {} |\n|---|{rule}\n", names.join(" | ")),
        row("from navigation to a new sandbox that answers, in a fresh profile", &|pages| pages.first),
        row("opened from OPFS as it was imported, in a new Worker, up to the first status", &|pages| pages.reopen),
        row("a flush of a record", &|pages| pages.flush),
    ]
    .concat()
}
