//! What every storage has to do, whatever it keeps a sandbox in. A body runs all of it against its
//! own.

use std::rc::Rc;

use gate::hex;
use sha2::{Digest, Sha256};

use super::storage::{BlobId, Held, Kind, Log, Mark, Storage, Wait, read_to};
use crate::error::{ErrorKind, HostError, Result};

/// One place for one sandbox, which is empty at first.
pub trait Place {
    /// The storage as one more process opens it.
    fn open(&self) -> Rc<dyn Storage>;

    /// The same, with a step that fails: the one with the number `at`, from 0.
    fn failing(&self, at: usize) -> Rc<dyn Storage>;
}

/// A test. It takes the maker of empty places.
type Test = fn(&dyn Fn() -> Box<dyn Place>);

/// Everything that is tried, by its name.
pub const EVERY: &[(&str, Test)] = &[
    ("one_holds_the_lock_at_a_time", one_holds_the_lock_at_a_time),
    ("what_is_appended_is_read_back", what_is_appended_is_read_back),
    ("what_stands_behind_a_mark_is_cut_off", what_stands_behind_a_mark_is_cut_off),
    ("a_mark_of_another_generation_is_refused", a_mark_of_another_generation_is_refused),
    ("parts_that_stop_coming_change_nothing", parts_that_stop_coming_change_nothing),
    ("what_is_set_aside_stays", what_is_set_aside_stays),
    ("records_are_kept_by_kind_and_key", records_are_kept_by_kind_and_key),
    ("blobs_are_kept_by_their_hash", blobs_are_kept_by_their_hash),
    ("texts_are_kept_by_name", texts_are_kept_by_name),
    ("an_append_that_fails_leaves_the_log_as_it_was", an_append_that_fails_leaves_the_log_as_it_was),
    ("any_other_change_that_fails_has_happened_or_not", any_other_change_that_fails_has_happened_or_not),
];

const LOGS: [Log; 2] = [Log::Journal, Log::Audit];

/// The lock, for one change.
fn held(storage: &dyn Storage) -> Held {
    sound(storage.lock(Wait::UntilFree))
}

fn append(storage: &dyn Storage, log: Log, at: Mark, parts: &[&str]) -> Result<Mark> {
    let mut parts = parts.iter();
    storage.append(&held(storage), log, at, &mut || Ok(parts.next().map(|part| part.as_bytes().to_vec())))
}

fn replace(storage: &dyn Storage, log: Log, parts: &[&str]) -> Result<Mark> {
    let mut parts = parts.iter();
    storage.replace(&held(storage), log, &mut || Ok(parts.next().map(|part| part.as_bytes().to_vec())))
}

fn mark(storage: &dyn Storage, log: Log) -> Mark {
    storage.mark(log).expect("it can be looked at").expect("there is a log")
}

fn content(storage: &dyn Storage, log: Log) -> String {
    let end = mark(storage, log);
    let bytes = read_to(storage, log, end.at(0), end.length).expect("it can be read");
    String::from_utf8(bytes).expect("only text was written")
}

fn sound<T>(done: Result<T>) -> T {
    done.expect("nothing fails by itself")
}

fn one_holds_the_lock_at_a_time(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    let (mine, other) = (place.open(), place.open());
    let held = sound(mine.lock(Wait::UntilFree));
    assert_eq!(other.lock(Wait::Not).expect_err("it is held").kind, ErrorKind::Busy);
    drop(held);
    drop(sound(other.lock(Wait::Not)));
    drop(sound(mine.lock(Wait::Not)));
}

fn what_is_appended_is_read_back(new: &dyn Fn() -> Box<dyn Place>) {
    for log in LOGS {
        let place = new();
        let (mine, other) = (place.open(), place.open());
        assert_eq!(sound(mine.mark(log)), None);
        let empty = sound(mine.create(&held(&*mine), log));
        assert_eq!((empty.length, sound(mine.mark(log))), (0, Some(empty)));
        assert_eq!(sound(mine.create(&held(&*mine), log)), empty);
        let one = sound(append(&*mine, log, empty, &["one ", "", "more "]));
        assert_eq!((one, sound(mine.mark(log))), (empty.at(9), Some(one)));
        let two = sound(append(&*mine, log, one, &["two"]));
        assert_eq!((two, content(&*mine, log).as_str()), (empty.at(12), "one more two"));
        assert_eq!(sound(append(&*mine, log, two, &[])), two, "nothing is no change");
        assert_eq!(content(&*other, log), "one more two");
        let mut part = [0; 5];
        assert_eq!(sound(mine.read(log, empty.at(4), &mut part)), 5);
        assert_eq!(&part, b"more ");
        assert_eq!(sound(mine.read(log, two, &mut part)), 0);
        // What another process appends is seen, and appended to.
        let theirs = mark(&*other, log);
        sound(append(&*other, log, theirs, &[" three"]));
        let now = mark(&*mine, log);
        assert_eq!(now, two.at(18));
        sound(append(&*mine, log, now, &["!"]));
        assert_eq!(content(&*other, log), "one more two three!");
        let end = mark(&*other, log);
        assert_eq!((sound(other.create(&held(&*other), log)), content(&*mine, log).len()), (end, 19), "it is there");
    }
}

