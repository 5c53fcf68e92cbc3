//! The rows of the screen. Knows no terminal.

use gate::columns::widest;
use gate::id::SandboxId;
use gate::review::{Screen, one_row};

use super::seen::{Asked, Event, short};
use super::state::State;
use crate::screen::line;

/// What a row is, which decides how it stands out where there are colours. Its words say it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Plain,
    Heading,
    Chosen,
    Keys,
}

impl Tone {
    /// The parameters of its `SGR` sequence (ECMA-48, 8.3.117).
    fn sgr(self) -> Option<&'static str> {
        match self {
            Tone::Plain => None,
            Tone::Heading => Some("1"),
            Tone::Chosen => Some("7"),
            Tone::Keys => Some("36"),
        }
    }
}

type Row = (Tone, String);

/// A list under a heading.
struct List {
    heading: String,
    rows: Vec<Row>,
    /// The row that has to be seen.
    seen: usize,
}

const HELP: [&str; 9] = [
    "up, down, k, j  choose what waits; below is its sandbox",
    "Enter           review it: the whole call, then decide",
    "r               reject it, with a reason for the agent",
    "Tab             show the next sandbox",
    "Ctrl-L          draw the screen anew",
    "q, Ctrl-C       leave; what waits stays as it is",
    "?               show these keys; any key goes back",
    "",
    "Enter and r first show the whole call.",
];

/// Columns of a time.
const TIME: usize = "10:00:00".len();

/// As many rows as the screen has, none wider than it.
pub(super) fn rows(state: &State, screen: &Screen) -> Vec<String> {
    let note = note(state, screen.columns).map(|note| (Tone::Plain, note));
    let height = screen.rows.saturating_sub(2 + usize::from(note.is_some()));
    let mut rows = match state.help {
        true => HELP.iter().map(|row| (Tone::Plain, format!("  {row}"))).collect(),
        false => fitted(lists(state, screen.columns), height),
    };
    rows.resize(height, (Tone::Plain, String::new()));
    let all = [(Tone::Heading, title(state))].into_iter().chain(rows).chain(note).chain([(Tone::Keys, keys(state))]);
    all.take(screen.rows).map(|row| drawn(&row, screen)).collect()
}

fn drawn((tone, text): &Row, screen: &Screen) -> String {
    let mut taken = 0;
    let fits = |char: &char| {
        taken += widest(*char);
        taken <= screen.columns
    };
    // Only our own words can still be wider than the screen.
    let text: String = text.chars().take_while(fits).collect();
    match tone.sgr().filter(|_| screen.colour && !text.is_empty()) {
        Some(sgr) => format!("\x1b[{sgr}m{text}\x1b[0m"),
        None => text,
    }
}

fn title(state: &State) -> String {
    match state.names() {
        [] => "gitgate watch".to_owned(),
        [name] => format!("gitgate watch: sandbox {name}{}", whose(state, name)),
        names => format!("gitgate watch: {} sandboxes", names.len()),
    }
}

/// Says it of a sandbox of another repository than the one where the person stands.
fn whose(state: &State, name: &SandboxId) -> &'static str {
    let is_here = state.outside.as_ref().is_none_or(|outside| outside.here.contains(name));
    if is_here { "" } else { ", of another repository" }
}

fn note(state: &State, columns: usize) -> Option<String> {
    let outside = state.outside.iter().flat_map(|outside| &outside.notes);
    let inside = state.inside.iter().flat_map(|inside| &inside.notes);
    const LEAD: &str = "note: ";
    outside.chain(inside).next().map(|note| format!("{LEAD}{}", foreign(note, columns, LEAD.len())))
}

fn keys(state: &State) -> String {
    let answer = if state.asked().is_empty() { "" } else { "Enter review  r reject  j/k choose  " };
    format!("{answer}? keys  q leave")
}

