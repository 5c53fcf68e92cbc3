//! The questions of a call, one after the other: the only loop that calls the component.

use std::ops::ControlFlow;

use crate::answer::call::suspend::Halting;
use crate::answer::misbehaved;
use crate::error::Result;
use crate::screen;
use crate::session::{Question, Step};
use crate::wit;

/// How many questions a call may ask. Every round brings something new, so more means a fault.
const ROUNDS: usize = 8;

/// What was asked and answered so far.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    answers: Vec<wit::Answer>,
    open: Option<Open>,
}

/// A question without an answer.
#[derive(Debug)]
struct Open {
    key: Vec<u8>,
    question: Question,
}

/// Makes a call and answers its questions.
pub(crate) trait Answering {
    /// What ends the call before the component does.
    type End;

    /// Makes the call with the answers so far.
    fn step(&mut self, answers: &[wit::Answer]) -> Result<Step>;

    /// Finds the answer to a question, or the call's end.
    fn find(
        &mut self,
        key: &[u8],
        question: &Question,
        answers: &[wit::Answer],
    ) -> Halting<ControlFlow<Self::End, wit::AnswerBody>>;
}

/// How a call ended.
#[derive(Debug)]
pub(crate) enum Ended<E> {
    /// The tool ran to its end.
    Done(Result<wit::ToolResult, wit::ToolError>),
    /// A question was its end.
    Early(E),
}

/// Makes the call until it asks no more questions. A question that halts is open until this is called
/// again.
pub(crate) fn play<A: Answering>(questions: &mut Questions, answering: &mut A) -> Halting<Ended<A::End>> {
    loop {
        let open = match questions.open.take() {
            Some(open) => open,
            None if questions.answers.len() == ROUNDS => return Err(misbehaved("it asked too many questions").into()),
            None => match answering.step(&questions.answers)? {
                Step::Done { outcome, .. } => {
                    outcome.as_ref().err().into_iter().for_each(log_causes);
                    return Ok(Ended::Done(outcome));
                }
                Step::Ask { key, .. } if questions.answers.iter().any(|answer| answer.key == key) => {
                    return Err(misbehaved("it repeated an answered question").into());
                }
                Step::Ask { key, question } => Open { key, question },
            },
        };
        match answering.find(&open.key, &open.question, &questions.answers) {
            Ok(ControlFlow::Continue(body)) => questions.answers.push(wit::Answer { key: open.key, body }),
            Ok(ControlFlow::Break(end)) => return Ok(Ended::Early(end)),
            Err(halt) => {
                questions.open = Some(open);
                return Err(halt);
            }
        }
    }
}

/// Writes the errors below `error` to the log. Callers never see them.
fn log_causes(error: &wit::ToolError) {
    for cause in &error.causes {
        tracing::debug!("{}: caused by: {}", screen::line(&error.message), screen::line(cause));
    }
}
