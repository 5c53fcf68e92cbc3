//! The component, as `jco transpile -I async` makes it: an object with the export `session`.
//!
//! jco throws what the component gives as an error of its own, with `payload`. Whatever else is
//! thrown has left the component in the middle of something, and the instance is lost.

use std::cell::OnceCell;
use std::rc::Rc;

use ::host::component::{Component, Components};
use ::host::error::{ErrorKind, HostError, Result};
use ::host::sandbox::tools_of_new;
use ::host::settings::ToolSettings;
use ::host::wit;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{caught, words};
use crate::value::{Maker, Value};
use crate::wit::Js;

#[wasm_bindgen]
extern "C" {
    /// `{ instance(memory: bigint): { session } }`, which gives a new instance at once.
    pub type JsComponents;

    #[wasm_bindgen(method, catch)]
    fn instance(this: &JsComponents, memory: u64) -> Result<JsValue, JsValue>;

    type JsSession;

    #[wasm_bindgen(method, catch)]
    fn open(this: &JsSession, options: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn attach(this: &JsSession, id: &[u8], size: u64, part: &[u8]) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn replay(this: &JsSession, part: &[u8]) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn start(this: &JsSession) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tools(this: &JsSession) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn call(this: &JsSession, call: &JsValue, answers: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = readOut)]
    fn read_out(this: &JsSession, offset: u64, len: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn snapshot(this: &JsSession, part: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn compacted(this: &JsSession) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn attachments(this: &JsSession) -> Result<JsValue, JsValue>;
}

/// Makes instances with what JavaScript has.
pub struct Engine {
    components: JsComponents,
    names: OnceCell<Vec<String>>,
}

impl Engine {
    /// Makes them by `components`.
    pub fn new(components: JsComponents) -> Rc<Self> {
        Rc::new(Engine { components, names: OnceCell::new() })
    }
}

impl Components for Engine {
    fn instance(&self, memory: u64) -> Result<Box<dyn Component>> {
        let instance = self.components.instance(memory);
        let instance = instance.map_err(|error| caught(&error, ErrorKind::Component, "start the component"))?;
        let session = Value::new(instance, Maker::Component, "instance").field("session")?;
        if !session.js().is_object() {
            return Err(session.wrong("object"));
        }
        Ok(Box::new(Instance { session: session.js().clone().into(), lost: false }))
    }

    fn tools(&self) -> Result<Vec<String>> {
        if let Some(names) = self.names.get() {
            return Ok(names.clone());
        }
        let tools = tools_of_new(self, &ToolSettings::all())?;
        Ok(self.names.get_or_init(|| tools.into_iter().map(|tool| tool.name).collect()).clone())
    }
}

/// One sandbox's memory and code.
struct Instance {
    session: JsSession,
    lost: bool,
}

impl Instance {
    /// What a function gives that has no faults.
    fn get(&mut self, function: impl FnOnce(&JsSession) -> Result<JsValue, JsValue>) -> Result<Value> {
        match self.run(function)? {
            Ok(value) => Ok(value),
            Err(fault) => Err(Maker::Component.wrong(format!("a fault where there is none: {}", fault.message))),
        }
    }

    /// What a function gives, or the component's fault.
    fn run(
        &mut self,
        function: impl FnOnce(&JsSession) -> Result<JsValue, JsValue>,
    ) -> Result<Result<Value, wit::Fault>> {
        if self.lost {
            return Err(HostError::new(ErrorKind::Component, "the sandbox's instance is lost"));
        }
        let error = match function(&self.session) {
            Ok(given) => return Ok(Ok(Value::new(given, Maker::Component, "result"))),
            Err(error) => error,
        };
        // Of nothing, such as a thrown `null`, there is no field.
        let payload = Reflect::get(&error, &"payload".into()).unwrap_or(JsValue::UNDEFINED);
        match Value::new(payload, Maker::Component, "payload").option() {
            Some(payload) => wit::Fault::read(&payload).map(Err),
            None => {
                self.lost = true;
                let what = format!("the tool failed unexpectedly: {}", words(&error));
                Err(HostError::new(ErrorKind::Component, what)
                    .hint("ask for less at a time, or report it to the developers; nothing has changed"))
            }
        }
    }
}

impl Component for Instance {
    fn open(&mut self, options: &wit::Options) -> Result<Result<(), wit::Fault>> {
        let options = options.to_js();
        Ok(self.run(|session| session.open(&options))?.map(drop))
    }

    fn attach(&mut self, id: &[u8], size: u64, part: &[u8]) -> Result<Result<(), wit::Fault>> {
        Ok(self.run(|session| session.attach(id, size, part))?.map(drop))
    }

    fn replay(&mut self, part: &[u8]) -> Result<Result<(), wit::Fault>> {
        Ok(self.run(|session| session.replay(part))?.map(drop))
    }

    fn start(&mut self) -> Result<Result<wit::Restoration, wit::Fault>> {
        self.run(JsSession::start)?.map(|value| Js::read(&value)).transpose_result()
    }

    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        Js::read(&self.get(JsSession::tools)?)
    }

    fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer]) -> Result<wit::Step> {
        let (call, answers) = (call.to_js(), Js::list_to_js(answers));
        Js::read(&self.get(|session| session.call(&call, &answers))?)
    }

    fn read_out(&mut self, offset: u64, len: u32) -> Result<Vec<u8>> {
        self.get(|session| session.read_out(offset, len))?.at_most(len)
    }

    fn snapshot(&mut self, part: u32) -> Result<Result<u64, wit::Fault>> {
        self.run(|session| session.snapshot(part))?.map(|size| size.u64()).transpose_result()
    }

    fn compacted(&mut self) -> Result<Result<(), wit::Fault>> {
        Ok(self.run(JsSession::compacted)?.map(drop))
    }

    fn attachments(&mut self) -> Result<Vec<Vec<u8>>> {
        Js::read(&self.get(JsSession::attachments)?)
    }
}

/// Puts an error of the engine outside of the component's own faults.
trait TransposeResult<T> {
    fn transpose_result(self) -> Result<Result<T, wit::Fault>>;
}

impl<T> TransposeResult<T> for Result<Result<T>, wit::Fault> {
    fn transpose_result(self) -> Result<Result<T, wit::Fault>> {
        match self {
            Ok(converted) => converted.map(Ok),
            Err(fault) => Ok(Err(fault)),
        }
    }
}
