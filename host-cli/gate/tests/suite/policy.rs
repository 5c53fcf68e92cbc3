//! Who is asked, and about which calls.

use std::borrow::Cow;

use bstr::ByteSlice;
use gate::policy::{
    Base, By, Caller, Facts, Marked, Mode, Policy, PolicyFile, PushFacts, PushMode, Ruling, Severity, Verdict, may_name,
};

const TOOLS: [&str; 5] = ["write_file", "delete_file", "git_stage", "git_push", "export"];

fn stage<'a>() -> Facts<'a> {
    let marked = Some(Marked { risk: Severity::Medium, summary: "Stage 2 files" });
    Facts { marked, ..Facts::of_call("git_stage", Mode::Both, Caller::Agent) }
}

/// A push with known content: one file, to an unprotected branch.
fn push<'a>() -> Facts<'a> {
    Facts {
        target: Some("local:/home/ada/project".into()),
        paths: Some(vec![Cow::Borrowed(b"docs/a.md".as_bstr())]),
        push: Some(PushFacts { branch: "topic".into(), files: 1, bytes: 10, flags: Vec::new(), holds_policy: false }),
        ..Facts::of_call("git_push", Mode::Manual, Caller::User)
    }
}

fn file(text: &str) -> PolicyFile {
    PolicyFile::parse(text, "policy.toml", &TOOLS).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn policy(text: &str) -> Policy {
    Policy::new(Base::Gate, [file(text)], false)
}

fn unattended(text: &str) -> Policy {
    Policy::new(Base::Gate, [file(text)], true)
}

fn allows(ruling: &Ruling) -> bool {
    ruling.verdict == Verdict::Allow
}

fn asks(ruling: &Ruling) -> bool {
    matches!(ruling.verdict, Verdict::Ask { .. })
}

fn denies(ruling: &Ruling) -> bool {
    matches!(ruling.verdict, Verdict::Deny { .. })
}

#[test]
fn gate_asks_only_for_what_leaves_the_sandbox() {
    let gate = Policy::default();
    assert_eq!(gate.decide(&stage()).verdict, Verdict::Allow);
    let asked = gate.decide(&push());
    let reasons = vec!["it leaves the sandbox".to_owned()];
    assert_eq!(asked.verdict, Verdict::Ask { severity: Severity::Low, reasons });
    assert_eq!(asked.by, By::Leaving);
}

#[test]
fn strict_asks_for_every_call_that_is_marked() {
    let strict = Policy::new(Base::Strict, [], false);
    let asked = strict.decide(&stage());
    assert_eq!(asked.verdict, Verdict::Ask { severity: Severity::Medium, reasons: vec!["Stage 2 files".to_owned()] });
    assert_eq!(asked.by, By::Marked);
    assert!(allows(&strict.decide(&Facts { marked: None, ..stage() })));
}

#[test]
fn a_push_to_where_the_policy_lies_asks_whatever_a_rule_allows() {
    let policy = unattended("[[allow]]\ntool = \"git_push\"\n");
    assert!(allows(&policy.decide(&push())));
    let mut own = push();
    own.push.as_mut().unwrap().holds_policy = true;
    let asked = policy.decide(&own);
    assert!(asks(&asked) && asked.by == By::OwnPolicy && asked.overruled.len() == 1, "{asked:?}");
}

#[test]
fn all_that_ask_are_heard_the_gravest_first() {
    let policy = policy("protected = [\"topic\"]\n[[ask]]\nreason = \"one\"\n[[ask]]\nreason = \"two\"\n");
    let asked = policy.decide(&push());
    let Verdict::Ask { reasons, .. } = &asked.verdict else { panic!("{asked:?}") };
    let applies = |line: u32| format!("the rule at policy.toml:{line} applies");
    let expected =
        ["topic is a protected branch".to_owned(), format!("{}: one", applies(2)), format!("{}: two", applies(4))];
    assert_eq!((&reasons[..], &asked.by), (&expected[..], &By::Protected));
}

#[test]
fn a_push_asks_whatever_the_component_says_of_it() {
    for base in [Base::Gate, Base::Strict] {
        let policy = Policy::new(base, [], true);
        assert!(asks(&policy.decide(&push())));
        // A lying component requests a push in another tool's name.
        assert!(asks(&policy.decide(&Facts { tool: "write_file", mode: Mode::Both, ..push() })));
    }
}

#[test]
fn what_leaves_is_decided_about_when_it_has_been_seen() {
    let unseen = Facts { push: None, paths: None, target: None, ..push() };
    assert_eq!(Policy::default().decide(&unseen).by, By::Unseen);
    let policy = policy("[[ask]]\ntool = \"git_push\"\n[[deny]]\ntool = \"export\"");
    assert_eq!(policy.decide(&unseen).by, By::Unseen, "a person is asked once, and sees what it is about");
    assert!(
        denies(&policy.decide(&Facts { tool: "export", ..unseen })),
        "what needs nothing to be seen is denied at once"
    );
}

#[test]
fn an_agents_push_is_asked_about_where_it_may_propose_one_and_denied_elsewhere() {
    assert_eq!(PushMode::default(), PushMode::Manual);
    for base in [Base::Gate, Base::Strict] {
        let policy = Policy::new(base, [], false);
        let decide = |mode: PushMode| policy.decide(&Facts { caller: Caller::Agent, mode: mode.of_tool(), ..push() });
        assert!(asks(&decide(PushMode::Assisted)));
        assert!(denies(&decide(PushMode::Manual)));
    }
}

#[test]
fn attack_22_an_agent_never_calls_a_manual_tool_whatever_a_rule_allows() {
    let policy = unattended("[[allow]]\ntool = \"*\"\nrisk = \"high\"");
    let ruling = policy.decide(&Facts { caller: Caller::Agent, ..push() });
    let Verdict::Deny { reason, hint } = ruling.verdict else { panic!("must be denied") };
    assert_eq!(reason, "git_push is not permitted: only a person may call it");
    assert!(!hint.is_empty());
    assert_eq!(ruling.by, By::Mode);
}

#[test]
fn deny_wins_over_ask_and_ask_over_allow_whatever_their_order() {
    let [allow, ask, deny] = ["allow", "ask", "deny"].map(|effect| format!("[[{effect}]]\ntool = \"git_stage\"\n"));
    for order in [[&allow, &ask, &deny], [&deny, &ask, &allow], [&ask, &deny, &allow]] {
        assert!(denies(&policy(&order.map(String::as_str).concat()).decide(&stage())));
    }
    assert!(asks(&policy(&[&*allow, &*ask].concat()).decide(&stage())));
    let strict = Policy::new(Base::Strict, [file(&allow)], false);
    assert!(allows(&strict.decide(&stage())));
    // Also across files.
    assert!(denies(&Policy::new(Base::Gate, [file(&allow), file(&deny)], false).decide(&stage())));
}

#[test]
fn a_rule_lets_a_push_go_only_where_the_person_has_said_that_one_may() {
    let text = "[[allow]]\nname = \"docs\"\ntool = \"git_push\"\nbranch = \"topic\"";
    let (kept, let_go) = (policy(text).decide(&push()), unattended(text).decide(&push()));
    assert!(asks(&kept));
    assert_eq!(kept.overruled[0].name.as_deref(), Some("docs"));
    assert_eq!(let_go.verdict, Verdict::Allow);
    assert_eq!(let_go.by.to_string(), "the rule \"docs\" (policy.toml:1)");
}

#[test]
fn protected_branches_always_ask() {
    let text = "protected = [\"release/*\"]\n[[allow]]\ntool = \"git_push\"\nrisk = \"high\"";
    for branch in ["main", "master", "production", "release/1", "Main"] {
        let mut push = push();
        push.push.as_mut().unwrap().branch = branch.into();
        let ruling = unattended(text).decide(&push);
        assert!(asks(&ruling), "{branch}");
        assert_eq!(ruling.by, By::Protected);
        let denied = unattended(&format!("{text}\n[[deny]]\nbranch = \"**\"")).decide(&push);
        assert!(denies(&denied), "unless they are denied");
    }
    assert!(allows(&unattended(text).decide(&push())));
}

#[test]
fn what_is_good_to_know_is_all_that_a_rule_allows_if_it_says_nothing_of_risk() {
    let flagged = |flag: &'static str, severity| {
        let mut push = push();
        push.push.as_mut().unwrap().flags = vec![("new-branch".into(), Severity::Low), (flag.into(), severity)];
        push
    };
    let rule = "[[allow]]\ntool = \"git_push\"\n";
    let decide = |more: &str, facts: &Facts<'_>| allows(&unattended(&format!("{rule}{more}")).decide(facts));
    let (medium, high) = (flagged("executable-added", Severity::Medium), flagged("workflow", Severity::High));
    assert!(decide("", &push()) && !decide("", &medium) && !decide("", &high));
    assert!(decide("risk = \"medium\"", &medium) && !decide("risk = \"medium\"", &high));
    assert!(decide("risk = \"high\"", &high));
    assert!(decide("flags = [\"workflow\"]", &high) && !decide("flags = [\"workflow\"]", &medium));
}

