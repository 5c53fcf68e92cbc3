//! What a body brings to keep a sandbox: two logs, small records, blobs and small texts.

use std::any::Any;
use std::fmt;

use gate::hex;

use crate::error::Result;

/// The SHA-256 of a blob's content, which names it.
pub type BlobId = [u8; 32];

/// What is written piece by piece: the next part, and `None` at the end. An error ends the writing.
pub type Parts<'a> = &'a mut dyn FnMut() -> Result<Option<Vec<u8>>>;

/// One sandbox, kept durably: files, an OPFS folder or a Durable Object's tables.
///
/// A change that returned `Ok` is durable: nothing that happens later can lose it. One that
/// returned an error has happened or has not, as a whole; [`append`](Storage::append) promises more.
/// A change takes the lock of this storage as its first argument; reading needs none.
///
/// Several bodies may have one sandbox open. Each has a `Storage` of its own, used by one thread.
/// `parts` must not use the storage that they are written to.
pub trait Storage: fmt::Debug {
    /// Takes the sandbox's lock, which one storage at a time holds. Who holds it must not take it
    /// again.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`](crate::error::ErrorKind::Busy) if another one holds it and `wait` says
    /// not to wait, or if this body cannot wait.
    fn lock(&self, wait: Wait) -> Result<Held>;

    /// How far a log has come. `None` if there is no such log.
    fn mark(&self, log: Log) -> Result<Option<Mark>>;

    /// Reads what follows the mark `at` into `into`, as much as is there and fits. 0 is the log's
    /// end.
    ///
    /// # Errors
    /// If the log is no longer the one of that generation.
    fn read(&self, log: Log, at: Mark, into: &mut [u8]) -> Result<usize>;

    /// Makes an empty log where there is none. One that is there stays as it is.
    fn create(&self, held: &Held, log: Log) -> Result<Mark>;

    /// Writes the parts at the mark `at`, and cuts off what stood behind it: a torn end.
    ///
    /// # Errors
    /// An error of `parts`, as it is. After any error nothing of them is in the log, unless they
    /// could not be taken back either: then its generation has changed, and nothing known of it
    /// holds. A log of another generation, or one that is shorter, is not changed.
    fn append(&self, held: &Held, log: Log, at: Mark, parts: Parts<'_>) -> Result<Mark>;

    /// Cuts a log off at the mark `at`.
    ///
    /// # Errors
    /// As for [`read`](Storage::read), and if the log is shorter.
    fn cut(&self, held: &Held, log: Log, at: Mark) -> Result<()>;

    /// Puts the parts in place of the whole log, which need not exist. Its generation changes.
    ///
    /// # Errors
    /// An error of `parts`, as it is; then the log is the old one.
    fn replace(&self, held: &Held, log: Log, parts: Parts<'_>) -> Result<Mark>;

    /// Keeps a copy of what follows the mark `from`, for the person, and says where. Never in the
    /// place of an earlier one.
    fn set_aside(&self, held: &Held, log: Log, from: Mark) -> Result<String>;

    /// The keys of all records of a kind, sorted, and of whatever else stands among them.
    fn records(&self, kind: Kind) -> Result<Vec<String>>;

    /// The content of a record. `None` if there is no such record.
    ///
    /// # Errors
    /// The message says what is wrong, and not where: the caller adds [`place`](Storage::place).
    fn record(&self, kind: Kind, key: &str) -> Result<Option<Vec<u8>>>;

    /// Puts a record in the place of one with the same key, if there is one. A key is a plain file
    /// name.
    fn put(&self, held: &Held, kind: Kind, key: &str, content: &[u8]) -> Result<()>;

    /// Removes a record, if it is there. Need not be durable.
    fn remove(&self, held: &Held, kind: Kind, key: &str) -> Result<()>;

    /// The names of all blobs, sorted.
    fn blobs(&self) -> Result<Vec<BlobId>>;

    /// Opens a blob. `None` if there is no such blob.
    fn blob(&self, id: &BlobId) -> Result<Option<Box<dyn Blob>>>;

    /// Stores a blob, in the place of a damaged one if there is one. The caller has named it by its
    /// hash.
    fn add_blob(&self, held: &Held, id: &BlobId, content: &[u8]) -> Result<()>;

    /// Removes a blob, if it is there. Need not be durable.
    fn remove_blob(&self, held: &Held, id: &BlobId) -> Result<()>;

    /// A small text by its name, a plain file name.
    fn text(&self, name: &str) -> Result<Option<String>>;

    /// Puts a small text in the place of the one of that name, if there is one.
    fn put_text(&self, held: &Held, name: &str, text: &str) -> Result<()>;

    /// What interrupted changes have left over, for the person to read. It is in nobody's way.
    fn leftovers(&self) -> Result<Vec<String>>;

    /// Removes that.
    fn remove_leftovers(&self, held: &Held) -> Result<()>;

    /// How the person is told where something is: natively its path.
    fn place(&self, item: Item<'_>) -> String;
}

/// A blob, open: what is read of it is of one content, even if it is replaced meanwhile.
pub trait Blob: fmt::Debug {
    /// Bytes in it.
    fn size(&self) -> u64;

    /// Reads the next bytes into `into`. 0 is the end.
    fn read(&mut self, into: &mut [u8]) -> Result<usize>;

    /// True if it was found whole lately and has not been touched since. A body that cannot know
    /// says no.
    fn is_known_whole(&self) -> bool;

    /// Notes that it has been found whole. The note only saves work, so it needs no lock: one that
    /// another process drives out costs another check.
    fn note_whole(&self);
}

/// A log: what is only ever added to, or replaced as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Log {
    /// The sandbox's history, as the component wrote it.
    Journal,
    /// What was decided, and what became of it.
    Audit,
}

impl Log {
    /// The name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Log::Journal => "journal",
            Log::Audit => "audit.log",
        }
    }
}

