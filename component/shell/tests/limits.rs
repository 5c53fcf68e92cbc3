//! Scripts that want too much end with an error, soon, and whoever runs them puts the tree back.

#![cfg(unix)]

#[path = "oracle/disk.rs"]
mod disk;

use std::rc::Rc;

use bstr::BString;
use shell::world::Halt;
use shell::{Kept, Outcome, Script};

use self::disk::Disk;

fn run(text: &str) -> Result<Outcome, Halt> {
    let folder = tempfile::tempdir().expect("it can be made");
    let kept = Kept { folder: BString::from(folder.path().to_str().expect("it is text")), env: Vec::new() };
    let script =
        Script { text: text.to_owned(), name: "bash".to_owned(), args: vec![], stdin: vec![], kept, most: 16 << 20 };
    script.run(Rc::new(Disk::new(60_000)), |_| panic!("no script here calls a program"))
}

/// A thread with as little room for its stack as a sandbox's.
fn on_a_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, run);
        thread.expect("it can be made").join().expect("it does not panic")
    })
}

#[test]
fn what_takes_too_long_ends_when_the_time_is_over() {
    for script in [
        "while :; do :; done",
        "until false; do :; done",
        "for ((;;)); do :; done",
        "f() { while true; do f2; done; }; f2() { :; }; f",
        "while true; do echo x > file; done",
        "while :; do x=$(echo y); done",
        "x=0; while ((x >= 0)); do ((x++)); done",
    ] {
        let halted = run(script).expect_err(script);
        assert!(matches!(halted, Halt::Timeout), "{script}: {halted:?}");
    }
}

#[test]
fn what_takes_too_much_room_ends_in_an_error() {
    on_a_small_stack(|| {
        for script in [
            "echo {1..1000000000}",
            "echo {1..2000}{1..2000}{1..2000}",
            "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done",
            "x=aaaaaaaaaaaaaaaa; while :; do x=\"$x$x\"; done; echo",
            "a=(1); while :; do a+=(\"${a[@]}\"); done",
            "f() { f; }; f",
            "f() { echo $(f); }; f",
            "f() { (f); }; f",
            "while :; do echo a long line that is written again and again; done",
            "while :; do echo x >> file; done; cat file",
        ] {
            let halted = run(script).expect_err(script);
            assert!(matches!(halted, Halt::TooLarge(_) | Halt::Timeout), "{script}: {halted:?}");
        }
    });
}

#[test]
fn what_nests_too_deeply_is_refused_before_it_is_read() {
    on_a_small_stack(|| {
        for (open, close) in [("(", ")"), ("$(", ")"), ("{ ", ";}"), ("${x:-", "}"), ("$((", "))"), ("[[ ( ", " ) ]]")]
        {
            for count in [150, 5_000, 100_000] {
                let script = format!("echo {}x{}", open.repeat(count), close.repeat(count));
                // Whatever it is, it ends.
                let ended = run(&script);
                assert!(!matches!(ended, Ok(Outcome { status: 0, .. })) || count < 1_000, "{open} {count}");
            }
        }
        for word in ["if ", "while ", "! ", "case x in x) ", "f() { ", "time ", "- ", "~", "!"] {
            drop(run(&word.repeat(20_000)));
            drop(run(&format!("echo $(({}1))", word.repeat(20_000))));
        }
    });
}

#[test]
fn jobs_and_missing_programs_say_what_is_here_instead() {
    for (script, said) in [
        ("sleep 1 &", "no jobs"),
        ("curl http://example.org", "no network"),
        ("python3 -c 1", "no other programs"),
        ("npm test", "no other programs"),
        ("vim x", "nobody sits at a terminal"),
        (":(){ :|:& };:", "no jobs"),
    ] {
        let outcome = run(script).expect("it ends by itself");
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert!(stderr.contains(said), "{script}: {stderr}");
        assert_eq!(outcome.status, 127, "{script}");
    }
}
