//! Errors of either side: a host's error becomes a JavaScript `Error` with `kind`, `hint` and
//! `act`, and one that is thrown here becomes a host's.

use ::host::error::{ErrorKind, HostError};
use js_sys::Reflect;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::act;
use crate::value::of_json;

#[wasm_bindgen]
extern "C" {
    /// Writes what was passed over, for whoever looks for a cause.
    #[wasm_bindgen(js_namespace = console)]
    pub fn warn(text: &str);
}

/// All kinds, by their names.
const KINDS: [ErrorKind; 13] = [
    ErrorKind::Usage,
    ErrorKind::NoSuchSandbox,
    ErrorKind::SandboxExists,
    ErrorKind::Busy,
    ErrorKind::Storage,
    ErrorKind::Damaged,
    ErrorKind::Component,
    ErrorKind::Session,
    ErrorKind::NotApproved,
    ErrorKind::Refused,
    ErrorKind::Interrupted,
    ErrorKind::InDoubt,
    ErrorKind::Unpushed,
];

/// A result that JavaScript gets.
pub type Thrown<T> = Result<T, JsValue>;

/// The error as it is thrown.
pub fn thrown(error: HostError) -> JsValue {
    let thrown = js_sys::Error::new(&error.message);
    thrown.set_name("HostError");
    let act = error.hint.act().map_or(JsValue::UNDEFINED, |act| of_json(&json!(act)));
    for (name, value) in [("kind", error.kind.name().into()), ("hint", act::words(&error.hint).into()), ("act", act)] {
        Reflect::set(&thrown, &name.into(), &value).expect("a new error can be extended");
    }
    thrown.into()
}

/// The error that a part of this body has thrown while `doing` something. Only an error that names
/// one of the kinds keeps its kind.
pub fn caught(error: &JsValue, otherwise: ErrorKind, doing: &str) -> HostError {
    let text = |name: &str| Reflect::get(error, &name.into()).ok()?.as_string();
    let kind = text("kind").and_then(|name| KINDS.into_iter().find(|kind| kind.name() == name));
    match (kind, text("message")) {
        (Some(kind), Some(message)) => HostError::new(kind, message).hint(text("hint").unwrap_or_default()),
        _ => HostError::new(otherwise, format!("cannot {doing}: {}", words(error))),
    }
}

/// What was thrown, in words. Anything can be.
pub fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => format!("{}: {}", String::from(error.name()), String::from(error.message())),
        None => error.as_string().unwrap_or_else(|| "something that is no error was thrown".to_owned()),
    }
}
