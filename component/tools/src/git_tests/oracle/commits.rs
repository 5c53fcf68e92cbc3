//! Generates histories with varied commits: people, dates, messages, encodings, notes, tags, merges.

use fastrand::Rng;

use crate::testing::Sandbox;

const NAMES: &[&str] = &[
    "A U Thor",
    "José Ñandú",
    "日本 太郎",
    "O'Neil, Jr.",
    "\"Quoted\" Name",
    "",
    "x",
    "A Very Long Name That Goes On And On Until It Does Not Fit On The Line Any More Nor Any Less",
    "Ünïcödé Ãuthor With Ñames That Are Long Enough To Be Folded In A Mail",
    "a_b=?c",
    "tab\tname",
];
const MAILS: &[&str] = &["a@example.com", "b@example.com", "no-at", "", "José@example.com", "x@y@z", "A@Example.Com"];
const SUBJECTS: &[&str] = &[
    "Fix a bug",
    "feat(core): add   something.",
    "日本語の件名",
    "",
    "a subject that is so long that a mail has to fold it somewhere, and a line of the log has to cut it off",
    "tab\there and\tthere",
    "trailing space  ",
    "=?UTF-8?q?encoded?=",
    "two\nlines",
    "..dots..and--dashes..",
    "From the start",
    "\u{1}control\u{7f} characters",
    "wide 日本 and zero\u{301} width\u{200b}",
    "Ünïcödé, ein sehr langer Betreff mit Umlauten, der in einer Mail gefaltet werden muß, weil er zu lang ist",
    "   indented",
];
const LINES: &[&str] = &[
    "A line of the body.",
    "",
    "",
    "From here on",
    ">From there",
    "\tindented by a tab\tand another",
    "a line that is long enough to be wrapped at the width of a narrow column, even if the column is not so narrow",
    "Signed-off-by: A U Thor <a@example.com>",
    "Reviewed-by : B",
    "Key: value",
    " goes on",
    "\tgoes on, too",
    "key-two: x",
    "(cherry picked from commit 1234)",
    "# a comment",
    "not a trailer",
    "日本語\tの行",
    "trailing   ",
    "---",
    "Conflicts:",
    "\ta.txt",
    "Acked-by:",
    ": nothing",
    "Bug #12: fixed",
    "ab\u{1}c\tcontrol\tcharacters",
    "\tone tab\u{7f}\tand another",
    "\u{1b}[1m\u{1b}[31mtwo colours\u{1b}[m that follow each other",
];
const ZONES: &[&str] = &["+0000", "+0100", "-0130", "+0530", "-0800", "+1400", "-1200", "-0000"];

/// The tests' time, for git and for the tools.
const NOW: u64 = crate::testing::NOW.nanos / 1_000_000_000;

/// A history, and its random generator.
pub struct Commits {
    pub sandbox: Sandbox,
    pub random: Rng,
}

impl Commits {
    /// The history of `seed`, on the branch `main`.
    pub fn new(seed: u64) -> Commits {
        let mut random = Rng::with_seed(seed);
        let mut sandbox = Sandbox::with_repository();
        let count = random.usize(1..=12);
        let mut stream = Vec::new();
        for mark in 1..=count {
            commit(&mut random, mark, &mut stream);
        }
        stream.extend_from_slice(format!("reset refs/heads/main\nfrom :{count}\n\n").as_bytes());
        refs(&mut random, count, &mut stream);
        notes(&mut random, count, &mut stream);
        import(&mut sandbox, &stream);
        sandbox.git(&["reset", "--quiet", "--hard"]);
        if random.usize(..2) == 0 {
            sandbox.write(".mailmap", mailmap(&mut random));
        }
        if random.usize(..6) == 0 {
            sandbox.git(&["checkout", "--quiet", "--detach"]);
        }
        Commits { sandbox, random }
    }
}

/// Runs `git fast-import`.
pub fn import(sandbox: &mut Sandbox, stream: &[u8]) {
    let output = sandbox.git_fed(&["fast-import", "--quiet", "--force", "--date-format=raw-permissive"], stream);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(stream));
}

pub fn pick<'l>(random: &mut Rng, list: &[&'l str]) -> &'l str {
    list[random.usize(..list.len())]
}

fn person(random: &mut Rng) -> String {
    // Mostly within days or years of now, rarely far off.
    let ago = match random.usize(..10) {
        0 => 0,
        1 => random.u64(..60),
        2 => random.u64(..86_400),
        3..=6 => random.u64(..40_000_000),
        7 | 8 => random.u64(..1_000_000_000),
        _ => NOW - random.u64(..100),
    };
    let ahead = if random.usize(..12) == 0 { random.u64(..100_000_000) } else { 0 };
    let time = NOW - ago + ahead;
    let name = pick(random, NAMES);
    let space = if name.is_empty() { "" } else { " " };
    format!("{name}{space}<{}> {time} {}", pick(random, MAILS), pick(random, ZONES))
}

