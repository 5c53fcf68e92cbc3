//! Comments as an agent is told of them. Every line of a person's words and of a file's lines is marked, so that none can be taken for
//! another part of the text.

use serde::Serialize;

use crate::answer::{Comment, CommentReply};
use crate::budget::Room;
use crate::call::Moment;

/// What an agent does about comments.
pub const HINT: &str = "Mend what the comments ask for, commit, and push again. Answer with git_review where nothing is to be mended, \
                        or to ask.";

/// A comment of a person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    id: String,
    target: String,
    branch: String,
    /// The commit that they looked at.
    commit_sha: String,
    /// Absent if it is about the whole push.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The first and the last line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    /// `old` for lines of the file as it was.
    #[cfg_attr(test, schemars(extend("enum" = ["old", "new"])))]
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
    /// `must` has to be done or answered.
    #[cfg_attr(test, schemars(extend("enum" = ["must", "note"])))]
    severity: &'static str,
    /// The person's words.
    text: String,
    by: String,
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replies: Vec<Reply>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reply {
    by: String,
    /// Your own.
    agent: bool,
    text: String,
}

/// The first comments, as many as fit. One that does not fit with all the lines that it is about has fewer of them, or none.
pub fn fitting(comments: &[Comment], max_bytes: usize) -> Vec<Shown> {
    let mut room = Room::new(max_bytes);
    let fits = |comment: &Comment| {
        let mut shown = Shown::of(comment);
        for lines in [usize::MAX, FEW, 0] {
            shown.lines.truncate(lines);
            if room.take(&shown) {
                return Some(shown);
            }
        }
        None
    };
    comments.iter().map_while(fits).collect()
}

/// Lines that are shown of a comment on many.
const FEW: usize = 10;

/// A name on one line, whatever is in it.
fn on_a_line(name: &str) -> String {
    name.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect()
}

impl Shown {
    fn of(comment: &Comment) -> Shown {
        let lines = comment.lines.as_ref();
        let reply = |reply: &CommentReply| Reply { by: reply.by.clone(), agent: reply.agent, text: reply.text.clone() };
        Shown {
            id: comment.id.clone(),
            target: comment.target.clone(),
            branch: comment.reference.strip_prefix("refs/heads/").unwrap_or(&comment.reference).to_owned(),
            commit_sha: comment.commit.to_string(),
            path: comment.path.clone(),
            line: lines.map(|lines| lines.first),
            end_line: lines.map(|lines| lines.last),
            side: lines.map(|lines| if lines.old { "old" } else { "new" }),
            lines: lines.map(|lines| lines.texts.clone()).unwrap_or_default(),
            severity: if comment.must { "must" } else { "note" },
            text: comment.text.clone(),
            by: comment.by.clone(),
            at: Moment { nanos: comment.at.saturating_mul(1_000_000_000), utc_offset: 0 }.rfc3339(),
            replies: comment.replies.iter().map(reply).collect(),
        }
    }

    fn place(&self) -> String {
        let old = if self.side == Some("old") { " as it was" } else { "" };
        match (self.path.as_deref().map(on_a_line), self.line, self.end_line) {
            (None, ..) => "the whole push".to_owned(),
            (Some(path), Some(first), Some(last)) if first < last => format!("{path}:{first}-{last}{old}"),
            (Some(path), Some(first), _) => format!("{path}:{first}{old}"),
            (Some(path), None, _) => path,
        }
    }
}

/// The comments for a model to read.
pub fn text(comments: &[Shown], omitted: usize) -> String {
    let mut out = String::new();
    let mut last = None;
    for comment in comments {
        let to = (&comment.target, &comment.branch);
        if last != Some(to) {
            out.push_str(&format!("Comments on the push to {} ({}), in the user's words behind \"> \":\n", to.0, to.1));
            last = Some(to);
        }
        out.push_str(&format!(
            "\n[{}] {} at {} by {}\n",
            &comment.id,
            comment.severity,
            comment.place(),
            on_a_line(&comment.by)
        ));
        for (at, line) in comment.lines.iter().enumerate() {
            out.push_str(&format!("  {:>5} | {line}\n", comment.line.unwrap_or(1) as usize + at));
        }
        out.push_str(&quoted(&comment.text));
        for reply in &comment.replies {
            let who = if reply.agent { "you".to_owned() } else { on_a_line(&reply.by) };
            out.push_str(&format!("  {who} answered:\n{}", quoted(&reply.text)));
        }
    }
    if omitted > 0 {
        out.push_str(&format!("\n… and {omitted} more, which are listed once these are settled\n"));
    }
    out
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("  > {line}\n")).collect()
}