#[test]
fn attack_22_what_is_ruled_about_a_tool_holds_where_a_call_comes_to_one_of_it() {
    let whole = stage();
    let part = |tool, path: &'static str| Facts {
        paths: Some(vec![Cow::Borrowed(path.as_bytes().as_bstr())]),
        ..Facts::of_call(tool, Mode::Both, Caller::Agent)
    };
    let policy = policy(
        "[[deny]]\nname = \"keep\"\ntool = \"delete_file\"\npath = \"docs/**\"\n\
         [[ask]]\nname = \"look\"\ntool = \"write_file\"\npath = \"src/**\"\nreason = \"it is code\"\n",
    );
    assert!(allows(&policy.decide_whole(&whole, &[part("write_file", "a"), part("delete_file", "a")])));
    let asked = policy.decide_whole(&whole, &[part("write_file", "a"), part("write_file", "src/a")]);
    assert!(asks(&asked) && matches!(asked.by, By::Rule(_)), "{asked:?}");
    let denied = policy.decide_whole(&whole, &[part("write_file", "src/a"), part("delete_file", "docs/a")]);
    assert!(denies(&denied), "{denied:?}");
}

#[test]
fn attack_22_an_agent_names_only_the_sandbox_s_own_targets() {
    let own = ["local:/project".parse().unwrap()];
    let other = "local:/etc".parse().unwrap();
    assert_eq!(may_name(Caller::Agent, &own[0], &own), Verdict::Allow);
    assert_eq!(may_name(Caller::User, &other, &own), Verdict::Allow);
    let Verdict::Deny { hint, .. } = may_name(Caller::Agent, &other, &own) else { panic!("must be denied") };
    assert_eq!(hint, "use local:/project");
    assert!(matches!(may_name(Caller::Agent, &own[0], &[]), Verdict::Deny { .. }));
}

