//! `--since` and `--until`: compares random texts made of all parts of dates with git.

use std::process::Command;
use std::time::SystemTime;

use fastrand::Rng;

use super::zone_variable;
use crate::git::words::dates::{Clock, approximate};

// Lists of texts, separated by bars.
const MONTHS: &str = "January|feb|mar|Apr|may|June|jul|AUG|sept|october|Nov|dec|janu|ja";
const WEEKDAYS: &str = "Sunday|mon|Tuesdays|wed|thurs|friday|Sat|fri|su";
const WORDS: &str = "yesterday|noon|midnight|tea|PM|am|never|now|today|one|two|three|four|five|six|seven|eight|nine|ten|\
    zero|eleven|last|second|seconds|sec|minute|minutes|hours|hour|days|day|weeks|week|months|month|mont|years|\
    year|yea|ago|at|of|EST|PDT|utc|GMT|Z|z|NT|CEST|nz|NZDT|IDLW|WAT|T|t|T10|T1030|T103045|T10:30|th|st|2nd|3rd|\
    never|false|all|x|\u{e9}|\u{fc}ber|tomorrow|fortnight|12pm|5am|pm|3days|noonish|lastly|ones|Monday,";
const SEPARATORS: &[&str] =
    &[" ", " ", " ", " ", ".", "-", ":", "/", ",", "", "", "+", "_", "\t", "  ", ", ", "T", "@", "\n", "\r", "'", "("];
const NUMBERS: &str = "0|1|2|5|00|05|007|9|10|11|12|13|23|24|25|29|30|31|32|37|38|59|60|61|69|70|71|99|100|365|0530|1400|1401|1899|\
    1900|1901|1969|1970|1971|1999|2000|2024|2025|2026|2027|2037|2038|2099|2100|9999|10000|103045|20240229|\
    20261122|19691231|99999999|100000000|946684800|1700000000|2147483647|2147483648|4102444799|4102444800|\
    4294967295|4294967296|4294967297|99999999999|67768036191676799|67768036191676800|9223372036854775807|\
    9223372036854775808|18446744073709551614|18446744073709551615|18446744073709551616|99999999999999999999999";
const ZONES: &str = "+0000|-0000|+0530|-1200|+1400|+2400|+9999|-0001|+05|-5|+5:30|+05:30|-05:3|+05: 5|+05:-5|+05:+5|+05:|+05:060|\
    +12345|Z| +0100| EST|+ 100|+-100|+00:01|-00:01|-00:02|+23:59";

fn one_of(random: &mut Rng, list: &'static str) -> &'static str {
    let texts: Vec<&str> = list.split('|').collect();
    pick(random, &texts)
}

fn pick<'a>(random: &mut Rng, from: &[&'a str]) -> &'a str {
    random.choice(from).expect("it is not empty")
}

/// A random number below `below`, in decimal, sometimes padded.
fn number(random: &mut Rng, below: u32) -> String {
    let number = random.u32(..below);
    if random.bool() { number.to_string() } else { format!("{number:02}") }
}

fn written_out(random: &mut Rng) -> String {
    let year = match random.usize(..6) {
        0 => number(random, 100),
        1 => random.u32(1960..2110).to_string(),
        _ => random.u32(1970..2040).to_string(),
    };
    let (month, day) = (number(random, 14), number(random, 33));
    let time = match random.usize(..8) {
        0 => String::new(),
        1 => number(random, 26),
        2 | 3 => format!("{}:{}", number(random, 26), number(random, 61)),
        4 => format!("{:02}{:02}{:02}", random.u32(..25), random.u32(..61), random.u32(..62)),
        5 => format!("{:02}{:02}", random.u32(..25), random.u32(..61)),
        6 => format!("{}:{}:{}.{}", number(random, 26), number(random, 61), number(random, 62), number(random, 9999)),
        _ => format!("{}:{}:{}", number(random, 26), number(random, 61), number(random, 62)),
    };
    let zone = if random.bool() { one_of(random, ZONES) } else { "" };
    let (word, weekday) = (one_of(random, MONTHS), one_of(random, WEEKDAYS));
    let separator = pick(random, &["-", "/", ".", "", " ", "-"]);
    let between = pick(random, &["T", " ", " ", "", "t", ", ", " at "]);
    match random.usize(..8) {
        0 | 1 => format!("{year}{separator}{month}{separator}{day}{between}{time}{zone}"),
        2 => format!("{month}{separator}{day}{separator}{year}{between}{time}{zone}"),
        3 => format!("{day}{separator}{month}{between}{time}{zone}"),
        4 => format!("{weekday}, {day} {word} {year} {time} {zone}"),
        5 => format!("{weekday} {word} {day} {time} {year} {zone}"),
        6 => format!("{word} {day}, {year}{between}{time}"),
        _ => format!("{}{} {}", pick(random, &["@", ""]), one_of(random, NUMBERS), one_of(random, ZONES)),
    }
}

fn word(random: &mut Rng) -> &'static str {
    let list = pick(random, &[WORDS, WORDS, WORDS, WEEKDAYS, MONTHS]);
    one_of(random, list)
}

fn said(random: &mut Rng) -> String {
    let separator = pick(random, SEPARATORS);
    let mut text = String::new();
    for _ in 0..random.usize(1..4) {
        let number = match random.usize(..6) {
            0 => one_of(random, NUMBERS).to_owned(),
            1 => pick(random, &["last", "one", "two", "ten", "five", ""]).to_owned(),
            _ => random.u32(..200).to_string(),
        };
        text.push_str(&format!("{number}{separator}{}{separator}", word(random)));
    }
    text + pick(random, &["ago", "", "", "ago noon", " 10:30", "tea"])
}