fn what_stands_behind_a_mark_is_cut_off(new: &dyn Fn() -> Box<dyn Place>) {
    for log in LOGS {
        let place = new();
        let storage = place.open();
        let whole = sound(replace(&*storage, log, &["whole", "-torn end"]));
        let after = sound(append(&*storage, log, whole.at(5), &["+"]));
        assert_eq!((after, content(&*storage, log).as_str()), (whole.at(6), "whole+"));
        sound(storage.cut(&held(&*storage), log, whole.at(2)));
        assert_eq!((mark(&*storage, log), content(&*storage, log).as_str()), (whole.at(2), "wh"));
        append(&*storage, log, whole.at(3), &["x"]).expect_err("there is no such place any more");
        assert_eq!(content(&*place.open(), log), "wh");
    }
}

fn a_mark_of_another_generation_is_refused(new: &dyn Fn() -> Box<dyn Place>) {
    for log in LOGS {
        let place = new();
        let (mine, other) = (place.open(), place.open());
        let mut marks = vec![sound(replace(&*mine, log, &["long"]))];
        for content in ["made", "once", "more"] {
            // Of the same length, by turns.
            sound(replace(if marks.len() % 2 == 0 { &*mine } else { &*other }, log, &[content]));
            let now = mark(&*mine, log);
            assert!(!marks.contains(&now), "{now:?} is back: {marks:?}");
            for before in &marks {
                append(&*mine, log, *before, &["x"]).expect_err("it is of another generation");
                mine.cut(&held(&*mine), log, before.at(1)).expect_err("it is of another generation");
                mine.read(log, before.at(0), &mut [0; 4]).expect_err("it is of another generation");
            }
            marks.push(now);
        }
        assert_eq!(content(&*mine, log), "more");
    }
}

fn parts_that_stop_coming_change_nothing(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    let storage = place.open();
    let at = sound(replace(&*storage, Log::Journal, &["head"]));
    let trap = HostError::new(ErrorKind::Component, "trapped").hint("and why");
    let parts = || {
        let mut some = Some(b"part".to_vec());
        let trap = trap.clone();
        move || some.take().map(Some).ok_or_else(|| trap.clone())
    };
    assert_eq!(storage.append(&held(&*storage), Log::Journal, at, &mut parts()), Err(trap.clone()));
    assert_eq!((mark(&*storage, Log::Journal), content(&*storage, Log::Journal).as_str()), (at, "head"));
    assert_eq!(storage.replace(&held(&*storage), Log::Journal, &mut parts()), Err(trap.clone()));
    assert_eq!((mark(&*storage, Log::Journal), content(&*storage, Log::Journal).as_str()), (at, "head"));
    assert_eq!(sound(storage.leftovers()), Vec::<String>::new());
}

fn what_is_set_aside_stays(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    let storage = place.open();
    let at = sound(replace(&*storage, Log::Journal, &["whole-torn"]));
    let first = sound(storage.set_aside(&held(&*storage), Log::Journal, at.at(5)));
    let second = sound(storage.set_aside(&held(&*storage), Log::Journal, at.at(5)));
    assert_ne!(first, second);
    assert_eq!((mark(&*storage, Log::Journal), content(&*storage, Log::Journal).as_str()), (at, "whole-torn"));
}

fn records_are_kept_by_kind_and_key(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    let (storage, other) = (place.open(), place.open());
    assert_eq!(sound(storage.records(Kind::Pending)), Vec::<String>::new());
    assert_eq!(sound(storage.record(Kind::Pending, "a.json")), None);
    sound(storage.remove(&held(&*storage), Kind::Pending, "a.json"));
    for (kind, key, text) in [
        (Kind::Pending, "b.json", "b"),
        (Kind::Pending, "a.json", "old and long"),
        (Kind::Waiting, "a.json", "another"),
        (Kind::Pending, "a.json", "new"),
    ] {
        sound(storage.put(&held(&*storage), kind, key, text.as_bytes()));
    }
    assert_eq!(sound(other.records(Kind::Pending)), ["a.json", "b.json"]);
    assert_eq!(sound(other.record(Kind::Pending, "a.json")).as_deref(), Some(&b"new"[..]));
    sound(other.remove(&held(&*other), Kind::Pending, "a.json"));
    assert_eq!(sound(storage.record(Kind::Pending, "a.json")), None);
    assert_eq!(sound(storage.records(Kind::Pending)), ["b.json"]);
    assert_eq!(sound(storage.records(Kind::Waiting)), ["a.json"]);
}

fn id(content: &str) -> BlobId {
    Sha256::digest(content).into()
}

/// A blob, read in parts of two bytes.
fn blob(storage: &dyn Storage, id: &BlobId) -> Option<String> {
    let mut blob = sound(storage.blob(id))?;
    let (mut all, mut part) = (Vec::new(), [0; 2]);
    loop {
        match sound(blob.read(&mut part)) {
            0 => break,
            read => all.extend_from_slice(&part[..read]),
        }
    }
    assert_eq!(all.len() as u64, blob.size());
    Some(String::from_utf8(all).expect("only text was written"))
}

