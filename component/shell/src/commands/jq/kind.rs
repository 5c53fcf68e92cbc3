//! What jaq's interpreter runs on, and how it is stopped. It offers no limits. But before each term it asks the data of
//! its context for the table of terms, and there it gets another table as soon as something is over: one in which every
//! term ends the program.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::data::HasLut;
use jaq_core::load::{Arena, File, Loader, parse};
use jaq_core::native::Fun;
use jaq_core::{Compiler, DataT, Exn, Filter, Lut, Native};

use super::inputs::Inputs;
use super::ledger::{self, Held};
use super::value::Val;
use crate::io::Files;

/// About the bytes that the interpreter needs for a context that it keeps.
const CONTEXT: usize = 256;

/// The values and data of this command.
pub struct Kind;

impl DataT for Kind {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// What each context has. Whatever the interpreter puts aside has a context, so they count as memory.
#[derive(Clone)]
pub struct Data<'a> {
    lut: &'a Lut<Kind>,
    /// What the whole run has.
    pub world: &'a Around,
    _held: Held,
}

impl<'a> Data<'a> {
    /// That of a filter.
    pub fn new(filter: &'a Filter<Kind>, world: &'a Around) -> Data<'a> {
        let mut held = Held::default();
        held.set(CONTEXT);
        Data { lut: &filter.lut, world, _held: held }
    }
}

impl<'a> HasLut<'a, Kind> for Data<'a> {
    fn lut(&self) -> &'a Lut<Kind> {
        if ledger::term() { self.lut } else { &self.world.end.get_or_init(|| ended(&self.world.last)).lut }
    }
}

/// What natives see of the world.
pub struct Around {
    /// The tree and the clock.
    pub files: Rc<Files>,
    /// Seconds east of UTC.
    pub offset: i32,
    /// The exported variables.
    pub environment: Val,
    /// What the program reads.
    pub inputs: RefCell<Inputs>,
    /// What `debug` and its like said.
    pub said: RefCell<Vec<u8>>,
    /// Regular expressions that were used.
    pub expressions: RefCell<HashMap<String, regex::Regex>>,
    /// The status of `halt`.
    pub halted: Cell<Option<i32>>,
    /// The last term of the program.
    pub last: jaq_core::compile::TermId,
    end: OnceCell<Filter<Kind>>,
}

impl Around {
    /// That of a run.
    pub fn new(files: Rc<Files>, offset: i32, environment: Val, inputs: Inputs, filter: &Filter<Kind>) -> Around {
        Around {
            files,
            offset,
            environment,
            inputs: RefCell::new(inputs),
            said: RefCell::default(),
            expressions: RefCell::default(),
            halted: Cell::new(None),
            last: filter.id,
            end: OnceCell::new(),
        }
    }
}

fn stop() -> Fun<Kind> {
    let native = Native::<Kind>::new(|_| box_once(Err(Exn::halt(0)))).with_paths(|_| box_once(Err(Exn::halt(0))));
    ("!stop", [].into(), native)
}

/// A filter that ends the program at every term up to the last one of the program's own.
fn ended(last: &jaq_core::compile::TermId) -> Filter<Kind> {
    let mut count = 4_096;
    loop {
        let arena = Arena::default();
        let stops = (0..count).map(|_| parse::Def {
            name: "stop",
            args: Vec::new(),
            body: parse::Term::Call("!stop", Vec::new()),
        });
        let loaded = Loader::new(stops).load(&arena, File { code: "stop", path: () });
        let loaded = loaded.expect("the program is one word");
        // The other natives stay where they are: a call may be on its way to one.
        let compiler = Compiler::default().with_funs(super::natives::all().chain([stop()]));
        let filter = compiler.compile(loaded).expect("the word is defined");
        if filter.id >= *last {
            return filter;
        }
        count *= 2;
    }
}
