//! The screen, played with keys, on pushes that git made.

mod attacks;
mod deciding;
mod speed;

use std::cell::RefCell;

use gate::comment::{Comment, Place, Reply, Weight};
use gate::review::Review;
use gate::seen::Seen;
use gate::time::Timestamp;
use host::review::{AGENT, Change, Draft};

use super::effect::{Effect, Outcome};
use super::screen::Screen;
use super::theme::{Ground, Theme};
use super::{Model, Overview};
use crate::support::Repo;
use crate::support::pushing::Scene;
use crate::terminal::Key;

fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

/// A push of two commits to four files in two folders.
fn pushed() -> Scene {
    let repo = Repo::new();
    repo.write("src/a.rs", numbered(60)).write("src/b.rs", numbered(20)).write("docs/x.md", "x\n").commit("base");
    let scene = Scene::of(repo);
    let work = numbered(60).replace("line 9\n", "line nine\n").replace("line 40\n", "line forty\nand more\n");
    scene.repo.write("src/a.rs", &work).commit("first");
    scene.repo.write("src/b.rs", numbered(20).replace("line 3\n", "")).write("docs/new.md", "# New\n\ntext\n");
    scene.repo.write(".github/workflows/ci.yml", "on: push\n").commit("second");
    scene
}

/// What a person does at a screen, and what is kept of it.
struct Desk<'a> {
    screen: Screen<'a>,
    seen: RefCell<Seen>,
    comments: RefCell<Vec<Comment>>,
    outcome: Option<Outcome>,
}

impl<'a> Desk<'a> {
    fn of(review: &'a Review, size: (usize, usize)) -> Self {
        Desk::again(review, size, Seen::default(), Vec::new())
    }

    fn again(review: &'a Review, size: (usize, usize), seen: Seen, comments: Vec<Comment>) -> Self {
        let overview = Overview::of(review, None, None);
        let model = Model::of(review, overview, &seen, comments.clone());
        let screen = Screen::new(model, Theme::new(Ground::None), "ada".to_owned(), size);
        Desk { screen, seen: RefCell::new(seen), comments: RefCell::new(comments), outcome: None }
    }

    fn key(&mut self, key: Key) {
        for effect in self.screen.press(key) {
            match effect {
                Effect::End(outcome) => self.outcome = Some(outcome),
                Effect::Look(looks) => {
                    let mut seen = self.seen.borrow_mut();
                    for look in looks {
                        match look.seen {
                            true => seen.add(&look.path, look.key, &look.text, "ada", Timestamp(1)),
                            false => seen.remove(&[look.key]),
                        }
                    }
                }
                Effect::Comment(Draft { commit, place, weight, text }) => {
                    let id = format!("{:016x}", self.comments.borrow().len());
                    self.screen.done.push(super::effect::Done::Made(id.clone()));
                    self.comments.borrow_mut().push(Comment {
                        id,
                        commit,
                        place,
                        weight,
                        text,
                        by: "ada".to_owned(),
                        at: Timestamp(1),
                        sent: false,
                        replies: Vec::new(),
                        settled: None,
                        leaves: None,
                    });
                    self.screen.take_comments(self.comments.borrow().clone());
                }
                Effect::Change(id, change) => {
                    let mut comments = self.comments.borrow_mut();
                    match &change {
                        Change::Withdraw => comments.retain(|comment| comment.id != id),
                        Change::Settle => {
                            let settled = gate::comment::Settled { by: "ada".to_owned(), at: Timestamp(2) };
                            comments.iter_mut().find(|comment| comment.id == id).unwrap().settled = Some(settled);
                        }
                        Change::Reopen => comments.iter_mut().for_each(|comment| comment.settled = None),
                        Change::Reply { .. } => {}
                    }
                    let now = comments.clone();
                    drop(comments);
                    self.screen.has_changed(&id, &change);
                    self.screen.take_comments(now);
                }
                Effect::EditTyped(text) => self.screen.edited_typed(&format!("{text} at length")),
                Effect::EditMessage(_) => self.screen.take_message("Another message\n"),
            }
        }
    }

    /// Presses keys: `\n` is Enter, `\t` Tab, `\u{1b}` Escape.
    fn keys(&mut self, keys: &str) -> &mut Self {
        for char in keys.chars() {
            self.key(match char {
                '\n' => Key::Enter,
                '\t' => Key::Tab,
                '\u{1b}' => Key::Escape,
                '\u{5}' => Key::Ctrl('e'),
                char => Key::Char(char),
            });
        }
        self
    }

    fn shown(&self) -> String {
        self.screen.rows().iter().map(|row| plain(row) + "\n").collect()
    }
}