fn lists(state: &State, columns: usize) -> Vec<List> {
    let asked = state.asked();
    let waiting = match asked.len() {
        0 => "Waits for you".to_owned(),
        count => format!("Waits for you ({count})"),
    };
    let names = if state.names().len() > 1 { state.names().iter().map(|name| name.as_str().len()).max() } else { None };
    let rows = asked.iter().enumerate().map(|(place, asked)| {
        let is_chosen = state.chosen() == Some(place);
        let tone = if is_chosen { Tone::Chosen } else { Tone::Plain };
        (tone, asked_row(asked, is_chosen, names.unwrap_or_default(), &state.today, columns))
    });
    let empty = match &state.outside {
        None => "looking ...",
        Some(outside) if outside.names.is_empty() => "there is no sandbox yet: gitgate new",
        Some(_) => "nothing",
    };
    let mut lists = vec![list(waiting, rows.collect(), state.chosen().unwrap_or_default(), empty)];
    let Some(shown) = state.shown() else { return lists };
    let of = match (state.names().len() > 1, whose(state, shown)) {
        (false, "") => String::new(),
        (_, whose) => format!(" in {shown}{whose}"),
    };
    let inside = state.inside.as_ref();
    let empty = if inside.is_some() { "nothing" } else { "looking ..." };
    let events = |events: Option<&Vec<Event>>| -> Vec<Row> {
        let rows = events.into_iter().flatten().map(|event| event_row(event, &state.today, columns));
        rows.map(|row| (Tone::Plain, row)).collect()
    };
    let staged = inside.iter().flat_map(|inside| &inside.staged);
    let staged = staged.map(|staged| (Tone::Plain, format!("  {}", foreign(staged, columns, 2)))).collect();
    let unstaged = match inside.map_or(0, |inside| inside.unstaged) {
        0 => String::new(),
        1 => "; 1 changed file is not".to_owned(),
        count => format!("; {count} changed files are not"),
    };
    lists.push(list(format!("Latest calls{of}"), events(inside.map(|inside| &inside.calls)), 0, empty));
    lists.push(list(format!("Decisions and pushes{of}"), events(inside.map(|inside| &inside.log)), 0, empty));
    lists.push(list(format!("Proposed{of}{unstaged}"), staged, 0, empty));
    lists
}

fn list(heading: String, mut rows: Vec<Row>, seen: usize, empty: &str) -> List {
    if rows.is_empty() {
        rows.push((Tone::Plain, format!("  {empty}")));
    }
    List { heading, rows, seen }
}

/// A call that waits. Sandboxes are named where there are several, `name` columns wide.
fn asked_row(asked: &Asked, is_chosen: bool, name: usize, today: &str, columns: usize) -> String {
    let id = asked.id.get(..8).unwrap_or(&asked.id);
    let mark = if is_chosen { '>' } else { ' ' };
    let sandbox = match name {
        0 => String::new(),
        name => format!("{:name$}  ", asked.sandbox.as_str()),
    };
    let lead = format!("{mark} {}  {}  {sandbox}", foreign(id, columns, 2), when(&asked.at, today));
    let what = foreign(&format!("{}: {}", asked.tool, asked.what), columns, lead.chars().count());
    lead + &what
}

fn event_row(event: &Event, today: &str, columns: usize) -> String {
    let lead = format!("  {}  ", when(&event.at, today));
    let what = foreign(&event.what, columns, lead.chars().count());
    lead + &what
}

/// When it was. A sandbox may say anything.
fn when(at: &str, today: &str) -> String {
    format!("{:TIME$}", foreign(short(at, today), TIME + 1, 0))
}

/// A text that is not ours, behind `lead` columns of our own. A mark where it is cut may take two.
fn foreign(text: &str, columns: usize, lead: usize) -> String {
    one_row(&line(text), columns.saturating_sub(lead + 1))
}

/// The lists in so many rows. Each gets one row more in turn while it has more to show; where there
/// is no room for a heading and a row, the last lists are left out.
fn fitted(mut lists: Vec<List>, height: usize) -> Vec<Row> {
    lists.truncate((height / 2).max(1));
    let mut room = height.saturating_sub(lists.len());
    let mut shares = vec![0; lists.len()];
    while room > 0 && shares.iter().zip(&lists).any(|(share, list)| *share < list.rows.len()) {
        for (share, list) in shares.iter_mut().zip(&lists) {
            if room > 0 && *share < list.rows.len() {
                *share += 1;
                room -= 1;
            }
        }
    }
    let mut out = Vec::new();
    for (list, share) in lists.into_iter().zip(shares) {
        let first = (list.seen + 1).saturating_sub(share).min(list.rows.len() - share);
        out.push((Tone::Heading, list.heading));
        out.extend(list.rows.into_iter().skip(first).take(share));
    }
    out.truncate(height);
    out
}

