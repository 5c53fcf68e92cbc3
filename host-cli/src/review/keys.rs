//! The keys, in one table: what they do, and the words of the help and of the bar below.

use crate::terminal::Key;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Down,
    Up,
    PageDown,
    PageUp,
    HalfDown,
    HalfUp,
    Top,
    End,
    NextPart,
    PreviousPart,
    NextFile,
    PreviousFile,
    Next,
    Previous,
    NextWarning,
    NextComment,
    PreviousComment,
    Focus,
    Open,
    Close,
    Overview,
    NextCommit,
    PreviousCommit,
    Seen,
    Out,
    Comment,
    CommentOnFile,
    Select,
    Settle,
    Approve,
    ApproveUpto,
    Remember,
    Reject,
    AskChanges,
    Message,
    Undo,
    Split,
    Fold,
    More,
    Less,
    Blanks,
    Since,
    Search,
    Filter,
    Help,
    Leave,
}

/// Where a key is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// Everywhere.
    All,
    /// Only where a push is decided about.
    Push,
    /// Only for a push of several commits.
    Commits,
    /// Only if a rule is offered.
    Offer,
}

/// Keys that do the same.
pub struct Bound {
    pub keys: &'static [Key],
    pub act: Act,
    pub of_use: For,
    /// The keys in words.
    pub named: &'static str,
    /// What they do.
    pub help: &'static str,
    /// What the bar below says; nothing if it does not name them.
    pub short: &'static str,
}

const fn bound(keys: &'static [Key], act: Act, of_use: For, texts: [&'static str; 3]) -> Bound {
    Bound { keys, act, of_use, named: texts[0], help: texts[1], short: texts[2] }
}

use Key::{BackTab, Char, Ctrl, Down, End, Enter, Escape, Home, Left, Newline, PageDown, PageUp, Right, Tab, Up};

