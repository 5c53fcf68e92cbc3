//! What an evaluation costs: time, memory and depth. jaq's interpreter knows no limits, but it asks for its table of
//! terms before each term (see `kind.rs`), and makes values by this command's own type. Both count here.
//!
//! It is kept per thread, as a value is made without anything that could lead to it. An evaluation only counts between
//! [`enter`] and the end of its section, during which no other command runs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::io::Files;
use crate::world::Halt;

/// Bytes of the native stack that an evaluation may use. In wasm, what is measured is only the part that is in memory, which has 1 MiB.
const DEEPEST: usize = if cfg!(target_family = "wasm") { 256 << 10 } else { 1 << 20 };
/// Evaluated terms that are a unit of work.
const TERMS: u32 = 4;
/// Units that are counted before the world hears of them.
const BATCH: u32 = 64;

/// What there was too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Time,
    Memory,
    Depth,
}

struct Ledger {
    held: Cell<usize>,
    most: Cell<usize>,
    terms: Cell<u32>,
    units: Cell<u32>,
    base: Cell<usize>,
    over: Cell<Option<Over>>,
    files: RefCell<Option<Rc<Files>>>,
}

thread_local! {
    static LEDGER: Ledger = const {
        Ledger {
            held: Cell::new(0),
            most: Cell::new(usize::MAX),
            terms: Cell::new(0),
            units: Cell::new(0),
            base: Cell::new(usize::MAX),
            over: Cell::new(None),
            files: RefCell::new(None),
        }
    };
}

fn with<T>(default: T, run: impl FnOnce(&Ledger) -> T) -> T {
    // A thread that ends has no limits.
    LEDGER.try_with(run).unwrap_or(default)
}

/// While it lives, costs are counted.
#[derive(Debug)]
pub struct Section(());

/// Begins to count. No section may be in another.
pub fn enter(files: &Rc<Files>, most: usize) -> Section {
    with((), |ledger| {
        ledger.most.set(most);
        ledger.over.set(None);
        ledger.base.set(here());
        ledger.files.replace(Some(Rc::clone(files)));
    });
    Section(())
}

impl Section {
    /// Fails if there was too much of something.
    pub fn end(self) -> Result<(), Halt> {
        work(1);
        match with(None, |ledger| ledger.over.get()) {
            None => Ok(()),
            Some(Over::Time) => Err(Halt::Timeout),
            Some(Over::Memory) => {
                let most = with(0, |ledger| ledger.most.get()) >> 20;
                Err(Halt::TooLarge(format!("jq holds more than {most} MiB in memory")))
            }
            Some(Over::Depth) => Err(Halt::TooLarge("jq nests its filters or values too deeply".to_owned())),
        }
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        with((), |ledger| {
            ledger.over.set(None);
            drop(ledger.files.take());
        });
    }
}

/// About where the stack ends now.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    std::hint::black_box(std::ptr::from_ref(&here)).addr()
}

/// Whether there was too much of something: then nothing that is computed matters any more.
pub fn over() -> bool {
    with(false, |ledger| ledger.over.get().is_some())
}

/// Counts units of work, and says whether to go on.
pub fn work(units: u32) -> bool {
    with(true, |ledger| {
        let units = ledger.units.get().saturating_add(units);
        if units < BATCH {
            ledger.units.set(units);
        } else {
            ledger.units.set(0);
            let files = ledger.files.borrow();
            if files.as_ref().is_some_and(|files| files.around().passed(units)) && ledger.over.get().is_none() {
                ledger.over.set(Some(Over::Time));
            }
        }
        ledger.over.get().is_none()
    })
}

/// Counts the work of looking at so many bytes, and says whether to go on.
pub fn bytes(count: usize) -> bool {
    work(u32::try_from(count / 256).unwrap_or(u32::MAX))
}

/// Counts a term that is evaluated, and says whether to go on.
pub fn term() -> bool {
    let deep = with(false, |ledger| {
        if ledger.base.get().abs_diff(here()) > DEEPEST {
            ledger.over.set(ledger.over.get().or(Some(Over::Depth)));
        }
        let terms = ledger.terms.get() + 1;
        ledger.terms.set(terms % TERMS);
        terms == TERMS
    });
    if deep { work(1) } else { !over() }
}

/// Whether so many more bytes may be held. If not, it is over.
pub fn room(bytes: usize) -> bool {
    with(true, |ledger| {
        let fits = ledger.held.get().saturating_add(bytes) <= ledger.most.get();
        if !fits {
            ledger.over.set(ledger.over.get().or(Some(Over::Memory)));
        }
        fits
    })
}

/// Something nests too deeply: it is over.
pub fn too_deep() {
    with((), |ledger| ledger.over.set(ledger.over.get().or(Some(Over::Depth))));
}

/// Bytes that a value holds for as long as it lives.
#[derive(Debug, Default)]
pub struct Held(usize);

impl Held {
    /// Holds so many bytes instead.
    pub fn set(&mut self, bytes: usize) {
        with((), |ledger| {
            ledger.held.set(ledger.held.get().saturating_sub(self.0).saturating_add(bytes));
        });
        self.0 = bytes;
        room(0);
    }
}

impl Clone for Held {
    fn clone(&self) -> Held {
        let mut held = Held(0);
        held.set(self.0);
        held
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        with((), |ledger| ledger.held.set(ledger.held.get().saturating_sub(self.0)));
    }
}