/// A place in a log, and mostly its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Changes whenever the log is replaced, and never comes back. Only the storage that gave it
    /// can tell what it means.
    pub generation: u64,
    /// Bytes before the place.
    pub length: u64,
}

impl Mark {
    /// The place after `length` bytes of the same log.
    #[must_use]
    pub fn at(self, length: u64) -> Mark {
        Mark { length, ..self }
    }
}

/// The kinds of small records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Pushes that were shown.
    Pending,
    /// Calls that wait for a person.
    Waiting,
    /// When a request was sent that may move a branch on a server, by the nonce of its push.
    Sent,
    /// What is said about the pushes to a branch.
    Comments,
    /// What was looked at in the pushes to a branch.
    Seen,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Pending, Kind::Waiting, Kind::Sent, Kind::Comments, Kind::Seen];

    /// The name of their folder.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pending => "pending",
            Kind::Waiting => "waiting",
            Kind::Sent => "sent",
            Kind::Comments => "comments",
            Kind::Seen => "seen",
        }
    }
}

/// Something that a person may be told the place of.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A log.
    Log(Log),
    /// A record.
    Record(Kind, &'a str),
    /// A blob.
    Blob(&'a BlobId),
    /// A small text.
    Text(&'a str),
}

/// The folder of blobs, where there are files.
pub const BLOBS: &str = "attachments";

impl Item<'_> {
    /// Its name among all that is kept of a sandbox: where there are files, their path in its folder.
    pub fn name(self) -> String {
        match self {
            Item::Log(log) => log.name().to_owned(),
            Item::Record(kind, key) => format!("{}/{key}", kind.name()),
            Item::Blob(id) => format!("{BLOBS}/{}", hex::encode(id)),
            Item::Text(name) => name.to_owned(),
        }
    }
}

/// Whether to wait for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Until nobody else holds it. A long wait is told to the person.
    UntilFree,
    /// Not at all.
    Not,
}

/// The sandbox's lock, held until this is dropped. Whoever has it may change what the storage keeps
/// that gave it; it is no proof for another one.
#[derive(Debug)]
pub struct Held {
    _guard: Box<dyn Any>,
}

impl Held {
    /// The lock that `guard` gives up when it is dropped. Only a storage's
    /// [`lock`](Storage::lock) makes one.
    pub fn new(guard: impl Any) -> Self {
        Held { _guard: Box::new(guard) }
    }
}

/// What follows `at` in a log, up to `end` bytes of it all, or to the log's end.
pub(super) fn read_to(storage: &dyn Storage, log: Log, mut at: Mark, end: u64) -> Result<Vec<u8>> {
    const PART: usize = 1 << 16;
    let mut all = Vec::new();
    let mut part = vec![0; usize::try_from(end.saturating_sub(at.length)).unwrap_or(PART).min(PART)];
    while at.length < end {
        let want = usize::try_from(end - at.length).unwrap_or(PART).min(PART);
        let read = storage.read(log, at, &mut part[..want])?;
        if read == 0 {
            break;
        }
        all.extend_from_slice(&part[..read]);
        at.length += read as u64;
    }
    Ok(all)
}