#[cfg(test)]
mod tests {

    use super::super::seen::{Inside, Outside};
    use super::*;
    use crate::terminal::Key;

    const WIDE: Screen = Screen { columns: 120, rows: 40, colour: false };
    const SMALL: Screen = Screen { columns: 60, rows: 15, colour: false };

    fn name(name: &str) -> SandboxId {
        name.parse().unwrap()
    }

    fn asked(id: &str, sandbox: &str, what: &str) -> Asked {
        let at = "2026-11-20T10:00:00+00:00".to_owned();
        Asked { sandbox: name(sandbox), id: id.repeat(16), tool: "git_stage".to_owned(), what: what.to_owned(), at }
    }

    fn event(what: &str) -> Event {
        Event { at: "2026-11-20T09:59:58+00:00".to_owned(), what: what.to_owned() }
    }

    /// A sandbox with a call that waits, or more of them in two.
    fn state(names: &[&str], waiting: Vec<Asked>, each: usize) -> State {
        let mut state = State::default();
        state.date("2026-11-20".to_owned());
        let all: Vec<SandboxId> = names.iter().map(|one| name(one)).collect();
        state.see(Outside { here: all.clone(), names: all, asked: waiting, notes: Vec::new() });
        let events = |what: &str| (1..=each).map(|number| event(&format!("{what} {number}"))).collect();
        state.look_into(Inside {
            name: name(names[0]),
            calls: events("agent write_file: Wrote"),
            log: events("push landed"),
            staged: (1..=each).map(|number| format!("[{number}] \"Add\" (1 file)")).collect(),
            unstaged: 2,
            notes: Vec::new(),
        });
        state
    }

    #[test]
    fn a_sandbox_of_another_repository_is_said_to_be_one() {
        let mut state = state(&["work"], Vec::new(), 1);
        state.see(Outside { names: vec![name("work")], ..Outside::default() });
        let rows = rows(&state, &WIDE);
        assert_eq!(rows[0], "gitgate watch: sandbox work, of another repository");
        assert!(rows.iter().any(|row| row == "Latest calls in work, of another repository"), "{rows:#?}");
    }

    #[test]
    fn a_large_screen_shows_everything() {
        let waiting = vec![asked("1", "work", "Stage a.md"), asked("2", "work", "Stage b.md")];
        let rows = rows(&state(&["work"], waiting, 2), &WIDE);
        assert_eq!(
            rows[..13],
            [
                "gitgate watch: sandbox work",
                "Waits for you (2)",
                "> 11111111  10:00:00  git_stage: Stage a.md",
                "  22222222  10:00:00  git_stage: Stage b.md",
                "Latest calls",
                "  09:59:58  agent write_file: Wrote 1",
                "  09:59:58  agent write_file: Wrote 2",
                "Decisions and pushes",
                "  09:59:58  push landed 1",
                "  09:59:58  push landed 2",
                "Proposed; 2 changed files are not",
                "  [1] \"Add\" (1 file)",
                "  [2] \"Add\" (1 file)",
            ]
        );
        assert!(rows[13..39].iter().all(String::is_empty));
        assert_eq!(rows[39], "Enter review  r reject  j/k choose  ? keys  q leave");
    }

    #[test]
    fn a_small_screen_shows_some_of_everything_and_what_is_chosen() {
        let waiting = ["1", "2", "3", "4", "5"].map(|id| asked(id, "b", &"long ".repeat(30))).to_vec();
        let mut state = state(&["a", "b"], waiting, 50);
        for _ in 0..4 {
            assert_eq!(state.press(Key::Down), None);
        }
        let rows = rows(&state, &SMALL);
        assert_eq!(rows.len(), 15);
        assert_eq!(rows[..2], ["gitgate watch: 2 sandboxes", "Waits for you (5)"]);
        assert_eq!(rows[2], "  11111111  10:00:00  b  git_stage: long long long long lo…");
        assert_eq!(rows[6], "> 55555555  10:00:00  b  git_stage: long long long long lo…");
        assert_eq!(rows[7..9], ["Latest calls in b", "  looking ..."]);
        assert_eq!(rows[14], "Enter review  r reject  j/k choose  ? keys  q leave");
    }

