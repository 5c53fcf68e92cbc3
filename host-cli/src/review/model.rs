//! The files, what was looked at in them, what is left out, and what is said about them.

use std::collections::BTreeSet;

use gate::comment::{Comment, Place, Spot};
use gate::review::{Review, Side, hunk_lines};
use gate::seen::{Mark, Seen, State};
use gix::ObjectId;
use host::review::{Draft, Look};

use super::file::File;
use super::overview::Overview;
use crate::approve::{LeftOut, Revision};

/// What a person has seen of a part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Who has seen it as it is, if anybody.
    pub by: Option<String>,
    /// What was seen in its place before.
    pub before: Option<Box<Mark>>,
}

/// The changes of the whole push, or of one commit of it.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    pub files: Vec<File<'a>>,
    /// For each file, what was seen of each part.
    pub looked: Vec<Vec<Looked>>,
    /// For each file, the parts that are left out.
    pub out: Vec<BTreeSet<usize>>,
    /// What was seen and is not there any more.
    pub gone: Vec<Mark>,
    /// For each comment, where its lines are.
    pub spots: Vec<Option<Spot>>,
}

/// A push under review, or a diff.
#[derive(Debug)]
pub struct Model<'a> {
    pub overview: Overview,
    review: Option<&'a Review>,
    /// The whole push, then each commit that was looked at by itself.
    scopes: Vec<Option<Scope<'a>>>,
    /// Which of them is shown.
    pub at: usize,
    /// In the order in which they were made.
    pub comments: Vec<Comment>,
}

impl<'a> Model<'a> {
    /// A push.
    pub fn of(review: &'a Review, overview: Overview, seen: &Seen, comments: Vec<Comment>) -> Self {
        let listed = review.listed();
        let since = seen.compare(&listed);
        let looked = |state: &State<'_>| match state {
            State::New => Looked::default(),
            State::Changed(mark) => Looked { by: None, before: Some(Box::new((*mark).clone())) },
            State::Same(mark) => Looked { by: Some(mark.by.clone()), before: None },
        };
        let states = since.states.iter().map(|states| states.iter().map(looked).collect()).collect();
        let gone = since.gone.into_iter().cloned().collect();
        let mut whole = Scope { looked: states, gone, ..Scope::of(listed.into_iter().map(File::of).collect()) };
        whole.place(&comments);
        let mut scopes = vec![Some(whole)];
        scopes.resize_with(1 + overview.commits.len(), || None);
        Model { overview, review: Some(review), scopes, at: 0, comments }
    }

    /// A diff, which nobody decides about.
    pub fn of_diff(title: String, text: &'a str) -> Self {
        let scope = Scope::of(File::of_text(text));
        Model {
            overview: Overview::of_diff(title),
            review: None,
            scopes: vec![Some(scope)],
            at: 0,
            comments: Vec::new(),
        }
    }

    /// Whether it is a push, which can be decided about.
    pub fn is_push(&self) -> bool {
        self.review.is_some()
    }

    /// What is shown.
    pub fn scope(&self) -> &Scope<'a> {
        self.scopes[self.at].as_ref().expect("what is shown was made")
    }

    /// The same, to change it.
    pub fn scope_mut(&mut self) -> &mut Scope<'a> {
        self.scopes[self.at].as_mut().expect("what is shown was made")
    }

    /// The whole push.
    pub fn whole(&self) -> &Scope<'a> {
        self.scopes[0].as_ref().expect("it was made first")
    }

    /// Shows the whole push, or one of its commits, counted from 1.
    pub fn show(&mut self, at: usize) {
        if at >= self.scopes.len() {
            return;
        }
        if let (None, Some(review)) = (&self.scopes[at], self.review) {
            let mut scope = Scope::of(review.listed_step(at - 1).into_iter().map(File::of).collect());
            scope.place(&self.comments);
            self.scopes[at] = Some(scope);
        }
        self.at = at;
    }

    /// The commit that is shown, if it is one: its id, and a line for it.
    pub fn commit(&self) -> Option<&(String, String)> {
        self.at.checked_sub(1).and_then(|at| self.overview.commits.get(at))
    }

    /// How many parts of the push were seen, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let all = self.whole().looked.iter().flatten();
        all.fold((0, 0), |(seen, all), looked| (seen + usize::from(looked.by.is_some()), all + 1))
    }

    /// The comments that are open.
    pub fn open(&self) -> impl Iterator<Item = &Comment> {
        self.comments.iter().filter(|comment| comment.is_open())
    }

    /// Takes the comments as they are now.
    pub fn set_comments(&mut self, comments: Vec<Comment>) {
        self.scopes.iter_mut().flatten().for_each(|scope| scope.place(&comments));
        self.comments = comments;
    }

    /// A comment on lines of a file, on the file, or on the whole push.
    pub fn draft(&self, place: Place) -> Option<Draft> {
        let commit = match self.commit() {
            Some((id, _)) => ObjectId::from_hex(id.as_bytes()).ok()?,
            None => self.review?.new,
        };
        let weight = gate::comment::Weight::Must;
        Some(Draft { commit, place, weight, text: String::new() })
    }

    /// What is left out of the push.
    pub fn revision(&self, message: Option<String>) -> Revision {
        let mut leave_out = Vec::new();
        let Scope { files, out, .. } = self.whole();
        for (file, out) in files.iter().zip(out) {
            let Some(listed) = file.listed.as_ref().filter(|_| !out.is_empty()) else { continue };
            let hunks = (out.len() < file.units()).then(|| {
                let number = |at: &usize| u32::try_from(at + 1).expect("a text has fewer lines");
                out.iter().map(number).collect()
            });
            // What moved is left out where it was and where it is.
            for path in [Some(listed.path), listed.from].into_iter().flatten() {
                leave_out.push(LeftOut { path: path.to_string(), hunks: hunks.clone(), context: None });
            }
        }
        Revision { leave_out, message, upto: None }
    }

    /// How many parts are left out.
    pub fn left_out(&self) -> usize {
        self.whole().out.iter().map(BTreeSet::len).sum()
    }
}

