//! Read-only subtrees, and interruption.

use std::sync::atomic::{AtomicBool, Ordering};

use vfs::{Content, Errno, Kernel, ROOT_FD, kernel::MtimeChange};

use crate::support::{EDIT, READ, Shorthand, WRITE, kernel};

fn writes_below(kernel: &mut Kernel, zone: &str) -> Vec<Result<(), Errno>> {
    let at = |name: &str| format!("{zone}/{name}").into_bytes();
    vec![
        kernel.open(ROOT_FD, &at("new"), WRITE).map(|_| ()),
        kernel.open(ROOT_FD, &at("f"), EDIT).map(|_| ()),
        kernel.open(ROOT_FD, &at("sub/deep"), WRITE).map(|_| ()),
        kernel.mkdir(ROOT_FD, &at("new")),
        kernel.symlink(b"f", ROOT_FD, &at("new")),
        kernel.unlink(ROOT_FD, &at("f")),
        kernel.rmdir(ROOT_FD, &at("sub")),
        kernel.rename(ROOT_FD, &at("f"), ROOT_FD, b"/out"),
        kernel.rename(ROOT_FD, b"/other", ROOT_FD, &at("f")),
        kernel.link(ROOT_FD, &at("f"), false, ROOT_FD, b"/out"),
        kernel.link(ROOT_FD, b"/other", false, ROOT_FD, &at("new")),
        kernel.set_executable(ROOT_FD, &at("f"), true),
        kernel.set_mtime(ROOT_FD, &at("f"), true, MtimeChange::Now),
        kernel.put_file(ROOT_FD, &at("f"), Content::default(), false),
    ]
}

#[test]
fn a_read_only_subtree_changes_under_no_name() {
    let mut kernel = kernel();
    kernel.dir("/zone");
    kernel.dir("/zone/sub");
    kernel.make("/zone/f", b"kept");
    kernel.make("/other", b"other");
    kernel.symlink(b"/zone", ROOT_FD, b"/alias").expect("there is room");
    kernel.set_read_only(&[b"/zone"]).expect("it is a directory");
    let before = kernel.root();
    for zone in ["/zone", "/alias", "/zone/sub/.."] {
        let refused = writes_below(&mut kernel, zone);
        assert!(refused.iter().all(|result| *result == Err(Errno::Rofs)), "{zone}: {refused:?}");
    }
    assert_eq!(kernel.rename(ROOT_FD, b"/zone", ROOT_FD, b"/moved"), Err(Errno::Rofs));
    assert!(kernel.root().ptr_eq(&before), "nothing changed");
    assert_eq!(kernel.content("/zone/f"), Ok(b"kept".to_vec()));
    kernel.reset(before);
    assert_eq!(kernel.mkdir(ROOT_FD, b"/zone/new"), Err(Errno::Rofs), "it is so in another tree too");
    kernel.set_read_only(&[]).expect("there is nothing to look up");
    kernel.dir("/zone/new");
}

static STOP: AtomicBool = AtomicBool::new(false);

#[test]
fn an_interrupted_kernel_does_nothing_more_until_it_is_cleared() {
    let mut kernel = kernel();
    kernel.make("/f", b"content");
    let fd = kernel.open_at("/f", READ).expect("it is there");
    kernel.set_interrupt(Some(|| STOP.load(Ordering::Relaxed)));
    for _ in 0..5000 {
        kernel.stat(ROOT_FD, b"/f", true).expect("it is there");
    }
    STOP.store(true, Ordering::Relaxed);
    let calls = (0..5000).take_while(|_| kernel.stat(ROOT_FD, b"/f", true).is_ok()).count();
    assert!(calls <= 1000, "{calls} calls went through");
    assert!(kernel.interrupted());
    assert_eq!(kernel.mkdir(ROOT_FD, b"/d"), Err(Errno::Canceled));
    assert_eq!(kernel.close(fd), Ok(()), "closing leaks nothing");
    kernel.set_interrupt(None);
    assert!(!kernel.interrupted());
    kernel.dir("/d");
}

#[test]
fn moving_many_bytes_is_work_too() {
    let mut kernel = kernel();
    kernel.make("/f", &vec![0; 4 << 20]);
    let fd = kernel.open_at("/f", READ).expect("it is there");
    kernel.set_interrupt(Some(|| true));
    assert_eq!(kernel.read(fd, &mut vec![0; 4 << 20]), Err(Errno::Canceled));
}

#[test]
fn a_long_way_along_a_path_or_up_to_the_root_is_work_too() {
    let mut kernel = kernel();
    (1..=1000).for_each(|depth| kernel.dir(&"/d".repeat(depth)));
    kernel.dir("/zone");
    kernel.set_read_only(&[b"/zone"]).expect("it is a directory");
    kernel.symlink("d/../".repeat(800).as_bytes(), ROOT_FD, b"/winding").expect("there is room");
    let bottom = kernel.open_at(&"/d".repeat(1000), READ).expect("it was made");
    type Way = fn(&mut Kernel, u32) -> Result<(), Errno>;
    let ways: [(&str, Way); 3] = [
        ("a deep path", |kernel, _| kernel.stat(ROOT_FD, "/d".repeat(1000).as_bytes(), true).map(|_| ())),
        ("a winding link", |kernel, _| kernel.stat(ROOT_FD, b"/winding", true).map(|_| ())),
        ("up to the root", |kernel, bottom| kernel.mkdir(bottom, b"new").and_then(|()| kernel.rmdir(bottom, b"new"))),
    ];
    for (way, go) in ways {
        kernel.set_interrupt(Some(|| true));
        let calls = (0..10).take_while(|_| go(&mut kernel, bottom).is_ok()).count();
        assert!(calls <= 1, "{calls} calls went through: {way}");
    }
}
