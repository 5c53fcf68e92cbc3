//! Where a sandbox is kept: an object of JavaScript's with one synchronous method for each of
//! [`Storage`]'s, which keeps the promises made there.

use std::fmt;
use std::rc::Rc;

use ::host::error::{ErrorKind, HostError, Result};
use ::host::store::{Blob, BlobId, Held, Item, Kind, Log, Mark, Parts, Storage, Wait};
use gate::hex;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{caught, thrown, warn, words};
use crate::value::{Maker, Value};

const WRITE_LOG: &str = "write a log";

/// Bytes of an attachment that JavaScript gets at a time: it has no copy of the whole.
const PART: usize = 1 << 18;

/// What writes piece by piece: gives the next part, or `undefined` at the end.
type Next<'a> = &'a mut dyn FnMut() -> std::result::Result<JsValue, JsValue>;

#[wasm_bindgen]
extern "C" {
    /// The storage of one sandbox. Logs are `journal` and `audit.log`, kinds of records `pending`,
    /// `waiting` and `sent`; blobs are named by the SHA-256 in hex. A mark is `{ generation:
    /// bigint, length: bigint }`.
    #[derive(Clone)]
    pub type JsStorage;

    #[wasm_bindgen(method, catch)]
    fn lock(this: &JsStorage, wait: bool) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn mark(this: &JsStorage, log: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &JsStorage, log: &str, generation: u64, at: u64, most: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn create(this: &JsStorage, log: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn append(this: &JsStorage, log: &str, generation: u64, at: u64, next: Next<'_>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cut(this: &JsStorage, log: &str, generation: u64, at: u64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn replace(this: &JsStorage, log: &str, next: Next<'_>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAside)]
    fn set_aside(this: &JsStorage, log: &str, generation: u64, from: u64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn records(this: &JsStorage, kind: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn record(this: &JsStorage, kind: &str, key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn put(this: &JsStorage, kind: &str, key: &str, content: Uint8Array) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn remove(this: &JsStorage, kind: &str, key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn blobs(this: &JsStorage) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn blob(this: &JsStorage, id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = addBlob)]
    fn add_blob(this: &JsStorage, id: &str, next: Next<'_>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeBlob)]
    fn remove_blob(this: &JsStorage, id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn text(this: &JsStorage, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = putText)]
    fn put_text(this: &JsStorage, name: &str, text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn leftovers(this: &JsStorage) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeLeftovers)]
    fn remove_leftovers(this: &JsStorage) -> Result<JsValue, JsValue>;

    /// `{ size: bigint, read(at: bigint, most: number): Uint8Array, isKnownWhole?: boolean, noteWhole?() }`
    type JsBlob;

    #[wasm_bindgen(method, catch)]
    fn read(this: &JsBlob, at: u64, most: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, js_name = isKnownWhole)]
    fn is_known_whole(this: &JsBlob) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = noteWhole)]
    fn note_whole_by(this: &JsBlob) -> JsValue;
}

/// The storage, as the host has it.
pub struct Kept {
    js: JsStorage,
}

impl Kept {
    /// What `js` keeps.
    pub fn new(js: JsStorage) -> Rc<Self> {
        Rc::new(Kept { js })
    }

    /// Gives the host's parts to what writes them, and returns what that says.
    fn write(
        &self,
        parts: Parts<'_>,
        doing: &'static str,
        write: impl FnOnce(Next<'_>) -> std::result::Result<JsValue, JsValue>,
    ) -> Result<Value> {
        let mut failed = None;
        let mut next = || match parts() {
            Ok(Some(part)) => Ok(Uint8Array::from(part.as_slice()).into()),
            Ok(None) => Ok(JsValue::UNDEFINED),
            Err(error) => {
                failed = Some(error.clone());
                Err(thrown(error))
            }
        };
        let written = write(&mut next);
        match (failed, written) {
            // The host's own error comes back as it was, unless the storage says something worse.
            (Some(error), Err(thrown)) if is_same(&error, &thrown) => Err(error),
            (Some(error), Ok(_)) => Err(error),
            (_, written) => given(written, doing),
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

impl Storage for Kept {
    /// A body that cannot wait says that it is busy.
    fn lock(&self, wait: Wait) -> Result<Held> {
        let free = given(self.js.lock(wait == Wait::UntilFree), "lock the sandbox")?;
        match free.js().dyn_ref::<Function>() {
            Some(free) => Ok(Held::new(Freeing(free.clone()))),
            None => Err(free.wrong("function that frees the lock")),
        }
    }

    fn mark(&self, log: Log) -> Result<Option<Mark>> {
        let found = given(self.js.mark(log.name()), "find the end of a log")?;
        found.option().map(|found| mark(&found)).transpose()
    }

    fn read(&self, log: Log, at: Mark, into: &mut [u8]) -> Result<usize> {
        let most = most(into);
        read_into(self.js.read(log.name(), at.generation, at.length, most), into)
    }

    fn create(&self, _: &Held, log: Log) -> Result<Mark> {
        mark(&given(self.js.create(log.name()), "create a log")?)
    }

    fn append(&self, _: &Held, log: Log, at: Mark, parts: Parts<'_>) -> Result<Mark> {
        let append = |next: Next<'_>| self.js.append(log.name(), at.generation, at.length, next);
        mark(&self.write(parts, WRITE_LOG, append)?)
    }

    fn cut(&self, _: &Held, log: Log, at: Mark) -> Result<()> {
        given(self.js.cut(log.name(), at.generation, at.length), "cut off a log").map(drop)
    }

    fn replace(&self, _: &Held, log: Log, parts: Parts<'_>) -> Result<Mark> {
        mark(&self.write(parts, WRITE_LOG, |next| self.js.replace(log.name(), next))?)
    }

    fn set_aside(&self, _: &Held, log: Log, from: Mark) -> Result<String> {
        given(self.js.set_aside(log.name(), from.generation, from.length), "set aside the end of a log")?.text()
    }

    fn records(&self, kind: Kind) -> Result<Vec<String>> {
        given(self.js.records(kind.name()), "list records")?.list(Value::text)
    }

    fn record(&self, kind: Kind, key: &str) -> Result<Option<Vec<u8>>> {
        let record = given(self.js.record(kind.name(), key), "read a record")?;
        record.option().map(|record| record.bytes()).transpose()
    }

    fn put(&self, _: &Held, kind: Kind, key: &str, content: &[u8]) -> Result<()> {
        given(self.js.put(kind.name(), key, content.into()), "write a record").map(drop)
    }

    fn remove(&self, _: &Held, kind: Kind, key: &str) -> Result<()> {
        given(self.js.remove(kind.name(), key), "remove a record").map(drop)
    }

    fn blobs(&self) -> Result<Vec<BlobId>> {
        given(self.js.blobs(), "list attachments")?
            .list(|name| hex::decode(&name.text()?).ok_or_else(|| name.wrong("SHA-256 in hex")))
    }

    fn blob(&self, id: &BlobId) -> Result<Option<Box<dyn Blob>>> {
        let Some(blob) = given(self.js.blob(&hex::encode(id)), "open an attachment")?.option() else {
            return Ok(None);
        };
        let size = blob.field("size")?.u64()?;
        Ok(Some(Box::new(OpenBlob { size, read: 0, js: blob.js().clone().into() })))
    }

    fn add_blob(&self, _: &Held, id: &BlobId, content: &[u8]) -> Result<()> {
        let mut rest = content.chunks(PART);
        let mut parts = || Ok(rest.next().map(<[u8]>::to_vec));
        self.write(&mut parts, "write an attachment", |next| self.js.add_blob(&hex::encode(id), next)).map(drop)
    }

    fn remove_blob(&self, _: &Held, id: &BlobId) -> Result<()> {
        given(self.js.remove_blob(&hex::encode(id)), "remove an attachment").map(drop)
    }

    fn text(&self, name: &str) -> Result<Option<String>> {
        given(self.js.text(name), "read a text")?.optional_text()
    }

    fn put_text(&self, _: &Held, name: &str, text: &str) -> Result<()> {
        given(self.js.put_text(name, text), "write a text").map(drop)
    }

    fn leftovers(&self) -> Result<Vec<String>> {
        given(self.js.leftovers(), "list what is left over")?.list(Value::text)
    }

    fn remove_leftovers(&self, _: &Held) -> Result<()> {
        given(self.js.remove_leftovers(), "remove what is left over").map(drop)
    }

    fn place(&self, item: Item<'_>) -> String {
        item.name()
    }
}

/// A blob that is being read.
struct OpenBlob {
    size: u64,
    read: u64,
    js: JsBlob,
}

impl fmt::Debug for OpenBlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenBlob").field("size", &self.size).field("read", &self.read).finish_non_exhaustive()
    }
}

impl Blob for OpenBlob {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let read = read_into(self.js.read(self.read, most(into)), into)?;
        self.read += read as u64;
        Ok(read)
    }

    /// A storage that others can touch unseen cannot tell, and says nothing.
    fn is_known_whole(&self) -> bool {
        self.js.is_known_whole().is_truthy()
    }

    fn note_whole(&self) {
        let Some(note) = self.js.note_whole_by().dyn_ref::<Function>().cloned() else { return };
        if let Err(error) = note.call0(&self.js) {
            // Without the note it is checked again.
            warn(&format!("cannot note that an attachment is whole: {}", words(&error)));
        }
    }
}

/// Frees the lock when it is dropped.
struct Freeing(Function);

impl Drop for Freeing {
    fn drop(&mut self) {
        if let Err(error) = self.0.call0(&JsValue::UNDEFINED) {
            // It stays locked, and every later use says so.
            warn(&format!("cannot free the lock of the sandbox: {}", words(&error)));
        }
    }
}

/// What a method gave, or the error that it has thrown while `doing` its work.
fn given(given: std::result::Result<JsValue, JsValue>, doing: &'static str) -> Result<Value> {
    let js = given.map_err(|error| caught(&error, ErrorKind::Storage, doing))?;
    Ok(Value::new(js, Maker::Storage, doing))
}

fn mark(value: &Value) -> Result<Mark> {
    Ok(Mark { generation: value.field("generation")?.u64()?, length: value.field("length")?.u64()? })
}

/// As many bytes as can be asked for at once.
fn most(into: &[u8]) -> u32 {
    u32::try_from(into.len()).unwrap_or(u32::MAX)
}

fn read_into(read: std::result::Result<JsValue, JsValue>, into: &mut [u8]) -> Result<usize> {
    let read = given(read, "read what is stored")?;
    let bytes = read.js().dyn_ref::<Uint8Array>().ok_or_else(|| read.wrong("Uint8Array"))?;
    // A cast of 32 bits keeps the number where addresses have as many or more.
    let length = bytes.length() as usize;
    let part = into.get_mut(..length).ok_or_else(|| read.wrong("list that is as short as it was asked for"))?;
    bytes.copy_to(part);
    Ok(length)
}

/// Whether what was thrown is the host's own error.
fn is_same(error: &HostError, thrown: &JsValue) -> bool {
    let thrown = caught(thrown, ErrorKind::Storage, WRITE_LOG);
    thrown.kind == error.kind && thrown.message == error.message
}
