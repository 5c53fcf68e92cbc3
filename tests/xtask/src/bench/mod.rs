//! `cargo xtask bench`: compares gitgate with git, isomorphic-git and wasm-git in one run, on two generated repositories.
//!
//! | file | what it does |
//! |---|---|
//! | `generate` | makes the repositories, the same on every machine |
//! | `place` | the folders and processes of a measurement |
//! | `host` | a running gitgate, controlled through pipes |
//! | `mcp` | the MCP server, against the running host |
//! | `tasks` | the state of tasks in a long history |
//! | `measure` | the measurements on one repository |
//! | `reads` | the calls that read |
//! | `changes` | the calls that change |
//! | `scripts` | scripts in bash |
//! | `review` | a large review in full screen |
//! | `timing` | medians of interleaved runs |
//! | `memory` | peak memory of a process |
//! | `far` | operations over the network, with a git server and a stand-in for GitHub |
//! | `served` | gitgate as a server of git |
//! | `peers` | isomorphic-git and wasm-git, run by node |
//! | `pages` | gitgate's SDK and the others in Chromium |
//! | `app` | the built page in Chromium |
//! | `edge` | the worker in workerd |
//! | `table`, `page_table` | the results as text |

mod app;
mod changes;
mod durable;
mod edge;
mod far;
mod generate;
mod host;
mod mcp;
mod measure;
mod memory;
mod page_table;
mod pages;
mod peers;
mod place;
mod reads;
mod review;
mod scripts;
mod served;
mod table;
mod tasks;
mod timing;

use std::path::Path;

use anyhow::Result;

use crate::step::{Report, Steps};
use crate::{chromium, demo, target_dir, workspace};

/// Measures everything and prints the table. With `write`, also puts the table into `tests/README.md`.
pub fn run(write: bool) -> Result<()> {
    let gitgate = demo::build()?;
    let folder = target_dir()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    let peers = folder.join("peers");
    let mut steps = Steps::default();
    steps.take("isomorphic-git and wasm-git", || peers::install(&peers))?;
    steps.take("chromium", chromium::look)?;
    let web = crate::edge::build(&mut steps)?;
    let mut results = Vec::new();
    for shape in [generate::SMALL, generate::LARGE] {
        steps.take(&format!("repository {}", shape.name), || generate::make(&folder, &shape))?;
        steps.take(&format!("measurements on {}", shape.name), || {
            results.push(measure::all(&gitgate, &folder, &shape)?);
            Ok(Report::default())
        })?;
        steps.take(&format!("the others on {}", shape.name), || {
            let repo = generate::path(&folder, &shape);
            let last = results.last_mut().expect("it was measured just now");
            last.peers = peers::measure(&peers, &repo, &measure::changed_files(), measure::ROUNDS[1])?;
            Ok(Report::default())
        })?;
        steps.take(&format!("Chromium on {}", shape.name), || {
            let repo = generate::path(&folder, &shape);
            let last = results.last_mut().expect("it was measured just now");
            last.pages = Some(pages::measure(&peers, &web, &folder.join("pages"), &repo)?);
            Ok(Report::default())
        })?;
    }
    let mut page = None;
    steps.take("the page in Chromium", || {
        page = Some(app::measure(&peers, &web, &folder.join("app"))?);
        Ok(Report::default())
    })?;
    let page = page.expect("it was measured just now");
    let mut far = None;
    steps.take("git servers", || {
        far = Some(measure_far(&gitgate, &folder)?);
        Ok(Report::default())
    })?;
    let far = far.expect("it was measured just now");
    let mut worker = None;
    steps.take("the worker in workerd", || {
        worker = Some(measure_worker(&peers, &web, &folder)?);
        Ok(Report::default())
    })?;
    let worker = worker.expect("it was measured just now");
    let mut review = String::new();
    steps.take("a large review in full screen", || {
        review = review::measure()?;
        Ok(Report::default())
    })?;
    let table = format!("{}\n\n{review}", table::render(&results, &far, &page, &worker)?.trim_end());
    println!("\n{table}");
    if write {
        table::write(&workspace().join("tests/README.md"), &table)?;
    }
    Ok(())
}

/// Measures only what goes over the network, and prints that part of the table.
pub fn over_the_network() -> Result<()> {
    let gitgate = demo::build()?;
    let folder = target_dir()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    for shape in [generate::SMALL, generate::LARGE] {
        generate::make(&folder, &shape)?;
    }
    println!("{}", table::network(&measure_far(&gitgate, &folder)?));
    Ok(())
}

/// Measures only the worker for edge functions, and prints that part of the table.
pub fn in_workerd() -> Result<()> {
    let folder = target_dir()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    for shape in [generate::SMALL, generate::LARGE] {
        generate::make(&folder, &shape)?;
    }
    let peers = folder.join("peers");
    peers::install(&peers)?;
    let web = crate::edge::build(&mut Steps::default())?;
    println!("{}", edge::render(&measure_worker(&peers, &web, &folder)?));
    Ok(())
}

fn measure_worker(peers: &Path, web: &Path, folder: &Path) -> Result<edge::Edge> {
    let [small, large] = [generate::SMALL, generate::LARGE].map(|shape| generate::path(folder, &shape));
    edge::measure(peers, &web.join("edge"), &folder.join("edge"), [&small, &large])
}

fn measure_far(gitgate: &Path, folder: &Path) -> Result<table::Network> {
    let [small, large] = [generate::SMALL, generate::LARGE].map(|shape| generate::path(folder, &shape));
    let served = served::all(gitgate, folder, &large)?;
    Ok(table::Network { far: far::all(gitgate, folder, [&small, &large])?, served })
}