impl<'a> Scope<'a> {
    fn of(files: Vec<File<'a>>) -> Self {
        let looked = files.iter().map(|file| vec![Looked::default(); file.units()]).collect();
        let out = vec![BTreeSet::new(); files.len()];
        Scope { files, looked, out, gone: Vec::new(), spots: Vec::new() }
    }

    /// Finds where the lines of the comments are.
    fn place(&mut self, comments: &[Comment]) {
        let listed: Vec<_> = self.files.iter().filter_map(|file| file.listed.as_ref()).collect();
        if listed.len() == self.files.len() {
            self.spots = comments.iter().map(|comment| comment.place.find(&listed)).collect();
        }
    }

    /// The comments that stand at a line of a file: behind the last line that they are about.
    pub fn comments_at<'b>(&'b self, file: usize, side: Side, line: u32) -> impl Iterator<Item = usize> + 'b {
        let is_here = move |spot: &Option<Spot>| {
            spot.is_some_and(|spot| spot.file == file && spot.side == side && spot.last == line)
        };
        self.spots.iter().enumerate().filter(move |(_, spot)| is_here(spot)).map(|(at, _)| at)
    }

    /// The comments on a file whose lines are not shown, and those on the file itself.
    pub fn comments_on<'b>(&'b self, file: usize, comments: &'b [Comment]) -> impl Iterator<Item = usize> + 'b {
        let path = self.files[file].listed.as_ref().map(|file| file.path.to_string());
        let is_here = move |(at, comment): &(usize, &Comment)| {
            comment.place.path() == path.as_deref()
                && path.is_some()
                && self.spots.get(*at).copied().flatten().is_none()
        };
        comments.iter().enumerate().filter(is_here).map(|(at, _)| at)
    }

    /// The comments on the whole push, and those on files that are not there any more.
    pub fn comments_elsewhere<'b>(&'b self, comments: &'b [Comment]) -> impl Iterator<Item = usize> + 'b {
        let is_there = |comment: &Comment| {
            let path = comment.place.path();
            self.files.iter().filter_map(|file| file.listed.as_ref()).any(|file| Some(&*file.path.to_string()) == path)
        };
        let is_here = move |(at, comment): &(usize, &Comment)| {
            self.spots.get(*at).copied().flatten().is_none() && !is_there(comment)
        };
        comments.iter().enumerate().filter(is_here).map(|(at, _)| at)
    }

    /// Whether a part has an open comment at one of its lines.
    pub fn is_commented(&self, file: usize, part: usize, comments: &[Comment]) -> bool {
        let mut here = self.spots.iter().zip(comments).filter(|(_, comment)| comment.is_open());
        let mut spots = here.by_ref().filter_map(|(spot, _)| spot.filter(|spot| spot.file == file)).peekable();
        if spots.peek().is_none() {
            return false;
        }
        let lines = hunk_lines(self.files[file].unit(part));
        spots.any(|spot| lines.iter().any(|line| line.on(spot.side) == Some(spot.last)))
    }

    /// The open comments on lines that a part had when it was seen, and has not any more.
    pub fn answered<'b>(
        &'b self,
        file: usize,
        part: usize,
        comments: &'b [Comment],
    ) -> impl Iterator<Item = usize> + 'b {
        let before = self.looked[file].get(part).and_then(|looked| looked.before.as_ref());
        let path = self.files[file].listed.as_ref().map(|file| file.path.to_string());
        let lines = before.map(|mark| hunk_lines(&mark.text)).unwrap_or_default();
        let has = move |place: &Place| match place {
            Place::Lines { side, lines: wanted, .. } => {
                let on: Vec<&str> =
                    lines.iter().filter(|line| line.on(*side).is_some()).map(|line| line.text).collect();
                !wanted.is_empty() && on.windows(wanted.len()).any(|window| window == wanted.as_slice())
            }
            _ => false,
        };
        let is_here = move |at: usize, comment: &Comment| {
            let is_elsewhere = self.spots.get(at).copied().flatten().is_none_or(|spot| spot.file != file);
            comment.is_open() && is_elsewhere && comment.place.path() == path.as_deref() && has(&comment.place)
        };
        comments.iter().enumerate().filter(move |(at, comment)| is_here(*at, comment)).map(|(at, _)| at)
    }

    /// Whether every part of a file was seen.
    pub fn is_seen(&self, file: usize) -> bool {
        self.looked[file].iter().all(|looked| looked.by.is_some())
    }

    /// Notes what a person looks at, or does not count as seen any more. Says what is to be kept.
    pub fn look(&mut self, parts: &[(usize, usize)], seen: bool, who: &str) -> Vec<Look> {
        let mut looks = Vec::new();
        let mut units = (usize::MAX, Vec::new());
        for (file, part) in parts {
            let looked = &mut self.looked[*file][*part];
            if looked.by.is_some() == seen {
                continue;
            }
            looked.by = seen.then(|| who.to_owned());
            let Some(listed) = &self.files[*file].listed else { continue };
            if units.0 != *file {
                units = (*file, listed.units());
            }
            if let Some(unit) = units.1.get(*part) {
                let (path, text) = (listed.path.to_string(), unit.text.to_owned());
                let instead = looked.before.as_ref().map(|mark| mark.key());
                looks.push(Look { path, key: unit.key, text, instead, seen });
            }
        }
        looks
    }
}