fn mixed(random: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(..8) {
        let from = pick(random, &[WORDS, WEEKDAYS, MONTHS, NUMBERS, NUMBERS, NUMBERS, ZONES]);
        text.push_str(one_of(random, from));
        text.push_str(pick(random, SEPARATORS));
    }
    text
}

fn text(random: &mut Rng) -> String {
    let text = match random.usize(..3) {
        0 => written_out(random),
        1 => said(random),
        _ => mixed(random),
    };
    let mut chars: Vec<char> = text.chars().collect();
    if random.usize(..3) == 0 {
        for _ in 0..random.usize(..3) {
            let at = random.usize(..=chars.len());
            match random.usize(..3) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => chars[at] = random.alphanumeric(),
                _ => chars.insert(at, *random.choice(&[' ', '-', ':', '.', '/', '+', '0', '1', 'T', 'a']).unwrap()),
            }
        }
    }
    chars.into_iter().collect()
}

/// The times that git reads from `texts`.
fn of_git(texts: &[String], now: i64, offset: i32) -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    let init = crate::testing::git(folder.path(), &["init", "--quiet"]);
    assert!(init.status.success());
    let output = Command::new(trial::git())
        .args(["rev-parse"])
        .args(texts.iter().map(|text| format!("--since={text}")))
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("PATH", std::env::var("PATH").unwrap()),
            ("TZ", zone_variable(offset)),
            ("GIT_TEST_DATE_NOW", now.to_string()),
        ])
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.strip_prefix("--max-age=").unwrap().parse().unwrap()).collect()
}

fn wall() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64
}

fn differs(text: &str, now: i64, offset: i32) -> bool {
    let clock = Clock { now, wall: wall(), offset };
    of_git(&[text.to_owned()], now, offset)[0] != approximate::parse(text.as_bytes(), &clock)
}

/// Shrinks `text` to the shortest one that still differs.
fn shrink(mut text: String, now: i64, offset: i32) -> String {
    'shorter: loop {
        let chars: Vec<char> = text.chars().collect();
        for length in (1..=chars.len()).rev() {
            for at in 0..=chars.len() - length {
                let shorter: String = chars[..at].iter().chain(&chars[at + length..]).collect();
                if differs(&shorter, now, offset) {
                    text = shorter;
                    continue 'shorter;
                }
            }
        }
        return text;
    }
}

fn compare(texts: &[String], now: i64, offset: i32, seed: u64) {
    let expected = of_git(texts, now, offset);
    assert_eq!(expected.len(), texts.len());
    let clock = Clock { now, wall: wall(), offset };
    for (text, expected) in texts.iter().zip(expected) {
        let found = approximate::parse(text.as_bytes(), &clock);
        if found != expected {
            let shortest = shrink(text.clone(), now, offset);
            let found = approximate::parse(shortest.as_bytes(), &clock);
            let expected = of_git(std::slice::from_ref(&shortest), now, offset)[0];
            panic!("seed {seed}, now {now}, offset {offset}: {text:?} or {shortest:?} is {expected}, not {found}");
        }
    }
}

/// The number of batches of random texts.
const BATCHES: u64 = 4;

/// The number of texts for one run of git.
const BATCH: usize = 1000;

#[test]
fn random_texts_mean_what_they_mean_to_git() {
    for seed in trial::seeds(0..BATCHES) {
        let mut random = Rng::with_seed(seed);
        // The end of a month, of February in a leap year, of a year, and a random time.
        let days = [1_774_949_400, 1_709_204_399, 1_767_225_599, 1_700_000_000, i64::from(random.u32(..1 << 31))];
        let now = *random.choice(&days).unwrap();
        let offset = *random.choice(&[0, 3600, -5 * 3600, 19_800, 14 * 3600, -43_200, 5415, -34 * 60]).unwrap();
        let texts: Vec<String> = (0..BATCH).map(|_| text(&mut random)).collect();
        compare(&texts, now, offset, seed);
    }
}

#[test]
fn every_word_means_what_it_means_to_git() {
    let mut texts = vec![String::new()];
    for word in [WORDS, WEEKDAYS, MONTHS, NUMBERS, ZONES].iter().flat_map(|list| list.split('|')) {
        texts.push(word.to_string());
        texts.extend(["3 ", "last ", "10:30 ", "2 Jan "].map(|before| format!("{before}{word}")));
        texts.extend([" ago", " noon", " 2020", " 12"].map(|after| format!("{word}{after}")));
    }
    compare(&texts, 1_700_000_000, 3600, 0);
}

#[test]
fn the_clock_and_the_zone_are_those_of_the_call() {
    // Friday, 20 November 2026, 10:00:00 +0100.
    let since = |text| crate::git::words::dates::approxidate(text, crate::testing::NOW);
    let now = since("now");
    assert_eq!(now, 1_795_165_200);
    assert_eq!(since("2 weeks ago"), now - 14 * 86_400);
    assert_eq!(since("yesterday 12:00"), now - 86_400 + 2 * 3600);
    // Noon of the day before yesterday counts back from ten o'clock.
    assert_eq!(since("yesterday noon"), now - 2 * 86_400 + 2 * 3600);
    assert_eq!(since("2026-11-20 10:00"), now);
    assert_eq!(since("2026-11-20T09:00:00Z"), now);
    // A date without a year is not in the future.
    assert_eq!(since("11/29/26 10:00"), now + 9 * 86_400);
    assert_eq!(since("no date"), now);
}
