//! Reading directories.

use vfs::ROOT_FD;

use crate::support::{APPEND, READ, Shorthand, kernel};

#[test]
fn cookies_of_a_directory_stay_good_while_it_changes() {
    let mut kernel = kernel();
    kernel.dir("/d");
    for n in 0..20 {
        kernel.make(&format!("/d/{n:02}"), b"");
    }
    let fd = kernel.open_at("/d", READ).expect("it is there");
    let mut seen = Vec::new();
    let mut cookie = 0;
    loop {
        let mut batch = Vec::new();
        let mut next = cookie;
        kernel
            .readdir(fd, cookie, |entry| {
                next = entry.next;
                batch.push(entry.name.to_vec());
                batch.len() < 3
            })
            .expect("it is open");
        if batch.is_empty() {
            break;
        }
        for name in batch.iter().filter(|name| !name.starts_with(b".")) {
            kernel.unlink(ROOT_FD, &[b"/d/", &name[..]].concat()).expect("it is there");
            kernel.make(&format!("/d/new-{}", name.escape_ascii()), b"");
        }
        seen.extend(batch);
        cookie = next;
    }
    let expected: Vec<Vec<u8>> = [".".to_owned(), "..".to_owned()]
        .into_iter()
        .chain((0..20).map(|n| format!("{n:02}")))
        .map(String::into_bytes)
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn listing_gives_every_entry_with_what_stat_says() {
    let mut kernel = kernel();
    kernel.dir("/d");
    kernel.dir("/d/sub");
    kernel.make("/d/file", b"12345");
    kernel.symlink(b"file", ROOT_FD, b"/d/link").expect("there is room");
    let fd = kernel.open_at("/d/file", APPEND).expect("it is there");
    kernel.write(fd, b"678").expect("there is room");
    let listed = kernel.list(ROOT_FD, b"/d").expect("it is a directory");
    for (name, stat) in &listed {
        assert_eq!(kernel.stat(ROOT_FD, &[b"/d/", &name[..]].concat(), false), Ok(*stat));
    }
    let sizes: Vec<(&[u8], u64)> = listed.iter().map(|(name, stat)| (&name[..], stat.size)).collect();
    assert_eq!(sizes, [(&b"file"[..], 8), (&b"link"[..], 4), (&b"sub"[..], 0)]);
}
