//! Answers that go on: of whoever listens, and of a push that waits for its review.

use std::rc::Rc;

use ::host::error::HostError;
use ::host::store::Store;
use api::{Doing, Listening, News, Response};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Step, Visit, of, out_of_turn, timestamp};
use crate::sandbox::Sandbox;
use crate::storage::{JsStorage, Kept};
use crate::value::{bytes as bytes_of, object};

impl Visit {
    /// Takes the answer of the sandbox.
    pub(super) fn ended(&mut self, mut response: Response) {
        let by = self.authorized.take();
        let before = std::mem::replace(&mut self.step, Step::Over(out_of_turn().response()));
        self.step = match before {
            Step::Asking(mut listening, ..) => match listening.heard(response) {
                News::Told(told) => {
                    self.heard = Some(told);
                    Step::Listening(listening)
                }
                News::Last(told) => {
                    self.heard = Some(told);
                    Step::Over(Response::empty())
                }
                News::Nothing | News::Asks => Step::Listening(listening),
            },
            _ => match (response.rest.take(), by, &self.fork) {
                (Some(rest), Some(by), _) => {
                    // What was pushed is in the sandbox, and its place is free for others.
                    self.taken.clear();
                    Step::Begun(response, Listening::to_rest(by, rest))
                }
                (_, _, Some(fork)) if response.status == 204 => Step::Copying(fork.name.clone()),
                _ => Step::Over(response),
            },
        };
    }
}

#[wasm_bindgen]
impl Visit {
    /// Begins to listen. Gives the answer, whose body goes on with what `hear` gives from time to time.
    pub fn listen(&mut self) -> JsValue {
        let mut begun = Listening::response();
        self.take(|step| match step {
            Step::Admitted(authorized) => Ok(Step::Listening(Listening::new(authorized))),
            Step::Begun(first, listening) => {
                begun = first;
                Ok(Step::Listening(listening))
            }
            _ => Err(out_of_turn()),
        });
        self.answer(&begun)
    }

    /// Whether its answer has begun, and goes on once something has happened: then `listen`.
    #[wasm_bindgen(getter, js_name = goesOn)]
    pub fn goes_on(&self) -> bool {
        matches!(self.step, Step::Begun(..))
    }

    /// What there is to tell to whoever listens, `{ bytes?, asks }`. If it `asks`, the sandbox is to be asked
    /// with `ask`. It is over once there is nothing more to hear, or they may not hear it any more.
    pub fn hear(&mut self, storage: JsStorage, now: f64) -> JsValue {
        let (mut bytes, mut asks) = (self.heard.take(), false);
        let name = self.sandbox.clone();
        self.take(|step| {
            let (Step::Listening(mut listening), Some(name)) = (step, name) else { return Err(out_of_turn()) };
            if bytes.is_some() {
                return Ok(Step::Listening(listening));
            }
            let store = Store::new(Kept::new(storage), name);
            let news = listening.news(&store, timestamp(now));
            Ok(match news.unwrap_or_else(|error| listening.last(&error.message)) {
                News::Nothing => Step::Listening(listening),
                News::Asks => {
                    asks = true;
                    Step::Listening(listening)
                }
                News::Told(told) => {
                    bytes = Some(told);
                    Step::Listening(listening)
                }
                News::Last(told) => {
                    bytes = Some(told);
                    Step::Over(Response::empty())
                }
            })
        });
        object([("bytes", bytes.as_deref().map_or(JsValue::UNDEFINED, bytes_of)), ("asks", asks.into())])
    }

    /// What keeps the connection of whoever listens alive.
    pub fn alive(&self) -> Vec<u8> {
        match &self.step {
            Step::Listening(listening) => listening.alive(),
            _ => Vec::new(),
        }
    }

    /// Ends it because somebody else needs its place. Gives what whoever listens is told last.
    pub fn leave(&mut self) -> Vec<u8> {
        let mut last = Vec::new();
        self.take(|step| {
            let Step::Listening(mut listening) = step else { return Err(out_of_turn()) };
            if let News::Last(told) = listening.last("others wait here, too") {
                last = told;
            }
            Ok(Step::Over(Response::empty()))
        });
        last
    }

    /// Asks the sandbox what whoever listens is to hear.
    pub fn ask(&mut self, sandbox: &Sandbox) {
        let mut heard = None;
        self.take(|step| {
            let Step::Listening(listening) = step else { return Err(out_of_turn()) };
            let ask = || {
                let shared = sandbox.shared();
                let mut open = shared.get()?;
                let policy = Rc::new(sandbox.policy(&open.file)?);
                Ok(Doing::go_on(&listening, &mut open, policy))
            };
            let doing = match ask() {
                Ok(doing) => doing,
                Err(error) => {
                    let error: HostError = error;
                    heard = Some(listening.farewell(&error.message));
                    return Ok(Step::Over(Response::empty()));
                }
            };
            Ok(Step::Asking(listening, sandbox.shared(), Box::new(doing)))
        });
        self.heard = heard;
    }
}
