#[cfg(not(target_os = "wasi"))]
use fastrand::Rng;
#[cfg(not(target_os = "wasi"))]
use gix::bstr::ByteSlice;

use super::*;
use crate::deadline::Deadline;
use crate::error::ErrorKind;
#[cfg(not(target_os = "wasi"))]
use crate::testing::Sandbox;

fn is_in(pattern: &Pattern, line: &str) -> bool {
    pattern.is_in(line.as_bytes(), &Deadline::after(|| 0, u64::MAX / 2)).unwrap()
}

fn found(pattern: &str, line: &str) -> bool {
    is_in(&compile(pattern, Origin::CommandLine, false).unwrap(), line)
}

fn refused(pattern: &str) -> ToolError {
    compile(pattern, Origin::Header, false).unwrap_err()
}

#[test]
fn operators_have_a_backslash_and_what_has_none_stands_for_itself() {
    assert!(found("a+b?", "a+b?"));
    assert!(!found("a+b?", "aab"));
    assert!(found(r"^\(a\|b\)\+$", "abba"));
    assert!(found(r"a\{2,3\}$", "caaa"));
    assert!(!found(r"^a\{2,3\}$", "aaaa"));
    assert!(found("(a|b)", "(a|b)"));
}

#[test]
fn a_star_a_caret_and_a_dollar_stand_for_themselves_where_they_can_be_nothing_else() {
    assert!(found("*a", "*a"));
    assert!(found(r"\(*a\)", "*a"));
    assert!(found("^*a", "*a"));
    assert!(found("a^b$c", "a^b$c"));
    assert!(found("x\\|^a$", "a"));
}

#[test]
fn text_is_bytes() {
    assert!(found("^..$", "\u{e9}"));
    assert!(!found(r"\w", "\u{e9}"));
    assert!(found("[\u{e9}]", "\u{ea}"));
}

#[test]
fn each_line_of_a_pattern_is_a_pattern() {
    assert!(found("x\n^b", "b"));
    assert!(!found("x\n^b", "ab"));
    assert!(found("x\n", ""));
}

#[test]
fn what_git_refuses_is_refused_in_its_words() {
    assert_eq!(refused("a[").message, "fatal: header, 'a[': Invalid regular expression");
    assert_eq!(refused("x\na[b").message, "fatal: header, 'a[b': Unmatched [, [^, [:, [., or [=");
    assert_eq!(refused(r"a\{2,1\}").kind, ErrorKind::ExecutionFailed);
}

#[test]
fn what_would_take_too_long_is_refused() {
    assert_eq!(refused(r"\(a\)\1").message, r"Back-references are not supported in patterns: \(a\)\1");
    let nested = r"\(".repeat(3000) + &r"\)*".repeat(3000);
    assert_eq!(refused(&nested).kind, ErrorKind::BadArgs);
    assert_eq!(refused(r"\(\(.\{300\}\)\{300\}\)\{300\}").kind, ErrorKind::BadArgs);
    assert_eq!(refused(&"[^a]\\{90\\}".repeat(90_000)).kind, ErrorKind::BadArgs);
    assert!(found(&(r"\(".repeat(40) + "a" + &r"\)\{1\}\+\?".repeat(40)), "a"));
    assert!(found(&("a".to_owned() + &r"\+\?".repeat(100_000)), "b"));
}

/// A clock for a limited number of polls; then the deadline has passed.
fn fewer_looks() -> u64 {
    thread_local! {
        static LOOKS: std::cell::Cell<u64> = const { std::cell::Cell::new(LOOKS_LEFT) };
    }
    let left = LOOKS.get();
    LOOKS.set(left.saturating_sub(1));
    if left > 0 { 0 } else { u64::MAX }
}

const LOOKS_LEFT: u64 = 40;

