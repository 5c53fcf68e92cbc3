//! Open files, mapping and clocks, where no comparison with a real filesystem is possible.

use std::io::SeekFrom;

use vfs::{Bytes, Content, EPOCH, Errno, ROOT_FD, Root, kernel::MtimeChange};

use crate::support::{APPEND, EDIT, READ, Shorthand, WRITE, kernel};

#[test]
fn mapping_shares_the_buffer() {
    let mut kernel = kernel();
    let buffer = Bytes::from(vec![7; 100_000]);
    kernel.put_file(ROOT_FD, b"/pack", Content::new(buffer.clone()), false).expect("there is room");
    let fd = kernel.open_at("/pack", READ).expect("it is there");
    let mapped = kernel.map(fd).expect("it is a file");
    assert_eq!((mapped.as_ptr(), mapped.len()), (buffer.as_ptr(), buffer.len()));
    let root = kernel.root();
    let content = root.find(b"/pack").expect("it is there").1.content().expect("it is a file");
    assert_eq!(content.bytes().unwrap().as_ptr(), buffer.as_ptr());
}

#[test]
fn what_is_mapped_does_not_change_when_the_file_does() {
    let mut kernel = kernel();
    kernel.make("/f", b"before");
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    let mapped = kernel.map(fd).expect("it is a file");
    kernel.write(fd, b"AFTER").expect("there is room");
    assert_eq!((&mapped[..], kernel.content("/f")), (&b"before"[..], Ok(b"AFTERe".to_vec())));
}

#[test]
fn writing_through_a_descriptor_does_not_copy_what_nobody_else_holds() {
    let mut kernel = kernel();
    let buffer = Bytes::from(vec![1_u8; 1 << 20]);
    let address = buffer.as_ptr();
    kernel.put_file(ROOT_FD, b"/f", Content::new(buffer), false).expect("there is room");
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    kernel.pwrite(fd, b"x", 10).expect("there is room");
    kernel.close(fd).expect("it is open");
    let mapped = kernel.read_path(ROOT_FD, b"/f").expect("it is there");
    assert_eq!((mapped.bytes().unwrap().as_ptr(), mapped.bytes().unwrap()[10]), (address, b'x'));
}

#[test]
fn a_tree_taken_is_complete_and_stays_as_it_is() {
    let mut kernel = kernel();
    let fd = kernel.open_at("/f", WRITE).expect("there is room");
    kernel.write(fd, b"one").expect("there is room");
    let first = kernel.root();
    kernel.write(fd, b" two").expect("there is room");
    let second = kernel.root();
    let content = |root: &Root| root.find(b"f").expect("it is there").1.content().cloned().expect("a file");
    assert_eq!(
        (&content(&first).bytes().unwrap()[..], &content(&second).bytes().unwrap()[..]),
        (&b"one"[..], &b"one two"[..])
    );
    assert_eq!((first.bytes(), second.bytes(), first.files()), (3, 7, 1));
}

#[test]
fn a_file_without_a_name_lives_until_it_is_closed_but_is_in_no_tree() {
    let mut kernel = kernel();
    kernel.make("/f", b"content");
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    kernel.unlink(ROOT_FD, b"/f").expect("it is there");
    kernel.pwrite(fd, b"CON", 0).expect("there is room");
    let mut buffer = [0; 10];
    assert_eq!(kernel.read(fd, &mut buffer).map(|n| buffer[..n].to_vec()), Ok(b"CONtent".to_vec()));
    assert_eq!(kernel.stat_fd(fd).map(|stat| stat.map(|stat| stat.nlink)), Ok(Some(0)));
    assert_eq!((kernel.root().files(), kernel.root().verify()), (0, Ok(())));
    kernel.close(fd).expect("it is open");
    assert_eq!(kernel.read(fd, &mut buffer), Err(Errno::Badf));
}

