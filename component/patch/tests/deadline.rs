//! A deadline stops a diff, and the output by then is a prefix of the whole.

use std::cell::Cell;
use std::ops::ControlFlow;

use bstr::ByteSlice as _;
use patch::combined::{Combined, Outcome, combined};
use patch::{Change, Content, Deadline, Driver, Interrupted, ObjectId, Options, Side, unified};

fn side(content: &[u8], digit: u8) -> Side<'_> {
    Side {
        path: b"x".as_bstr(),
        mode: 0o100_644,
        id: ObjectId::from_hex(&[digit; 40]).expect("forty hex digits"),
        content: Content::Bytes(content),
    }
}

/// Twenty thousand different lines. Every thousandth ends with `mark`.
fn text(mark: &str) -> Vec<u8> {
    let lines = (0..20_000).map(|number| match number % 1000 {
        500 => format!("{number}{mark}\n"),
        _ => format!("{number}\n"),
    });
    lines.collect::<String>().into_bytes()
}

/// Stops `print` at every question it asks. The output must be whole lines, and a prefix of the whole output. Returns how often it was
/// stopped.
fn interrupt(print: impl Fn(Deadline<'_>, &mut Vec<u8>) -> Result<(), Interrupted>) -> u32 {
    let mut whole = Vec::new();
    print(Deadline::none(), &mut whole).expect("no deadline is set");
    assert!(!whole.is_empty());
    for allowed in 0.. {
        let left = Cell::new(allowed);
        let poll = || match left.get() {
            0 => ControlFlow::Break(()),
            some => {
                left.set(some - 1);
                ControlFlow::Continue(())
            }
        };
        let mut part = Vec::new();
        match print(Deadline::new(&poll), &mut part) {
            Err(Interrupted) => {
                assert!(whole.starts_with(&part));
                assert!(part.is_empty() || part.ends_with(b"\n"));
            }
            Ok(()) => {
                assert_eq!(part, whole);
                return allowed;
            }
        }
    }
    unreachable!("the range is endless")
}

#[test]
fn every_interruption_leaves_whole_lines_of_the_whole_patch() {
    let (old, new) = (text("old"), text("new"));
    let change = Change::Modify { old: side(&old, b'1'), new: side(&new, b'2') };
    let interruptions = interrupt(|deadline, out| {
        let options = Options { context: 20_000, deadline, ..Options::default() };
        unified(&change, &options, out).map(|_| ())
    });
    assert!(interruptions > 10, "{interruptions}");
}

#[test]
fn every_interruption_leaves_whole_lines_of_a_combined_diff() {
    // Two parents that lost all their lines at one place and share few of them.
    let texts = ["ours", "theirs"].map(|name| {
        let lines = (0..6_000)
            .map(|number| if number % 100 == 0 { format!("{number}\n") } else { format!("{name} {number}\n") });
        lines.collect::<String>()
    });
    let parents = [Some(side(texts[0].as_bytes(), b'1')), Some(side(texts[1].as_bytes(), b'2'))];
    let outcome = Outcome::Committed(side(b"all new\n", b'3'));
    let change = Combined::new(b"x".as_bstr(), &parents, outcome).expect("there are two parents");
    let interruptions = interrupt(|deadline, out| combined(&change, &Options { deadline, ..Options::default() }, out));
    assert!(interruptions > 10, "{interruptions}");
}

#[test]
fn the_search_for_a_function_is_interrupted() {
    let old = [b"no function\n".repeat(20_000), b"old\n".to_vec()].concat();
    let new = [b"no function\n".repeat(20_000), b"new\n".to_vec()].concat();
    let change = Change::Modify { old: side(&old, b'1'), new: side(&new, b'2') };
    let asked = |driver| {
        interrupt(|deadline, out| {
            let options = Options { context: 0, driver, deadline, ..Options::default() };
            unified(&change, &options, out).map(|_| ())
        })
    };
    // The default rule finds its function in the previous line.
    assert!(asked(Driver::Rust) > asked(Driver::Default) + 3);
}
