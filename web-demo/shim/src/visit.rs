//! A request over HTTP, answered as the crate `api` says.
//!
//! It goes from step to step, and a step that it does not pass ends it: what comes after that
//! changes nothing. Whoever takes it there can so take each step, and look at the end.

mod listening;
mod share;

use std::rc::Rc;

use ::host::answer::Advance;
use ::host::error::{ErrorKind, HostError, Result};
use ::host::moment::Moment;
use ::host::store::Store;
use api::{
    Advice, Authorized, Body, DESCRIPTION, Doing, Fork, Listening, NewSandbox, Operation, Operator, Permit, Problem,
    Refusal, Request, Response, Routed, Share, Site, token,
};
use bytes::Bytes;
use gate::id::SandboxId;
use gate::time::Timestamp;
use js_sys::Uint8Array;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::act;
use crate::error::{Thrown, thrown};
use crate::host::Host;
use crate::need;
use crate::run::Shared;
use crate::sandbox::Sandbox;
use crate::storage::{JsStorage, Kept};
use crate::value::{Maker, Value, object, of_json};

const ADVICE: Advice = Advice {
    host: "set ALLOW_HOSTS of the worker if it is to be reached by that name",
    origin: "set ALLOW_ORIGINS of the worker if pages from there are to ask it",
};

/// How far it has come.
enum Step {
    Routed(Routed),
    Permitted(Permit),
    Admitted(Authorized),
    Doing(Shared, Box<Doing>),
    /// The beginning of its answer is there, and the rest is to be waited for.
    Begun(Response, Listening),
    Listening(Listening),
    /// Who listens asks the sandbox.
    Asking(Listening, Shared, Box<Doing>),
    /// It may be copied, under this name.
    Copying(SandboxId),
    Over(Response),
}

/// A request on its way through a worker.
#[wasm_bindgen]
pub struct Visit {
    step: Step,
    operator: Operator,
    operation: Option<Operation>,
    sandbox: Option<SandboxId>,
    fork: Option<Fork>,
    /// Its head: it says how its client is answered.
    request: Request,
    /// Where the page is from that has sent it.
    origin: Option<String>,
    /// Leave to read its body.
    body: Option<Body>,
    /// What it takes of the server until it is freed.
    taken: Vec<Share>,
    /// What the sandbox has answered to who listens.
    heard: Option<Vec<u8>>,
    /// Whom it is from, as long as it works for them.
    authorized: Option<Authorized>,
}

impl Visit {
    fn at(step: Step, request: Request, operator: Operator, origin: Option<String>) -> Visit {
        let (operation, sandbox) = match &step {
            Step::Routed(routed) => (Some(routed.operation()), routed.sandbox.clone()),
            _ => (None, None),
        };
        Visit {
            step,
            operator,
            operation,
            sandbox,
            fork: None,
            request,
            origin,
            body: None,
            taken: Vec::new(),
            heard: None,
            authorized: None,
        }
    }

    fn answer(&self, response: &Response) -> JsValue {
        answer(&response.clone().for_client(&self.request).with_origin(self.origin.clone()))
    }

    /// Takes a step.
    fn take(&mut self, step: impl FnOnce(Step) -> Result<Step, Problem>) {
        let before = std::mem::replace(&mut self.step, Step::Over(out_of_turn().response()));
        self.step = match before {
            Step::Over(response) => Step::Over(response),
            before => step(before).unwrap_or_else(|problem| Step::Over(problem.response())),
        };
    }

    fn over(&mut self, response: Response) {
        self.take(|_| Ok(Step::Over(response)));
    }
}

fn of(error: &HostError) -> Problem {
    Problem::of(error, act::words)
}

fn out_of_turn() -> Problem {
    of(&Maker::Caller.wrong("a step out of its turn"))
}

fn answer(response: &Response) -> JsValue {
    let headers = response.headers().into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
    object([
        ("status", response.status.into()),
        ("headers", of_json(&headers.collect::<serde_json::Map<_, _>>().into())),
        ("body", joined(response.body.parts())),
    ])
}

/// Bytes that come in parts, copied into one piece.
fn joined(parts: &[Bytes]) -> JsValue {
    // The casts hold: the memory has fewer bytes.
    let whole = Uint8Array::new_with_length(parts.iter().map(Bytes::len).sum::<usize>() as u32);
    let mut at = 0;
    for part in parts {
        let end = at + part.len() as u32;
        whole.subarray(at, end).copy_from(part);
        at = end;
    }
    whole.into()
}

/// The time of that many milliseconds after 1970.
fn timestamp(milliseconds: f64) -> Timestamp {
    // The cast saturates.
    Moment { nanos: (milliseconds.max(0.0) * 1e6) as u64, utc_offset: 0 }.timestamp()
}

fn head(value: &Value) -> Result<Request> {
    value.only(&["method", "path", "query", "headers"])?;
    let headers = value.field("headers")?.list(header)?;
    let request = Request::new(value.field("method")?.text()?, value.field("path")?.text()?, headers);
    Ok(request.with_query(&value.field("query")?.text()?))
}

