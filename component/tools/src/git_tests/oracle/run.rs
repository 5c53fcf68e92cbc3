//! Runs many calls on many scenes, in two threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;

use super::calls::{Call, Tool};
use super::covering;
use super::facts::Facts;
use super::judge::{Difference, Judge};
use super::scene::{self, Scene};
use super::shrink::{Case, shrink};

/// The calls of a run, and the wrong ones.
#[derive(Default)]
pub struct Tally {
    /// The number of calls of each tool, by argument and in total.
    pub calls: BTreeMap<(&'static str, Option<&'static str>), usize>,
    /// The pairs of kinds that have met, by the tool's position.
    met: BTreeSet<(usize, [(usize, usize); 2])>,
    /// The wrong calls, by seed and number.
    pub wrong: BTreeMap<(u64, usize), (Call, Difference)>,
}

/// The source of scenes.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// They are random.
    Seed,
    /// They come from the history of a repository.
    Repository(&'a str),
}

/// Calls each tool on the scene of each seed, as often as its number says.
pub fn run(tools: &[(Tool, usize)], seeds: std::ops::Range<u64>, origin: Origin<'_>, judge: Judge<'_>) -> Tally {
    let rows: Vec<_> = tools.iter().map(|(tool, _)| covering::rows(tool)).collect();
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(seeds.start);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let mut scene = match origin {
                Origin::Seed => Scene::build(&scene::plan(seed)),
                Origin::Repository(path) => Scene::of_repository(path, seed),
            };
            let facts = Facts::of(&mut scene);
            let mut random = Rng::with_seed(seed);
            let mut number = 0;
            for (at, (tool, count)) in tools.iter().enumerate() {
                for turn in 0..*count {
                    number += 1;
                    let position = (seed as usize).wrapping_mul(*count).wrapping_add(turn) % rows[at].len();
                    let row = &rows[at][position];
                    let Some(arguments) = tool.draw(row, &facts, &mut random) else { continue };
                    let row: Vec<usize> = tool
                        .arguments
                        .iter()
                        .zip(row)
                        .map(|(argument, kind)| if arguments.contains_key(argument.key()) { *kind } else { 0 })
                        .collect();
                    let call = Call { tool: at, arguments };
                    let difference = judge(&mut scene, &facts, tool, &call);
                    let mut tally = tally.lock().expect("no thread panics while it counts");
                    tally.count(tool, at, &row);
                    if let Some(difference) = difference {
                        tally.wrong.insert((seed, number), (call, difference));
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    tally.into_inner().expect("every thread has ended well")
}

impl Tally {
    fn count(&mut self, tool: &Tool, at: usize, row: &[usize]) {
        let given = tool.arguments.iter().zip(row).filter(|(_, kind)| **kind > 0);
        let given = given.map(|(argument, _)| Some(argument.name));
        for name in given.chain([None]) {
            *self.calls.entry((tool.name, name)).or_default() += 1;
        }
        self.met.extend(covering::met(row).map(|pair| (at, pair)));
    }

    /// Panics with the smallest form of the first wrong call of each tool.
    pub fn assert_right(&self, tools: &[(Tool, usize)], origin: Origin<'_>, judge: Judge<'_>) {
        if self.wrong.is_empty() {
            return;
        }
        let mut report = format!("{} calls do not say what git says", self.wrong.len());
        let most = std::env::var("GITGATE_SHOWN").ok().and_then(|most| most.parse().ok()).unwrap_or(1);
        for ((seed, _), (call, difference)) in self.wrong.iter().take(most) {
            let case = Case { steps: scene::plan(*seed), call: call.clone(), difference: difference.clone() };
            let case = match origin {
                Origin::Seed => shrink(case, &tools[call.tool].0, judge),
                Origin::Repository(_) => case,
            };
            report.push_str(&shown(*seed, &case, tools[call.tool].0.name));
        }
        for ((seed, _), (call, difference)) in self.wrong.iter().skip(most).take(LISTED) {
            report.push_str(&listed(*seed, call, difference, tools[call.tool].0.name));
        }
        panic!("{report}");
    }

    /// Panics unless all possible pairs of kinds have met and there were enough calls, with every argument and in total.
    pub fn assert_enough(&self, tools: &[(Tool, usize)], least: usize, total: usize) {
        for (at, (tool, _)) in tools.iter().enumerate() {
            for argument in &tool.arguments {
                let count = self.calls.get(&(tool.name, Some(argument.name))).copied().unwrap_or_default();
                assert!(count >= least, "{} {}: {count} calls", tool.name, argument.name);
            }
            let wanted = covering::permitted(tool);
            let is_seldom = |pair: &[(usize, usize); 2]| {
                pair.iter().any(|&(at, kind)| SELDOM.contains(&(tool.arguments[at].name, kind)))
            };
            let missing = wanted.iter().filter(|pair| !self.met.contains(&(at, **pair)) && !is_seldom(pair));
            let missing: Vec<_> = missing.collect();
            let names =
                |pair: &&[(usize, usize); 2]| pair.map(|(at, kind)| format!("{} {kind}", tool.arguments[at].name));
            assert!(
                missing.is_empty(),
                "{}: never met: {:?}",
                tool.name,
                missing.iter().map(names).collect::<Vec<_>>()
            );
        }
        let all: usize = self.calls.iter().filter(|((_, name), _)| name.is_none()).map(|(_, count)| count).sum();
        assert!(all >= total, "{all} calls");
    }
}

/// Kinds of values that few scenes have, such as a deleted tracked path. They need not meet every other kind.
const SELDOM: &[(&str, usize)] = &[("paths", 2)];

/// The maximum number of wrong calls in the list.
const LISTED: usize = 1000;

/// A wrong call in two lines: the call, and the first difference.
fn listed(seed: u64, call: &Call, difference: &Difference, tool: &str) -> String {
    let lines = |said: &super::judge::Said| match said {
        Ok(text) => text.lines().map(str::to_owned).collect::<Vec<_>>(),
        Err(message) => message.lines().map(|line| format!("(fails) {line}")).collect(),
    };
    let (git, ours) = (lines(&difference.git), lines(&difference.ours));
    let at = git.iter().zip(&ours).take_while(|(git, ours)| git == ours).count();
    let line = |lines: &[String]| {
        lines
            .get(at..)
            .filter(|rest| !rest.is_empty())
            .map_or("(ends)".to_owned(), |rest| rest.iter().take(6).cloned().collect::<Vec<_>>().join("~"))
    };
    let arguments = serde_json::Value::Object(call.arguments.clone());
    format!("\nGITGATE_SEED={seed}: {tool} {arguments}\n    git:  {}\n    here: {}", line(&git), line(&ours))
}

/// A case in a form for debugging.
pub fn shown(seed: u64, case: &Case, tool: &str) -> String {
    let Difference { command, git, ours } = &case.difference;
    let said = |said: &super::judge::Said| match said {
        Ok(text) => text.clone(),
        Err(message) => format!("(fails) {message}"),
    };
    let arguments = serde_json::Value::Object(case.call.arguments.clone());
    format!(
        "\n\nGITGATE_SEED={seed}: {tool} {arguments} is not {command:?}, after {:?}\n--- git\n{}\n--- here\n{}\n",
        case.steps,
        said(git),
        said(ours),
    )
}
