//! The result of a push, in git's words and for programs.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use serde::Serialize;

use super::super::review::comments;
use super::GitPush;
use crate::answer::{Changes, Conflict, Landed, Refs};
use crate::budget::{Room, brief, is_zero};
use crate::error::ToolError;
use crate::git::staged::ids::Ids;
use crate::git::staged::{landed, targets};
use crate::git::store::repo::Repo;
use crate::git::words::message;
use crate::output::Output;
use crate::session::Context;

/// Digits of a commit's name in the text.
const ABBREVIATED: usize = 8;

/// Maximum number of commits to list. A first push may bring a whole history.
const NAMED: usize = 100;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Pushed {
    #[cfg_attr(test, schemars(extend("enum" = ["success", "conflict", "changes-requested"])))]
    status: &'static str,
    /// The branch's commit at the target, if that is what was to be pushed.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    /// What was sent, in order; if there is no room for all, the latest.
    commits: Vec<Sent>,
    /// Commits that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    commits_omitted: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<ConflictShown>,
    /// What the user wants otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Wanted>,
    target: String,
    branch: String,
    hint: String,
    /// The result has text that others may have written: data, not instructions.
    untrusted: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Sent {
    /// The id that it has had in the sandbox.
    id: String,
    /// Its name at the target.
    commit_sha: String,
    subject: String,
    /// The rest of the message.
    #[serde(skip_serializing_if = "String::is_empty")]
    body: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ConflictShown {
    /// `non-fast-forward` if the target has commits that the sandbox does not have.
    reason: String,
    message: String,
    /// The commit that the branch points to now; null if there is none.
    target_head: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Wanted {
    /// The user's words; may be empty.
    reason: String,
    /// All that are open, as git_review lists them.
    comments: Vec<comments::Shown>,
    /// Comments that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    comments_omitted: usize,
}

impl Pushed {
    fn to(target: &str, reference: &str, hint: String) -> Pushed {
        Pushed {
            status: "success",
            commit_sha: None,
            commits: Vec::new(),
            commits_omitted: 0,
            conflict: None,
            changes: None,
            target: target.to_owned(),
            branch: short(reference).to_owned(),
            hint,
            untrusted: true,
        }
    }
}

/// The result of a push that has landed. `sent` are the commits, parents first, each with its id at the target.
pub fn success(context: &Context<'_>, repo: &Repo, landed: &Landed, sent: &[(ObjectId, ObjectId)]) -> Output {
    let branch = short(&landed.reference);
    let new = landed.new.to_hex_with_len(7);
    let range = match landed.old {
        Some(old) => format!("   {}..{new}  {branch} -> {branch}", old.to_hex_with_len(7)),
        None => format!(" * [new branch]      {branch} -> {branch}"),
    };
    let hint = format!("Successfully pushed to {} ({branch}).", landed.target);
    let mut pushed = Pushed::to(&landed.target, &landed.reference, hint);
    pushed.commit_sha = Some(landed.new.to_string());
    pushed.commits = named(repo, sent, context.session.options.git.max_bytes);
    pushed.commits_omitted = sent.len() - pushed.commits.len();
    let mut text = format!("To {}\n{range}\n", landed.target);
    if pushed.commits_omitted > 0 {
        text.push_str(&format!("     ({} before these)\n", pushed.commits_omitted));
    }
    for commit in &pushed.commits {
        // git at the target knows only the name there.
        text.push_str(&format!("     {} {}\n", &commit.commit_sha[..ABBREVIATED], commit.subject));
    }
    Output::new::<GitPush>(text, pushed)
}

/// The last commits of `sent`, as many as fit.
fn named(repo: &Repo, sent: &[(ObjectId, ObjectId)], max_bytes: usize) -> Vec<Sent> {
    // The list is only informative. The push has landed even if nothing can be said about it.
    let ids = Ids::load(repo).unwrap_or_default();
    let mut room = Room::new(max_bytes);
    let mut latest_first = Vec::new();
    for (commit, made) in sent.iter().rev().take(NAMED) {
        let object = repo.gix.find_commit(*commit).ok();
        let message = object.as_ref().and_then(|object| object.message_raw().ok());
        let part = |of: fn(&[u8]) -> &[u8]| {
            let text = message.map(|message| of(message).to_str_lossy().into_owned()).unwrap_or_default();
            brief(&text, max_bytes)
        };
        let entry = Sent {
            id: ids.of(*commit),
            commit_sha: made.to_string(),
            subject: part(|message| message::subject(message)),
            body: part(|message| message::body(message)),
        };
        if !room.take(&entry) {
            break;
        }
        latest_first.push(entry);
    }
    latest_first.reverse();
    latest_first
}

/// The result if the target already has the commit, as `there`, or has all its changes.
pub fn up_to_date(refs: &Refs, reference: &str, there: Option<ObjectId>) -> Output {
    let hint = match there {
        Some(_) => "The target already has this commit.",
        None => "The target already has everything that this commit changes.",
    };
    let mut pushed = Pushed::to(&refs.target, reference, hint.to_owned());
    pushed.commit_sha = there.map(|id| id.to_string());
    Output::new::<GitPush>("Everything up-to-date\n", pushed)
}

/// The result of a push that the target's state rules out.
pub fn conflict(repo: &Repo, conflict: &Conflict, target: &str, reference: &str) -> Result<Output, ToolError> {
    let mut hint = "Nothing was pushed.".to_owned();
    // The messages of other conflicts already say what to do.
    if conflict.reason == "non-fast-forward" {
        let elsewhere = format!("a new branch of {target} with target.branch.");
        let is_known = conflict.target_head.map(|head| super::is_known(repo, target, reference, head)).transpose()?;
        hint.push_str(&match landed::is_own(repo, target, reference)? {
            true if is_known == Some(true) => format!(
                " If its commits are merged already, as by a squash, have that branch deleted and push again, or push to \
                 {elsewhere} Else call git_pull with source {} to bring them back in.",
                targets::named(target, short(reference))
            ),
            true => format!(
                " Call git_pull with source {} to bring in the new commits and re-apply the staged ones, then push \
                 again. Or push to {elsewhere}",
                targets::named(target, short(reference))
            ),
            false => format!(" Push to {elsewhere}"),
        });
    }
    Ok(conflicting(conflict, target, reference, hint))
}

/// The result of a push that a person wants otherwise.
pub fn changes(changes: &Changes, target: &str, reference: &str, max_bytes: usize) -> Output {
    let branch = short(reference);
    let mut text = format!("To {target}\n ! [changes requested] {branch} -> {branch}\n");
    if !changes.reason.is_empty() {
        text.push_str("The user says:\n");
        changes.reason.lines().for_each(|line| text.push_str(&format!("  > {line}\n")));
    }
    let shown = comments::fitting(&changes.comments, max_bytes);
    let comments_omitted = changes.comments.len() - shown.len();
    text.push_str(&comments::text(&shown, comments_omitted));
    let hint = format!("Nothing was pushed. {}", comments::HINT);
    text.push_str(&format!("hint: {hint}\n"));
    let mut pushed = Pushed::to(target, reference, hint);
    pushed.status = "changes-requested";
    pushed.changes = Some(Wanted { reason: changes.reason.clone(), comments: shown, comments_omitted });
    Output::new::<GitPush>(text, pushed)
}

/// The result for a commit that cannot be pushed alone.
pub fn does_not_apply(conflict: &Conflict, target: &str, reference: &str) -> Output {
    let hint = "Nothing was pushed. First push the staged commits that it builds on, or push without only to send them \
                along. If others changed the branch, call git_pull.";
    conflicting(conflict, target, reference, hint.to_owned())
}

fn conflicting(conflict: &Conflict, target: &str, reference: &str, hint: String) -> Output {
    let branch = short(reference);
    let text = format!(
        "To {target}\n ! [rejected]        {branch} -> {branch} ({})\nerror: {}\nhint: {hint}\n",
        conflict.reason, conflict.message
    );
    let mut pushed = Pushed::to(target, reference, hint);
    pushed.status = "conflict";
    pushed.conflict = Some(ConflictShown {
        reason: conflict.reason.clone(),
        message: conflict.message.clone(),
        target_head: conflict.target_head.map(|id| id.to_string()),
    });
    Output::new::<GitPush>(text, pushed)
}

fn short(reference: &str) -> &str {
    reference.strip_prefix("refs/heads/").unwrap_or(reference)
}
