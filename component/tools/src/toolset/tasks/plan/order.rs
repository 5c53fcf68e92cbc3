//! Finds problems in the order of a plan.

use std::collections::BTreeMap;

use super::{Planned, Problem};

/// Dependencies on tasks that are neither among `tasks` nor `recorded`, and cycles of dependencies.
pub fn problems(tasks: &[Planned], recorded: impl Fn(&str) -> bool) -> Vec<Problem> {
    let places: BTreeMap<&str, usize> = tasks.iter().enumerate().map(|(place, task)| (&*task.id, place)).collect();
    let mut problems = Vec::new();
    for task in tasks {
        for other in task.depends_on.iter().filter(|other| !places.contains_key(other.as_str()) && !recorded(other)) {
            let message = format!("{} depends on {other}, which is unknown", task.id);
            problems.push(Problem { line: task.line, message });
        }
    }
    let depends: Vec<Vec<usize>> = tasks
        .iter()
        .map(|task| task.depends_on.iter().filter_map(|other| places.get(other.as_str()).copied()).collect())
        .collect();
    for circle in circles(&depends) {
        let names: Vec<&str> = circle.iter().chain(circle.first()).map(|&place| tasks[place].id.as_str()).collect();
        let message = format!("these depend on each other: {}", names.join(" -> "));
        problems.push(Problem { line: tasks[circle[0]].line, message });
    }
    problems
}

/// Maximum number of reported cycles.
const MOST_CIRCLES: usize = 20;

/// The first cycles of a graph, no two with a common member. Each node names others by their positions. A cycle begins with its first
/// member.
fn circles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut open: Vec<bool> = vec![true; edges.len()];
    let mut found = Vec::new();
    loop {
        close_ends(edges, &mut open);
        let start = open.iter().position(|&is_open| is_open).filter(|_| found.len() < MOST_CIRCLES);
        let Some(start) = start else { return found };
        // Every open node names an open node, so this path eventually meets itself.
        let (mut path, mut at) = (vec![start], vec![None; edges.len()]);
        let circle = loop {
            let last = path[path.len() - 1];
            at[last] = Some(path.len() - 1);
            let next = edges[last].iter().copied().find(|&next| open[next]).expect("it would not be open");
            match at[next] {
                Some(at) => break path.split_off(at),
                None => path.push(next),
            }
        };
        let first = (0..circle.len()).min_by_key(|&at| circle[at]).unwrap_or(0);
        circle.iter().for_each(|&place| open[place] = false);
        found.push([&circle[first..], &circle[..first]].concat());
    }
}

/// Closes nodes that name no open node, until every open node names one.
fn close_ends(edges: &[Vec<usize>], open: &mut [bool]) {
    let mut named_by: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    let mut left = vec![0; edges.len()];
    for (place, named) in edges.iter().enumerate().filter(|(place, _)| open[*place]) {
        for &other in named.iter().filter(|&&other| open[other]) {
            named_by[other].push(place);
            left[place] += 1;
        }
    }
    let mut ends: Vec<usize> = (0..edges.len()).filter(|&place| open[place] && left[place] == 0).collect();
    while let Some(end) = ends.pop() {
        open[end] = false;
        for &place in &named_by[end] {
            left[place] -= 1;
            if left[place] == 0 {
                ends.push(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tasks: &[(&str, &str)]) -> Vec<String> {
        let planned = |(line, (id, depends_on)): (usize, &(&str, &str))| Planned {
            id: (*id).to_owned(),
            title: String::new(),
            depends_on: depends_on.split_whitespace().map(str::to_owned).collect(),
            line: line + 1,
        };
        let tasks: Vec<Planned> = tasks.iter().enumerate().map(planned).collect();
        problems(&tasks, |id| id == "old").into_iter().map(|p| format!("{}: {}", p.line, p.message)).collect()
    }

    #[test]
    fn unknown_tasks_and_circles_are_told_each_once() {
        assert_eq!(told(&[("a", ""), ("b", "a old"), ("c", "b a")]), Vec::<String>::new());
        assert_eq!(told(&[("a", "x"), ("b", "a")]), ["1: a depends on x, which is unknown"]);
        assert_eq!(told(&[("a", "a")]), ["1: these depend on each other: a -> a"]);
        assert_eq!(
            told(&[("e", "c"), ("a", "b"), ("b", "c"), ("c", "a"), ("d", "d2"), ("d2", "d a")]),
            ["2: these depend on each other: a -> b -> c -> a", "5: these depend on each other: d -> d2 -> d"]
        );
    }
}
