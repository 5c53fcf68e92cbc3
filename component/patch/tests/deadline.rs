//! A diff can be stopped, and what it has printed by then is the start of the whole.

use std::cell::Cell;
use std::ops::ControlFlow;

use bstr::ByteSlice as _;
use patch::{Change, Content, Deadline, Interrupted, ObjectId, Options, Side, unified};

fn side(content: &[u8], digit: u8) -> Side<'_> {
    Side {
        path: b"x".as_bstr(),
        mode: 0o100_644,
        id: ObjectId::from_hex(&[digit; 40]).expect("forty hex digits"),
        content: Content::Bytes(content),
    }
}

/// Twenty thousand lines, all different, of which every thousandth ends with `mark`.
fn text(mark: &str) -> Vec<u8> {
    let lines = (0..20_000).map(|number| match number % 1000 {
        500 => format!("{number}{mark}\n"),
        _ => format!("{number}\n"),
    });
    lines.collect::<String>().into_bytes()
}

#[test]
fn every_interruption_leaves_whole_lines_of_the_whole_patch() {
    let (old, new) = (text("old"), text("new"));
    let change = Change::Modify { old: side(&old, b'1'), new: side(&new, b'2') };
    let plain = Options { context: 20_000, ..Options::default() };
    let mut whole = Vec::new();
    unified(&change, &plain, &mut whole).expect("no deadline is set");
    let mut interruptions = 0;
    for allowed in 0.. {
        let left = Cell::new(allowed);
        let poll = || match left.get() {
            0 => ControlFlow::Break(()),
            some => {
                left.set(some - 1);
                ControlFlow::Continue(())
            }
        };
        let options = Options { deadline: Deadline::new(&poll), ..plain };
        let mut part = Vec::new();
        match unified(&change, &options, &mut part) {
            Err(Interrupted) => {
                interruptions += 1;
                assert!(whole.starts_with(&part));
                assert!(part.is_empty() || part.ends_with(b"\n"));
            }
            Ok(_) => {
                assert_eq!(part, whole);
                break;
            }
        }
    }
    assert!(interruptions > 10, "{interruptions}");
}
