//! The valid and invalid contents of a policy file, rule by rule.

use std::borrow::Cow;

use bstr::ByteSlice;
use gate::policy::{Base, Caller, Facts, Mode, NotAPolicy, PolicyFile, PushFacts, Severity};

const TOOLS: [&str; 4] = ["write_file", "git_stage", "git_pull", "git_push"];

fn read(text: &str) -> Result<PolicyFile, NotAPolicy> {
    PolicyFile::parse(text, "policy.toml", &TOOLS)
}

/// Whether a rule of this effect with these conditions applies to a call.
fn speaks(effect: &str, conditions: &str, facts: &Facts<'_>) -> bool {
    let tool = if effect == "allow" && !conditions.contains("tool") { "tool = \"*\"\n" } else { "" };
    let file =
        read(&format!("[[{effect}]]\n{tool}{conditions}")).unwrap_or_else(|error| panic!("{error}: {conditions}"));
    file.rules[0].applies_to(facts)
}

/// Whether a rule applies, for conditions that mean the same under every effect.
fn always(conditions: &str, facts: &Facts<'_>) -> bool {
    let [allow, ask, deny] = ["allow", "ask", "deny"].map(|effect| speaks(effect, conditions, facts));
    assert!(allow == ask && ask == deny, "{conditions}");
    deny
}

fn push<'a>(paths: &[&'a str]) -> Facts<'a> {
    Facts {
        target: Some("local:/home/ada/project".into()),
        paths: Some(paths.iter().map(|path| Cow::Borrowed(path.as_bytes().as_bstr())).collect()),
        push: Some(PushFacts {
            branch: "worker-1".into(),
            files: 3,
            bytes: 1000,
            flags: Vec::new(),
            holds_policy: false,
        }),
        ..Facts::of_call("git_push", Mode::Both, Caller::Agent)
    }
}

#[test]
fn an_empty_file_says_nothing() {
    assert_eq!(read("").unwrap(), PolicyFile::default());
    let file = read("base = \"strict\"\nprotected = [\"release/**\"]").unwrap();
    assert_eq!((file.base, file.protected), (Some(Base::Strict), vec!["release/**".to_owned()]));
}

#[test]
fn rules_by_tool() {
    let call = Facts::of_call("git_stage", Mode::Both, Caller::Agent);
    assert!(always("tool = \"git_stage\"", &call));
    assert!(always("tool = [\"write_file\", \"git_st*\"]", &call));
    assert!(!always("tool = \"write_file\"", &call));
    assert!(speaks("deny", "", &call), "a rule without conditions speaks of everything");
}

#[test]
fn rules_by_caller() {
    let call = |caller| Facts::of_call("git_stage", Mode::Both, caller);
    assert!(always("caller = \"agent\"", &call(Caller::Agent)) && !always("caller = \"agent\"", &call(Caller::User)));
    assert!(always("caller = \"user\"", &call(Caller::User)));
}

#[test]
fn rules_by_target_and_branch() {
    let push = push(&["a"]);
    assert!(always("target = \"local:/home/ada/*\"", &push));
    assert!(always("target = [\"bare:/x\", \"local:**\"]", &push));
    assert!(!always("target = \"local:/home/*\"", &push));
    assert!(always("branch = \"worker-*\"", &push) && !always("branch = \"worker\"", &push));
    let unknown = Facts::of_call("git_push", Mode::Both, Caller::Agent);
    assert!(!always("target = \"**\"", &unknown) && !always("branch = \"**\"", &unknown));
}

#[test]
fn a_path_of_an_allow_rule_is_of_every_file_and_one_of_another_of_any() {
    let (all, some, none) =
        (push(&["docs/a.md", "docs/b/c.md"]), push(&["docs/a.md", "src/x.rs"]), push(&["src/x.rs"]));
    for path in ["docs", "docs/", "docs/**", "**/*.md", "doc?"] {
        let rule = format!("path = \"{path}\"");
        assert!(speaks("allow", &rule, &all) && speaks("deny", &rule, &all), "{path}");
        assert!(
            !speaks("allow", &rule, &some) && speaks("deny", &rule, &some) && speaks("ask", &rule, &some),
            "{path}"
        );
        assert!(!speaks("allow", &rule, &none) && !speaks("deny", &rule, &none), "{path}");
    }
    for path in ["doc", "a.md", "*.md", "ocs", "docs/a"] {
        assert!(!speaks("deny", &format!("path = \"{path}\""), &all), "{path}");
    }
    assert!(speaks("allow", "path = [\"docs\", \"src\"]", &some));
    let unknown = Facts::of_call("write_file", Mode::Both, Caller::Agent);
    assert!(!always("path = \"**\"", &unknown));
}

