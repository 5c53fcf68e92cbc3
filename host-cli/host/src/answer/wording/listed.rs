//! The files of a push as a person goes through them, what of them is new to them, and the comments, as JSON for a page.

use std::collections::HashMap;

use gate::comment::Comment;
use gate::review::{FileChange, ListedFile, Review};
use gate::seen::{Seen, State, interdiff, takes_the_same};
use serde_json::{Value, json};

/// The review beyond what [`super::json::push_request`] gives of it.
///
/// - `listed`: the files, those that moved once. `files` are the places of its changes among the patches, the new path first. A file that
///   moved has its own patch. `units` is what can be seen in it: its hunks, or all of it. `since` is the difference to what was seen there, if
///   that says all that is new. `whole`: the file is one part, which is all of its patch.
/// - `gone`: the path of each part that was seen and is not there any more.
/// - `steps`: the files of each commit; none if they are not gone through one by one.
/// - `comments`: each with its `spot`, the lines of a listed file where the text stands that it is about.
pub(super) fn listed(review: &Review, comments: &[Comment], seen: &Seen) -> [(&'static str, Value); 4] {
    let files = review.listed();
    let since = seen.compare(&files);
    let all = review.files.iter().chain(review.intermediate.iter().map(|file| &file.change));
    let places: HashMap<*const FileChange, usize> =
        all.enumerate().map(|(at, file)| (std::ptr::from_ref(file), at)).collect();
    let listed = files.iter().zip(&since.states).map(|(file, states)| {
        let changes = [Some(file.change), file.moved].into_iter().flatten();
        let units = file.units().into_iter().zip(states).map(|(unit, state)| {
            let (state, before) = match state {
                State::New => ("new", None),
                State::Changed(mark) => ("changed", Some(mark)),
                State::Same(mark) => ("same", Some(mark)),
            };
            let changed = before.filter(|_| state == "changed");
            json!({
                "key": unit.key,
                "state": state,
                "by": before.map(|mark| &mark.by),
                "since": changed
                    .filter(|mark| takes_the_same(&mark.text, unit.text))
                    .map(|mark| interdiff(&mark.text, unit.text)),
                "before": changed.map(|mark| mark.key()),
            })
        });
        json!({
            "path": file.path.to_string(),
            "files": changes.filter_map(|file| places.get(&std::ptr::from_ref(file))).collect::<Vec<_>>(),
            "moved": file.moved.map(|_| patch(file)),
            "whole": file.hunks.is_empty(),
            "units": units.collect::<Vec<_>>(),
        })
    });
    let listed: Value = listed.collect();
    let gone: Value = since.gone.iter().map(|mark| json!(mark.path)).collect();
    let steps: Value =
        (0..review.steps.len()).map(|step| review.listed_step(step).iter().map(patch).collect::<Value>()).collect();
    let comments: Value = comments.iter().map(|comment| placed(comment, &files)).collect();
    [("listed", listed), ("gone", gone), ("steps", steps), ("comments", comments)]
}

/// A file that has no place among the patches.
fn patch(file: &ListedFile<'_>) -> Value {
    json!({
        "letter": file.letter.to_string(),
        "path": file.shown_path(),
        "from": file.shown_from(),
        "said": file.said,
        "head": file.head,
        "hunks": file.hunks,
    })
}

fn placed(comment: &Comment, files: &[ListedFile<'_>]) -> Value {
    let mut told = json!(comment);
    told["spot"] = match comment.place.find(files) {
        Some(spot) => json!({ "file": spot.file, "side": spot.side, "first": spot.first, "last": spot.last }),
        None => Value::Null,
    };
    told
}