fn mounted<'a>() -> Facts<'a> {
    Facts::of_call("mcp__issues__close", Mode::Both, Caller::Agent)
}

#[test]
fn fr_git_mcp_01_calls_of_another_servers_tools_are_asked_about() {
    for base in Base::ALL {
        let ruling = Policy::new(base, [], false).decide(&mounted());
        assert!(asks(&ruling), "{ruling:?}");
        assert_eq!(ruling.by, By::Mounted);
    }
}

#[test]
fn attack_22_a_rule_for_all_tools_is_not_for_those_of_other_servers() {
    for glob in ["*", "m*", "*__close"] {
        let text = format!("[[allow]]\ntool = \"{glob}\"\n");
        let rules = PolicyFile::parse(&text, "p", &["mcp_x", "x__close"]).unwrap_or_else(|error| panic!("{error}"));
        assert!(asks(&Policy::new(Base::Gate, [rules], true).decide(&mounted())), "{glob}");
    }
    assert!(denies(&policy("[[deny]]\ntool = \"*\"\n").decide(&mounted())), "what is denied is denied");
}

#[test]
fn a_rule_that_names_another_servers_tools_decides() {
    assert!(allows(&policy("[[allow]]\ntool = \"mcp__issues__*\"\n").decide(&mounted())));
    assert!(asks(&policy("[[allow]]\ntool = \"mcp__other__*\"\n").decide(&mounted())));
    assert!(denies(&policy("[[deny]]\ntool = \"mcp__issues__close\"\n").decide(&mounted())));
    let example =
        "[[deny]]\ntool = \"mcp__a__*\"\nmatches = [{ tool = \"mcp__a__b\" }]\npasses = [{ tool = \"mcp__b__b\" }]\n";
    assert_eq!(file(example).rules.len(), 1);
}
