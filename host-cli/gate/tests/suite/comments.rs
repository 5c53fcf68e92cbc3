//! A comment stands where the text stands that it is about, or nowhere.

use gate::FaultKind;
use gate::comment::{Place, Spot, text};
use gate::review::{Review, Side};

use crate::support::{Repo, pushing::Scene};

fn review(base: &str, new: &str) -> Review {
    let repo = Repo::new();
    repo.write("src/f", base).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("src/f", new).commit("work");
    scene.review("topic")
}

fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

fn place(review: &Review, side: Side, first: u32, last: u32) -> Place {
    Place::of_lines(&review.listed()[0], side, first, last).unwrap()
}

fn found(place: &Place, review: &Review) -> Option<(u32, u32)> {
    place.find(&review.listed()).map(|Spot { first, last, .. }| (first, last))
}

#[test]
fn a_comment_has_the_lines_that_it_is_about() {
    let base = numbered(30);
    let review = review(&base, &base.replace("line 10\n", "new 10\nnew 11\n"));
    let place = place(&review, Side::New, 11, 12);
    let Place::Lines { lines, before, after, .. } = &place else { panic!("{place:?}") };
    assert_eq!((lines.concat(), before.len(), after.len()), ("new 10new 11".to_owned(), 3, 3));
    assert_eq!(place.line(), "src/f:11-12");
    assert_eq!(Place::of_lines(&review.listed()[0], Side::Old, 11, 11).unwrap().line(), "src/f:11 (old)");
    for (side, first, last) in [(Side::New, 0, 1), (Side::New, 12, 11), (Side::New, 29, 30), (Side::New, 1, 4000)] {
        let fault = Place::of_lines(&review.listed()[0], side, first, last).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadComment);
        assert!(!fault.hint.is_empty());
    }
}

#[test]
fn it_moves_with_its_lines_and_goes_with_them() {
    let base = numbered(60);
    let work = base.replace("line 30\n", "new 30\n");
    let before = review(&base, &work);
    let place = place(&before, Side::New, 31, 31);
    assert_eq!(found(&place, &before), Some((31, 31)));
    let above = work.replace("line 28\n", "line 28\nanother\n");
    assert_eq!(found(&place, &review(&base, &above)), Some((32, 32)));
    assert_eq!(found(&place, &review(&base, &work.replace("new 30", "newer 30"))), None);
    assert_eq!(found(&place, &review(&base, &base.replace("line 5\n", "x\n"))), None);
}

#[test]
fn of_many_lines_of_the_same_text_it_is_at_the_one_with_the_same_text_around() {
    let base = numbered(40);
    let brace = |at: usize| format!("line {at}\n}}\n");
    let work = base.replace("line 10\n", &brace(10)).replace("line 12\n", &brace(12));
    let before = review(&base, &work);
    let second = place(&before, Side::New, 15, 15);
    let above = work.replace("line 9\n", "line 9\n}\n}\n");
    assert_eq!(found(&second, &review(&base, &above)), Some((17, 17)));
    // A brace alone, with nothing around that is known, is any brace.
    let elsewhere = base.replace("line 30\n", "q\n}\nr\n");
    let after = review(&base, &elsewhere.replace("line 29", "s").replace("line 28", "t").replace("line 31", "u"));
    assert_eq!(found(&second, &after), None);
}

#[test]
fn lines_that_come_from_a_page_are_the_same_lines_and_obey_nobody() {
    let base = numbered(30);
    let written = "let tab = \"a\\tb\";\n\tindented\n";
    let review = review(&base, &base.replace("line 10\n", written));
    let place = place(&review, Side::New, 11, 12);
    assert_eq!(place.clone().checked().unwrap(), place, "what was shown is not escaped again");
    let Place::Lines { path, side, first, last, .. } = place else { panic!("it is about lines") };
    let lines = vec!["a\x1b[2Jb\r\nc\u{202e}".to_owned()];
    let forged = Place::Lines { path, side, first, last, lines, before: Vec::new(), after: Vec::new() };
    let Place::Lines { lines, .. } = forged.checked().unwrap() else { panic!("it is about lines") };
    assert_eq!(lines, ["a\\x1b[2Jb\\r\\nc<U+202E>"]);
}

#[test]
fn a_text_is_there_and_not_too_long() {
    assert_eq!(text("\n why?\nso \n").unwrap(), " why?\nso");
    for wrong in ["", " \n\t", &"x".repeat(20_000)] {
        assert_eq!(text(wrong).unwrap_err().kind, FaultKind::BadComment);
    }
}

#[test]
fn what_only_a_commit_in_between_has_comes_last() {
    let base = numbered(60);
    let repo = Repo::new();
    repo.write("src/f", &base).commit("base");
    let scene = Scene::of(repo);
    let work = base.replace("line 30\n", "new 30\nnew 31\n");
    scene.repo.write("src/f", &work).commit("work");
    let before = scene.review("topic");
    let place = place(&before, Side::New, 31, 31);
    scene.repo.write("src/f", work.replace("new 31", "better 31")).commit("mended");
    let after = scene.review("topic");
    let spot = place.find(&after.listed()).unwrap();
    assert_eq!(after.listed()[spot.file].commit, None, "the line is still there in the end");
    scene.repo.write("src/f", work.replace("new 30", "better 30")).commit("mended again");
    let after = scene.review("topic");
    let spot = place.find(&after.listed()).unwrap();
    assert!(after.listed()[spot.file].commit.is_some());
}
