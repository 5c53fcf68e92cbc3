//! Compares commits with random dates with git, in every form of a date.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use fastrand::Rng;
use gix::bstr::ByteSlice;

use super::zone_variable;
use crate::call::Moment;
use crate::git::words::dates::{DateForm, Stamp, show};
use crate::testing::Sandbox;

const FORMS: &[(DateForm, &str)] = &[
    (DateForm::Default, "default"),
    (DateForm::Relative, "relative"),
    (DateForm::Human, "human"),
    (DateForm::Iso, "iso"),
    (DateForm::IsoStrict, "iso-strict"),
    (DateForm::Rfc2822, "rfc"),
    (DateForm::Short, "short"),
];

/// Text in place of a commit's date.
const ODD: &[&str] = &[
    "0 +0000",
    "0 -0100",
    "0 -0001",
    "3599 -0100",
    "3600 -0100",
    "9999999999 +0000",
    "67767976233532799 +0000",
    "67767976233532800 +0000",
    "67768036191676799 +0000",
    "67768036191676799 +0001",
    "67768036191676800 +0000",
    "9223372036854775806 +0000",
    "9223372036854775807 +0000",
    "9223372036854775807 +0001",
    "9223372036854775808 +0000",
    "9223372036854775808 +0530",
    "18446744073709551615 +0000",
    "18446744073709551615 +0100",
    "18446744073709551616 +0100",
    "99999999999999999999 -0000",
    "1700000000 +9999",
    "1700000000 -9999",
    "1700000000 +0060",
    "1700000000 -0099",
    "1700000000 +5",
    "1700000000 -0001",
    "1700000000 +053045",
    "1700000000 -2147483646",
    "1700000000 +2147483646",
    "1700000000 +1100000000",
    "1700000000 -1100000000",
    "1700000000 +2147483647",
    "1700000000 -2147483648",
    "1700000000 +99999999999999999999",
    "007 +0000",
    "1700000000",
    "1700000000 ",
    "1700000000 0100",
    "1700000000 +",
    "1700000000 +01x",
    "1700000000x +0100",
    "1700000000+0100",
    "  1700000000 \t +0100",
    "-5 +0000",
    "+5 +0000",
    "x",
    "",
];

/// Units in seconds; the test adds a random number of them to now.
const UNITS: &[i64] = &[1, 60, 3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];

fn random_date(random: &mut Rng, now: i64) -> String {
    let zone = *random.choice(&["+0000", "+0100", "-0800", "+0530", "+1400", "-1200", "-0000", "+0545"]).unwrap();
    let bits = random.usize(1..58);
    let seconds = match random.usize(..5) {
        0 => random.i64(0..1 << bits),
        _ => now - random.i64(-10..100) * *random.choice(UNITS).unwrap() - random.i64(-1..2),
    };
    format!("{} {zone}", seconds.max(0))
}

/// Runs git with a clock and a zone, and feeds it ids on standard input.
fn git(sandbox: &Sandbox, now: Moment, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(trial::git())
        .args(arguments)
        .current_dir(sandbox.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("TZ", zone_variable(now.utc_offset))
        .env("GIT_TEST_DATE_NOW", (now.nanos / 1_000_000_000).to_string())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git is installed");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Creates a commit for each of `dates`.
fn commits(sandbox: &mut Sandbox, now: Moment, dates: &[String]) -> Vec<String> {
    let tree = sandbox.git(&["write-tree"]);
    let mut paths = String::new();
    for (at, date) in dates.iter().enumerate() {
        let path = format!("commit{at}");
        sandbox.write(&path, format!("tree {tree}author A <a@x> {date}\ncommitter C <c@x> 1700000000 +0000\n\nm\n"));
        paths.push_str(&format!("{path}\n"));
    }
    let made = git(sandbox, now, &["hash-object", "-t", "commit", "-w", "--literally", "--stdin-paths"], &paths);
    assert!(made.status.success(), "{made:?}");
    made.stdout.to_str().unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn dates_are_shown_as_git_shows_them() {
    for seed in 0..5 {
        let mut random = Rng::with_seed(seed);
        let any = random.i64(0..1 << 31);
        let seconds = *random.choice(&[1_774_949_400, 1_767_225_599, 1_700_000_000, any]).unwrap();
        let utc_offset = *random.choice(&[0, 3600, -5 * 3600, 19_800, 14 * 3600, -43_200]).unwrap();
        let now = Moment { nanos: seconds as u64 * 1_000_000_000, utc_offset };
        let mut sandbox = Sandbox::with_repository();
        let mut dates: Vec<String> = ODD.iter().map(|date| date.to_string()).collect();
        dates.extend((0..300).map(|_| random_date(&mut random, seconds)));
        let ids = commits(&mut sandbox, now, &dates);
        assert_eq!(ids.len(), dates.len());
        for (form, name) in FORMS {
            let option = format!("--date={name}");
            let command = ["log", "--no-walk=unsorted", "--stdin", "--format=%H%x00%ad", &option];
            let of = |stamp: Option<Stamp>| stamp.map_or(Ok(String::new()), |stamp| show(stamp, *form, now));
            let found = dates.iter().map(|date| of(Stamp::parse(date.as_str().into())));
            let (mut input, mut expected) = (String::new(), Vec::new());
            for ((date, id), found) in dates.iter().zip(&ids).zip(found) {
                let here = || format!("seed {seed}: {date:?} as {name}");
                match found {
                    Ok(found) => {
                        input.push_str(&format!("{id}\n"));
                        expected.push((id, here(), found));
                    }
                    Err(error) => {
                        let alone = git(&sandbox, now, &command, id);
                        assert!(!alone.status.success(), "{}", here());
                        assert_eq!(alone.stderr.trim_end().to_str().unwrap(), error.message, "{}", here());
                    }
                }
            }
            let output = git(&sandbox, now, &command, &input);
            // git prints the commits in its own order.
            let lines = output.stdout.to_str().unwrap().lines().map(|line| line.split_once('\0').unwrap());
            let shown: BTreeMap<&str, &str> = lines.collect();
            for (id, here, found) in expected {
                assert_eq!(Some(&found.as_str()), shown.get(id.as_str()), "{here}: {}", output.stderr.as_bstr());
            }
        }
    }
}

#[test]
fn a_time_of_gix_is_shown_in_its_zone() {
    let now = crate::testing::NOW;
    let shown = |seconds, offset| show(gix::date::Time { seconds, offset }, DateForm::Iso, now).unwrap();
    assert_eq!(shown(1_700_000_000, 19_800), "2023-11-15 03:43:20 +0530");
    assert_eq!(shown(1_700_000_000, -(3 * 3600 + 1800)), "2023-11-14 18:43:20 -0330");
    assert_eq!(shown(-5, 0), "1970-01-01 00:00:00 +0000");
}
