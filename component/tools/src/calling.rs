//! Calls of tools in a test's sandbox, as a host makes them. They go through [`dispatch`](crate::dispatch), and so through every tool: the
//! sandbox itself knows of none.

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

    /// Calls a tool that has to succeed.
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool that has to fail.
    pub fn fail(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).expect_err(&named)
    }

    /// Calls a tool that has to succeed, if a person allows it.
    pub fn approved(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool that has to fail, though a person allows it.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().expect_err(&named)
    }

    /// Makes a call with ever more time, a quarter more each time, until it comes to its end. Before that, what it has changed is taken back as for
    /// a sandbox on a disk, and everything has to be as it was, but for objects; how often that was is given.
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

    /// A call that is not the plainest one.
    pub fn calling(&mut self, tool: &str, arguments: Value) -> Calling<'_> {
        let call = ToolCall {
            id: "call-1".to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            caller: Caller::Agent,
            now: NOW,
        };
        Calling { sandbox: self, call, answers: Answers::default(), clock: standing_clock }
    }
}

/// A call that is being put together.
pub struct Calling<'a> {
    sandbox: &'a mut Sandbox,
    call: ToolCall,
    answers: Answers,
    clock: fn() -> u64,
}

impl Calling<'_> {
    /// By the user.
    pub fn as_user(mut self) -> Self {
        self.call.caller = Caller::User;
        self
    }

    /// With this text for arguments.
    pub fn arguments(mut self, text: &str) -> Self {
        self.call.arguments = text.to_owned();
        self
    }

    /// With the host's answers.
    pub fn answers(mut self, answers: Answers) -> Self {
        self.answers = answers;
        self
    }

    /// At this time.
    pub fn at(mut self, now: Moment) -> Self {
        self.call.now = now;
        self
    }

    /// With no time left when the tool first looks.
    pub fn out_of_time(self) -> Self {
        self.out_of_time_after(1)
    }

    /// With no time left any more after so many looks at the clock.
    pub fn out_of_time_after(mut self, looks: u32) -> Self {
        LOOKS.set(looks);
        self.clock = leaping_clock;
        self
    }

    /// How far it comes.
    pub fn step(self) -> Step {
        dispatched(self.sandbox, &self.call, &self.answers, self.clock)
    }

    /// What comes out, if a person allows whatever is asked.
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

    /// What comes out. A call that asks fails the test.
    pub fn done(self) -> Result<Finished, ToolError> {
        match self.step() {
            Step::Done(outcome) => outcome,
            Step::Ask(question) => panic!("the call asks {question:?}"),
        }
    }
}

/// How far a call comes. A result has to be what the tool's schema says.
fn dispatched(sandbox: &mut Sandbox, call: &ToolCall, answers: &Answers, clock: fn() -> u64) -> Step {
    let deadline = Deadline::after(clock, u64::MAX / 2);
    match dispatch(&mut sandbox.session, call, answers, deadline, &mut sandbox.embedding) {
        #[cfg(not(target_os = "wasi"))]
        Step::Done(Ok(finished)) => Step::Done(Ok(finished.checked(&call.tool))),
        step => step,
    }
}

fn standing_clock() -> u64 {
    0
}

thread_local! {
    /// How many more looks see the time stand still.
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// Stands still for so many looks, the first of which is that of the call's beginning, and is past every deadline afterwards.
fn leaping_clock() -> u64 {
    let left = LOOKS.get();
    LOOKS.set(left.saturating_sub(1));
    if left > 0 { 0 } else { u64::MAX }
}
