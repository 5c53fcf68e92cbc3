//! The graph of the tools' modules, from their sources.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::{is_name, tokens};

/// A module by its path from the crate's root: `["git", "repo"]`. The root's path is empty.
pub type Module = Vec<String>;

/// The names in a crate's modules.
#[derive(Default)]
pub struct Graph {
    /// The names in each module, without tests. Test modules are not included.
    pub code: BTreeMap<Module, BTreeSet<Module>>,
    /// The names in test modules.
    pub tests: BTreeMap<Module, BTreeSet<Module>>,
}

impl Graph {
    /// The modules of a crate, from each file's path below `src` and its text.
    pub fn of<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Graph {
        let module = |path: &str| -> Module {
            let path = path.strip_suffix(".rs").expect("sources are Rust");
            if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
        };
        let files: BTreeMap<Module, Source> =
            files.into_iter().map(|(path, text)| (module(path), Source::of(text))).collect();
        let tests: BTreeSet<Module> = files.iter().flat_map(|(module, source)| source.tests(module)).collect();
        let mut graph = Graph::default();
        for (module, source) in &files {
            let named = |tokens: &[&str]| -> BTreeSet<Module> {
                let named = paths(tokens).into_iter().filter_map(|path| resolve(&files, module, &path));
                named.filter(|named| named != module).collect()
            };
            match (1..=module.len()).any(|length| tests.contains(&module[..length])) {
                true => graph.tests.insert(module.clone(), named(&[&source.code[..], &source.tests].concat())),
                false => graph.code.insert(module.clone(), named(&source.code)),
            };
        }
        graph
    }
}

/// A file in two parts.
struct Source<'t> {
    code: Vec<&'t str>,
    /// The code under `#[cfg(test)]`.
    tests: Vec<&'t str>,
    is_test: bool,
}

impl<'t> Source<'t> {
    fn of(text: &'t str) -> Source<'t> {
        let all = tokens(text);
        let mut source = Source { code: Vec::new(), tests: Vec::new(), is_test: false };
        let mut at = 0;
        while at < all.len() {
            let start = at;
            if all[at] != "#" {
                source.code.push(all[at]);
                at += 1;
                continue;
            }
            at = behind_attribute(&all, at);
            let attribute = &all[start..at];
            let is_of_test = attribute.contains(&"cfg") && attribute.contains(&"test");
            if !is_of_test || attribute.windows(3).any(|tokens| tokens == ["not", "(", "test"]) {
                continue;
            }
            if attribute.get(1) == Some(&"!") {
                return Source { code: Vec::new(), tests: all, is_test: true };
            }
            let end = behind_item(&all, at);
            source.tests.extend(&all[at..end]);
            at = end;
        }
        source
    }

    /// The test modules that this file, `module`, declares.
    fn tests(&self, module: &[String]) -> Vec<Module> {
        let below = self.tests.windows(3).filter(|tokens| tokens[0] == "mod" && tokens[2] == ";");
        let below = below.map(|tokens| module.iter().cloned().chain([tokens[1].to_owned()]).collect());
        below.chain(self.is_test.then(|| module.to_vec())).collect()
    }
}

/// The end of the attribute at `start`.
fn behind_attribute(tokens: &[&str], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "[" => depth += 1,
            "]" if depth == 1 => return at + 1,
            "]" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The end of the item at `start`, including its attributes.
fn behind_item(tokens: &[&str], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            "}" if depth == 1 => return at + 1,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Every path in the code: those of imports, completely, and those used in place.
fn paths<'t>(tokens: &[&'t str]) -> Vec<Vec<&'t str>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            at = import(tokens, at + 1, &[], &mut paths);
            continue;
        }
        let mut path = Vec::new();
        while tokens.get(at).is_some_and(|token| is_name(token)) {
            path.push(tokens[at]);
            at += 1;
            if tokens.get(at) != Some(&"::") {
                break;
            }
            at += 1;
        }
        match path.len() {
            0 => at += 1,
            1 => {}
            _ => paths.push(path),
        }
    }
    paths
}

/// Parses the tree of an import whose beginning is `before`, and returns its end.
fn import<'t>(tokens: &[&'t str], start: usize, before: &[&'t str], paths: &mut Vec<Vec<&'t str>>) -> usize {
    let mut path = before.to_vec();
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => {
                while !matches!(tokens.get(at), None | Some(&"}")) {
                    at = import(tokens, at + 1, &path, paths);
                }
                return at + 1;
            }
            "," | "}" | ";" => break,
            // The alias.
            "as" => at += 1,
            "::" => {}
            name => path.push(name),
        }
        at += 1;
    }
    // A trailing comma.
    if path.len() > before.len() {
        paths.push(path);
    }
    at
}

/// The module that `path` in `module` leads to; `None` for a path outside the crate.
fn resolve<S>(files: &BTreeMap<Module, S>, module: &[String], path: &[&str]) -> Option<Module> {
    let child = |module: &[String], name: &str| -> Option<Module> {
        let child: Module = module.iter().cloned().chain([name.to_owned()]).collect();
        files.contains_key(&child).then_some(child)
    };
    let (first, mut rest) = path.split_first()?;
    let mut found = match *first {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module.split_last()?.1.to_vec(),
        name => child(module, name)?,
    };
    while let Some(("super", behind)) = rest.split_first().map(|(first, behind)| (*first, behind)) {
        found.pop();
        rest = behind;
    }
    for name in rest {
        match child(&found, name) {
            Some(below) => found = below,
            None => break,
        }
    }
    Some(found)
}

#[test]
fn a_path_leads_into_the_file_that_has_it() {
    let top = "mod a; #[cfg(test)] mod c; use crate::a::{self, b::{One, Two as Three}};";
    let b = "use super::Four; fn f() { crate::d::g::<u8>() } #[cfg(test)] mod tests { use crate::c; }";
    let files =
        [("lib.rs", top), ("a.rs", "mod b; use b::One;"), ("a/b.rs", b), ("c.rs", "use super::d;"), ("d.rs", "")];
    let graph = Graph::of(files);
    let shown = |graph: &BTreeMap<Module, BTreeSet<Module>>| -> Vec<String> {
        let list = |named: &BTreeSet<Module>| named.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" ");
        graph.iter().map(|(module, named)| format!("{}: {}", module.join("/"), list(named))).collect()
    };
    assert_eq!(shown(&graph.code), [": a a/b", "a: a/b", "a/b: a d", "d: "]);
    assert_eq!(shown(&graph.tests), ["c: d"]);
}
