//! Who is asked, and about what.

use gate::policy::{CallFacts, Caller, Mode, Policy, PushMode, Severity, Verdict, may_name};

fn facts<'a>() -> CallFacts<'a> {
    CallFacts {
        tool: "git_stage",
        mode: Mode::Both,
        caller: Caller::Agent,
        side_effecting: true,
        requires_approval: true,
        risk: Severity::Medium,
        summary: "Stage 2 files",
        leaves_sandbox: false,
    }
}

fn push<'a>() -> CallFacts<'a> {
    CallFacts {
        tool: "git_push",
        mode: Mode::Manual,
        caller: Caller::User,
        leaves_sandbox: true,
        summary: "Push abc to main",
        ..facts()
    }
}

#[test]
fn gate_asks_only_for_what_leaves_the_sandbox() {
    assert_eq!(Policy::default(), Policy::Gate);
    assert_eq!(Policy::Gate.decide(&facts()), Verdict::Allow);
    let asked =
        Verdict::Ask { severity: Severity::Medium, reasons: vec!["Leaves the sandbox: Push abc to main".into()] };
    assert_eq!(Policy::Gate.decide(&push()), asked);
}

#[test]
fn strict_asks_for_every_call_that_is_marked() {
    let asked = Verdict::Ask { severity: Severity::Medium, reasons: vec!["Stage 2 files".into()] };
    assert_eq!(Policy::Strict.decide(&facts()), asked);
    let reading = CallFacts { requires_approval: false, side_effecting: false, ..facts() };
    assert_eq!(Policy::Strict.decide(&reading), Verdict::Allow);
}

#[test]
fn a_push_asks_whatever_the_component_says_of_it() {
    let harmless = CallFacts { leaves_sandbox: false, requires_approval: false, side_effecting: false, ..push() };
    for policy in [Policy::Gate, Policy::Strict] {
        assert!(matches!(policy.decide(&harmless), Verdict::Ask { .. }));
    }
}

#[test]
fn an_agents_push_is_asked_about_where_it_may_propose_one_and_denied_elsewhere() {
    assert_eq!(PushMode::default(), PushMode::Manual);
    for policy in [Policy::Gate, Policy::Strict] {
        let decide = |mode: PushMode, leaves_sandbox| {
            policy.decide(&CallFacts { caller: Caller::Agent, mode: mode.of_tool(), leaves_sandbox, ..push() })
        };
        for leaves_sandbox in [true, false] {
            assert!(matches!(decide(PushMode::Assisted, leaves_sandbox), Verdict::Ask { .. }));
            assert!(matches!(decide(PushMode::Manual, leaves_sandbox), Verdict::Deny { .. }));
        }
    }
}

#[test]
fn attack_22_an_agent_never_calls_a_manual_tool() {
    for policy in [Policy::Gate, Policy::Strict] {
        let call = CallFacts { caller: Caller::Agent, ..push() };
        let Verdict::Deny { reason, hint } = policy.decide(&call) else { panic!("must be denied") };
        assert_eq!(reason, "git_push is not permitted: only a person may call it");
        assert!(!hint.is_empty());
    }
}

#[test]
fn an_agent_may_propose_a_push_where_the_tool_is_open_to_it() {
    let call = CallFacts { caller: Caller::Agent, mode: Mode::Both, ..push() };
    assert!(matches!(Policy::Gate.decide(&call), Verdict::Ask { .. }));
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