    #[test]
    fn lists_share_the_rows_and_the_chosen_call_stays_on_the_screen() {
        let waiting = ["1", "2", "3", "4", "5"].map(|id| asked(id, "a", "Stage")).to_vec();
        let mut state = state(&["a"], waiting, 50);
        let chosen =
            |state: &State| rows(state, &SMALL).iter().filter(|row| row.starts_with("> ")).cloned().collect::<Vec<_>>();
        for id in ["1", "2", "3", "4", "5"] {
            assert!(chosen(&state)[0].contains(&id.repeat(8)), "{id}");
            state.press(Key::Char('j'));
        }
        let rows = rows(&state, &SMALL);
        let headings = rows.iter().filter(|row| !row.starts_with([' ', '>'])).count();
        assert_eq!((rows.len(), headings), (15, 6), "{rows:#?}");
        assert!(rows.contains(&"  09:59:58  push landed 2".to_owned()), "{rows:#?}");
        assert!(rows.contains(&"  [2] \"Add\" (1 file)".to_owned()), "{rows:#?}");
    }

    #[test]
    fn any_screen_is_filled_and_never_overflows() {
        let waiting = vec![asked("1", "a", &"日本語\u{301}\u{e000}".repeat(40)), asked("2", "b", "")];
        let mut state = state(&["a", "b"], waiting, 9);
        for is_help in [false, true] {
            state.help = is_help;
            for (columns, rows) in [(1, 1), (7, 2), (20, 3), (20, 9), (60, 15), (80, 24), (300, 100)] {
                let drawn = super::rows(&state, &Screen { columns, rows, colour: false });
                assert_eq!(drawn.len(), rows);
                for row in drawn {
                    let wide: usize = row.chars().map(widest).sum();
                    assert!(wide <= columns.max(2), "{columns}: {row}");
                }
            }
        }
    }

    #[test]
    fn colours_say_nothing_that_words_do_not() {
        let state = state(&["a"], vec![asked("1", "a", "Stage")], 3);
        let coloured = rows(&state, &Screen { colour: true, ..SMALL });
        let mut plain = coloured.join("\n");
        assert!(plain.contains("\x1b[7m> 1111"), "{plain:?}");
        for sequence in ["\x1b[1m", "\x1b[7m", "\x1b[36m", "\x1b[0m"] {
            plain = plain.replace(sequence, "");
        }
        assert_eq!(plain, rows(&state, &SMALL).join("\n"));
    }

    #[test]
    fn attack_15_nothing_of_a_repository_is_shown_raw() {
        let evil = "a\x1b[2J\n\u{202e}│ q\u{9b}1m";
        let mut state = state(&["a"], vec![asked("\x1b", "a", evil)], 0);
        state.look_into(Inside {
            name: name("a"),
            calls: vec![event(evil), Event { at: evil.to_owned(), what: String::new() }],
            log: vec![event(evil)],
            staged: vec![evil.to_owned()],
            unstaged: 0,
            notes: vec![evil.to_owned()],
        });
        for row in rows(&state, &WIDE) {
            assert!(row.chars().all(|char| char == ' ' || char.is_ascii_graphic() || char == '…'), "{row:?}");
        }
    }

    #[test]
    fn where_nothing_is_the_screen_says_so() {
        let empty = |state: &State| rows(state, &SMALL)[..4].join("\n");
        assert_eq!(empty(&State::default()), "gitgate watch\nWaits for you\n  looking ...\n");
        let mut none = State::default();
        none.see(Outside::default());
        assert_eq!(empty(&none), "gitgate watch\nWaits for you\n  there is no sandbox yet: gitgate new\n");
        let quiet = rows(&state(&["a"], Vec::new(), 0), &SMALL);
        assert_eq!(quiet.iter().filter(|row| *row == "  nothing").count(), 4, "{quiet:#?}");
        assert_eq!(quiet[14], "? keys  q leave");
    }
}
