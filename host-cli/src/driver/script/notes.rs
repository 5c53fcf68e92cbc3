//! What a person of the script notes about a push before they answer, and what the agent says to it.

use host::review::{self, Change, Draft, Look};
use host::sandbox::Sandbox;
use host::store::Topic;
use serde_json::{Value, json};

/// Makes the notes of an answer about the push that was `asked` about: comments, changes of the first comment, and looks.
pub fn make(sandbox: &Sandbox, asked: &Value, answer: &Value) {
    for note in answer["notes"].as_array().into_iter().flatten() {
        let push = &asked["push"];
        let topic = Topic {
            target: serde_json::from_value(push["target"].clone()).expect("a push has a target"),
            reference: serde_json::from_value(push["review"]["reference"].clone()).expect("a push has a branch"),
        };
        if let Some(comment) = note["comment"].as_object() {
            let mut draft = json!(comment);
            draft["commit"] = push["review"]["new"].clone();
            let draft: Draft = serde_json::from_value(draft).expect("the script's comments are well-formed");
            review::add(sandbox, &topic, draft).unwrap();
        }
        if note["change"].is_object() {
            let change: Change =
                serde_json::from_value(note["change"].clone()).expect("the script's changes are changes");
            let first = review::comments(sandbox, &topic).unwrap().swap_remove(0);
            review::change(sandbox, &topic, &first.id, &change).unwrap();
        }
        if let Some(look) = note["look"].as_object() {
            let mut look = json!(look);
            let listed = asked["listed"].as_array().expect("files are listed");
            let file = listed.iter().find(|file| file["path"] == look["path"]).expect("it is a file of the push");
            look["key"] = file["units"][0]["key"].clone();
            let look: Look = serde_json::from_value(look).expect("the script's looks are looks");
            review::look(sandbox, &topic, &[look]).unwrap();
        }
    }
}

/// The arguments with which the agent answers the first comment that there is.
pub fn answered(sandbox: &Sandbox, text: &Value) -> String {
    let topics = sandbox.store.reviews.all_comments().unwrap();
    let id = &topics[0].1[0].id;
    json!({ "answers": [{ "id": id, "text": text }] }).to_string()
}