#[test]
fn a_search_ends_in_time_however_many_states_a_byte_has() {
    let pattern = compile(r"[ab]*a[ab]\{4000\}c", Origin::CommandLine, false).unwrap();
    // This line keeps as many states alive at once as possible.
    let line: Vec<u8> = (0..20_000_u32).map(|at| if at.wrapping_mul(at) % 7 < 3 { b'a' } else { b'b' }).collect();
    let error = pattern.is_in(&line, &Deadline::after(fewer_looks, u64::MAX / 2)).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
}

#[test]
fn states_that_do_not_fit_any_more_are_made_again() {
    let pattern = compile(r"[ab]*a[ab]\{200\}c", Origin::CommandLine, false).unwrap();
    let mut random = 1_u32;
    let mut line: String = (0..30_000)
        .map(|_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if random >> 31 == 0 { 'a' } else { 'b' }
        })
        .collect();
    assert!(!is_in(&pattern, &line));
    line += &"a".repeat(201);
    line.push('c');
    assert!(is_in(&pattern, &line));
}

#[cfg(not(target_os = "wasi"))]
const PIECES: &[&str] = &[
    "a",
    "a",
    "b",
    "_",
    "1",
    " ",
    ".",
    "*",
    "^",
    "$",
    "\\(",
    "\\)",
    "\\(",
    "\\)",
    "\\|",
    "\\+",
    "\\?",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\b",
    "\\B",
    "\\<",
    "\\>",
    "\\`",
    "\\'",
    "\\{1\\}",
    "\\{2,\\}",
    "\\{,2\\}",
    "\\{0,1\\}",
    "\\{1,3\\}",
    "\\{0\\}",
    "[ab]",
    "[^a]",
    "[a-b]",
    "[]b]",
    "[^]a]",
    "[[:alpha:]]",
    "[^[:space:]_]",
    "[[=a=]-]",
    "[[.-.]]",
    "[[.a.]-b]",
    "\\.",
    "\\n",
    "\\^",
    "\u{e9}",
    "[\u{e9}]",
    "+",
    "?",
    "{1}",
    "(",
    ")",
    "|",
    "[\\]",
    "\\\\",
    "x",
    "-",
    "\\a",
];
/// Parts that make a pattern invalid, or nearly do.
#[cfg(not(target_os = "wasi"))]
const HOSTILE: &[&str] = &[
    "[",
    "]",
    "[^",
    "[a",
    "[[:",
    "[[:alpha",
    "[:alpha:]",
    "[[:digits:]]",
    "[[.ab.]]",
    "[[..]]",
    "[[=ab=]]",
    "[[=a",
    "[b-a]",
    "[a-",
    "[a-[:alpha:]]",
    "[a-b-c]",
    "[---]",
    "[a---]",
    "[a----b]",
    "[--a]",
    "[%--]",
    "[a-[.b.]]",
    "[[:alpha:]-z]",
    "[]-a]",
    "[]",
    "[^]",
    "[^-a]",
    "[-a]",
    "[a-]",
    "[[.space.]]",
    "\\",
    "\\{",
    "\\}",
    "\\{1",
    "\\{,",
    "\\{,\\}",
    "\\{2,1\\}",
    "\\{x\\}",
    "\\{1x\\}",
    "\\{1,x\\}",
    "\\{32768\\}",
    "\\{99999999999\\}",
    "\\{1\\,2\\}",
    "\\{\\1\\}",
    "\\{1,2,3\\}",
    "\\{ 1\\}",
    "\\{^\\}",
    "\\{\\}",
    "\\{x,",
    "\\{\\{",
    "[[:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:]]",
    "**",
    "*\\+",
    "\\+*",
    "\\+\\?",
    "[[=]=]]",
    "[[.].]-a]",
    "[[:alpha:",
    "[[.a",
    "[[.a.",
    "[[.a.]",
    "-",
    ":",
    "=",
    "[[a]",
    "[[]",
    "[[.^.]]",
];

