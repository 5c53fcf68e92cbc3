//! Hunk by hunk through a push, as in `git add -p`: what is to leave, and what is to stay.

use std::io;

use super::LeftOut;
use super::hunk::Hunk;
use super::talk::Talk;
use crate::screen::wrap;

/// A changed file, and its hunks if it can be taken apart.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub path: String,
    /// One line that names it and what happened to it.
    pub summary: String,
    /// Its patch up to the first hunk.
    pub head: String,
    pub hunks: Vec<Hunk>,
}

/// What is decided about at once: a file, a hunk, or a part of one.
#[derive(Clone, Debug)]
struct Unit {
    file: usize,
    hunk: Option<Hunk>,
    /// Its changes, counted in the file from 1.
    changes: std::ops::Range<usize>,
    /// The number of the hunk that it is, whole.
    number: Option<usize>,
    /// Whether it leaves. `None` until the person has said so.
    leaves: Option<bool>,
}

const HELP: &str = "\
y  push this hunk
n  leave it out of the push; it stays in the sandbox, uncommitted
a  push this hunk and all later ones in the file
d  leave out this hunk and all later ones in the file
j  go to the next hunk that is not decided
k  go to the previous hunk that is not decided
s  split this hunk into smaller ones
/  go to the next hunk that has a text
q  finish: what is not decided is left out
?  show this help
";

/// Asks about each hunk. Returns what is left out, or `None` at the end of input.
pub(super) fn walk(talk: &mut dyn Talk, files: &[File]) -> io::Result<Option<Vec<LeftOut>>> {
    let mut units = units(files);
    let mut at = 0;
    let mut shown_file = None;
    while at < units.len() {
        let file = &files[units[at].file];
        if shown_file != Some(units[at].file) {
            show(talk, &file.head)?;
            shown_file = Some(units[at].file);
        }
        if let Some(hunk) = &units[at].hunk {
            show(talk, &hunk.text())?;
        }
        let is_part = units[at].hunk.is_some();
        let what = if is_part { "this hunk" } else { file.summary.as_str() };
        let split = if units[at].changes.len() > 1 && is_part { "s," } else { "" };
        let prompt = format!("({}/{}) Push {what} [y,n,q,a,d,j,k,{split}/,?]? ", at + 1, units.len());
        let Some(key) = talk.press(&prompt)? else { return Ok(None) };
        let undecided = |unit: &Unit| unit.leaves.is_none();
        match key.as_str() {
            "y" | "n" => {
                units[at].leaves = Some(key == "y");
                at = next(&units, at);
            }
            "a" | "d" => {
                let file = units[at].file;
                units[at..].iter_mut().filter(|unit| unit.file == file).for_each(|unit| unit.leaves = Some(key == "a"));
                at = next(&units, at);
            }
            "j" => match units[at + 1..].iter().position(undecided) {
                Some(later) => at += 1 + later,
                None => talk.say("No later hunk is undecided.\n")?,
            },
            "k" => match units[..at].iter().rposition(undecided) {
                Some(earlier) => at = earlier,
                None => talk.say("No earlier hunk is undecided.\n")?,
            },
            "s" if !split.is_empty() => {
                let parts = units[at].split();
                talk.say(&format!("Split into {} hunks.\n", parts.len()))?;
                units.splice(at..=at, parts);
            }
            "s" => talk.say("This cannot be split.\n")?,
            // As git's: what nobody said yes to does not go. Without any answer, nothing was edited.
            "q" if units.iter().all(undecided) => return Ok(Some(Vec::new())),
            "q" => {
                units.iter_mut().filter(|unit| undecided(unit)).for_each(|unit| unit.leaves = Some(false));
                break;
            }
            key if key.starts_with('/') => match find(talk, key, &units[at + 1..], files)? {
                Some(later) => at += 1 + later,
                None => talk.say("No later hunk has it.\n")?,
            },
            "?" => talk.say(HELP)?,
            _ => talk.say(&format!("That is no key here.\n{HELP}"))?,
        }
    }
    if units.iter().all(Unit::stays) {
        talk.say("Nothing would be left to push, so the push stays as it is.\n")?;
        return Ok(Some(Vec::new()));
    }
    Ok(Some(left_out(files, &units)))
}

