//! The end-to-end specification. One test binary, with a module for each promise.
//!
//! Tests that need more than the workspace (a second compilation, or node) are ignored here. `cargo xtask test` runs them.

#![forbid(unsafe_code)]

#[cfg(unix)]
mod audit;
mod branch_first;
mod branches;
mod bulk;
mod changing;
#[cfg(unix)]
mod completions;
mod contract;
mod contract_errors;
mod decisions;
mod demo;
mod dialects;
mod documents;
#[cfg(unix)]
mod documents_session;
mod export;
mod export_revised;
mod fsck;
mod gate_attacks;
#[cfg(unix)]
mod git_server;
mod github;
mod imported;
mod jco;
mod journal;
#[cfg(target_os = "linux")]
mod kill;
mod layers;
mod layers_modules;
mod layers_text;
mod licences;
mod limits;
mod metadata;
#[cfg(unix)]
mod on_disk;
#[cfg(unix)]
mod on_disk_directory;
#[cfg(unix)]
mod on_disk_hostile;
#[cfg(unix)]
mod on_disk_links;
mod opening;
mod origin_head;
mod person;
mod policy;
mod policy_told;
mod printed_json;
mod pull_attacks;
mod pulling;
mod pulling_sparse;
mod push;
mod push_assisted;
mod push_attacks;
mod push_conflicts;
mod push_empty;
mod push_only;
mod push_revised;
mod push_several;
mod pushing;
mod racing;
mod recipes;
mod reference;
mod replay;
#[cfg(unix)]
mod repository_forms;
mod review;
#[cfg(unix)]
mod run;
mod sandboxes;
mod scripts;
mod sealed;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod setup;
#[cfg(unix)]
mod shell;
mod signing;
mod size;
#[cfg(unix)]
mod tasks;
mod terminal;
mod terminal_full;
mod terminal_hiding;
mod timeout;
mod undo;
mod verification;
mod wasm_suites;
mod watch;
mod whereabouts;
mod who_commits;
mod workers;

/// A file without a `mod` is not compiled, so its tests do not run.
#[test]
fn no_file_was_forgotten() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let own = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.strip_suffix(".rs").unwrap_or(&name);
        assert!(module == "main" || own.contains(&format!("\nmod {module};\n")), "{name} is in no module");
    }
}
