//! Draws sequences step by step, runs them in two threads, and shrinks the failures.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use serde_json::Value;

use super::action::Action;
use super::calls::Tool;
use super::known::Known;
use super::twins::{Difference, Ended, Twins};
use crate::git_tests::oracle::scene;

/// The parameters of sequences.
#[derive(Clone, Copy)]
pub struct Course {
    /// The scene at the beginning.
    pub scene: fn(u64) -> Vec<scene::Step>,
    /// The tools to call, with their frequencies.
    pub tools: &'static [(usize, Tool)],
    /// The number of steps.
    pub steps: usize,
}

/// A sequence that fails at its last step, or in the final check.
#[derive(Clone)]
struct Case {
    seed: u64,
    scene: Vec<scene::Step>,
    actions: Vec<Action>,
    difference: Difference,
}

/// The calls, and the failures.
#[derive(Default)]
pub struct Tally {
    /// The number of successful and of all calls of each tool, by argument and without any.
    calls: BTreeMap<(&'static str, &'static str), (usize, usize)>,
    wrong: BTreeMap<u64, Case>,
}

impl Tally {
    /// Runs a sequence for each seed.
    pub fn run(seeds: std::ops::Range<u64>, course: Course) -> Tally {
        let tally = Mutex::new(Tally::default());
        let next = AtomicU64::new(seeds.start);
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= seeds.end {
                    return;
                }
                let (calls, case) = sequence(seed, course);
                let case = case.and_then(lasting);
                let mut tally = tally.lock().expect("no thread panics while it counts");
                for (call, (well, all)) in calls {
                    let count = tally.calls.entry(call).or_default();
                    *count = (count.0 + well, count.1 + all);
                }
                tally.wrong.extend(case.map(|case| (seed, case)));
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

    /// Panics with the smallest form of the first failed sequence.
    pub fn assert_right(&mut self) {
        let count = self.wrong.len();
        let mut wrong = std::mem::take(&mut self.wrong).into_values();
        let Some(case) = wrong.next() else { return };
        let rest: String = wrong.map(|case| listed(&case)).collect();
        panic!("{count} sequences do not do what git does\n{}{rest}", shown(&shrink(case)));
    }

    /// Panics unless every argument of every tool had so many successful calls.
    pub fn assert_enough(&self, tools: &[(usize, Tool)], least: usize) {
        for (_, tool) in tools {
            for argument in tool.arguments {
                let (well, all) = self.calls.get(&(tool.name, *argument)).copied().unwrap_or_default();
                assert!(well >= least, "{} {argument}: {well} of {all} calls succeeded", tool.name);
            }
        }
    }
}

type Calls = BTreeMap<(&'static str, &'static str), (usize, usize)>;

fn sequence(seed: u64, course: Course) -> (Calls, Option<Case>) {
    let scene = (course.scene)(seed);
    let mut calls = Calls::new();
    let mut twins = Twins::of(&scene);
    if twins.state.has_collisions() {
        return (calls, None);
    }
    let mut random = Rng::with_seed(seed);
    let mut actions = Vec::new();
    for _ in 0..course.steps {
        let action = draw(&mut random, &twins, course.tools);
        actions.push(action.clone());
        match twins.take(&action) {
            Ok(ended) => count(&mut calls, &action, &ended),
            Err(difference) => return (calls, Some(Case { seed, scene, actions, difference })),
        }
    }
    let case = at_end(&mut twins).map(|difference| Case { seed, scene, actions, difference });
    (calls, case)
}

fn at_end(twins: &mut Twins) -> Option<Difference> {
    let states = twins.end().err()?;
    Some(Difference { command: "(at the end)".to_owned(), git: Ok(String::new()), ours: Ok(String::new()), states })
}

fn draw(random: &mut Rng, twins: &Twins, tools: &'static [(usize, Tool)]) -> Action {
    if random.usize(..5) < 2 {
        return Action::File(scene::file_step(random));
    }
    let known = Known::of(&twins.state);
    let sum: usize = tools.iter().map(|(weight, _)| weight).sum();
    let mut at = random.usize(..sum);
    let drawn = tools.iter().find(|(weight, _)| {
        let is_it = at < *weight;
        at = at.saturating_sub(*weight);
        is_it
    });
    let (_, tool) = drawn.expect("it is below the sum");
    Action::Call { tool: tool.name, arguments: Value::Object((tool.draw)(random, &known)) }
}

fn count(calls: &mut Calls, action: &Action, ended: &Ended) {
    let Action::Call { tool, arguments } = action else { return };
    let well = usize::from(matches!(ended, Ended::Well));
    let given = |name: &&&str| match name.split_once(' ') {
        Some((name, value)) => arguments[name] == value,
        None => arguments.get(*name).is_some(),
    };
    for name in super::calls::find(tool).arguments.iter().filter(given) {
        let count = calls.entry((tool, name)).or_default();
        *count = (count.0 + well, count.1 + 1);
    }
}

/// Removes everything from the sequence that it does not need to fail.
fn shrink(mut case: Case) -> Case {
    loop {
        let (actions, scene) = (case.actions.len(), case.scene.len());
        case = fewer(case, |case| &mut case.actions);
        case = fewer(case, |case| &mut case.scene);
        let smaller = case.actions.iter().enumerate().flat_map(|(at, action)| {
            let (scene, actions) = (&case.scene, &case.actions);
            action.smaller().into_iter().map(move |action| {
                let mut actions = actions.clone();
                actions[at] = action;
                (scene.clone(), actions)
            })
        });
        let smaller = smaller.into_iter().find_map(|(scene, actions)| again(case.seed, scene, actions));
        let is_smaller = case.actions.len() < actions || case.scene.len() < scene || smaller.is_some();
        case = smaller.unwrap_or(case);
        if !is_smaller {
            return case;
        }
    }
}

/// Removes halves of a list, then quarters, and so on.
fn fewer<T: Clone>(mut case: Case, list: fn(&mut Case) -> &mut Vec<T>) -> Case {
    let mut length = list(&mut case).len().div_ceil(2);
    while length > 0 {
        let mut end = list(&mut case).len();
        while end > 0 {
            let start = end.saturating_sub(length);
            let mut shorter = case.clone();
            list(&mut shorter).drain(start..end);
            if let Some(wrong) = again(shorter.seed, shorter.scene, shorter.actions) {
                case = wrong;
            }
            end = start.min(list(&mut case).len());
        }
        length /= 2;
    }
    case
}

/// The case, if it always fails. If files differ from what git would write, the clock decides whether git notices: a second must pass
/// between two writes, and the test cannot arrange that in both repositories.
fn lasting(case: Case) -> Option<Case> {
    (0..3).try_fold(case, |case, _| again(case.seed, case.scene, case.actions))
}

/// Runs these steps again. Returns the case if they fail.
fn again(seed: u64, scene: Vec<scene::Step>, actions: Vec<Action>) -> Option<Case> {
    let mut twins = Twins::of(&scene);
    for (at, action) in actions.iter().enumerate() {
        if !is_permitted(&twins, action) {
            return None;
        }
        if let Err(difference) = twins.take(action) {
            return Some(Case { seed, scene, actions: actions[..=at].to_vec(), difference });
        }
    }
    let difference = at_end(&mut twins)?;
    Some(Case { seed, scene, actions, difference })
}

/// Whether the tool's validation still accepts a shrunk call.
fn is_permitted(twins: &Twins, action: &Action) -> bool {
    let Action::Call { tool, arguments } = action else { return true };
    let arguments = arguments.as_object().expect("arguments are an object");
    let folder = arguments.get("working_dir").and_then(Value::as_str);
    let is_there = |folder: &str| twins.state.0.get(&format!("file {folder}")).is_some_and(|kind| kind == "folder");
    (super::calls::find(tool).permits)(arguments) && folder.is_none_or(is_there)
}

fn shown(case: &Case) -> String {
    let Difference { command, git, ours, states } = &case.difference;
    let mut text = format!("GITGATE_SEED={}\n", case.seed);
    for step in &case.scene {
        text.push_str(&format!("  scene: {step:?}\n"));
    }
    for action in &case.actions {
        text.push_str(&format!("  {action:?}\n"));
    }
    text.push_str(&format!("{command}\n--- git\n{git:?}\n--- here\n{ours:?}\n--- states\n{states}\n"));
    text
}

/// A case in a few lines.
fn listed(case: &Case) -> String {
    let Difference { command, git, ours, states } = &case.difference;
    let states: Vec<&str> = states.lines().take(3).collect();
    format!("\nGITGATE_SEED={}: {command}\n  git:  {git:?}\n  here: {ours:?}\n  {}\n", case.seed, states.join("\n  "))
}