#[test]
fn attack_20_no_other_spelling_hides_a_path_from_a_rule_that_denies_or_lets_it_through() {
    for path in [
        ".GitHub/Workflows/ci.yml",
        ".g\u{200b}ithub/workflows/ci.yml",
        ".github./workflows/ci.yml",
        ".github/workflows. /ci.yml",
        ".github/workflow\u{ff53}/ci.yml",
    ] {
        let push = push(&[path]);
        assert!(speaks("deny", "path = \".github/workflows\"", &push), "{path}");
        assert!(speaks("ask", "path = \".github/*/ci.yml\"", &push), "{path}");
        assert!(!speaks("allow", "path = \".github/workflows\"", &push), "{path}");
    }
}

#[test]
fn what_a_rule_names_literally_is_never_folded_away() {
    assert!(speaks("deny", "path = \"docs/*.*\"", &push(&["docs/a."])));
    assert!(speaks("deny", "path = 'a\\*b/c'", &push(&["a*b"])), "whoever names a folder means all of it");
    assert!(!speaks("deny", "path = 'a\\*b/c'", &push(&["axb/c"])));
}

#[test]
fn a_size_is_the_most_that_is_allowed_or_what_is_exceeded() {
    let push = push(&["a"]);
    for (condition, allow, deny) in [
        ("files = 3", true, false),
        ("files = 2", false, true),
        ("bytes = 1_000", true, false),
        ("bytes = 999", false, true),
        ("files = 2\nbytes = 1000", false, false),
    ] {
        assert_eq!(speaks("allow", condition, &push), allow, "{condition}");
        assert_eq!(speaks("deny", condition, &push), deny, "{condition}");
        assert_eq!(speaks("ask", condition, &push), deny, "{condition}");
    }
    let call = Facts::of_call("git_stage", Mode::Both, Caller::Agent);
    assert!(!always("files = 3", &call));
}

#[test]
fn a_risk_is_the_most_that_is_allowed_or_the_least_that_is_not() {
    let flagged = |severity| {
        let mut push = push(&["a"]);
        push.push.as_mut().unwrap().flags = vec![("workflow".into(), severity)];
        push
    };
    let (low, medium, high) = (flagged(Severity::Low), flagged(Severity::Medium), flagged(Severity::High));
    let rule = "risk = \"medium\"";
    assert!(speaks("allow", rule, &low) && speaks("allow", rule, &medium) && !speaks("allow", rule, &high));
    assert!(!speaks("deny", rule, &low) && speaks("deny", rule, &medium) && speaks("deny", rule, &high));
    let named = "flags = [\"symlink-added\", \"workflow\"]";
    assert!(speaks("deny", named, &low) && speaks("allow", named, &high));
    assert!(
        !speaks("deny", "flags = \"symlink-added\"", &high) && !speaks("allow", "flags = \"symlink-added\"", &high)
    );
    let call = Facts::of_call("git_stage", Mode::Both, Caller::Agent);
    assert!(!always(rule, &call), "of what is not known yet no rule speaks");
    assert!(!speaks("deny", named, &call));
}

#[test]
fn whoever_names_the_flag_of_privileged_paths_has_not_said_how_grave_they_may_be() {
    let flagged = |severity| {
        let mut push = push(&["a"]);
        push.push.as_mut().unwrap().flags = vec![("privileged".into(), severity)];
        push
    };
    let named = "flags = \"privileged\"";
    assert!(speaks("allow", named, &flagged(Severity::Medium)) && !speaks("allow", named, &flagged(Severity::High)));
    assert!(speaks("allow", &format!("{named}\nrisk = \"high\""), &flagged(Severity::High)));
}

#[test]
fn examples_are_checked_when_the_file_is_read() {
    let allow = "[[allow]]\ntool = \"git_push\"\n";
    let secret = "[{ tool = \"git_push\", flags = [\"secret\"] }]\n";
    read(&format!("{allow}passes = {secret}")).unwrap();
    let wrong = read(&format!("{allow}matches = {secret}")).unwrap_err();
    assert_eq!((wrong.line, &*wrong.reason), (Some(3), "the allow rule does not match its example"));
    let rule = "[[deny]]\npath = \".github\"\n";
    let with = |example: &str| read(&format!("{rule}{example}")).map(|_| ());
    with("matches = [{ tool = \"git_push\", paths = [\"a\", \".github/x\"] }]").unwrap();
    with("passes = [{ tool = \"git_push\", paths = [\"a\"] }, { tool = \"git_stage\" }]").unwrap();
    for (example, line, reason) in [
        ("matches = [{ tool = \"git_push\" }]", 3, "the deny rule does not match its example"),
        (
            "passes = [\n  { tool = \"git_push\", paths = [\".github/x\"] },\n]",
            4,
            "the deny rule matches an example that must pass",
        ),
        ("matches = [{ tool = \"push\" }]", 3, "the example's tool \"push\" does not exist"),
        (
            "matches = [{ tool = \"git_stage\", branch = \"x\" }]",
            3,
            "branch, files, bytes and flags apply only to pushes, and git_stage is not one",
        ),
        ("matches = [{ tool = \"git_push\", flags = [\"x\"] }]", 3, "there is no flag \"x\""),
        (
            "matches = [{ tool = \"git_push\", flags = [\"privileged\"] }]",
            3,
            "the flag privileged needs a risk in its example, because its severity depends on the path",
        ),
        (
            "matches = [{ tool = \"git_push\", flags = [\"secret\"], risk = \"low\" }]",
            3,
            "the flag secret has a higher risk than the example states: high",
        ),
    ] {
        let error = with(example).unwrap_err();
        assert_eq!((error.line, error.reason.as_str()), (Some(line), reason), "{example}");
    }
    let sized = "[[allow]]\ntool = \"git_push\"\nbranch = \"worker-*\"\nfiles = 2\nbytes = 10\nrisk = \"medium\"\ntarget = \"local:/p\"\n\
        matches = [{ tool = \"git_push\", target = \"local:/p\", branch = \"worker-1\", files = 2, bytes = 10, risk = \"medium\", flags = [\"submodule\"] }]\n\
        passes = [{ tool = \"git_push\", target = \"local:/p\", branch = \"worker-1\", risk = \"high\" }]";
    read(sized).unwrap();
}

