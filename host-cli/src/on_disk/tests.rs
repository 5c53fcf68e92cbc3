use std::fs;

use super::*;
use crate::home::{GitSettings, HexId};

/// An open sandbox on disk, without a repository, in a folder of its own.
fn opened() -> (tempfile::TempDir, OnDisk) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("disk/workspace")).unwrap();
    let options = crate::sandbox::options_of_new(HexId([0; 16]), &GitSettings::default());
    let on_disk = OnDisk::open(&root, &root.join("disk"), &options, &Clock::default()).unwrap();
    (base, on_disk)
}

fn call(tool: &str, arguments: &str, time_allowed: u64) -> wit::ToolCall {
    wit::ToolCall {
        id: "7f".to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        caller: wit::Caller::User,
        now: 0,
        utc_offset: 0,
        time_allowed,
    }
}

fn outcome(on_disk: &mut OnDisk, call: &wit::ToolCall) -> Result<wit::ToolResult, wit::ToolError> {
    match on_disk.call(call, &[]).unwrap() {
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
        let notes = on_disk.settle().unwrap();
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
    on_disk.call(&write, &[]).unwrap_err();
    assert_eq!(fs::read_dir(base.path().join("disk/workspace")).unwrap().count(), 0);
}

#[test]
fn a_call_that_cannot_be_taken_back_is_in_the_way_of_the_next_one() {
    let (base, mut on_disk) = opened();
    let (file, notes) = (base.path().join("disk/workspace/a"), on_disk.place.undo());
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("log"), "no change\n").unwrap();
    let error = on_disk.settle().unwrap_err();
    assert!(error.hint.contains(&format!("remove {}", notes.display())), "{error:?}");
    assert!(notes.join("log").exists() && !file.exists());
    fs::remove_dir_all(&notes).unwrap();
    assert_eq!(on_disk.settle().unwrap(), Vec::<String>::new());
}

#[test]
fn a_pack_is_dropped_once_it_is_in_the_repository_even_if_the_call_that_put_it_there_was_cut_off() {
    let (base, mut on_disk) = opened();
    let packs = base.path().join("disk/workspace/.git/objects/pack");
    let write = |path: &str| call("write_file", &format!(r#"{{"path": "{path}", "content": "1"}}"#), u64::MAX / 2);
    let pack = |n: u8| [b"PACK", &[n; 60][..]].concat();
    let index = [&b"\xfftOc\0\0\0\x02"[..], &[0; 1200]].concat();
    let ids: Vec<_> = (0..3).map(|n| on_disk.attachments.add(&pack(n)).unwrap()).collect();
    let index = on_disk.attachments.add(&index).unwrap();
    let kept = |on_disk: &OnDisk, expected: &[[u8; 32]]| {
        let mut expected: Vec<_> = expected.iter().chain([&index]).copied().collect();
        expected.sort_unstable();
        assert_eq!(on_disk.attachments.list().unwrap(), expected);
    };
    // A repository without packs, and none at all.
    outcome(&mut on_disk, &write("a")).unwrap();
    kept(&on_disk, &ids);
    fs::create_dir_all(&packs).unwrap();
    outcome(&mut on_disk, &write("b")).unwrap();
    kept(&on_disk, &ids);
    fs::write(packs.join("pack-1.pack"), pack(1)).unwrap();
    // Not whole, or another one.
    fs::write(packs.join("pack-2.pack"), &pack(2)[..40]).unwrap();
    fs::write(packs.join("pack-0.tmp"), pack(0)).unwrap();
    // What has changed nothing is not over.
    outcome(&mut on_disk, &call("list_files", "{}", u64::MAX / 2)).unwrap();
    kept(&on_disk, &ids);
    outcome(&mut on_disk, &write("c")).unwrap();
    kept(&on_disk, &[ids[0], ids[2]]);
}