/// All of them, in the order of the help.
pub const KEYS: &[Bound] = &[
    bound(&[Char('a')], Act::Approve, For::Push, ["a", "approve, after a last look", "approve"]),
    bound(&[Char('r')], Act::Reject, For::Push, ["r", "reject, with a reason that the agent reads", "reject"]),
    bound(
        &[Char('R')],
        Act::AskChanges,
        For::Push,
        ["R", "ask for changes: the agent gets all open comments", "ask for changes"],
    ),
    bound(&[Char(' ')], Act::Seen, For::Push, ["space", "seen, or not; on to what is not", "seen"]),
    bound(&[Char('c')], Act::Comment, For::Push, ["c", "comment on this line, or answer a comment", "comment"]),
    bound(
        &[Char('C')],
        Act::CommentOnFile,
        For::Push,
        ["C", "comment on the file, or in the overview on the push", ""],
    ),
    bound(&[Char('v')], Act::Select, For::Push, ["v", "begin or end lines to comment on", ""]),
    bound(&[Char('d')], Act::Settle, For::Push, ["d", "settle a comment, or open it again", ""]),
    bound(&[Char('x')], Act::Out, For::Push, ["x", "leave this part, file or folder out, or not", "leave out"]),
    bound(&[Char('m')], Act::Message, For::Push, ["m", "change the last commit's message in your editor", ""]),
    bound(&[Char('u')], Act::Undo, For::Push, ["u", "undo the last mark, comment or leaving out", ""]),
    bound(&[Char('A')], Act::Remember, For::Offer, ["A", "approve, and save a rule that approves the like", ""]),
    bound(&[Char('p')], Act::ApproveUpto, For::Commits, ["p", "push only the commits up to the one that is shown", ""]),
    bound(&[Char('>'), Char('.')], Act::NextCommit, For::Commits, ["> .", "the next commit by itself", ""]),
    bound(
        &[Char('<'), Char(',')],
        Act::PreviousCommit,
        For::Commits,
        ["< ,", "the commit before it, or the whole push", ""],
    ),
    bound(&[Char('j'), Down], Act::Down, For::All, ["j ↓", "down", ""]),
    bound(&[Char('k'), Up], Act::Up, For::All, ["k ↑", "up", ""]),
    bound(&[PageDown, Ctrl('f')], Act::PageDown, For::All, ["PgDn", "a screen down", ""]),
    bound(&[PageUp, Ctrl('b')], Act::PageUp, For::All, ["PgUp", "a screen up", ""]),
    bound(&[Ctrl('d')], Act::HalfDown, For::All, ["Ctrl-D", "half a screen down", ""]),
    bound(&[Ctrl('u')], Act::HalfUp, For::All, ["Ctrl-U", "half a screen up", ""]),
    bound(&[Char('g'), Home], Act::Top, For::All, ["g", "to the top", ""]),
    bound(&[Char('G'), End], Act::End, For::All, ["G", "to the end", ""]),
    bound(&[Char(']')], Act::NextPart, For::All, ["]", "the next hunk", "hunk"]),
    bound(&[Char('[')], Act::PreviousPart, For::All, ["[", "the hunk before it", ""]),
    bound(&[Char('}'), Char('J')], Act::NextFile, For::All, ["} J", "the next file", ""]),
    bound(&[Char('{'), Char('K')], Act::PreviousFile, For::All, ["{ K", "the file before it", ""]),
    bound(&[Char('n')], Act::Next, For::All, ["n", "what is found next; without a search, the next hunk not seen", ""]),
    bound(&[Char('N')], Act::Previous, For::All, ["N", "the same upwards", ""]),
    bound(&[Char('!')], Act::NextWarning, For::Push, ["!", "the next file with a warning", ""]),
    bound(&[Char(';')], Act::NextComment, For::Push, ["; :", "the next comment, and the one before it", ""]),
    bound(&[Char(':')], Act::PreviousComment, For::Push, ["", "", ""]),
    bound(&[Tab, BackTab], Act::Focus, For::All, ["Tab", "between files and changes", ""]),
    bound(&[Enter, Newline, Right, Char('l')], Act::Open, For::All, ["Enter →", "open the file, or the folder", ""]),
    bound(&[Left, Char('h')], Act::Close, For::All, ["←", "back to the files, or close the folder", ""]),
    bound(&[Char('o')], Act::Overview, For::All, ["o", "where it goes, its commits and warnings", ""]),
    bound(&[Char('/')], Act::Search, For::All, ["/", "search in all changes", "search"]),
    bound(&[Char('f')], Act::Filter, For::All, ["f", "show only files with these words in their name", ""]),
    bound(&[Char('s')], Act::Split, For::All, ["s", "old and new beside each other, or not", ""]),
    bound(&[Char('z')], Act::Fold, For::All, ["z", "fold or unfold", ""]),
    bound(&[Char('+'), Char('=')], Act::More, For::Push, ["+ -", "more or less around the changes", ""]),
    bound(&[Char('-')], Act::Less, For::Push, ["", "", ""]),
    bound(&[Char('w')], Act::Blanks, For::All, ["w", "changes of blanks alone, or not", ""]),
    bound(&[Char('i')], Act::Since, For::Push, ["i", "what changed since it was seen, or not", ""]),
    bound(&[Char('?')], Act::Help, For::All, ["?", "these keys", "keys"]),
    bound(&[Char('q'), Escape, Ctrl('c')], Act::Leave, For::All, ["q", "leave without a decision", "leave"]),
];

/// What a key does.
pub fn act(key: Key) -> Option<(Act, For)> {
    KEYS.iter().find(|bound| bound.keys.contains(&key)).map(|bound| (bound.act, bound.of_use))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_does_one_thing() {
        let mut all: Vec<Key> = Vec::new();
        for key in KEYS.iter().flat_map(|bound| bound.keys) {
            assert!(!all.contains(key), "{key:?}");
            all.push(*key);
        }
    }
}
