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

const ENDLESS: &[&str] = &[
    "range(1e12)",
    "[range(1e12)]",
    "last(range(1e12))",
    "[limit(1e12; repeat(1))]",
    "repeat(1)",
    "last(repeat(1))",
    "def f: f; f",
    "def f: f, f; f",
    "def f: (f, 1); f",
    "def f: f | f; f",
    "def f: 1 + f; f",
    "def f: [f]; f",
    "def f: {a: f}; f",
    "def f: try f catch f; f",
    "def f(g): f(g | .); f(.)",
    "def f(g): f(f(g)); f(.)",
    "def f(g): g | f(g); f(.)",
    "def f($x): f($x + 1); f(0)",
    "def f: . as $x | f; f",
    "def f($x): . as $y | f($y); f(0)",
    "def f: def g($x): f; g(1); f",
    "def f: def g: f; g; f",
    "until(false; .)",
    "while(true; .)",
    "[while(true; . + 1)]",
    "last(while(true; .))",
    "\"a\" * 1e12",
];

#[test]
fn jq_ends_whatever_its_program_does() {
    on_a_small_stack(|| {
        for program in ENDLESS {
            let script = format!("jq -n '{program}' > /dev/null");
            let halted = run(&script).expect_err(program);
            assert!(matches!(halted, Halt::TooLarge(_) | Halt::Timeout), "{program}: {halted:?}");
        }
        // As deep as the shell lets it be called.
        for count in [10, 50, 100, 110] {
            for call in ["f $(($1 - 1))", "(f $(($1 - 1)))", "echo $(f $(($1 - 1)))", "{ f $(($1 - 1)) | cat; }"] {
                let body = format!("if (($1 > 0)); then {call}; else jq -n \"def f: 1 + [f]; f\"; fi");
                drop(run(&format!("f() {{ {body}; }}; f {count}")));
            }
        }
        for program in [
            "last(recurse)|last(recurse(.))",
            "[recurse([.])]",
            "last(recurse([.]))",
            "reduce repeat(1) as $x (0; . + $x)",
            "reduce range(1e9) as $x ([]; [.])",
            "reduce range(1e9) as $x ({}; {a: .})",
            "reduce range(1e9) as $x ([]; . + [$x])",
            "reduce range(1e9) as $x ({}; .[$x | tostring] = $x)",
            "reduce range(100) as $x (\"a\"; . + .)",
            "reduce range(100) as $x ([1]; . + .)",
            "reduce range(100) as $x ([1]; [., .]) | tojson",
            "reduce range(100) as $x ([1]; [., .])",
            "reduce range(100) as $x ([1]; [., .]) | . == .",
            "reduce range(100) as $x ([1]; [., .]) | [.. | 1] | length",
            "reduce range(100) as $x ([1]; [., .]) | flatten | length",
            "reduce range(100) as $x ([1]; [., .]) | [paths] | length",
            "reduce range(100) as $x ([1]; [., .]) | walk(.)",
            "reduce range(100) as $x ([1]; [., .]) | tostream",
            "reduce range(100) as $x ([1]; [., .]) | contains([[[2]]])",
            "reduce range(100) as $x ({}; {a: ., b: .}) | . * .",
            "foreach repeat(1) as $x (0; . + 1; empty)",
            "foreach range(1e12) as $x (0; (., .); empty)",
            "last(foreach range(1e12) as $x (0; if $x then (., 1) else 2 end))",
            "foreach 1 as $x (0; repeat(1))",
            "\"a\" * 1e12",
            "\"a\" * 1e6 | [., .] | tojson | [limit(1e9; repeat(.) + \"x\")]",
            "[range(1e5)] | combinations(9)",
            "[range(1e4) | tostring] | [limit(1e9; repeat(.)) | join(\",\")]",
            "[limit(1e9; repeat({a: 1}))]",
            "null | .[1e9] = 1",
            "null | .[1e12] = 1",
            "[.[1e8] = 1]",
            "path(last(repeat(.a)))",
            "path(def f: .a | f; f)",
            "[path(def f: ., (.a | f); f)]",
            "path(reduce range(1e9) as $x (.; .a))",
            "path(foreach range(1e9) as $x (.; .a))",
            "path(getpath([range(1e5) | \"a\"]))",
            "setpath([range(1e5) | \"a\"]; 1)",
            "label $x | repeat(1) | if . == 2 then break $x else empty end",
            "[repeat(1) | select(. == 2)]",
            "first(repeat(1) | select(. == 2))",
            "any(repeat(1); . == 2)",
            "isempty(repeat(1) | select(. == 2))",
            "repeat(1) // 2 | empty",
            "(repeat(null) // 2)",
            "[range(1e5)] | sort_by(-.) | map(tostring) | sort | repeat(.) | sort | empty",
            "[limit(1e9; repeat(1)) as $x | $x]",
            "input, inputs, repeat(1) | empty",
            "\"a\" * 1e5 | gsub(\"\"; \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\") | repeat(.) | length | empty",
            "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" | gsub(\"a\"; \"b\", \"c\")",
            "\"a\" * 1e5 | repeat(test(\"(a|a)*b\")) | empty",
            "repeat(test(\"(\\\\w{1,50}){1,50}x\")) | empty",
            "[splits(\"a\")?] | repeat(1) | debug | empty",
            "repeat(debug) | empty",
            "\"a\" | gsub(\"a\"; repeat(\"x\"))",
            "[range(1e5)] | indices([range(5e4)])",
            "\"a\" * 1e6 | indices(. [:500000])",
            "\"a\" * 1e6 | [limit(1e6; repeat(.))] | @csv, @sh",
            "[limit(1e6; range(1e9) | -. )] | sort, sort_by(. % 7), group_by(. % 9)",
            "def a: b; def b: 1; a",
            "tojson | until(length > 1e12; . + .)",
            "[1, [2]] | until(false; map(.))",
            "[limit(1e7; repeat([]))] | unique | group_by(.) | repeat(.) | empty",
            "{} | until(false; . + {(length | tostring): 1})",
            "[[range(1000)] | .[], .[] ] | . as $a | [$a[] | $a[] | $a[]] | length",
            "try repeat(1) catch . | empty",
            "def f: try error(1) catch f; f",
            "def f: label $x | f; f",
            "def f: . as [$a] ?// $a | f; f",
            "def f: if f then 1 else 2 end; f",
            "def f: reduce f as $x (0; 1); f",
            "def f: .[f]; f",
            "def f: path(f); f",
            "def f: (.a |= f); f",
            "def f: (f |= 1); f",
            "def f: \"\\(f)\"; f",
            "def f: -f; f",
            "def f: first(f); f",
            "def f: limit(3; f); f",
            "def f: [.[]?, 1] | map(f); f",
            "def f: f // 1; f",
            "def f: f and f; f",
        ] {
            let script = format!("jq -n '{program}' > /dev/null");
            // Some end by themselves, in an error or soon. None goes on, or ends the shell with it.
            drop(run(&script));
        }
        for word in
            ["[", "(", "{a:", "-", "1|", "1,", "1+", "if 1 then ", "def f: ", "try ", ". as [", "\"\\(", "[]|.["]
        {
            for count in [100, 1_000, 50_000] {
                let script = format!("jq -n '{}' > /dev/null", word.repeat(count));
                drop(run(&script));
                let script = format!("jq -n '{}1' > /dev/null", word.repeat(count));
                drop(run(&script));
            }
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for count in [500, 900, 5_000, 100_000] {
                let text = format!("{}1{}", open.repeat(count), close.repeat(count));
                let script =
                    format!("jq -c '., tojson, ([..] | length), ([paths] | length), walk(.), (. == .)' <<< '{text}'");
                drop(run(&script));
                let script = format!("jq -Rc 'fromjson' <<< '{text}'");
                drop(run(&script));
            }
        }
        drop(run("yes '{\"a\":[1,2,3]}' | jq -c ."));
        drop(run("yes '[' | jq -c ."));
        drop(run("yes '\"a' | jq -c ."));
        drop(run("yes 1 | jq -s ."));
        drop(run("yes 1 | jq -Rs ."));
        drop(run("yes 1 | jq -n '[inputs]'"));
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
        ("gcc x.c", "no other programs"),
        ("iconv -f latin1", "no other programs"),
        ("jobs", "no jobs in the background"),
        ("nohup ls", "no jobs in the background"),
        ("sleep 1 & wait", "what was to run there did not"),
        ("sleep 1 & wait $!", "what was to run there did not"),
        ("wait 12", "not a child"),
        ("vim x", "nobody sits at a terminal"),
        (":(){ :|:& };:", "no jobs"),
    ] {
        let outcome = run(script).expect("it ends by itself");
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert!(stderr.contains(said), "{script}: {stderr}");
        assert_eq!(outcome.status, 127, "{script}");
    }
}

#[test]
fn what_cannot_be_done_is_an_error() {
    for (script, said, status) in [
        ("printf '%2000000000d' 1", "wider than the 16 MiB", 1),
        ("printf '%*s' 99999999999999999999999 x", "wider than the 16 MiB", 1),
        ("awk 'BEGIN { printf \"%2000000d\", 1 }'", "more than 1048576 characters", 2),
        ("TZ=America/New_York date", "only UTC and fixed zones", 1),
        ("TZ=EST5EDT date +%F", "only UTC and fixed zones", 1),
        ("x=$(printf '%0999d' 0); echo $((1 ${x//0/+1 } 1))", "...: syntax error", 1),
    ] {
        let outcome = run(script).expect("it ends by itself");
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert!(stderr.contains(said) && stderr.len() < 400, "{script}: {stderr}");
        assert_eq!((outcome.status, outcome.stdout.len()), (status, 0), "{script}");
    }
    for endless in ["sleep infinity", "wc -c /dev/zero", "cat /dev/zero"] {
        let halted = run(endless).expect_err(endless);
        assert!(matches!(halted, Halt::TooLarge(_) | Halt::Timeout), "{endless}: {halted:?}");
    }
}
