//! The modules of the tools name each other in one direction only: to read one, you need only those below it.
//!
//! A file and the files in its own folder, `x.rs` and `x/`, may form a circle: for everybody else they are one module. The files in a
//! folder again follow one direction.

mod graph;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use self::graph::{Graph, Module};
use crate::layers_text::sources;

const TOOLS: &str = "component/tools/src/";

/// The layers of the tools, lowest first. A module names modules of its own layer and of those before it; two layers in one line do not name
/// each other.
const LAYERS: &[&[&str]] = &[
    &["past", "platform", "question"],
    &["error"],
    &["answer", "call", "deadline", "options", "output"],
    &["arguments", "attachment", "budget", "paths"],
    &["git/words"],
    &["git/store"],
    &["git/worktree"],
    &["git/history", "git/change"],
    &["git/text"],
    &["git/staged"],
    &["git/caches"],
    &["approval", "embedding"],
    &["session"],
    &["tool"],
    &["toolset"],
    &["registry"],
    &["dispatch"],
];

fn tools() -> Graph {
    let sources = sources();
    Graph::of(sources.iter().filter_map(|(path, text)| Some((path.strip_prefix(TOOLS)?, text.as_str()))))
}

/// The part of `folder` that `module` belongs to: one of its files, with the folder of that name. `None` for the folder's own file, and for
/// anything elsewhere.
fn part<'m>(folder: &[String], module: &'m [String]) -> Option<&'m [String]> {
    (module.starts_with(folder) && module.len() > folder.len()).then(|| &module[..=folder.len()])
}

/// Reduces `edges` to circles and the paths between them: repeatedly removes parts that name nothing, and parts that nobody names.
fn circles<'m>(edges: &mut BTreeMap<&'m [String], BTreeSet<&'m [String]>>) {
    loop {
        let before = edges.len();
        let named: BTreeSet<_> = edges.values().flatten().copied().collect();
        edges.retain(|part, _| named.contains(part));
        let naming: BTreeSet<_> = edges.keys().copied().collect();
        edges.values_mut().for_each(|named| named.retain(|part| naming.contains(part)));
        edges.retain(|_, named| !named.is_empty());
        if edges.len() == before {
            return;
        }
    }
}

/// Each import that is part of a circle in `folder`.
fn imports_in_circles(graph: &Graph, folder: &[String]) -> Vec<String> {
    let imports = || {
        graph.code.iter().flat_map(|(module, named)| {
            let between = named
                .iter()
                .filter_map(move |named| Some((part(folder, module)?, part(folder, named)?, module, named)));
            between.filter(|(part, other, ..)| part != other)
        })
    };
    let mut edges: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (part, other, ..) in imports() {
        edges.entry(part).or_default().insert(other);
    }
    circles(&mut edges);
    let in_circle = imports().filter(|(part, other, ..)| edges.get(part).is_some_and(|named| named.contains(other)));
    in_circle.map(|(_, _, module, named)| format!("{} -> {}", module.join("/"), named.join("/"))).collect()
}

#[test]
fn no_module_of_the_tools_is_in_a_circle() {
    let graph = tools();
    let folders: BTreeSet<&[String]> = graph.code.keys().filter_map(|module| Some(module.split_last()?.1)).collect();
    assert!(graph.code.len() > 200 && folders.len() > 20, "the modules were found");
    let found: Vec<String> = folders.into_iter().flat_map(|folder| imports_in_circles(&graph, folder)).collect();
    assert_eq!(found, Vec::<String>::new());
}

/// The line of [`LAYERS`] that names `module`, and the part of the module that it names. None for the files that only list modules.
fn layer(module: &[String]) -> Option<(usize, &'static str)> {
    let path = module.join("/");
    let is_in = |layer: &&str| path.strip_prefix(*layer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    LAYERS.iter().enumerate().find_map(|(at, layers)| Some((at, *layers.iter().find(|layer| is_in(layer))?)))
}

#[test]
fn a_layer_names_only_those_below_it() {
    let graph = tools();
    let without: Vec<String> =
        graph.code.keys().filter(|module| layer(module).is_none()).map(|module| module.join("/")).collect();
    assert_eq!(without, ["", "git"], "only the lists of modules have no layer");
    let mut found = Vec::new();
    for (module, named) in &graph.code {
        for named in named {
            if let (Some(own), Some(other)) = (layer(module), layer(named))
                && other.0 >= own.0
                && other != own
            {
                found.push(format!("{} -> {}", module.join("/"), named.join("/")));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// Tests below a tool use a sandbox, and never need all tools.
#[test]
fn the_sandbox_of_the_tests_knows_no_tool() {
    let graph = tools();
    let sandbox = graph.tests.keys().filter(|module| module.first().is_some_and(|name| name == "testing"));
    let mut reached: BTreeSet<&Module> = sandbox.collect();
    assert!(reached.len() > 2, "the sandbox was found");
    let mut pending: Vec<&Module> = reached.iter().copied().collect();
    while let Some(module) = pending.pop() {
        let named = graph.code.get(module).or_else(|| graph.tests.get(module)).expect("what is named is a module");
        pending.extend(named.iter().filter(|named| reached.insert(*named)));
    }
    let tools = ["calling", "dispatch", "registry", "toolset"];
    let known: Vec<_> = reached
        .into_iter()
        .filter(|module| module.first().is_some_and(|name| tools.contains(&name.as_str())))
        .collect();
    assert_eq!(known, Vec::<&Module>::new());
}

#[test]
fn a_circle_is_found_whatever_hangs_on_it() {
    let files = [
        ("lib.rs", "mod top; mod one; mod two; mod low; use top::x;"),
        ("top.rs", "use crate::one::x;"),
        ("one.rs", "mod inner; use inner::x;"),
        ("one/inner.rs", "use super::x; use crate::two::x;"),
        ("two.rs", "use crate::{low::x, one::x};"),
        ("low.rs", ""),
    ];
    let graph = Graph::of(files);
    assert_eq!(imports_in_circles(&graph, &[]), ["one/inner -> two", "two -> one"]);
    assert_eq!(imports_in_circles(&graph, &["one".to_owned()]), Vec::<String>::new());
}
