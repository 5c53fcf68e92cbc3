//! A Markdown checklist: `- [ ] T002 Title (depends on T001)`, as GitHub's task lists are written.
//!
//! Only lines matter, at any depth. A Markdown parser would tell more than this needs, and is larger than all task tools together.

use super::{Plan, Planned, Problem, ids};

/// Words that begin a list of dependencies in brackets, and whether they can begin nothing else.
const DEPENDS: [(&str, bool); 6] = [
    ("depends on", true),
    ("depends", true),
    ("dependencies", true),
    ("after", false),
    ("needs", false),
    ("requires", false),
];

/// The tasks of `text`.
pub fn parse(text: &str) -> Plan {
    let mut plan = Plan::default();
    let mut fence: Option<&str> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => {
                if let Some(item) = item(line) {
                    add(&mut plan, item, number + 1);
                }
            }
            _ => {}
        }
    }
    plan
}

/// The text after the box of an item, ticked or not.
fn item(line: &str) -> Option<&str> {
    let bullet = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.trim_start_matches(|character: char| character.is_ascii_digit());
        digits.strip_prefix(['.', ')']).filter(|_| digits.len() < line.len())
    })?;
    let rest = bullet.strip_prefix(char::is_whitespace)?.trim_start();
    ["[ ]", "[x]", "[X]"].into_iter().find_map(|mark| rest.strip_prefix(mark))?.strip_prefix(char::is_whitespace)
}

fn add(plan: &mut Plan, item: &str, line: usize) {
    let (item, depends_on) = dependencies(item.trim());
    let (word, title) = item.split_once(char::is_whitespace).unwrap_or((&item, ""));
    let id = word.trim_matches(|character: char| matches!(character, '*' | '`' | '[' | ']' | ':' | '.'));
    // A word without a digit begins the title of a task without an id.
    if !id.contains(|character: char| character.is_numeric()) {
        let message = "a task without an id: begin it with one that has a digit, such as T001".to_owned();
        plan.problems.push(Problem { line, message });
        return;
    }
    let title = title.trim().trim_start_matches(['-', '–', '—', ':']).trim_start();
    plan.add(Planned { id: id.to_owned(), title: title.to_owned(), depends_on, line });
}

/// Splits an item into the text without the brackets that name its dependencies, and those dependencies.
fn dependencies(item: &str) -> (String, Vec<String>) {
    let mut from = 0;
    while let Some(open) = item[from..].find('(').map(|at| from + at) {
        let Some(close) = item[open..].find(')').map(|at| open + at) else { break };
        let inner = item[open + 1..close].trim();
        let listed = DEPENDS.iter().find_map(|(word, is_clear)| {
            let (begin, rest) = inner.split_at_checked(word.len())?;
            let ends = rest.starts_with(|character: char| character.is_whitespace() || character == ':');
            let mut listed = (begin.eq_ignore_ascii_case(word) && ends).then(|| ids(rest))?;
            // `(needs review)` is prose: an id has a digit.
            let are_ids = listed.iter().all(|id| id.contains(char::is_numeric));
            listed.retain(|id| !id.eq_ignore_ascii_case("none"));
            (*is_clear || are_ids).then_some(listed)
        });
        if let Some(listed) = listed {
            let others = format!("{} {}", item[..open].trim_end(), item[close + 1..].trim_start());
            return (others.trim().to_owned(), listed);
        }
        from = close + 1;
    }
    (item.to_owned(), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(id: &str, title: &str, depends_on: &[&str], line: usize) -> Planned {
        let depends_on = depends_on.iter().map(|&id| id.to_owned()).collect();
        Planned { id: id.to_owned(), title: title.to_owned(), depends_on, line }
    }

    #[test]
    fn items_with_a_box_are_tasks_whatever_is_ticked() {
        let text = "# Tasks\n\n- [ ] T001 Create the file\n* [x] **T002**: Test it (depends on T001)\n  1. [X] `T003` — Review (now) \
                    (after: T001, T002 and T9) soon\n- T004 no box\n-[ ] T005 no space\n```\n- [ ] T006 an example\n```\n+ [ ] T7\n";
        let plan = parse(text);
        let tasks = [
            planned("T001", "Create the file", &[], 3),
            planned("T002", "Test it", &["T001"], 4),
            planned("T003", "Review (now) soon", &["T001", "T002", "T9"], 5),
            planned("T7", "", &[], 11),
        ];
        assert_eq!((plan.tasks.as_slice(), plan.problems.len()), (tasks.as_slice(), 0));
    }

    #[test]
    fn prose_in_brackets_is_no_dependency() {
        let plan = parse(
            "- [ ] T1 Deploy (needs review)\n- [ ] T2 Go (after lunch) (needs T1)\n- [ ] T3 x (depends on: none)\n",
        );
        let tasks = [
            planned("T1", "Deploy (needs review)", &[], 1),
            planned("T2", "Go (after lunch)", &["T1"], 2),
            planned("T3", "x", &[], 3),
        ];
        assert_eq!(plan.tasks, tasks);
    }

    #[test]
    fn a_task_without_an_id_and_one_that_stands_there_twice_are_problems() {
        let plan = parse("- [ ] Create it\n- [ ] T1 a\n- [ ] T1 b\n- [ ] a@1 c\n");
        let problems: Vec<(usize, &str)> =
            plan.problems.iter().map(|problem| (problem.line, problem.message.as_str())).collect();
        assert_eq!(
            problems,
            [
                (1, "a task without an id: begin it with one that has a digit, such as T001"),
                (3, "T1 stands in line 2 already"),
                (4, "\"a@1\" is not the id of a task"),
            ]
        );
        assert_eq!(plan.tasks, [planned("T1", "a", &[], 2)]);
    }
}
