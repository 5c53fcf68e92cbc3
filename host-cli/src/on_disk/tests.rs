use std::fs;

use host::store::memory::MemoryStorage;

use super::*;
use crate::home::{HexId, ToolSettings};

/// An open sandbox on disk, without a repository, in a folder of its own.
fn opened() -> (tempfile::TempDir, OnDisk) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("disk/workspace")).unwrap();
    let options = host::sandbox::options_of_new(HexId([0; 16]), &ToolSettings::default());
    let on_disk = OnDisk::open(&root, &root.join("disk"), &options, &Clock::default()).unwrap();
    (base, on_disk)
}

/// A store in which no call of these keeps anything.
fn nothing() -> Store {
    Store::new(std::rc::Rc::new(MemoryStorage::default()), "s".parse().unwrap())
}

fn held() -> Held {
    nothing().lock.acquire().unwrap()
}

fn call(tool: &str, arguments: &str, time_allowed: u64) -> wit::ToolCall {
    wit::ToolCall {
        id: "7f".to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        dialect: None,
        max_bytes: None,
        caller: wit::Caller::User,
        now: 0,
        utc_offset: 0,
        time_allowed,
    }
}

fn outcome(on_disk: &mut OnDisk, call: &wit::ToolCall) -> Result<wit::ToolResult, wit::ToolError> {
    match on_disk.call(&held(), call, &[], &[], &nothing()).unwrap() {
        Step::Done { outcome, .. } => outcome,
        Step::Ask { .. } => panic!("it asks"),
    }
}

#[test]
fn a_call_ends_in_its_time() {
    let (base, mut on_disk) = opened();
    let folder = base.path().join("disk/workspace/many");
    fs::create_dir(&folder).unwrap();
    for number in 0..2000 {
        fs::write(folder.join(number.to_string()), "").unwrap();
    }
    let delete = |time| call("delete_file", r#"{"path": "many", "recursive": true}"#, time);
    let error = outcome(&mut on_disk, &delete(1)).unwrap_err();
    assert!(matches!(error.kind, wit::ErrorKind::Timeout(_)), "{error:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2000);
    outcome(&mut on_disk, &delete(u64::MAX / 2)).unwrap();
    assert!(!folder.exists());
}

#[test]
fn a_call_whose_line_is_in_the_history_was_over_and_any_other_is_taken_back() {
    for is_over in [true, false] {
        let (base, mut on_disk) = opened();
        let file = base.path().join("disk/workspace/a");
        fs::write(&file, "before").unwrap();
        let write = call("write_file", r#"{"path": "a", "content": "after"}"#, u64::MAX / 2);
        outcome(&mut on_disk, &write).unwrap();
        // As if the process had been killed before it removed the notes.
        let line = on_disk.history.last().unwrap().unwrap();
        undo::begin(&on_disk.place.undo(), if is_over { &line.id } else { "80" });
        tools::platform::put_file(&file, b"once more".to_vec(), None).unwrap();
        undo::end();
        let notes = on_disk.settle(&held()).unwrap();
        let expected = if is_over { ("once more", 0) } else { ("after", 1) };
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), notes.len()), expected);
        assert!(!on_disk.place.undo().exists());
    }
}

#[test]
fn a_call_that_cannot_be_recorded_is_taken_back() {
    let (base, mut on_disk) = opened();
    // Nothing can be written to a folder.
    fs::create_dir(base.path().join("history")).unwrap();
    let write = call("write_file", r#"{"path": "new/a", "content": "1"}"#, u64::MAX / 2);
    on_disk.call(&held(), &write, &[], &[], &nothing()).unwrap_err();
    assert_eq!(fs::read_dir(base.path().join("disk/workspace")).unwrap().count(), 0);
}

#[test]
fn a_call_that_cannot_be_taken_back_is_in_the_way_of_the_next_one() {
    let (base, mut on_disk) = opened();
    let (file, notes) = (base.path().join("disk/workspace/a"), on_disk.place.undo());
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("log"), "no change\n").unwrap();
    let error = on_disk.settle(&held()).unwrap_err();
    assert!(crate::screen::hint::words(&error.hint).contains(&format!("remove {}", notes.display())), "{error:?}");
    assert!(notes.join("log").exists() && !file.exists());
    fs::remove_dir_all(&notes).unwrap();
    assert_eq!(on_disk.settle(&held()).unwrap(), Vec::<String>::new());
}