fn message(random: &mut Rng) -> String {
    let mut message = pick(random, SUBJECTS).to_owned();
    if random.usize(..5) == 0 {
        message.insert_str(0, "\n \n");
    }
    if random.usize(..3) > 0 {
        message.push_str(if random.usize(..8) == 0 { "\n" } else { "\n\n" });
        for _ in 0..random.usize(..9) {
            message.push_str(pick(random, LINES));
            message.push_str(if random.usize(..20) == 0 { "\r\n" } else { "\n" });
        }
    }
    if random.usize(..3) > 0 {
        message.push('\n');
    }
    message
}

fn commit(random: &mut Rng, mark: usize, stream: &mut Vec<u8>) {
    let message = message(random);
    let mut data = message.clone().into_bytes();
    let mut encoding = "";
    match random.usize(..12) {
        0 if message.chars().all(|c| u32::from(c) < 256) => {
            data = message.chars().map(|c| c as u8).collect();
            encoding = "ISO-8859-1";
        }
        1 => encoding = "UTF-8",
        2 => encoding = "no-such-encoding",
        3 => data.extend_from_slice(b"\nnot UTF-8: \xe9\xff\n"),
        _ => {}
    }
    let tree = if random.usize(..5) == 0 { "refs/heads/w" } else { "refs/heads/work" };
    stream.extend_from_slice(format!("commit {tree}\nmark :{mark}\n").as_bytes());
    stream.extend_from_slice(format!("author {}\ncommitter {}\n", person(random), person(random)).as_bytes());
    if !encoding.is_empty() {
        stream.extend_from_slice(format!("encoding {encoding}\n").as_bytes());
    }
    stream.extend_from_slice(format!("data {}\n", data.len()).as_bytes());
    stream.extend_from_slice(&data);
    stream.push(b'\n');
    let mut parents: Vec<usize> = Vec::new();
    if mark > 1 {
        let count = [1, 1, 1, 2, 3][random.usize(..5)];
        for at in 0..count {
            let parent = if at == 0 { mark - 1 } else { random.usize(1..mark) };
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
    }
    for (at, parent) in parents.iter().enumerate() {
        let word = if at == 0 { "from" } else { "merge" };
        stream.extend_from_slice(format!("{word} :{parent}\n").as_bytes());
    }
    for _ in 0..random.usize(..3) {
        let path = pick(random, &["a", "b", "sub/c", "sub/d", "[x]", "é"]);
        match random.usize(..6) {
            0 => stream.extend_from_slice(format!("D {path}\n").as_bytes()),
            _ => {
                let text = format!("line {}\nsame\n", random.usize(..4));
                stream.extend_from_slice(format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()).as_bytes());
            }
        }
    }
    stream.push(b'\n');
}

fn refs(random: &mut Rng, count: usize, stream: &mut Vec<u8>) {
    for name in ["heads/other", "heads/feature/x", "tags/v1", "tags/v2.0", "remotes/origin/main", "stash", "odd/ref"] {
        if random.usize(..2) == 0 {
            let mark = random.usize(1..=count);
            stream.extend_from_slice(format!("reset refs/{name}\nfrom :{mark}\n\n").as_bytes());
        }
    }
    for name in ["annotated", "a/nested", "rel-1", "v1"] {
        if random.usize(..3) == 0 {
            let mark = random.usize(1..=count);
            let message = message(random);
            let tagger = person(random);
            stream.extend_from_slice(
                format!("tag {name}\nfrom :{mark}\ntagger {tagger}\ndata {}\n{message}\n", message.len()).as_bytes(),
            );
        }
    }
}

fn notes(random: &mut Rng, count: usize, stream: &mut Vec<u8>) {
    if random.usize(..2) == 0 {
        return;
    }
    stream.extend_from_slice(format!("commit refs/notes/commits\ncommitter {}\ndata 0\n\n", person(random)).as_bytes());
    for _ in 0..random.usize(1..4) {
        let note = ["a note", "two\nlines\n", "", "\n", "key: value\n\tindented"][random.usize(..5)];
        let mark = random.usize(1..=count);
        stream.extend_from_slice(format!("N inline :{mark}\ndata {}\n{note}\n", note.len()).as_bytes());
    }
    stream.push(b'\n');
}

fn mailmap(random: &mut Rng) -> String {
    let lines = [
        "Proper Name <a@example.com>\n",
        "<new@example.com> <b@example.com>\n",
        "Renamed <r@example.com> José Ñandú <a@example.com>\n",
        "X <x@y> <x@y@z>\n",
    ];
    (0..3).map(|_| pick(random, &lines)).collect()
}
