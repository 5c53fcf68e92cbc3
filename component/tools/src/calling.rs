//! Calls tools in a test's sandbox the way a host does. These calls go through [`dispatch`](crate::dispatch) and can reach every tool; the
//! sandbox itself knows none.

#[cfg(not(target_os = "wasi"))]
mod structured;
pub mod target;

use std::cell::Cell;

use serde_json::Value;

use crate::answer::{Answer, Answers};
use crate::call::{Caller, Moment, ToolCall};
use crate::deadline::Deadline;
use crate::dispatch::{Finished, Step, dispatch};
use crate::error::ToolError;
use crate::question::Question;
use crate::testing::{NOW, Sandbox};

impl Sandbox {
    /// Calls a tool as an agent, without answers.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Finished, ToolError> {
        self.calling(tool, arguments).done()
    }

    /// Calls a tool and expects success.
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool and expects an error.
    pub fn fail(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).expect_err(&named)
    }

    /// Calls a tool, approves what it asks, and expects success.
    pub fn approved(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool, approves what it asks, and expects an error.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().expect_err(&named)
    }

    /// Repeats a call with a quarter more time on each try until it succeeds. Rolls back each try that timed out, as on a disk, and checks
    /// that only objects remain of it. Returns the number of these tries.
    #[cfg(not(target_os = "wasi"))]
    pub fn cut_off_in_between(&mut self, tool: &str, arguments: &Value) -> u32 {
        use crate::error::ErrorKind;
        use crate::platform::undo;
        let state = |sandbox: &Sandbox| {
            let mut tree = sandbox.tree();
            tree.retain(|path, _| !path.starts_with("/workspace/.git/objects/"));
            tree
        };
        let before = state(self);
        let beside = tempfile::tempdir().unwrap();
        let (noted, aside) = (beside.path().join("undo"), beside.path().join("aside"));
        let mut looks = 1;
        for times in 0.. {
            undo::begin(&noted, "call");
            let outcome = self.calling(tool, arguments.clone()).out_of_time_after(looks).approved();
            undo::end();
            let Err(error) = outcome else { return times };
            assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{tool} after {looks}: {error:?}");
            assert_eq!(undo::roll_back(&noted, &aside).unwrap(), [], "{tool} after {looks}");
            let after = state(self);
            let changed = after.iter().find(|(path, now)| before.get(*path) != Some(now));
            assert_eq!((changed, after.len()), (None, before.len()), "{tool} after {looks}");
            looks += 1 + looks / trial::times(1, 4);
        }
        unreachable!("there is always a next number")
    }

    /// Starts a call that needs more than a tool and arguments.
    pub fn calling(&mut self, tool: &str, arguments: Value) -> Calling<'_> {
        let call = ToolCall {
            id: "call-1".to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            dialect: None,
            max_bytes: None,
            caller: Caller::Agent,
            now: NOW,
        };
        Calling { sandbox: self, call, answers: Answers::default(), clock: standing_clock }
    }
}

/// A call under construction.
pub struct Calling<'a> {
    sandbox: &'a mut Sandbox,
    call: ToolCall,
    answers: Answers,
    clock: fn() -> u64,
}

