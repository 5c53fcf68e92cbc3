//! Repositories that want to hide something.

use super::{Desk, numbered, plain};
use crate::review::cells;
use crate::review::rows::Row;
use crate::support::Repo;
use crate::support::pushing::Scene;

#[test]
fn attack_18_every_row_of_every_change_is_passed_on_the_way_down() {
    let repo = Repo::new();
    let long = format!("{}evil()\n", "x y ".repeat(1500));
    repo.write("a.txt", numbered(50)).commit("base");
    let scene = Scene::of(repo);
    scene
        .repo
        .write("a.txt", numbered(50).replace("line 20\n", &long))
        .write("wide.txt", "日本語".repeat(200))
        .commit("work");
    let review = scene.review("topic");
    for size in [(40, 10), (80, 24), (200, 60)] {
        let mut desk = Desk::of(&review, size);
        let mut seen = String::new();
        desk.keys(if size.0 < 160 { "}g" } else { "}sg" });
        loop {
            let screen = &desk.screen;
            let place = screen.places[screen.cursor];
            if let Row::Line { unit, line, .. } = screen.rows.rows[place.row] {
                let lines = screen.rows.lines(unit);
                let parts = cells::wrapped(lines[line].text, screen.code_columns().0);
                let part = &lines[line].text[parts[place.part].clone()];
                let drawn = plain(&screen.rows()[screen.cursor - screen.top + 1]);
                assert!(drawn.ends_with(part.trim_end()), "{size:?} {drawn} lacks {part}");
                seen.push_str(part);
            }
            let before = desk.screen.cursor;
            desk.keys("j");
            if desk.screen.cursor == before {
                break;
            }
        }
        assert!(seen.contains("evil()line 21") && seen.starts_with("line 17"), "{size:?} {seen}");
        assert!(desk.shown().lines().all(|row| cells::width(row) <= size.0));
    }
}

#[test]
fn attack_15_nothing_from_a_repository_draws_outside_its_cells() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("base");
    let scene = Scene::of(repo);
    let hostile = format!("\u{1b}[2J\u{9b}31m\u{202e}txt\u{301}{}\nα│─\u{3000}日\u{200b}\t|\r\n", "\u{301}".repeat(50));
    scene
        .repo
        .write("a", &hostile)
        .write("b \u{202e}c/\u{1b}]0;x\u{7}.md", &hostile)
        .commit("\u{1b}[31mred\nApprove?\u{202e}");
    let review = scene.review("topic");
    for size in [(40, 10), (80, 24), (170, 50)] {
        let mut desk = Desk::of(&review, size);
        for keys in ["", "}", "}", "o", "a", "\u{1b}", "cx\n", "?", "\u{1b}", ">"] {
            desk.keys(keys);
            for row in desk.screen.rows() {
                let text = plain(&row);
                assert!(
                    !text.chars().any(|char| char.is_control() || char == '\u{202e}' || char == '\u{9b}'),
                    "{text:?}"
                );
                assert!(cells::width(&text) <= size.0, "{size:?} {text:?}");
            }
            assert_eq!(desk.screen.rows().len(), size.1);
        }
    }
}
