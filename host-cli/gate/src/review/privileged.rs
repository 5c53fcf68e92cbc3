//! Paths that tools run, obey or trust. The families are data: `privileged.toml`.

use std::sync::LazyLock;

use bstr::{BStr, ByteSlice};
use serde::Deserialize;

use super::flags::{Flag, Severity};
use crate::{glob, look, text, toml};

/// Paths that share a reason. All names are in lower case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Family {
    /// The reason that the review gives.
    what: String,
    severity: Severity,
    /// Where its names are documented.
    source: String,
    files: Vec<String>,
    modules: Vec<String>,
    starts: Vec<String>,
    ends: Vec<String>,
    folders: Vec<String>,
    below: Vec<String>,
    globs: Vec<String>,
}

impl Default for Family {
    fn default() -> Self {
        let none = Vec::new;
        let (what, source, severity) = (String::new(), String::new(), Severity::High);
        let (files, modules, starts, ends) = (none(), none(), none(), none());
        let (folders, below, globs) = (none(), none(), none());
        Family { what, severity, source, files, modules, starts, ends, folders, below, globs }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    family: Vec<Family>,
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("privileged.toml")).expect("a test reads it");
    table.family
});

/// The endings of modules that node, deno or bun load.
const MODULES: [&str; 8] = ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"];

/// The reason for a hook in a folder named `hooks`.
const HOOK: &str = "hooks, which run on developers' machines";

impl Family {
    /// Whether the file `name` in `folders`, whose path is `path`, belongs to it.
    fn holds(&self, path: &str, folders: &str, name: &str) -> bool {
        let module = name.rsplit_once('.').filter(|(_, end)| MODULES.contains(end)).map(|(stem, _)| stem);
        let is_path = |file: &str| {
            file.contains('/')
                && path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.files.iter().any(|file| file == name || is_path(file))
            || module.is_some_and(|stem| self.modules.iter().any(|module| module == stem))
            || self.starts.iter().any(|start| name.starts_with(start.as_str()))
            || self.ends.iter().any(|end| name.ends_with(end.as_str()))
            || folders.split('/').any(|part| self.folders.iter().any(|folder| folder == part))
            || self.below.iter().any(|folder| path.starts_with(folder.as_str()))
            || self
                .globs
                .iter()
                .any(|pattern| ends_alike(pattern, path) && glob::matches(pattern.as_bytes(), path.as_bytes()))
    }
}

/// Whether `path` ends like every match of `pattern`. Few paths do, and the others need no
/// matching.
fn ends_alike(pattern: &str, path: &str) -> bool {
    path.ends_with(pattern.rsplit(['*', '?', '\\', '/']).next().unwrap_or(""))
}

/// The flag for a changed path by its name alone, ignoring case. A folder named `hooks` may hold
/// anything, so only an `executable` file in it counts.
pub(super) fn flag(path: &BStr, executable: bool) -> Option<Flag> {
    let lower = path.split_str("/").map(look::fold).collect::<Vec<_>>().join("/");
    let shown = || text::path(path);
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    match name {
        ".gitmodules" => return Some(Flag::Gitmodules { path: shown() }),
        ".gitattributes" => return Some(Flag::Gitattributes { path: shown() }),
        _ => {}
    }
    if [".github/workflows/", ".github/actions/", ".gitea/workflows/", ".forgejo/workflows/"]
        .iter()
        .any(|folder| lower.starts_with(folder))
    {
        return Some(Flag::Workflow { path: shown() });
    }
    let families = FAMILIES.iter().filter(|family| family.holds(&lower, folders, name));
    let hooks = (executable && folders.split('/').any(|part| part == "hooks")).then_some((Severity::High, HOOK));
    // The most severe; among equals, the first.
    let reasons = families.map(|family| (family.severity, family.what.as_str())).chain(hooks);
    let reason = reasons.reduce(|first, other| if other.0 > first.0 { other } else { first });
    reason.map(|(severity, what)| Flag::Privileged { path: shown(), what, severity })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_words_a_source_and_names_in_lower_case() {
        let mut whats = std::collections::BTreeSet::new();
        for family in &*FAMILIES {
            assert!(whats.insert(&family.what) && !family.what.is_empty(), "{family:?}");
            assert!(family.source.starts_with("https://"), "{}", family.what);
            let Family { files, modules, starts, ends, folders, below, globs, .. } = family;
            let lists = [files, modules, starts, ends, folders, below, globs];
            let names: Vec<&String> = lists.into_iter().flatten().collect();
            assert!(!names.is_empty(), "{}", family.what);
            for name in names {
                assert_eq!(*name, name.to_lowercase(), "{}", family.what);
            }
        }
    }

    #[test]
    fn no_name_stands_in_two_families() {
        for list in [|family: &'static Family| &family.files, |family: &'static Family| &family.modules] {
            let mut seen = std::collections::BTreeMap::new();
            for family in &*FAMILIES {
                for name in list(family) {
                    let other = seen.insert(name, &family.what);
                    assert!(other.is_none(), "{name} is in {other:?} and {}", family.what);
                }
            }
        }
    }
}