fn blobs_are_kept_by_their_hash(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    let (storage, other) = (place.open(), place.open());
    assert_eq!(sound(storage.blobs()), Vec::<BlobId>::new());
    assert_eq!(blob(&*storage, &id("one")), None);
    for content in ["one", "two", "", "one"] {
        sound(storage.add_blob(&held(&*storage), &id(content), content.as_bytes()));
    }
    let mut ids = ["one", "two", ""].map(id);
    ids.sort_unstable();
    assert_eq!(sound(other.blobs()), ids);
    for content in ["one", "two", ""] {
        assert_eq!(blob(&*other, &id(content)).as_deref(), Some(content), "{}", hex::encode(&id(content)));
        // A note may be lost, and is in nobody's way.
        sound(other.blob(&id(content))).expect("it was read").note_whole();
    }
    sound(other.remove_blob(&held(&*other), &id("one")));
    assert_eq!((blob(&*storage, &id("one")), sound(storage.blobs()).len()), (None, 2));
    sound(storage.remove_blob(&held(&*storage), &id("one")));
}

fn texts_are_kept_by_name(new: &dyn Fn() -> Box<dyn Place>) {
    let place = new();
    assert_eq!(sound(place.open().text("a.text")), None);
    for text in ["old and long", "new"] {
        let storage = place.open();
        sound(storage.put_text(&held(&*storage), "a.text", text));
        assert_eq!(sound(place.open().text("a.text")).as_deref(), Some(text));
    }
    assert_eq!(sound(place.open().text("b.text")), None);
}

fn an_append_that_fails_leaves_the_log_as_it_was(new: &dyn Fn() -> Box<dyn Place>) {
    for log in LOGS {
        for step in 0.. {
            let place = new();
            sound(replace(&*place.open(), log, &["head"]));
            let failing = place.failing(step);
            let at = mark(&*failing, log);
            let appended = append(&*failing, log, at, &[" and", " more"]);
            if appended.is_ok() {
                assert!(step > 1, "every step was tried");
                break;
            }
            assert_eq!(mark(&*failing, log), at, "step {step} was taken back");
            assert_eq!(content(&*place.open(), log), "head", "step {step}");
            sound(append(&*failing, log, at, &[" and tail"]));
            assert_eq!(content(&*place.open(), log), "head and tail", "step {step}");
        }
    }
}

/// A change, and what can be seen of it.
type Change = (fn(&dyn Storage) -> Result<()>, fn(&dyn Storage) -> Option<String>);

fn any_other_change_that_fails_has_happened_or_not(new: &dyn Fn() -> Box<dyn Place>) {
    let log = |storage: &dyn Storage| sound(storage.mark(Log::Journal)).map(|_| content(storage, Log::Journal));
    let changes: [Change; 5] = [
        (|storage| replace(storage, Log::Journal, &["content"; 3]).map(drop), log),
        (|storage| storage.cut(&held(storage), Log::Journal, mark(storage, Log::Journal).at(1)), log),
        (
            |storage| storage.put(&held(storage), Kind::Waiting, "a.json", b"content"),
            |storage| sound(storage.record(Kind::Waiting, "a.json")).map(|bytes| hex::encode(&bytes)),
        ),
        (
            |storage| storage.add_blob(&held(storage), &id("content"), b"content"),
            |storage| blob(storage, &id("content")),
        ),
        (|storage| storage.put_text(&held(storage), "a.text", "content"), |storage| sound(storage.text("a.text"))),
    ];
    for (number, (change, see)) in changes.iter().enumerate() {
        for step in 0.. {
            let place = new();
            sound(replace(&*place.open(), Log::Journal, &["old and long"]));
            let storage = place.open();
            sound(storage.put(&held(&*storage), Kind::Waiting, "a.json", b"old and long"));
            sound(storage.put_text(&held(&*storage), "a.text", "old and long"));
            let before = see(&*place.open());
            let changed = change(&*place.failing(step));
            let after = see(&*place.open());
            sound(change(&*place.open()));
            let expected = see(&*place.open());
            assert!(expected != before);
            assert_eq!(sound(place.open().leftovers()), Vec::<String>::new(), "change {number}, step {step}");
            if changed.is_ok() {
                assert_eq!(after, expected);
                break;
            }
            assert!(after == before || after == expected, "change {number}, step {step}: {after:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::*;

    impl Place for MemoryStorage {
        fn open(&self) -> Rc<dyn Storage> {
            Rc::new(self.clone())
        }

        fn failing(&self, at: usize) -> Rc<dyn Storage> {
            Rc::new(MemoryStorage::failing(self, at))
        }
    }

    #[test]
    fn memory_does_what_every_storage_has_to_do() {
        for (name, test) in EVERY {
            println!("{name}");
            test(&|| Box::new(MemoryStorage::default()));
        }
    }
}
