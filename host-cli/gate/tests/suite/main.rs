//! The gate's suite, in one binary. Each file is named after the part whose rules it tests.

mod approval;
mod collision;
mod comments;
mod format;
mod git_fetch;
mod git_land;
mod git_refs;
mod github_conflict;
mod github_land;
mod github_limits;
mod github_pull_request;
mod github_read;
mod github_refs;
mod github_settle;
mod import;
mod ledger;
mod leftovers;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod names;
mod pack_attacks;
mod pack_git;
mod policy;
mod policy_file;
mod push;
mod push_exact;
mod question;
mod review;
mod review_bounds;
mod review_flags;
mod review_hiding;
mod review_moved;
mod review_privileged;
mod review_reading;
mod review_renames;
mod review_risks;
mod review_signed;
mod secrets;
mod secrets_attack;
mod secrets_forms;
mod secrets_hidden;
mod secrets_names;
mod secrets_ordinary;
mod secrets_packed;
mod seen;
mod signing;
mod special_files;
mod supplied;
mod support;

#[test]
fn no_file_of_the_suite_is_forgotten() {
    let main = include_str!("main.rs");
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("\nmod {module};\n")), "{name} is not run");
    }
}
