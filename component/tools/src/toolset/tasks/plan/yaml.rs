//! YAML: a list of maps with `id`, `title` and `depends_on`, at the top or at the key `tasks`.

use yaml::{Node, Value, Wrong};

use super::{Plan, Planned, Problem, ids};

const TITLES: [&str; 4] = ["title", "name", "subject", "description"];
const DEPENDS: [&str; 4] = ["depends_on", "depends", "dependencies", "needs"];

/// The tasks of `text`.
pub fn parse(text: &str) -> Result<Plan, Wrong> {
    let mut plan = Plan::default();
    let root = yaml::parse(text, 0)?;
    let line = root.line;
    let list = match root.value {
        Value::Map(entries) => entries.into_iter().find(|entry| entry.key == "tasks").map(|entry| entry.node.value),
        other => Some(other),
    };
    match list {
        Some(Value::List(items)) => items.into_iter().try_for_each(|item| add(&mut plan, item))?,
        Some(Value::Nothing) => {}
        _ => return Err(Wrong::at(line, "there is no list of tasks")),
    }
    Ok(plan)
}

fn add(plan: &mut Plan, item: Node) -> Result<(), Wrong> {
    let line = item.line;
    let Value::Map(entries) = item.value else { return Err(Wrong::at(line, "a task must be a map")) };
    let (mut id, mut titles, mut depends_on) = (None, [const { None }; TITLES.len()], Vec::new());
    for entry in entries {
        let key = entry.key.as_str();
        if key == "id" {
            id = Some(text(entry.node, "id")?);
        } else if let Some(place) = TITLES.iter().position(|title| *title == key) {
            titles[place] = Some(text(entry.node, key)?);
        } else if DEPENDS.contains(&key) {
            depends_on = listed(entry.node, key)?;
        }
    }
    let title = titles.into_iter().flatten().next().unwrap_or_default();
    let title = title.lines().next().unwrap_or_default().trim().to_owned();
    match id {
        Some(id) => plan.add(Planned { id, title, depends_on, line }),
        None => plan.problems.push(Problem { line, message: "a task without an id".to_owned() }),
    }
    Ok(())
}

fn text(node: Node, key: &str) -> Result<String, Wrong> {
    match node.value {
        Value::Text(text) => Ok(text),
        Value::Nothing => Ok(String::new()),
        _ => Err(Wrong::at(node.line, format!("`{key}` must be text"))),
    }
}

fn listed(node: Node, key: &str) -> Result<Vec<String>, Wrong> {
    match node.value {
        Value::List(nodes) => nodes.into_iter().map(|node| text(node, key)).collect(),
        _ => text(node, key).map(|text| ids(&text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_maps_is_a_plan_at_the_top_or_at_the_key_tasks() {
        let list = "- {id: T1, title: One, estimate: 3}\n- id: T2\n  description: |\n    Two\n    and more\n  depends_on: [T1]\n- {id: T3, needs: \
                    'T1, T2'}\n";
        let nested = format!("version: 1\ntasks:\n{list}");
        for (text, above) in [(list.to_owned(), 0), (nested, 2)] {
            let plan = parse(&text).unwrap();
            let told: Vec<(&str, &str, String, usize)> = plan
                .tasks
                .iter()
                .map(|task| (task.id.as_str(), task.title.as_str(), task.depends_on.join(" "), task.line - above))
                .collect();
            let deps = |text: &str| text.to_owned();
            assert_eq!(told, [("T1", "One", deps(""), 1), ("T2", "Two", deps("T1"), 2), ("T3", "", deps("T1 T2"), 7)]);
            assert_eq!(plan.problems, []);
        }
        assert_eq!(parse("{\"tasks\": [{\"id\": \"T1\"}]}").unwrap().tasks.len(), 1);
        assert_eq!(parse("").unwrap().tasks, []);
    }

    #[test]
    fn what_is_no_list_of_tasks_is_an_error_with_its_line() {
        let wrong = |text: &str| {
            let wrong = parse(text).unwrap_err();
            format!("{}: {}", wrong.line, wrong.what)
        };
        assert_eq!(wrong("name: x\n"), "1: there is no list of tasks");
        assert_eq!(wrong("tasks: 3\n"), "1: there is no list of tasks");
        assert_eq!(wrong("- id: T1\n- T2\n"), "2: a task must be a map");
        assert_eq!(wrong("- id: [T1]\n"), "1: `id` must be text");
        assert_eq!(wrong("- id: &a T1\n"), "1: anchors are not supported");
        assert_eq!(parse("- title: x\n").unwrap().problems[0].message, "a task without an id");
    }
}
