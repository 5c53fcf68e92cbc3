//! What stands above everything else: help, a text that is typed, or a last look before something is decided.

use gate::comment::{Place, Weight};
use gate::review::Severity;

use super::input::Input;
use super::keys::{For, KEYS};
use super::model::Model;
use super::overview::Tone;

/// What is to be done with a text that is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A comment at this place.
    Comment { place: Place, weight: Weight },
    /// An answer to this comment.
    Answer { comment: String },
    /// What is searched for.
    Search,
    /// Words in the names of files.
    Filter,
    /// Why the push is rejected.
    Reject,
    /// What is said with a request for changes.
    AskChanges,
    /// The name of the protected branch.
    Branch,
}

impl Purpose {
    /// Whether a text of several lines is of use.
    pub fn is_long(&self) -> bool {
        matches!(self, Purpose::Comment { .. } | Purpose::Answer { .. } | Purpose::Reject | Purpose::AskChanges)
    }
}

/// What is above the screen.
#[derive(Clone, Debug)]
pub enum Popup {
    /// The keys, from this row on.
    Help(usize),
    /// A text that is typed, below these rows.
    Text { purpose: Purpose, rows: Vec<(Tone, String)>, input: Input },
    /// A decision that one more key makes, shown from a row on.
    Sure { what: Sure, rows: Vec<(Tone, String)>, top: usize },
}

impl Popup {
    /// A decision that one more key makes.
    pub fn sure(what: Sure, rows: Vec<(Tone, String)>) -> Self {
        Popup::Sure { what, rows, top: 0 }
    }

    /// Whether what was typed before it could be read is no answer to it.
    pub fn is_grave(&self) -> bool {
        matches!(self, Popup::Sure { .. } | Popup::Text { purpose: Purpose::Branch, .. })
    }
}

/// What is decided with one more key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sure {
    Approve,
    /// Approves once the protected branch was named.
    Name,
    Remember,
    /// Pushes otherwise, and asks again.
    Revise,
    /// Pushes the commits up to this one, and asks again.
    Upto(String),
    /// Leaves although something was typed or left out that is kept nowhere.
    Leave,
}

/// A last look at what leaves.
pub fn last_look(model: &Model<'_>) -> Vec<(Tone, String)> {
    let overview = &model.overview;
    let mut rows = vec![(Tone::Title, format!("Approve the {}?", overview.title))];
    let plain = |text: String| (Tone::Plain, text);
    rows.extend(overview.rows.iter().take_while(|(_, text)| !text.is_empty()).cloned());
    let (seen, all) = model.progress();
    if seen < all {
        rows.push(plain(format!("Seen:    {seen} of {all} parts")));
    }
    let open = model.open().count();
    if open > 0 {
        let must = model.open().filter(|comment| comment.weight == Weight::Must).count();
        let what = if open == 1 { "comment is".to_owned() } else { "comments are".to_owned() };
        rows.push((
            Tone::Warning(Severity::Medium),
            format!("{open} {what} open, {must} of them a must: the approval settles them"),
        ));
    }
    for high in &overview.high {
        rows.push((Tone::Warning(Severity::High), format!("high: {high}")));
    }
    rows
}

/// The keys that are of use, in rows.
pub fn help(model: &Model<'_>) -> Vec<(&'static str, &'static str)> {
    let named = KEYS.iter().filter(|bound| !bound.named.is_empty() && is_of_use(bound.of_use, model));
    named.map(|bound| (bound.named, bound.help)).collect()
}

/// Whether a key is of use here.
pub fn is_of_use(of_use: For, model: &Model<'_>) -> bool {
    match of_use {
        For::All => true,
        For::Push => model.is_push(),
        For::Commits => !model.overview.commits.is_empty(),
        For::Offer => model.overview.offer.is_some(),
    }
}