impl Calling<'_> {
    /// Calls as the user.
    pub fn as_user(mut self) -> Self {
        self.call.caller = Caller::User;
        self
    }

    /// Passes this text as arguments.
    pub fn arguments(mut self, text: &str) -> Self {
        self.call.arguments = text.to_owned();
        self
    }

    /// Passes the host's answers.
    pub fn answers(mut self, answers: Answers) -> Self {
        self.answers = answers;
        self
    }

    /// Makes the call at this time.
    pub fn at(mut self, now: Moment) -> Self {
        self.call.now = now;
        self
    }

    /// Runs out of time at the tool's first look at the clock.
    pub fn out_of_time(self) -> Self {
        self.out_of_time_after(1)
    }

    /// Runs out of time after this many looks at the clock.
    pub fn out_of_time_after(mut self, looks: u32) -> Self {
        LOOKS.set(looks);
        self.clock = leaping_clock;
        self
    }

    /// Makes the call and returns how far it comes.
    pub fn step(self) -> Step {
        dispatched(self.sandbox, &self.call, &self.answers, self.clock)
    }

    /// The result, if a person approves every question.
    pub fn approved(self) -> Result<Finished, ToolError> {
        let Calling { sandbox, call, mut answers, clock } = self;
        loop {
            match dispatched(sandbox, &call, &answers, clock) {
                Step::Done(outcome) => return outcome,
                Step::Ask(question) if matches!(*question, Question::Approval(_)) => {
                    answers.add(question.key(), Answer::Approved);
                }
                Step::Ask(question) => panic!("the call asks {question:?}"),
            }
        }
    }

    /// The result as a host has it, who takes the tree back where a question is asked or the call fails.
    pub fn whole(self) -> Result<Finished, ToolError> {
        let Calling { sandbox, call, mut answers, clock } = self;
        loop {
            let before = Before::of();
            let step = dispatched(sandbox, &call, &answers, clock);
            let keeps = matches!(step, Step::Done(Ok(_)));
            before.end(keeps);
            if !keeps {
                sandbox.session.forget();
            }
            match step {
                Step::Done(outcome) => return outcome,
                Step::Ask(question) if matches!(*question, Question::Approval(_)) => {
                    answers.add(question.key(), Answer::Approved);
                }
                Step::Ask(question) => panic!("the call asks {question:?}"),
            }
        }
    }

    /// The result. A question fails the test.
    pub fn done(self) -> Result<Finished, ToolError> {
        match self.step() {
            Step::Done(outcome) => outcome,
            Step::Ask(question) => panic!("the call asks {question:?}"),
        }
    }
}

/// The tree before a call, which can be taken back.
#[cfg(not(target_os = "wasi"))]
struct Before(tempfile::TempDir);

#[cfg(not(target_os = "wasi"))]
impl Before {
    fn of() -> Before {
        let beside = tempfile::tempdir().expect("a temporary folder can be made");
        crate::platform::undo::begin(&beside.path().join("undo"), "call");
        Before(beside)
    }

    fn end(self, keeps: bool) {
        use crate::platform::undo;
        undo::end();
        if !keeps {
            undo::roll_back(&self.0.path().join("undo"), &self.0.path().join("aside")).expect("it can be taken back");
        }
    }
}

/// The tree before a call, which can be taken back.
#[cfg(target_os = "wasi")]
struct Before(vfs::Root);

#[cfg(target_os = "wasi")]
impl Before {
    fn of() -> Before {
        Before(vfs::process::with(|kernel| kernel.root()))
    }

    fn end(self, keeps: bool) {
        if !keeps {
            vfs::process::with(|kernel| kernel.reset(self.0));
        }
    }
}

/// Dispatches the call, and checks its result against the tool's schema.
fn dispatched(sandbox: &mut Sandbox, call: &ToolCall, answers: &Answers, clock: fn() -> u64) -> Step {
    let deadline = Deadline::after(clock, u64::MAX / 2);
    match dispatch(&mut sandbox.session, call, answers, deadline, &mut sandbox.embedding) {
        #[cfg(not(target_os = "wasi"))]
        Step::Done(Ok(finished)) => {
            let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
            Step::Done(Ok(finished.checked(dialect::addressed(&call.tool, &arguments))))
        }
        step => step,
    }
}

fn standing_clock() -> u64 {
    0
}

thread_local! {
    /// The number of further looks before the clock leaps.
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// Stands still for [`LOOKS`] looks, including the one at the beginning of the call, then leaps past every deadline.
fn leaping_clock() -> u64 {
    let left = LOOKS.get();
    LOOKS.set(left.saturating_sub(1));
    if left > 0 { 0 } else { u64::MAX }
}
