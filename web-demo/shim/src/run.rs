//! A call that is made step by step: `advance`, do what it needs, `give`, until it is done.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use ::host::answer::{self, Advance, Making};
use ::host::error::{ErrorKind, HostError, Result};
use ::host::sandbox;
use ::host::store::Waiting;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, thrown};
use crate::need;
use crate::value::object;

/// A sandbox that several calls use, one at a time.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<sandbox::Sandbox>>);

impl Shared {
    /// Shares a sandbox.
    pub fn new(sandbox: sandbox::Sandbox) -> Self {
        Shared(Rc::new(RefCell::new(sandbox)))
    }

    /// The sandbox, unless something is using it: JavaScript that the host calls may call it back.
    pub fn get(&self) -> Result<RefMut<'_, sandbox::Sandbox>> {
        self.0.try_borrow_mut().map_err(|_| {
            HostError::new(ErrorKind::Busy, "the sandbox is in use by what called this")
                .hint("call it again when that has returned")
        })
    }
}

/// A call, or an export. Freeing it before its end takes back nothing that was kept, and makes
/// nothing happen.
#[wasm_bindgen]
pub struct Run {
    sandbox: Shared,
    making: Making,
    /// Whether an agent gets the reply, and so no digest.
    for_agent: bool,
    /// The waiting call that this answers.
    answers: Option<Waiting>,
    is_over: bool,
}

impl Run {
    /// Makes something in a sandbox.
    pub fn new(sandbox: Shared, making: impl Into<Making>, for_agent: bool) -> Self {
        Run { sandbox, making: making.into(), for_agent, answers: None, is_over: false }
    }

    /// Settles a waiting call by how this ends.
    pub fn answering(self, waiting: Waiting) -> Self {
        Run { answers: Some(waiting), ..self }
    }

    fn turn(&mut self) -> Result<JsValue> {
        if self.is_over {
            return Err(HostError::new(ErrorKind::Usage, "the call is over").hint("make a new one"));
        }
        let mut sandbox = self.sandbox.get()?;
        // An error ends it: what failed may have failed half-way.
        self.is_over = true;
        let reply = match self.making.advance(&mut sandbox)? {
            Advance::Need(need) => {
                let need = need::need(&need, self.making.proposal(), &sandbox)?;
                self.is_over = false;
                return Ok(object([("need", need)]));
            }
            Advance::Done(reply) => reply,
        };
        if let Some(waiting) = self.answers.take() {
            answer::settle_waiting(&mut sandbox, &waiting, &reply)?;
        }
        let reply = if self.for_agent { reply.for_agent() } else { reply };
        Ok(object([("done", need::reply(&reply))]))
    }
}

#[wasm_bindgen]
impl Run {
    /// Goes on as far as it can: `{ done: reply }` at the end, or `{ need }`.
    pub fn advance(&mut self) -> Thrown<JsValue> {
        self.turn().map_err(thrown)
    }

    /// Gives what the last step needed. `advance` makes it count.
    pub fn give(&mut self, given: JsValue) -> Thrown<()> {
        self.making.give(need::given(given).map_err(thrown)?);
        Ok(())
    }
}
