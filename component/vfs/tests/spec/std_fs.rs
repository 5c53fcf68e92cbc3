//! In wasm, `std::fs` uses the kernel of the process.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    time::{Duration, Instant, SystemTime},
};

use std::os::fd::AsRawFd;

use vfs::{Bytes, Errno, Kind, process};

/// A directory of the test's own.
fn dir(name: &str) -> String {
    let dir = format!("/{name}");
    fs::create_dir(&dir).expect("no other test has this name");
    dir
}

fn kind<T>(result: io::Result<T>) -> ErrorKind {
    result.map(|_| ()).expect_err("it fails").kind()
}

#[test]
fn files_are_written_and_read() {
    let dir = dir("files");
    let path = format!("{dir}/f");
    fs::write(&path, b"content").expect("there is room");
    assert_eq!(fs::read(&path).expect("it is there"), b"content");
    let mut file = OpenOptions::new().append(true).open(&path).expect("it is there");
    file.write_all(b" and more").expect("there is room");
    let mut file = OpenOptions::new().read(true).write(true).open(&path).expect("it is there");
    file.seek(SeekFrom::End(-4)).expect("it is long enough");
    let mut end = String::new();
    file.read_to_string(&mut end).expect("it is text");
    file.set_len(3).expect("it is open for writing");
    assert_eq!((end.as_str(), fs::read(&path).expect("it is there")), ("more", b"con".to_vec()));
    assert_eq!(file.metadata().expect("it is open").len(), 3);
    assert_eq!(kind(File::create_new(&path)), ErrorKind::AlreadyExists);
    assert_eq!(kind(File::open(format!("{dir}/none"))), ErrorKind::NotFound);
    assert_eq!(kind(fs::read(format!("{path}/below"))), ErrorKind::NotADirectory);
}

#[test]
fn directories_are_made_read_and_removed() {
    let dir = dir("directories");
    fs::create_dir_all(format!("{dir}/a/b/c")).expect("there is room");
    // More entries than one buffer of wasi-libc holds, with names of all lengths.
    let mut names: Vec<String> = (0..300).map(|n| format!("{n:03}{}", "x".repeat(n % 200))).collect();
    names.iter().for_each(|name| fs::write(format!("{dir}/a/{name}"), name).expect("there is room"));
    names.push("b".to_owned());
    let entries = fs::read_dir(format!("{dir}/a")).expect("it is a directory").map(|entry| entry.expect("it is there"));
    let mut found: Vec<String> = entries.map(|entry| entry.file_name().into_string().expect("ascii")).collect();
    found.sort();
    assert_eq!(found, names);
    // std has no kind for this number on this target.
    let refused = fs::remove_dir(format!("{dir}/a")).expect_err("it is not empty");
    assert_eq!(refused.raw_os_error(), Some(i32::from(Errno::Notempty.raw())));
    fs::remove_dir_all(format!("{dir}/a")).expect("it is there");
    assert_eq!(fs::read_dir(&dir).expect("it is a directory").count(), 0);
}

#[test]
fn names_are_moved_and_linked() {
    let dir = dir("names");
    let at = |name: &str| format!("{dir}/{name}");
    fs::write(at("a"), b"a").expect("there is room");
    fs::write(at("b"), b"b").expect("there is room");
    fs::hard_link(at("a"), at("also")).expect("there is room");
    fs::rename(at("a"), at("b")).expect("it is there");
    assert_eq!(fs::read(at("b")).expect("it is there"), b"a");
    assert_eq!(process::stat_path(at("also").as_bytes(), false).map(|stat| stat.nlink), Ok(2));
    process::with(|kernel| kernel.symlink(b"also", vfs::ROOT_FD, at("link").as_bytes())).expect("there is room");
    assert_eq!(fs::read_link(at("link")).expect("it is a link").to_str(), Some("also"));
    assert!(fs::symlink_metadata(at("link")).expect("it is there").is_symlink());
    assert!(fs::metadata(at("link")).expect("it is there").is_file());
    fs::remove_file(at("link")).expect("it is there");
    assert_eq!(process::stat_path(at("link").as_bytes(), false), Err(Errno::Noent));
}

#[test]
fn an_open_file_outlives_its_name() {
    let dir = dir("orphan");
    let path = format!("{dir}/f");
    let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).expect("there is room");
    fs::remove_file(&path).expect("it is there");
    file.write_all(b"content").expect("there is room");
    file.rewind().expect("it is a file");
    let mut content = Vec::new();
    file.read_to_end(&mut content).expect("it is open");
    assert_eq!((content, fs::exists(&path).expect("it can be asked")), (b"content".to_vec(), false));
}

#[test]
fn modification_times_are_whole_logical_seconds() {
    let dir = dir("times");
    let modified = |name: &str| fs::metadata(format!("{dir}/{name}")).and_then(|metadata| metadata.modified());
    fs::write(format!("{dir}/a"), b"").expect("there is room");
    fs::write(format!("{dir}/b"), b"").expect("there is room");
    let (a, b) = (modified("a").expect("it is there"), modified("b").expect("it is there"));
    let since = b.duration_since(a).expect("it is later");
    assert!(since >= Duration::from_secs(1) && since.subsec_nanos() == 0);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
    File::options().write(true).open(format!("{dir}/a")).and_then(|file| file.set_modified(time)).expect("it is there");
    assert_eq!(modified("a").expect("it is there"), time);
}

#[test]
fn the_clock_tells_what_was_set_and_sleeping_takes_no_time() {
    process::with(|kernel| kernel.set_now(1_700_000_000_000_000_123));
    let expected = SystemTime::UNIX_EPOCH + Duration::from_nanos(1_700_000_000_000_000_123);
    let start = Instant::now();
    std::thread::sleep(Duration::from_secs(3600));
    assert_eq!((SystemTime::now(), start.elapsed()), (expected, Duration::ZERO));
}

#[test]
fn tools_reach_the_kernel_beside_std() {
    let dir = dir("direct");
    let path = format!("{dir}/f");
    let buffer = Bytes::from(vec![5; 10_000]);
    process::put_file(path.as_bytes(), buffer.clone(), true).expect("there is room");
    let file = File::open(&path).expect("it is there");
    let mapped = process::map_fd(file.as_raw_fd() as u32).expect("it is open");
    assert_eq!(mapped.as_ptr(), buffer.as_ptr());
    assert_eq!(process::map_path(path.as_bytes()).map(|mapped| mapped.as_ptr()), Ok(buffer.as_ptr()));
    assert_eq!(process::is_executable(path.as_bytes()), Ok(true));
    process::set_executable(path.as_bytes(), false).expect("it is a file");
    assert_eq!(process::is_executable(path.as_bytes()), Ok(false));
    let listed = process::list(dir.as_bytes()).expect("it is a directory");
    assert_eq!(listed.iter().map(|(name, stat)| (&name[..], stat.kind)).collect::<Vec<_>>(), [(&b"f"[..], Kind::File)]);
    let before = process::change_count();
    fs::write(&path, b"").expect("there is room");
    assert!(process::change_count() > before);
}

#[test]
fn streams_are_there() {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).expect("it is at its end");
    assert_eq!(input, b"");
    io::stderr().write_all(b"").expect("it swallows");
}