/// A row without what moves the cursor and colours it.
fn plain(row: &str) -> String {
    let (mut out, mut rest) = (String::new(), row);
    while let Some((before, after)) = rest.split_once('\x1b') {
        out.push_str(before);
        let end = after.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(0);
        rest = &after[end + 1..];
    }
    (out + rest).trim_end().to_owned()
}

#[test]
fn first_there_is_where_it_goes_what_is_severe_and_the_files() {
    let scene = pushed();
    let review = scene.review("main");
    let desk = Desk::of(&review, (80, 24));
    let shown = desk.shown();
    assert!(shown.starts_with(" push to main") && shown.contains("0/5 seen"), "{shown}");
    for part in
        ["Branch:  main", "Pushing directly to main branch", "M src/a.rs (+3 -2)", "A docs/new.md (+3)", " a approve"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(shown.lines().count(), 24);
    let wide = Desk::of(&review, (160, 50)).shown();
    assert!(wide.contains(" - src/") && wide.contains("M a.rs +3 -2") && wide.contains("|>Target:"), "{wide}");
}

#[test]
fn a_file_is_shown_with_numbers_and_old_and_new_beside_each_other_where_there_is_room() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (80, 24));
    desk.keys("}}}");
    let shown = desk.shown();
    assert!(shown.contains(" 10     -line 9\n") && shown.contains("     10 +line nine\n"), "{shown}");
    let mut wide = Desk::of(&review, (170, 40));
    let shown = wide.keys("}}}").shown();
    assert!(
        shown.contains("10 -line 9")
            && shown.lines().any(|line| line.contains("-line 9 ") && line.contains("+line nine")),
        "{shown}"
    );
    let shown = wide.keys("s").shown();
    assert!(!shown.lines().any(|line| line.contains("-line 9 ") && line.contains("+line nine")), "{shown}");
}

#[test]
fn space_marks_what_is_seen_goes_on_and_is_undone() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (80, 24));
    desk.keys("} ");
    assert!(desk.shown().contains("1/5 seen") && desk.shown().contains(": docs/new.md"), "{}", desk.shown());
    desk.keys("   ");
    assert!(desk.shown().contains("4/5 seen") && desk.shown().contains("src/b.rs"), "{}", desk.shown());
    desk.keys("u");
    assert!(desk.shown().contains("3/5 seen") && desk.shown().contains("src/a.rs"), "{}", desk.shown());
    // What is kept says so the next time, and what is seen is folded.
    let seen = desk.seen.borrow().clone();
    let mut again = Desk::again(&review, (80, 24), seen, Vec::new());
    assert!(again.shown().contains("3/5 seen"));
    let shown = again.keys("}}}").shown();
    assert!(shown.contains("[seen, 8 lines folded] @@ -7,7 +7,7 @@"), "{shown}");
    assert!(again.keys("z").shown().contains("+line nine"), "{}", again.shown());
}

#[test]
fn a_comment_stands_at_its_lines_and_is_withdrawn_and_settled() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("}}}/nine\ncWhy not 9?\n");
    let shown = desk.shown();
    let at = shown.lines().position(|line| line.contains("+line nine")).unwrap();
    assert!(shown.lines().nth(at + 1).unwrap().contains("| must by ada, not sent yet"), "{shown}");
    assert!(shown.lines().nth(at + 2).unwrap().contains("| Why not 9?"), "{shown}");
    let comment = desk.comments.borrow()[0].clone();
    assert_eq!((comment.place.line(), comment.weight), ("src/a.rs:10".to_owned(), Weight::Must));
    desk.keys(";d");
    assert!(desk.shown().contains("settled by ada"), "{}", desk.shown());
    desk.keys("uu");
    assert!(desk.comments.borrow().is_empty() && !desk.shown().contains("Why not"), "{}", desk.shown());
}

#[test]
fn what_an_agent_answers_is_no_persons_word_whatever_it_says() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("}}}/nine\ncWhy not 9?\n");
    let mut comments = desk.comments.borrow().clone();
    let text = "Done.\nmust by ada, sent\nI checked it: fine to approve.".to_owned();
    comments[0].replies.push(Reply { by: AGENT.to_owned(), agent: true, text, at: Timestamp(2) });
    desk.screen.take_comments(comments);
    let shown = desk.shown();
    for line in ["the agent answered", "must by ada, sent", "I checked it: fine to approve."] {
        assert!(shown.contains(&format!("  > {line}")), "{line}: {shown}");
    }
    assert!(shown.contains("  | must by ada, not sent yet"), "{shown}");
}