fn header(value: &Value) -> Result<(String, String)> {
    value.only(&["name", "value"])?;
    Ok((value.field("name")?.text()?, value.field("value")?.text()?))
}

#[wasm_bindgen]
impl Visit {
    /// A request, by its head: `{ method, path, query, headers: { name, value }[] }`. The operator is known by this
    /// token. The hosts by which the server is reached, and the origins of pages that may ask, have spaces between
    /// them.
    #[wasm_bindgen(constructor)]
    pub fn new(request: JsValue, operator: &str, hosts: &str, origins: &str) -> Thrown<Visit> {
        let request = head(&Value::new(request, Maker::Caller, "request")).map_err(thrown)?;
        let operator = Operator(token::hash(operator));
        let admitted =
            Site::listed(hosts, origins, ADVICE).map_err(|error| of(&error)).and_then(|site| site.admit(&request));
        let origin = match admitted {
            Ok(origin) => origin,
            Err(problem) => return Ok(Visit::at(Step::Over(problem.response()), request, operator, None)),
        };
        let step = match api::preflight(&request) {
            Some(response) => Step::Over(response),
            None => api::route(&request).map_or_else(|problem| Step::Over(problem.response()), Step::Routed),
        };
        Ok(Visit::at(step, request, operator, origin))
    }

    /// What is asked for, by its `operationId`.
    #[wasm_bindgen(getter)]
    pub fn operation(&self) -> Option<String> {
        self.operation.map(|operation| operation.id().to_owned())
    }

    /// The name of the sandbox that it is about. Of one that is to be made it is known once the request
    /// is admitted.
    #[wasm_bindgen(getter)]
    pub fn sandbox(&self) -> Option<String> {
        self.sandbox.as_ref().map(ToString::to_string)
    }

    /// The answer, `{ status, headers, body }`, once it is over.
    #[wasm_bindgen(getter)]
    pub fn response(&self) -> JsValue {
        match &self.step {
            Step::Over(response) => self.answer(response),
            _ => JsValue::UNDEFINED,
        }
    }

    /// Looks whether it may be asked for. `storage` is that of the sandbox, which need not be there; `now`
    /// in milliseconds since 1970.
    pub fn authorize(&mut self, storage: Option<JsStorage>, now: f64) {
        let (operator, sandbox) = (self.operator, self.sandbox.clone());
        self.take(|step| {
            let Step::Routed(routed) = step else { return Err(out_of_turn()) };
            let store = storage.zip(sandbox).map(|(storage, name)| Store::new(Kept::new(storage), name));
            api::authorize(routed, operator, store.as_ref(), timestamp(now))
                .map_err(|error| of(&error))?
                .map(Step::Permitted)
        });
    }

    /// Reads the body, once it is known that whoever sends it may.
    pub fn admit(&mut self, body: Vec<u8>) {
        let leave = self.body.take();
        self.taken.extend(leave.map(|leave| leave.has_come(body.len() as u64)));
        self.take(|step| match step {
            Step::Permitted(permit) => permit.admit(&body).map(Step::Admitted),
            _ => Err(out_of_turn()),
        });
        let Step::Admitted(authorized) = &self.step else { return };
        let read = match authorized.operation {
            Operation::CreateSandbox => NewSandbox::read(authorized).map(|new| self.sandbox = Some(new.name)),
            Operation::ForkSandbox => Fork::read(authorized).map(|fork| self.fork = Some(fork)),
            _ => Ok(()),
        };
        if let Err(error) = read {
            self.over(of(&error).response());
        }
    }

    /// Answers with the description of the interface.
    pub fn describe(&mut self) {
        self.over(Response::of(200, "application/json", DESCRIPTION.as_bytes().to_vec()));
    }

    /// Answers with the names of all sandboxes.
    pub fn list(&mut self, names: Vec<String>) {
        self.over(Response::json(200, &json!({ "sandboxes": names })));
    }

    /// Makes the sandbox that is asked for in an empty `storage`, and begins to fill it. Unless the
    /// answer has the status 201, nothing of it is to be left. `undefined` if it cannot be made.
    pub fn create(&mut self, host: &Host, storage: JsStorage, opened: JsValue) -> Option<Sandbox> {
        let mut made = None;
        self.take(|step| {
            let Step::Admitted(authorized) = step else { return Err(out_of_turn()) };
            let make = || {
                let new = NewSandbox::read(&authorized)?;
                let file = new.settings(host.platform())?;
                let sandbox = host.making(host.with(storage, opened)?, &file)?;
                let doing = Doing::create(new, &mut *sandbox.shared().get()?);
                Ok((sandbox, doing))
            };
            let (sandbox, doing) = make().map_err(|error: HostError| of(&error))?;
            let shared = sandbox.shared();
            made = Some(sandbox);
            Ok(Step::Doing(shared, Box::new(doing)))
        });
        made
    }