#[test]
fn a_wrong_file_is_refused_with_the_line_and_the_reason() {
    for (text, line, reason) in [
        ("base = \"open\"", 1, "unknown variant `open`, expected `gate` or `strict`"),
        (
            "\nunattended = true",
            2,
            "unknown field `unattended`, expected one of `base`, `protected`, `allow`, `ask`, `deny`, `secrets`",
        ),
        ("[[deny]]\ntols = \"x\"", 2, "unknown field `tols`"),
        ("[[deny]]\ntool = \"git_psuh\"", 1, "there is no tool \"git_psuh\""),
        ("[[ask]]\n[[deny]]\nflags = [\"secrets!\"]", 2, "there is no flag \"secrets!\""),
        ("[[deny]]\npath = \"/docs\"", 1, "\"/docs\" matches no path"),
        ("[[deny]]\npath = \"./docs\"", 1, "\"./docs\" matches no path"),
        ("[[deny]]\npath = [\"a\", \"a//b\"]", 1, "\"a//b\" matches no path"),
        (
            "[[deny]]\nbranch = \"refs/heads/dev\"",
            1,
            "\"refs/heads/dev\" matches no branch: write its short name, such as dev",
        ),
        ("[[deny]]\ntarget = \"/tmp/x\"", 1, "\"/tmp/x\" matches no target"),
        ("[[deny]]\ntarget = \"local:/tmp/x/\"", 1, "\"local:/tmp/x/\" matches no target"),
        ("[[deny]]\npath = []", 2, "an empty condition: remove it instead"),
        ("[[deny]]\npath = \"\"", 2, "an empty condition"),
        ("[[deny]]\npath = 1", 2, "invalid type: integer `1`, expected a string or a list of strings"),
        ("[[deny]]\nfiles = -1", 2, "invalid value: integer `-1`, expected u64"),
        ("[[deny]]\nrisk = \"grave\"", 2, "unknown variant `grave`"),
        ("[[deny]]\ncaller = \"me\"", 2, "unknown variant `me`"),
        ("[[allow]]\npath = \"docs\"", 1, "an allow rule must name its tools, such as tool = \"git_stage\""),
        ("[deny]\ntool = \"git_push\"", 1, "invalid type: map, expected a sequence"),
        ("[[deny]]\ntool = ", 2, ""),
        ("[secrets]\nfingerprints = [\n\"hunter2\"]", 3, "a fingerprint of a secret is 16 lower-case hex digits"),
        ("[secrets]\npath = \"x\"", 2, "unknown field `path`"),
        ("[secrets]\npaths = []", 2, "an empty condition"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.line, Some(line), "{text}: {error}");
        assert!(error.reason.starts_with(reason), "{text}: {error}");
    }
}

#[test]
fn whoever_names_a_folder_means_what_a_rule_names_in_it() {
    let call = |path: &'static str| Facts {
        paths: Some(vec![Cow::Borrowed(path.as_bytes().as_bstr())]),
        ..Facts::of_call("git_stage", Mode::Both, Caller::Agent)
    };
    for path in ["", ".github", ".GitHub", ".github/workflows", ".github/workflows/ci.yml"] {
        assert!(speaks("deny", "path = \".github/workflows\"", &call(path)), "{path}");
    }
    for path in ["git", ".github/x", "workflows"] {
        assert!(!speaks("deny", "path = \".github/workflows\"", &call(path)), "{path}");
    }
    assert!(speaks("deny", "path = \"secrets/**\"", &call("secrets")));
    assert!(!speaks("allow", "path = \"docs/a\"", &call("docs")));
}

#[test]
fn an_allow_rule_about_paths_says_nothing_of_a_push_without_files() {
    assert!(!speaks("allow", "path = \"**\"", &push(&[])));
    assert!(speaks("allow", "branch = \"**\"", &push(&[])));
}
