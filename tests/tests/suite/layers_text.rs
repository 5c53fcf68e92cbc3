//! Rules for the sources: small files, one file for each outside world, unsafe code in few places.

use std::path::{Path, PathBuf};

use tests::built::workspace;

/// The most lines of a file.
const LINES: usize = 400;
/// The component only translates, so its files are shorter.
const COMPONENT_LINES: usize = 250;

/// The places for unsafe code: the functions that wasi-libc calls, the replacement of one of its own, the kernel's place in the process,
/// replacements of crates for WASI, and the one file that loads machine code from the cache.
const MAY_BE_UNSAFE: &[&str] = &[
    "component/vfs/src/memcmp.rs",
    "component/vfs/src/preview1/",
    "component/vfs/src/process.rs",
    "component/shims/",
    "host-cli/src/sandbox/component.rs",
];

/// Every Rust source in the workspace, by its path, with its text.
pub fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["component", "host-cli", "tests", "web-demo", "wit"] {
        visit(&workspace().join(folder), &mut files);
    }
    files.sort();
    let text = |path: PathBuf| {
        let name = path
            .strip_prefix(workspace())
            .expect("it was found there")
            .to_str()
            .expect("our names are UTF-8")
            .to_owned();
        (name, std::fs::read_to_string(path).expect("our sources are UTF-8"))
    };
    let files: Vec<_> = files.into_iter().map(text).collect();
    assert!(files.len() > 100, "the sources were found");
    files
}

fn visit(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("the folder was opened").path();
        let name = path.file_name().expect("an entry has a name").to_str().expect("our names are UTF-8");
        if path.is_dir() && name != "target" && name != "node_modules" {
            visit(&path, files);
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}

/// The lines that are not comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

/// The same without the tests.
fn untested(text: &str) -> impl Iterator<Item = &str> {
    code(text.split("#[cfg(test)]\nmod tests {").next().expect("there is always a first part"))
}

/// The sources of the gate and the shared host, without test files.
fn shared() -> impl Iterator<Item = (String, String)> {
    let is_shared =
        |path: &str| ["gate", "host", "api"].iter().any(|name| path.starts_with(&format!("host-cli/{name}/src/")));
    sources().into_iter().filter(move |(path, _)| is_shared(path) && !path.ends_with("tests.rs"))
}

/// Whether `line` contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.split(|c| !is_part(c)).any(|part| part == word)
}

#[test]
fn no_file_is_long() {
    let sources = sources();
    let long = |limit: usize, below: &str| -> Vec<String> {
        let files = sources.iter().filter(|(path, text)| path.starts_with(below) && text.lines().count() > limit);
        files.map(|(path, text)| format!("{path}: {}", text.lines().count())).collect()
    };
    assert_eq!(long(LINES, ""), Vec::<String>::new());
    assert_eq!(long(COMPONENT_LINES, "component/src/"), Vec::<String>::new());
}

#[test]
fn one_file_of_the_host_names_wasmtime() {
    let names = |word: &str, below: &str| -> Vec<String> {
        let files = sources()
            .into_iter()
            .filter(|(path, text)| path.starts_with(below) && code(text).any(|line| has_word(line, word)));
        files.map(|(path, _)| path).collect()
    };
    assert_eq!(names("wasmtime", "host-cli/"), ["host-cli/src/sandbox/component.rs"]);
    assert_eq!(names("wit_bindgen", "component/"), ["component/src/lib.rs"]);
    assert_eq!(names("octocrab", "host-cli/src/"), ["host-cli/src/github/client.rs"]);
}

