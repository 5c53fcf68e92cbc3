//! Clock, randomness and user. What JavaScript does not bring is the environment's own.

use std::rc::Rc;

use ::host::error::{ErrorKind, HostError, Result};
use ::host::hint::Act;
use ::host::limits;
use ::host::moment::Moment;
use ::host::platform::{Guard, Phase, Platform};
use ::host::target::{Progress, Silent};
use js_sys::{Date, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{caught, warn, words};
use crate::value::{Maker, Value};

/// The platform of this host: an object with `who`, and optionally `now`, `utcOffset`, `fill`,
/// `isWanted`, `doing`, `during` and `mostBytes`.
pub struct JsPlatform {
    who: String,
    now: Option<Function>,
    utc_offset: Option<Function>,
    fill: Function,
    fill_this: JsValue,
    is_wanted: Option<Function>,
    doing: Option<Function>,
    during: Option<Function>,
    most_bytes: Option<u64>,
    this: JsValue,
}

impl JsPlatform {
    /// What `around` has, and the environment where that has nothing.
    pub fn new(around: JsValue) -> Result<Rc<Self>> {
        let value = Value::new(around.clone(), Maker::Platform, "around");
        let (fill, fill_this) = match function(&value, "fill")? {
            Some(fill) => (fill, around.clone()),
            None => crypto()?,
        };
        Ok(Rc::new(JsPlatform {
            who: value.field("who")?.text()?,
            now: function(&value, "now")?,
            utc_offset: function(&value, "utcOffset")?,
            fill,
            fill_this,
            is_wanted: function(&value, "isWanted")?,
            doing: function(&value, "doing")?,
            during: function(&value, "during")?,
            most_bytes: value.field("mostBytes")?.option().map(|most| most.u64()).transpose()?,
            this: around,
        }))
    }

    /// The number that a function gives. Without one, the environment's own counts.
    fn number(&self, function: &Function, name: &'static str) -> Option<f64> {
        let number = function.call0(&self.this).map_err(|error| Maker::Platform.wrong(words(&error)));
        let number = number.and_then(|number| Value::new(number, Maker::Platform, name).number());
        number.inspect_err(|error| warn(&error.message)).ok()
    }

    /// Tells JavaScript that something begins. What it gives for that is called at the end.
    fn begin(&self, function: Option<&Function>, what: &str) -> Guard {
        let begun = function.map_or(Ok(JsValue::UNDEFINED), |function| function.call1(&self.this, &what.into()));
        // Nothing depends on what is shown.
        let end = begun.inspect_err(|error| warn(&words(error))).ok();
        Box::new(Ending(end.and_then(|end| end.dyn_into().ok())))
    }
}

impl Platform for JsPlatform {
    /// The clock may stand still while this runs, as edge functions have it: nothing here is told
    /// apart by its time.
    fn now(&self) -> Moment {
        let given = self.now.as_ref().and_then(|now| self.number(now, "now"));
        let milliseconds = given.unwrap_or_else(Date::now).max(0.0);
        let zone = self.utc_offset.as_ref().and_then(|offset| self.number(offset, "utcOffset"));
        // JavaScript counts minutes, and west of UTC.
        let utc_offset = zone.unwrap_or_else(|| -60.0 * Date::new_0().get_timezone_offset());
        let whole = milliseconds.trunc();
        // Both casts saturate, and a part of a millisecond has less than a million nanoseconds.
        let nanos = (whole as u64).saturating_mul(1_000_000).saturating_add((milliseconds.fract() * 1e6) as u64);
        Moment { nanos, utc_offset: utc_offset as i32 }
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        let length = u32::try_from(bytes.len()).map_err(|_| Maker::Platform.wrong("too few random bytes"))?;
        let array = Uint8Array::new_with_length(length);
        let filled = self.fill.call1(&self.fill_this, &array);
        filled.map_err(|error| caught(&error, ErrorKind::Storage, "get random bytes"))?;
        array.copy_to(bytes);
        Ok(())
    }

    fn who(&self) -> String {
        self.who.clone()
    }

    fn act(&self, act: &Act) -> String {
        crate::act::act(act)
    }

    fn most_bytes(&self) -> u64 {
        self.most_bytes.unwrap_or(limits::SANDBOX.bytes)
    }

    fn ensure_wanted(&self) -> Result<()> {
        let Some(is_wanted) = &self.is_wanted else { return Ok(()) };
        let wanted = is_wanted.call0(&self.this).map_err(|error| Maker::Platform.wrong(words(&error)))?;
        if Value::new(wanted, Maker::Platform, "isWanted").flag()? {
            return Ok(());
        }
        Err(HostError::new(ErrorKind::Interrupted, "interrupted; nothing has changed"))
    }

    fn during(&self, phase: Phase) -> Guard {
        let phase = match phase {
            Phase::Call => "call",
            Phase::Landing => "landing",
        };
        self.begin(self.during.as_ref(), phase)
    }

    fn doing(&self, what: &str) -> Guard {
        self.begin(self.doing.as_ref(), what)
    }

    fn progress(&self) -> Box<dyn Progress> {
        // Nothing is near that takes its time.
        Box::new(Silent)
    }
}

/// Calls a function when it is dropped.
struct Ending(Option<Function>);

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(end) = &self.0
            && let Err(error) = end.call0(&JsValue::UNDEFINED)
        {
            warn(&words(&error));
        }
    }
}

fn function(value: &Value, name: &'static str) -> Result<Option<Function>> {
    let Some(function) = value.field(name)?.option() else { return Ok(None) };
    function.js().clone().dyn_into().map(Some).map_err(|_| function.wrong("function"))
}

/// The environment's source of randomness.
fn crypto() -> Result<(Function, JsValue)> {
    let none = || HostError::new(ErrorKind::Usage, "there is no source of randomness here").hint("give one as 'fill'");
    let global: Object = js_sys::global();
    let crypto = Reflect::get(&global, &"crypto".into()).map_err(|_| none())?;
    let fill = Reflect::get(&crypto, &"getRandomValues".into()).map_err(|_| none())?;
    Ok((fill.dyn_into().map_err(|_| none())?, crypto))
}
