//! Calls tools one after the other, as an agent or a person would, on a real directory with links that lead out of it.

mod arguments;
mod scene;

use std::cell::{Cell, RefCell};

use dialect::Dialect;
use dialect::table::TOOLS;
use serde_json::{Map, Value};
use tools::answer::{Answer, Conflict, Landed, Reference, Refs};
use tools::call::Moment;
use tools::platform::undo;
use tools::{Answers, Caller, Deadline, Question, REGISTRY, Session, Step, ToolCall, ToolError, dispatch};

use self::scene::{Around, Node, Scene, Tree};
use crate::choices::Choices;
use crate::model;

thread_local! {
    /// Reset before each input.
    static SCENE: RefCell<Scene> = RefCell::new(Scene::new());
    /// The number of clock reads before a call's time is up.
    static LOOKS: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Takes any bytes. They choose the tools, their arguments, and the host's answers.
pub fn call(input: &[u8]) {
    SCENE.with_borrow_mut(|scene| {
        let mut choices = Choices::of(input);
        let mut session = scene.session(choices.one_in(4));
        let mut tree = scene.fresh();
        for _ in 0..=choices.below(4) {
            if choices.is_over() {
                break;
            }
            tree = called(scene, &mut session, &mut choices, tree);
        }
    });
}

/// Makes a call that `choices` choose, and answers its questions. Takes the tree before the call, and returns the tree after it.
fn called(scene: &Scene, session: &mut Session, choices: &mut Choices<'_>, mut before: Tree) -> Tree {
    let tool = choices.below(REGISTRY.len());
    let name = if choices.one_in(40) { choices.text(12) } else { REGISTRY[tool].name.to_owned() };
    let arguments = arguments::of(choices, &scene.schemas[tool]);
    let dialects: Vec<Dialect> = Dialect::all().collect();
    let dialect = choices.one_in(2).then(|| choices.of_these(&dialects));
    let (name, arguments) = spoken(choices, dialect, name, arguments);
    let caller = if choices.one_in(3) { Caller::User } else { Caller::Agent };
    let now = Moment { nanos: 1_795_165_200_000_000_000, utc_offset: 3600 };
    let call = ToolCall { id: "call".to_owned(), tool: name, arguments, dialect, max_bytes: None, caller, now };
    let looks = if choices.one_in(8) { choices.below(12) as u64 } else { u64::MAX };
    let mut answers = Answers::default();
    for _ in 0..5 {
        LOOKS.set(looks);
        undo::begin(&scene.notes(), &call.id);
        let step = dispatch(session, &call, &answers, Deadline::after(clock, 600_000_000_000), &mut Around);
        let mut unchanged = |what: &dyn std::fmt::Debug| {
            let kept = undo::roll_back(&scene.notes(), &scene.base().join("aside")).expect("nobody is in the way");
            assert_eq!(kept, Vec::new(), "nobody else has written anything");
            // As in git, unreferenced objects may stay behind.
            let after = scene.tree();
            let new = after
                .iter()
                .filter(|(path, _)| path.starts_with("workspace/.git/objects/") && !before.contains_key(*path));
            before.extend(new.map(|(path, node)| (path.clone(), node.clone())).collect::<Vec<_>>());
            scene.compare(&before, &after, &format!("{call:?}, which ended with {what:?}"));
        };
        match step {
            Step::Done(Ok(finished)) => {
                undo::end();
                undo::forget(&scene.notes()).expect("the notes are ours");
                printable(&finished.text);
                let after = scene.tree();
                kept(scene, &call, &before, &after);
                return after;
            }
            Step::Done(Err(error)) => {
                unchanged(&error);
                printable(&error.message);
                printable(&error.hint);
                assert!(!error.message.is_empty(), "{call:?}");
                session.forget();
                return before;
            }
            Step::Ask(question) => {
                unchanged(&question);
                session.forget();
                answers.add(question.key(), answer(choices, scene, *question));
            }
        }
    }
    before
}

/// A call as a client says it that speaks `dialect`: with another name of the tool, and of some of its arguments.
fn spoken(choices: &mut Choices<'_>, dialect: Option<Dialect>, tool: String, arguments: String) -> (String, String) {
    let Some(dialect) = dialect else { return (tool, arguments) };
    let Ok(Value::Object(own)) = serde_json::from_str(&arguments) else { return (tool, arguments) };
    let mut theirs = Map::new();
    for (name, value) in own {
        let said = if choices.one_in(8) { &name } else { dialect::argument(Some(dialect), &tool, &name) };
        theirs.insert(said.to_owned(), value);
    }
    let names = TOOLS.iter().filter(|known| known.ours == tool).flat_map(|known| known.theirs);
    let name = names.map(|(name, _)| (*name).to_owned()).find(|_| choices.one_in(2));
    (name.unwrap_or(tool), Value::Object(theirs).to_string())
}

/// Stands still until it has been read this many times.
fn clock() -> u64 {
    let left = LOOKS.get().saturating_sub(1);
    LOOKS.set(left);
    if left == 0 { u64::MAX } else { 0 }
}

/// Possible answers of a host, right or wrong.
fn answer(choices: &mut Choices<'_>, scene: &Scene, question: Question) -> Answer {
    let failed = || Answer::Failed(ToolError::failed("The host could not do it"));
    match question {
        Question::Approval(_) if choices.one_in(6) => Answer::Rejected(choices.text(10)),
        Question::Approval(_) => Answer::Approved,
        Question::Refs(place) if !choices.one_in(6) => {
            let mut references = Vec::new();
            for name in ["refs/heads/main", "refs/heads/topic", "refs/tags/v1"] {
                if !choices.one_in(3) {
                    let id = choices.of_these(&scene.commits);
                    references.push(Reference { name: name.to_owned(), id, peeled: None });
                }
            }
            let head = (!choices.one_in(4)).then(|| "refs/heads/main".to_owned());
            Answer::Refs(Refs { target: format!("{}:{}", place.kind, place.location), head, references })
        }
        Question::Push(push) => match choices.below(3) {
            0 => {
                Answer::Landed(Landed { target: push.target, reference: push.reference, old: push.old, new: push.new })
            }
            1 => {
                let target_head = choices.one_in(2).then(|| scene.commits[0]);
                Answer::Conflict(Conflict {
                    reason: "non-fast-forward".to_owned(),
                    message: choices.text(10),
                    target_head,
                })
            }
            _ => failed(),
        },
        _ => failed(),
    }
}

/// The paths that a successful call may change.
fn kept(scene: &Scene, call: &ToolCall, before: &Tree, after: &Tree) {
    let said = format!("{call:?}, which succeeded");
    let part = |tree: &Tree, of: &dyn Fn(&str) -> bool| -> Tree {
        tree.iter().filter(|(path, _)| of(path)).map(|(path, node)| (path.clone(), node.clone())).collect()
    };
    let same = |of: &dyn Fn(&str) -> bool| scene.compare(&part(before, of), &part(after, of), &said);
    same(&|path| !path.starts_with("workspace/"));
    let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
    let name = dialect::addressed(&call.tool, &arguments);
    let tool = tools::registry::find(name).expect("only a known tool succeeds");
    if tool.annotations.read_only {
        same(&|_| true);
    }
    let is_own = |path: &str| path.starts_with("workspace/.git/gitgate/");
    match name {
        // Its git is the tools of git. What it keeps for the next script is its own.
        "bash" if call.arguments.contains("git") => {}
        "bash" => same(&|path| path.starts_with("workspace/.git/") && !is_own(path)),
        name if name.starts_with("git_") || name.starts_with("sandbox_") => {}
        _ => same(&|path| path.starts_with("workspace/.git/")),
    }
    let new =
        after.keys().filter(|path| !before.contains_key(*path)).filter(|path| !path.starts_with("workspace/.git/"));
    for path in new {
        assert!(path.split('/').all(|name| model::is_safe(name.as_bytes())), "{said} has made {path:?}");
        assert!(!matches!(after[path], Node::Other), "{said} has made {path:?}");
    }
}

/// A terminal shows it but does not execute it.
fn printable(text: &str) {
    let is_obeyed = |(at, c): (usize, char)| match c {
        '\n' | '\t' => false,
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        c => c.is_control(),
    };
    assert!(!text.char_indices().any(is_obeyed), "{text:?}");
}
