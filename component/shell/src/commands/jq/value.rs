//! JSON values that know what they cost.

use std::cmp::Ordering;
use std::rc::Rc;

use super::ledger::{self, Held};
use super::map::{Key, Map};

/// How deeply lists and maps may lie in each other. What runs through values goes down the native stack.
pub const DEEPEST: u32 = 1_000;

/// What is wrong, which a script can catch.
pub type Fail = jaq_core::Error<Val>;

/// A JSON value.
#[derive(Clone, Debug, Default)]
pub enum Val {
    #[default]
    Null,
    Bool(bool),
    Num(f64),
    Text(Rc<Text>),
    List(Rc<List>),
    Map(Rc<Map>),
}

/// A string.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    _held: Held,
}

impl Text {
    /// One that has this text.
    pub fn new(text: String) -> Text {
        let mut held = Held::default();
        held.set(64 + text.capacity());
        Text { text, _held: held }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// An array.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Val>,
    depth: u32,
    held: Held,
}

impl List {
    /// What it has.
    pub fn items(&self) -> &[Val] {
        &self.items
    }

    /// Adds a value to its end.
    pub fn push(&mut self, value: Val) {
        if let Some(value) = admitted(value, &mut self.depth) {
            let full = self.items.len() == self.items.capacity();
            self.items.push(value);
            if full {
                self.weigh();
            }
        }
    }

    /// Replaces an item that it has.
    pub fn set(&mut self, at: usize, value: Val) {
        if let Some(value) = admitted(value, &mut self.depth) {
            self.items[at] = value;
        }
    }

    /// Takes an item away, and leaves null.
    pub fn take(&mut self, at: usize) -> Val {
        std::mem::take(&mut self.items[at])
    }

    /// Removes the items that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut at = 0;
        self.items.retain(|_| {
            at += 1;
            keep(at - 1)
        });
    }

    fn weigh(&mut self) {
        self.held.set(64 + self.items.capacity() * size_of::<Val>());
    }
}

impl FromIterator<Val> for List {
    fn from_iter<T: IntoIterator<Item = Val>>(values: T) -> List {
        let mut list = List::default();
        for (count, value) in values.into_iter().enumerate() {
            list.push(value);
            if count % 16 == 15 && !ledger::work(1) {
                break;
            }
        }
        list.weigh();
        list
    }
}

/// A value that goes into another, whose depth is that of its deepest at least. None if that is too deep.
pub fn admitted(value: Val, depth: &mut u32) -> Option<Val> {
    *depth = (*depth).max(value.depth() + 1);
    if *depth > DEEPEST {
        ledger::too_deep();
        return None;
    }
    Some(value)
}

/// The list to change it: a copy if others have it as well.
pub fn list_mut(list: &mut Rc<List>) -> &mut List {
    if Rc::strong_count(list) > 1 {
        ledger::work(u32::try_from(list.items.len() / 16 + 1).unwrap_or(u32::MAX));
    }
    Rc::make_mut(list)
}

/// The map to change it: a copy if others have it as well.
pub fn map_mut(map: &mut Rc<Map>) -> &mut Map {
    if Rc::strong_count(map) > 1 {
        ledger::work(u32::try_from(map.len() / 4 + 1).unwrap_or(u32::MAX));
    }
    Rc::make_mut(map)
}

impl Val {
    /// A string.
    pub fn text(text: impl Into<String>) -> Val {
        Val::Text(Rc::new(Text::new(text.into())))
    }

    /// An array.
    pub fn list(items: impl IntoIterator<Item = Val>) -> Val {
        Val::List(Rc::new(items.into_iter().collect()))
    }

    /// An object of fields that differ.
    pub fn map<'a>(fields: impl IntoIterator<Item = (&'a str, Val)>) -> Val {
        let mut map = Map::default();
        for (name, value) in fields {
            map.insert(Key::new(name), value);
        }
        Val::Map(Rc::new(map))
    }

    /// A number. Counts are exact below 2^53.
    pub fn count(count: usize) -> Val {
        #[expect(clippy::cast_precision_loss, reason = "nothing that is counted is so large")]
        Val::Num(count as f64)
    }

    /// How deeply values lie in it.
    pub fn depth(&self) -> u32 {
        match self {
            Val::List(list) => list.depth.max(1),
            Val::Map(map) => map.depth().max(1),
            _ => 0,
        }
    }

    /// The name of its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Val::Null => "null",
            Val::Bool(_) => "boolean",
            Val::Num(_) => "number",
            Val::Text(_) => "string",
            Val::List(_) => "array",
            Val::Map(_) => "object",
        }
    }

    /// Whether it is neither null nor false.
    pub fn truth(&self) -> bool {
        !matches!(self, Val::Null | Val::Bool(false))
    }

    /// Its text, if it is a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text.text()),
            _ => None,
        }
    }

    /// Its items, if it is an array.
    pub fn as_list(&self) -> Option<&[Val]> {
        match self {
            Val::List(list) => Some(list.items()),
            _ => None,
        }
    }

    /// Its number, if it is one.
    pub fn as_num(&self) -> Option<f64> {
        match self {
            Val::Num(number) => Some(*number),
            _ => None,
        }
    }

    /// What it is, as errors show it: `number (5)`.
    pub fn shown(&self) -> String {
        let text = super::write::brief(self);
        format!("{} ({text})", self.kind())
    }
}

/// An error with a message.
pub fn fail(message: impl Into<String>) -> Fail {
    Fail::new(Val::text(message))
}

fn rank(value: &Val) -> u8 {
    match value {
        Val::Null => 0,
        Val::Bool(false) => 1,
        Val::Bool(true) => 2,
        Val::Num(_) => 3,
        Val::Text(_) => 4,
        Val::List(_) => 5,
        Val::Map(_) => 6,
    }
}

impl Val {
    /// jq's order of all values, with NaN below every number, and equal to itself, so that it can sort.
    pub fn order(&self, other: &Val) -> Ordering {
        if !ledger::term() {
            return Ordering::Equal;
        }
        match (self, other) {
            (Val::Num(one), Val::Num(other)) => {
                one.partial_cmp(other).unwrap_or_else(|| other.is_nan().cmp(&one.is_nan()))
            }
            (Val::Text(one), Val::Text(other)) => {
                ledger::bytes(one.text().len().min(other.text().len()));
                one.text().cmp(other.text())
            }
            (Val::List(one), Val::List(other)) => {
                let items = one.items().iter().zip(other.items());
                let differs = items.map(|(one, other)| one.order(other)).find(|order| order.is_ne());
                differs.unwrap_or_else(|| one.items().len().cmp(&other.items().len()))
            }
            (Val::Map(one), Val::Map(other)) => {
                let (one, other) = (one.sorted(), other.sorted());
                let keys = one.iter().map(|(key, _)| key).cmp(other.iter().map(|(key, _)| key));
                let mut values = one.iter().zip(&other).map(|((_, one), (_, other))| one.order(other));
                keys.then_with(|| values.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
            }
            (one, other) => rank(one).cmp(&rank(other)),
        }
    }
}

impl PartialEq for Val {
    fn eq(&self, other: &Val) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Val {
    fn partial_cmp(&self, other: &Val) -> Option<Ordering> {
        match self {
            // As jq has it: NaN is less than everything that is not below numbers, itself too.
            Val::Num(number) if number.is_nan() && matches!(other, Val::Num(_)) => Some(Ordering::Less),
            one => Some(one.order(other)),
        }
    }
}