#[test]
fn appending_in_small_pieces_across_opens_is_all_there() {
    let mut kernel = kernel();
    for n in 0..3000_u32 {
        let fd = kernel.open_at("/log", APPEND).expect("there is room");
        kernel.write(fd, &n.to_le_bytes()).expect("there is room");
        kernel.close(fd).expect("it is open");
    }
    let expected: Vec<u8> = (0..3000_u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(kernel.content("/log"), Ok(expected));
}

#[test]
fn every_change_has_a_later_second() {
    let mut kernel = kernel();
    let mut last = EPOCH;
    for path in ["/a", "/b", "/c", "/a"] {
        kernel.make(path, path.as_bytes());
        let mtime = kernel.stat(ROOT_FD, path.as_bytes(), true).expect("it is there").mtime;
        assert!(mtime > last, "{path}");
        last = mtime;
    }
    let fd = kernel.open_at("/a", EDIT).expect("it is there");
    kernel.write(fd, b"x").expect("there is room");
    let first = kernel.stat_fd(fd).expect("it is open").expect("it is a file").mtime;
    kernel.write(fd, b"x").expect("there is room");
    let second = kernel.stat_fd(fd).expect("it is open").expect("it is a file").mtime;
    kernel.close(fd).expect("it is open");
    assert!(last < first && first < second);
    assert_eq!(kernel.stat(ROOT_FD, b"/a", true).expect("it is there").mtime, second);
}

#[test]
fn a_modification_time_can_be_set() {
    let mut kernel = kernel();
    kernel.make("/f", b"");
    kernel.set_mtime(ROOT_FD, b"/f", true, MtimeChange::At(1234)).expect("it is there");
    assert_eq!(kernel.stat(ROOT_FD, b"/f", true).expect("it is there").mtime, 1234);
    kernel.set_mtime(ROOT_FD, b"/f", true, MtimeChange::Now).expect("it is there");
    assert_eq!(kernel.stat(ROOT_FD, b"/f", true).expect("it is there").mtime, kernel.change_count());
}

#[test]
fn putting_another_tree_in_place_makes_descriptors_stale_until_they_are_closed() {
    let mut kernel = kernel();
    kernel.make("/f", b"old");
    let before = kernel.root();
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    kernel.write(fd, b"new").expect("there is room");
    kernel.reset(before);
    assert_eq!(kernel.content("/f"), Ok(b"old".to_vec()));
    assert_eq!(kernel.read(fd, &mut [0; 4]), Err(Errno::Stale));
    assert_eq!(kernel.stat_fd(fd), Err(Errno::Stale));
    let other = kernel.open_at("/f", READ).expect("it is there");
    assert_ne!(other, fd, "a number in use is not given out");
    assert_eq!((kernel.close(fd), kernel.close(fd)), (Ok(()), Err(Errno::Badf)));
    assert_eq!(kernel.open_at("/f", READ), Ok(fd));
}

#[test]
fn renumbering_moves_a_descriptor() {
    let mut kernel = kernel();
    kernel.make("/a", b"a");
    kernel.make("/b", b"b");
    let a = kernel.open_at("/a", READ).expect("it is there");
    let b = kernel.open_at("/b", READ).expect("it is there");
    kernel.renumber(a, b).expect("both are open");
    let mut buffer = [0; 2];
    assert_eq!(kernel.read(b, &mut buffer).map(|n| buffer[..n].to_vec()), Ok(b"a".to_vec()));
    assert_eq!((kernel.read(a, &mut buffer), kernel.renumber(b, 77)), (Err(Errno::Badf), Err(Errno::Badf)));
}

#[test]
fn standard_streams_swallow_and_give_nothing() {
    let mut kernel = kernel();
    assert_eq!(kernel.read(0, &mut [0; 4]), Ok(0));
    assert_eq!((kernel.write(1, b"out"), kernel.write(2, b"err")), (Ok(3), Ok(3)));
    assert_eq!((kernel.write(0, b"in"), kernel.read(1, &mut [0; 4])), (Err(Errno::Badf), Err(Errno::Badf)));
    assert_eq!(kernel.seek(1, SeekFrom::Start(0)), Err(Errno::Spipe));
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let mut kernel = kernel();
    kernel.make("/0", b"end");
    for n in 1..=41 {
        kernel.symlink(format!("{}", n - 1).as_bytes(), ROOT_FD, format!("/{n}").as_bytes()).expect("there is room");
    }
    assert_eq!((kernel.content("/40"), kernel.content("/41")), (Ok(b"end".to_vec()), Err(Errno::Loop)));
}

#[test]
fn an_absolute_target_begins_at_the_root_and_nothing_leads_above_it() {
    let mut kernel = kernel();
    kernel.dir("/d");
    kernel.make("/f", b"here");
    kernel.symlink(b"/f", ROOT_FD, b"/d/absolute").expect("there is room");
    kernel.symlink(b"../../../../f", ROOT_FD, b"/d/above").expect("there is room");
    assert_eq!(kernel.content("/d/absolute"), Ok(b"here".to_vec()));
    assert_eq!(kernel.content("/d/above"), Ok(b"here".to_vec()));
}

#[test]
fn only_files_have_an_executable_bit_and_it_survives_writing() {
    let mut kernel = kernel();
    kernel.dir("/d");
    kernel.make("/f", b"#!");
    kernel.set_executable(ROOT_FD, b"/f", true).expect("it is a file");
    let fd = kernel.open_at("/f", WRITE).expect("it is there");
    kernel.write(fd, b"other").expect("there is room");
    kernel.close(fd).expect("it is open");
    assert_eq!(kernel.is_executable(ROOT_FD, b"/f"), Ok(true));
    assert_eq!(kernel.set_executable(ROOT_FD, b"/d", true), Err(Errno::Inval));
}

#[test]
fn random_numbers_are_the_same_for_the_same_seed() {
    let mut kernel = kernel();
    let mut draw = |seed| {
        kernel.set_seed(seed);
        let mut buffer = [0; 37];
        kernel.random(&mut buffer);
        buffer
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}
