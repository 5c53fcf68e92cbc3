//! Objects, whose fields keep their order.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::ledger::Held;
use super::value::{Text, Val, admitted};

/// Fields that are looked for one by one.
const FEW: usize = 8;

/// The name of a field, which is shared with strings.
#[derive(Clone, Debug)]
pub struct Key(pub Rc<Text>);

impl Key {
    /// One of this name.
    pub fn new(name: &str) -> Key {
        Key(Rc::new(Text::new(name.to_owned())))
    }

    /// Its name.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The same as a value.
    pub fn value(&self) -> Val {
        Val::Text(Rc::clone(&self.0))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.text().cmp(other.text())
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        self.text()
    }
}

type Places = HashMap<Key, usize, BuildHasherDefault<DefaultHasher>>;

/// An object.
#[derive(Clone, Debug, Default)]
pub struct Map {
    fields: Vec<(Key, Val)>,
    /// Where each field is, if there are more than a few.
    places: Places,
    depth: u32,
    held: Held,
}

impl Map {
    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// How deeply values lie in it.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Its fields.
    pub fn iter(&self) -> std::slice::Iter<'_, (Key, Val)> {
        self.fields.iter()
    }

    /// Its fields by name.
    pub fn sorted(&self) -> Vec<&(Key, Val)> {
        let mut fields: Vec<_> = self.fields.iter().collect();
        fields.sort_unstable_by_key(|field| &field.0);
        fields
    }

    fn place(&self, name: &str) -> Option<usize> {
        if self.fields.len() > FEW {
            return self.places.get(name).copied();
        }
        self.fields.iter().position(|(key, _)| key.text() == name)
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Val> {
        self.place(name).map(|at| &self.fields[at].1)
    }

    /// Takes the value of a field away, and leaves null.
    pub fn take(&mut self, name: &str) -> Val {
        self.place(name).map_or(Val::Null, |at| std::mem::take(&mut self.fields[at].1))
    }

    /// Gives a field its value. A new field is the last.
    pub fn insert(&mut self, key: Key, value: Val) {
        let Some(value) = admitted(value, &mut self.depth) else { return };
        if let Some(at) = self.place(key.text()) {
            self.fields[at].1 = value;
            return;
        }
        let full = self.fields.len() == self.fields.capacity();
        self.fields.push((key.clone(), value));
        match self.fields.len() - 1 {
            FEW => self.count(),
            at if at > FEW => drop(self.places.insert(key, at)),
            _ => (),
        }
        if full {
            self.held.set(128 + self.fields.capacity() * size_of::<(Key, Val)>() + self.places.capacity() * 24);
        }
    }

    /// Removes fields, and leaves the others in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.fields.retain(|(key, _)| keep(key.text()));
        self.count();
    }

    fn count(&mut self) {
        self.places.clear();
        if self.fields.len() > FEW {
            self.places = self.fields.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        }
    }
}