fn show(talk: &mut dyn Talk, text: &str) -> io::Result<()> {
    talk.say(&wrap::shown(text, &talk.screen()))
}

/// The hunk among `later` that has the text behind the `/` of `key`, or that the person names.
fn find(talk: &mut dyn Talk, key: &str, later: &[Unit], files: &[File]) -> io::Result<Option<usize>> {
    let wanted = match &key[1..] {
        "" => talk.ask("Search for: ")?.unwrap_or_default(),
        wanted => wanted.to_owned(),
    };
    let has = |unit: &Unit| match &unit.hunk {
        Some(hunk) => hunk.text().contains(&wanted),
        None => files[unit.file].head.contains(&wanted),
    };
    Ok(if wanted.is_empty() { None } else { later.iter().position(has) })
}

/// The next unit that is not decided, from the top again at the end; the end if all are.
fn next(units: &[Unit], at: usize) -> usize {
    let undecided = |unit: &Unit| unit.leaves.is_none();
    match units[at..].iter().position(undecided) {
        Some(later) => at + later,
        None => units.iter().position(undecided).unwrap_or(units.len()),
    }
}

fn units(files: &[File]) -> Vec<Unit> {
    let mut units = Vec::new();
    for (at, file) in files.iter().enumerate() {
        if file.hunks.is_empty() {
            units.push(Unit { file: at, hunk: None, changes: 1..1, number: None, leaves: None });
        }
        let mut change = 1;
        for (number, hunk) in (1..).zip(&file.hunks) {
            let changes = change..change + hunk.changes();
            change = changes.end;
            units.push(Unit { file: at, hunk: Some(hunk.clone()), changes, number: Some(number), leaves: None });
        }
    }
    units
}

impl Unit {
    /// A unit for each of its changes.
    fn split(&self) -> Vec<Unit> {
        let parts = self.hunk.as_ref().map(Hunk::split).unwrap_or_default();
        let parts = self.changes.clone().zip(parts);
        parts
            .map(|(change, hunk)| Unit {
                file: self.file,
                hunk: Some(hunk),
                changes: change..change + 1,
                number: None,
                leaves: None,
            })
            .collect()
    }

    fn stays(&self) -> bool {
        self.leaves == Some(false)
    }
}