/// The shared crates access no outside world: they also run in a page and in an edge function.
#[test]
fn the_gate_and_the_host_have_no_world_of_their_own() {
    const WORLD: [&str; 9] = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant",
        "getrandom",
        "rustix",
    ];
    // Verification divides a pack among threads, where a host has them.
    let may_have_threads = |path: &str| path == "host-cli/gate/src/pack/verify.rs";
    let mut found = Vec::new();
    for (path, text) in shared() {
        let lines = untested(&text).filter(|line| WORLD.iter().any(|word| line.contains(word)));
        found.extend(lines.filter(|_| !may_have_threads(&path)).map(|line| format!("{path}: {line}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

/// The page and the command line phrase a person's acts differently, so `Act` has no words.
#[test]
fn the_gate_and_the_host_name_no_command() {
    let is_command = |path: &str, line: &str| {
        // Options are git's, or introduce a secret.
        let has_option = line.contains(" --") && !line.contains("`git ") && !path.contains("/secrets/rules/");
        has_option || ["`gitgate ", "gitgate -s", "gitgate review"].iter().any(|command| line.contains(command))
    };
    let mut found = Vec::new();
    for (path, text) in shared() {
        found.extend(untested(&text).filter(|line| is_command(&path, line)).map(|line| format!("{path}: {line}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

/// The host contains the tools as the component's bytes, and natively only for sandboxes on disk.
#[test]
fn one_folder_of_the_host_names_the_tools() {
    // A module of that name is its own.
    let names = |text: &str| {
        !code(text).any(|line| line == "mod tools;")
            && code(text).any(|line| line.contains("tools::") || line.contains("use tools"))
    };
    let files: Vec<String> = sources().into_iter().filter(|(_, text)| names(text)).map(|(path, _)| path).collect();
    let of_the_host: Vec<&String> = files.iter().filter(|path| path.starts_with("host-cli/")).collect();
    let elsewhere: Vec<_> = of_the_host.iter().filter(|path| !path.starts_with("host-cli/src/on_disk/")).collect();
    assert_eq!(elsewhere, Vec::<&&String>::new());
    assert!(of_the_host.len() > 2, "the folder was found");
}

/// Whether the line has the call, and not one of a module whose name ends alike.
fn calls(line: &str, call: &str) -> bool {
    line.match_indices(call).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// On a real directory, nobody could undo a change that a tool makes outside the platform.
#[test]
fn the_tools_change_files_through_the_platform_only() {
    let changes =
        ["fs::write(", "fs::remove_", "fs::rename(", "fs::create_dir", "fs::copy(", "fs::hard_link(", "File::create"];
    let below = "component/tools/src/";
    let is_exempt = |path: &str| {
        let path = path.strip_prefix(below).unwrap_or(path);
        ["platform/", "testing", "calling", "git_tests/"].iter().any(|place| path.starts_with(place))
            || path.ends_with("tests.rs")
            || path.contains("/tests/")
    };
    let sources = sources();
    let files = sources.iter().filter(|(path, _)| path.starts_with(below) && !is_exempt(path));
    let mut found = Vec::new();
    for (path, text) in files {
        found.extend(
            untested(text)
                .filter(|line| changes.iter().any(|change| calls(line, change)))
                .map(|line| format!("{path}: {line}")),
        );
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn unsafe_code_stands_where_it_must_and_nowhere_else() {
    let starts = ["unsafe {", "unsafe fn", "unsafe extern", "unsafe impl", "unsafe trait", "#[unsafe("];
    let is_unsafe = |text: &str| code(text).any(|line| starts.iter().any(|start| line.contains(start)));
    let elsewhere: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| is_unsafe(text) && !MAY_BE_UNSAFE.iter().any(|place| path.starts_with(place)))
        .map(|(path, _)| path)
        // This list of permitted places.
        .filter(|path| path != "tests/tests/suite/layers_text.rs")
        .collect();
    assert_eq!(elsewhere, Vec::<String>::new());
}

#[test]
fn every_unsafe_block_says_why_it_is_sound() {
    let mut without = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| path != "tests/tests/suite/layers_text.rs") {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.contains("unsafe {") && !line.trim_start().starts_with("//"))
        {
            // The reason must be directly above, or above the statement that contains the block.
            let reason = lines[at.saturating_sub(8)..=at].iter().any(|line| line.contains("SAFETY"));
            if !reason {
                without.push(format!("{path}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    assert_eq!(without, Vec::<String>::new());
}

/// Markers of unfinished work, assembled here so that this file does not contain them.
#[test]
fn nothing_is_left_to_do() {
    let marks =
        [["TO", "DO"], ["FIX", "ME"], ["to", "do!"], ["unimple", "mented!"], ["dbg", "!("]].map(|parts| parts.concat());
    let mut found = Vec::new();
    for (path, text) in sources() {
        found.extend(marks.iter().filter(|mark| text.contains(mark.as_str())).map(|mark| format!("{path}: {mark}")));
    }
    assert_eq!(found, Vec::<String>::new());
}
