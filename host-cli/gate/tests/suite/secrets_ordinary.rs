//! No false alarms in the sources of this workspace's dependencies, or in the folder that `GITGATE_TEST_SOURCES` names.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The host platform, by rustc's name.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc says what it runs on").to_owned()
}

/// The folders of the crates that cargo downloaded to build this workspace. Crates for other platforms may be missing.
fn sources() -> Vec<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").expect("cargo runs the tests"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let elsewhere = packages.filter(|package| !package["source"].is_null());
    let manifests = elsewhere.map(|package| Path::new(package["manifest_path"].as_str().unwrap()));
    manifests.map(|manifest| manifest.parent().unwrap().to_owned()).collect()
}

/// Crates whose own tests contain real keys, in a folder named `tests`.
const WITH_KEYS: [&str; 2] = ["octocrab-", "ring-"];

fn has_keys(folder: &Path) -> bool {
    let is_of = |name: &str| folder.iter().any(|part| part.to_string_lossy().starts_with(name));
    folder.ends_with("tests") && WITH_KEYS.into_iter().any(is_of)
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            if !has_keys(&entry.path()) {
                files(&entry.path(), out);
            }
        } else if kind.is_file() {
            out.push(entry.path());
        }
    }
}

#[test]
fn of_a_thousand_ordinary_files_not_one_is_flagged() {
    let folders = std::env::var_os("GITGATE_TEST_SOURCES").map_or_else(sources, |folder| vec![folder.into()]);
    let mut all = Vec::new();
    folders.iter().for_each(|folder| files(folder, &mut all));
    assert!(all.len() > 4000, "only {} files are there to be looked at", all.len());
    let some: Vec<_> = all.iter().step_by(trial::times(4, 1)).collect();
    let (mut bytes, mut flagged) = (0, 0);
    for path in &some {
        let content = std::fs::read(path).unwrap();
        bytes += content.len();
        let findings = gate::secrets::scan(&content);
        flagged += usize::from(!findings.is_empty());
        for finding in findings.iter().take(10) {
            println!("{} {} {}:{}", finding.rule, finding.shown, path.display(), finding.line);
        }
    }
    let share = 100.0 * flagged as f64 / some.len() as f64;
    println!("{flagged} of {} files, {bytes} bytes: {share:.3} %", some.len());
    assert!(share < 0.1, "{share:.3} % of the files are flagged");
}