#[cfg(not(target_os = "wasi"))]
fn pattern(random: &mut Rng) -> String {
    let mut pattern = String::new();
    let hostile = random.usize(..3) == 0;
    let mut open = 0;
    for _ in 0..random.usize(..9) {
        let from = if hostile && random.usize(..4) == 0 { HOSTILE } else { PIECES };
        match *random.choice(from).unwrap() {
            "\\(" if open < 3 => open += 1,
            // Close most groups.
            "\\)" if open == 0 && !hostile => continue,
            "\\)" => open -= usize::from(open > 0),
            piece => {
                pattern.push_str(piece);
                continue;
            }
        }
        pattern.push_str(if open > 0 && random.bool() { "\\(" } else { "\\)" });
    }
    if !hostile {
        let depth = |pattern: &str, piece: &str| pattern.matches(piece).count();
        let missing = depth(&pattern, "\\(").saturating_sub(depth(&pattern, "\\)"));
        pattern.push_str(&"\\)".repeat(missing));
    }
    pattern
}

#[cfg(not(target_os = "wasi"))]
fn line(random: &mut Rng) -> String {
    let alphabet: Vec<char> = "aaabbb_1  .*+?{}()[]|^$\\-=:,\u{e9}\t x".chars().collect();
    (0..random.usize(1..7)).map(|_| *random.choice(&alphabet).unwrap()).collect()
}

/// Creates a commit for every line, and returns the ids.
#[cfg(not(target_os = "wasi"))]
fn commits(sandbox: &mut Sandbox, lines: &[String]) -> Vec<String> {
    let tree = sandbox.git(&["write-tree"]);
    let person = "A <a@x> 1700000000 +0000";
    let paths: Vec<String> = (0..lines.len()).map(|at| format!("commit{at}")).collect();
    for (path, line) in paths.iter().zip(lines) {
        sandbox.write(path, format!("tree {tree}author {person}\ncommitter {person}\n\n{line}\n"));
    }
    let mut command = vec!["hash-object", "-t", "commit", "-w"];
    command.extend(paths.iter().map(String::as_str));
    sandbox.git(&command).lines().map(str::to_owned).collect()
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn random_patterns_find_what_git_finds() {
    for seed in trial::seeds(0..1) {
        let mut random = Rng::with_seed(seed);
        let mut lines: Vec<String> = (0..150).map(|_| line(&mut random)).collect();
        lines.sort();
        lines.dedup();
        let mut sandbox = Sandbox::with_repository();
        let ids = commits(&mut sandbox, &lines);
        let (mut valid, mut matches) = (0, 0);
        for _ in 0..400 {
            let pattern = pattern(&mut random);
            let grep = format!("--grep={pattern}");
            let mut command = vec!["log", "--no-walk", "--format=%H", &grep];
            command.extend(ids.iter().map(String::as_str));
            let output = sandbox.git_output(&command);
            let here = format!("seed {seed}: {pattern}");
            match compile(&pattern, Origin::CommandLine, false) {
                Ok(regex) => {
                    assert!(output.status.success(), "{here}: {}", output.stderr.as_bstr());
                    // git counts the empty line between header and message as part of the message.
                    let empty = is_in(&regex, "");
                    let theirs: Vec<&str> = output.stdout.to_str().unwrap().lines().collect();
                    for (line, id) in lines.iter().zip(&ids) {
                        let found = empty || is_in(&regex, line);
                        assert_eq!(found, theirs.contains(&id.as_str()), "{here} in {line:?}");
                        matches += usize::from(found);
                    }
                    valid += 1;
                }
                Err(error) if error.kind == ErrorKind::BadArgs => {
                    assert!(output.status.success(), "{here}: {}", output.stderr.as_bstr());
                }
                Err(error) => assert_eq!(error.message, output.stderr.trim_end().to_str().unwrap(), "{here}"),
            }
        }
        assert!(valid > 150 && matches > 1000, "{valid} {matches}");
    }
}