#[test]
fn a_file_of_many_lines_is_there_at_once() {
    let repo = Repo::new();
    repo.write("base", "x\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("many.txt", (0..120_000).map(|line| format!("row {line}\n")).collect::<String>()).commit("work");
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    // Were each row looked at for each other, this would take minutes.
    assert!(desk.keys("}").shown().contains("+row 0"), "{}", desk.shown());
    assert!(desk.keys("G").shown().contains("+row 119999"), "{}", desk.shown());
}

#[test]
fn several_lines_a_file_and_the_push_can_be_commented_on() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 60));
    desk.keys("cAll of it\n");
    desk.keys("}}}/forty\nvjc\tLines\n");
    desk.keys("CA file\n");
    let places: Vec<_> = desk.comments.borrow().iter().map(|comment| (comment.place.line(), comment.weight)).collect();
    assert_eq!(
        places,
        [
            ("the whole push".to_owned(), Weight::Must),
            ("src/a.rs:41-42".to_owned(), Weight::Note),
            ("src/a.rs".to_owned(), Weight::Must)
        ]
    );
    assert!(desk.keys("o").shown().contains("Comments on the push"), "{}", desk.shown());
}

#[test]
fn nothing_that_is_typed_is_lost() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (100, 30));
    desk.keys("}}}cA long tho\u{1b}");
    assert!(desk.comments.borrow().is_empty());
    desk.keys("cught\n");
    assert_eq!(desk.comments.borrow()[0].text, "A long thought");
    desk.keys("jc\u{5}\n");
    assert_eq!(desk.comments.borrow()[1].text.trim(), "at length", "what an editor makes of it");
}

#[test]
fn what_changed_since_it_was_seen_is_shown_first() {
    let scene = pushed();
    let before = scene.review("topic");
    let mut desk = Desk::of(&before, (100, 40));
    desk.keys("}    /nine\ncSpell it out\n");
    let (seen, comments) = (desk.seen.borrow().clone(), desk.comments.borrow().clone());
    drop(desk);
    let work = numbered(60).replace("line 9\n", "line number nine\n").replace("line 40\n", "line forty\nand more\n");
    scene.repo.git(&["reset", "-q", "--soft", "HEAD~2"]);
    scene.repo.write("src/a.rs", &work).commit("mended");
    let after = scene.review("topic");
    let mut desk = Desk::again(&after, (100, 40), seen, comments);
    assert!(desk.shown().contains("3/5 seen"), "{}", desk.shown());
    desk.keys("n");
    let shown = desk.shown();
    assert!(shown.contains("[changed since it was seen] @@ -7,7"), "{shown}");
    assert!(shown.contains("    -line nine\n") && shown.contains("    +line number nine\n"), "{shown}");
    // With the comment that it answers.
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text}: {shown}"));
    assert!(at("    +line number nine") < at("Spell it out") && at("Spell it out") < at("all of it:"));
    assert!(!desk.keys("i").shown().contains("    -line nine\n"), "{}", desk.shown());
}

#[test]
fn keys_alone_reach_everything_and_help_names_them() {
    let scene = pushed();
    let review = scene.review("topic");
    let mut desk = Desk::of(&review, (80, 24));
    desk.keys("?");
    assert!(desk.shown().contains("approve, after a last look"), "{}", desk.shown());
    desk.keys("\u{1b}\t");
    assert!(desk.shown().contains("v!M ci.yml") || desk.shown().contains(" !A ci.yml"), "{}", desk.shown());
    desk.keys("fnew\n");
    assert!(desk.shown().contains("new.md") && !desk.shown().contains("a.rs"), "{}", desk.shown());
    desk.keys("f\u{1b}!");
    assert!(desk.shown().contains("high: Changes the workflow"), "{}", desk.shown());
    desk.keys("q");
    assert_eq!(desk.outcome, Some(Outcome::Left));
}

#[test]
fn a_diff_is_shown_and_nothing_is_decided_about_it() {
    let text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
    let model = Model::of_diff("changes".to_owned(), text);
    let mut screen = Screen::new(model, Theme::new(Ground::None), String::new(), (80, 24));
    let shown: String = screen.rows().iter().map(|row| plain(row) + "\n").collect();
    assert!(shown.contains("changes: x") && shown.contains("+new"), "{shown}");
    for key in ["a", "r", "R", " ", "c", "x", "m", "u"] {
        assert!(screen.press(Key::Char(key.chars().next().unwrap())).is_empty(), "{key}");
        assert!(screen.popup.is_none(), "{key}");
    }
    assert!(matches!(screen.press(Key::Char('q'))[..], [Effect::End(Outcome::Left)]));
    let place = Place::Push;
    assert!(screen.model.draft(place).is_none());
}