/// What a push leaves out by these decisions.
fn left_out(files: &[File], units: &[Unit]) -> Vec<LeftOut> {
    let number = |number: usize| u32::try_from(number).expect("a text has fewer lines");
    let mut left_out = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let units: Vec<&Unit> = units.iter().filter(|unit| unit.file == at).collect();
        let stay: Vec<&&Unit> = units.iter().filter(|unit| unit.stays()).collect();
        let path = file.path.clone();
        if stay.is_empty() {
            continue;
        }
        left_out.push(if stay.len() == units.len() {
            LeftOut { path, hunks: None, context: None }
        } else if units.iter().all(|unit| unit.number.is_some()) {
            LeftOut {
                path,
                hunks: Some(stay.iter().filter_map(|unit| unit.number).map(number).collect()),
                context: None,
            }
        } else {
            // Without context every change is a hunk of its own.
            let changes = stay.iter().flat_map(|unit| unit.changes.clone()).map(number).collect();
            LeftOut { path, hunks: Some(changes), context: Some(0) }
        });
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approve::talk::Played;

    const HUNKS: [&str; 3] = [
        "@@ -1,5 +1,5 @@\n-a\n+A\n same\n same\n-b\n+B\n",
        "@@ -20,1 +20,1 @@\n-c\n+C\n",
        "@@ -40,1 +40,1 @@\n-d\n+needle\n",
    ];

    fn file(path: &str, hunks: &[&str]) -> File {
        File {
            path: path.to_owned(),
            summary: format!("M {path}"),
            head: format!("diff --git a/{path} b/{path}\n"),
            hunks: hunks.iter().map(|text| Hunk::read(text).unwrap()).collect(),
        }
    }

    fn walked(keys: &str) -> (Option<Vec<LeftOut>>, String) {
        let files = [file("text", &HUNKS), file("binary", &[]), file("last", &HUNKS[..1])];
        let mut talk = Played::new(&keys.replace(' ', "\n"));
        (walk(&mut talk, &files).unwrap(), talk.shown)
    }

    fn out(path: &str, hunks: Option<&[u32]>, context: Option<u32>) -> LeftOut {
        LeftOut { path: path.to_owned(), hunks: hunks.map(<[u32]>::to_vec), context }
    }

    #[test]
    fn each_hunk_leaves_or_stays() {
        assert_eq!(walked("y y y y y").0, Some(vec![]));
        assert_eq!(walked("n y n n y").0, Some(vec![out("text", Some(&[1, 3]), None), out("binary", None, None)]));
        assert_eq!(walked("n n n y n").0, Some(vec![out("text", None, None), out("last", None, None)]));
        let (left_out, shown) = walked("n n n n n");
        assert_eq!(left_out, Some(vec![]));
        assert!(shown.ends_with("Nothing would be left to push, so the push stays as it is.\n"), "{shown}");
    }

    #[test]
    fn a_and_d_decide_the_rest_of_a_file() {
        assert_eq!(walked("y d y y").0, Some(vec![out("text", Some(&[2, 3]), None)]));
        assert_eq!(walked("n a y n").0, Some(vec![out("text", Some(&[1]), None), out("last", None, None)]));
    }

    #[test]
    fn a_hunk_that_is_split_is_counted_without_context() {
        assert_eq!(walked("s n y y n y y").0, Some(vec![out("text", Some(&[1, 4]), Some(0))]));
        assert!(walked("j s q").1.contains("This cannot be split."));
        assert!(walked("s q").1.contains("Split into 2 hunks.\n@@ -1,3 +1,3 @@\n-a\n+A\n same\n same\n(1/6)"));
    }

    #[test]
    fn j_k_and_a_search_move_and_decide_nothing() {
        assert_eq!(walked("j n k y y y y").0, Some(vec![out("text", Some(&[2]), None)]));
        assert_eq!(walked("/needle n y y y y").0, Some(vec![out("text", Some(&[3]), None)]));
        assert_eq!(walked("/ needle n y y y y").0, Some(vec![out("text", Some(&[3]), None)]));
        assert!(walked("/nowhere q").1.contains("No later hunk has it."));
        assert!(walked("k q").1.contains("No earlier hunk is undecided."));
    }

    #[test]
    fn what_was_skipped_is_asked_again_at_the_end() {
        assert_eq!(walked("j j j j n y y n y").0.map(|out| out.len()), Some(2));
    }

    #[test]
    fn q_leaves_the_rest_out_as_git_does_and_the_end_of_input_changes_nothing() {
        let rest = [out("binary", None, None), out("last", None, None)];
        assert_eq!(walked("y q").0, Some([&[out("text", Some(&[2, 3]), None)], &rest[..]].concat()));
        assert_eq!(walked("a q").0, Some(rest.to_vec()));
        assert_eq!(walked("q").0, Some(vec![]));
        assert_eq!(walked("n").0, None);
    }

    #[test]
    fn any_other_key_explains_the_keys() {
        assert!(walked("x q").1.contains("That is no key here.\ny  push this hunk"));
        assert!(walked("? q").1.contains("s  split this hunk"));
        assert!(walked("q").1.starts_with("diff --git a/text b/text\n@@ -1,"));
    }
}