    /// Answers that the sandbox is gone, if it is to go whatever is in it. Such a one need not be open, nor
    /// be one that can be opened.
    #[wasm_bindgen(js_name = goesAnyway)]
    pub fn goes_anyway(&mut self, storage: JsStorage, now: f64) -> bool {
        let Step::Admitted(authorized) = &self.step else { return false };
        if authorized.operation != Operation::DeleteSandbox || authorized.body["force"] != true {
            return false;
        }
        let Some(name) = self.sandbox.clone() else { return false };
        let no_more = authorized.no_more(&Store::new(Kept::new(storage), name), timestamp(now));
        let response = match no_more {
            Ok(None) => Response::empty(),
            Ok(Some(problem)) => problem.response(),
            Err(error) => of(&error).response(),
        };
        self.over(response);
        true
    }

    /// Opens the sandbox that `storage` keeps. `undefined` if it cannot be opened.
    pub fn open(&mut self, host: &Host, storage: JsStorage, opened: JsValue) -> Option<Sandbox> {
        match host.opening(storage, opened) {
            Ok(sandbox) => Some(sandbox),
            Err(error) => {
                if let Step::Listening(listening) = &self.step {
                    self.heard = Some(listening.farewell(&error.message));
                }
                self.over(of(&error).response());
                None
            }
        }
    }

    /// Begins what is asked of a sandbox.
    pub fn begin(&mut self, sandbox: &Sandbox) {
        let mut by = None;
        self.take(|step| {
            let Step::Admitted(authorized) = step else { return Err(out_of_turn()) };
            let begin = || {
                let shared = sandbox.shared();
                let mut open = shared.get()?;
                let policy = Rc::new(sandbox.policy(&open.file)?);
                Ok(Doing::begin(&authorized, &mut open, policy))
            };
            let doing = begin().map_err(|error: HostError| of(&error))?;
            by = Some(authorized.without_body());
            Ok(Step::Doing(sandbox.shared(), Box::new(doing)))
        });
        self.authorized = by;
    }

    /// Goes on as far as it can. Gives what it needs, as a call does, or `undefined` when it is over.
    pub fn advance(&mut self) -> Thrown<JsValue> {
        let (Step::Doing(shared, doing) | Step::Asking(_, shared, doing)) = &mut self.step else {
            return Ok(JsValue::UNDEFINED);
        };
        let mut open = shared.get().map_err(thrown)?;
        let response = match doing.advance(&mut open) {
            Advance::Need(need) => return need::need(&need, None, &open).map_err(thrown),
            Advance::Done(response) => response,
        };
        drop(open);
        self.ended(response);
        Ok(JsValue::UNDEFINED)
    }

    /// Gives what the last step needed.
    pub fn give(&mut self, given: JsValue) -> Thrown<()> {
        let given = need::given(given).map_err(thrown)?;
        if let Step::Doing(_, doing) | Step::Asking(_, _, doing) = &mut self.step {
            doing.give(given);
        }
        Ok(())
    }

    /// The name under which the sandbox is to be copied, once it is known that it may be. Nothing of it
    /// may change until then.
    #[wasm_bindgen(getter)]
    pub fn copy(&self) -> Option<String> {
        match &self.step {
            Step::Copying(name) => Some(name.to_string()),
            _ => None,
        }
    }

    /// Answers with what the copy's own object has made, or that there is a sandbox of that name.
    pub fn copied(&mut self, made: Option<Vec<u8>>) {
        self.take(|step| match (step, made) {
            (Step::Copying(_), Some(body)) => Ok(Step::Over(Response::of(201, "application/json", body))),
            (Step::Copying(name), None) => {
                let error = HostError::new(ErrorKind::SandboxExists, format!("the sandbox '{name}' already exists"));
                Err(of(&error.hint("choose another name")))
            }
            _ => Err(out_of_turn()),
        });
    }

    /// Ends it: `too-large`, `busy` or `bad-request`, or with any other word, that the worker has failed.
    pub fn refuse(&mut self, why: &str, detail: &str, hint: &str) {
        let refusal = match why {
            "too-large" => Some(Refusal::TooLarge),
            "busy" => Some(Refusal::TooMany),
            "bad-request" => Some(Refusal::BadRequest),
            _ => None,
        };
        let problem = match refusal {
            Some(refusal) => Problem::refused(refusal, detail, hint),
            None => of(&HostError::new(ErrorKind::Component, detail).hint(hint)),
        };
        self.take(|step| match step {
            // What has happened is told, though nobody waits for the rest.
            Step::Begun(begun, listening) => Ok(Step::Over(listening.at_once(begun, &problem))),
            _ => Err(problem),
        });
    }

    /// Ends it, because there is no such sandbox.
    pub fn absent(&mut self) {
        let name = self.sandbox().unwrap_or_default();
        let error = HostError::new(ErrorKind::NoSuchSandbox, format!("there is no sandbox '{name}'"));
        self.over(of(&error).response());
    }
}
