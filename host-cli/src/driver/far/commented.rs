//! What a person says about an agent's push, what the agent answers, and what is kept of both.

use gate::comment::{Place, Weight};
use gate::ledger::{CommentChange, Record};
use gate::policy::Caller;
use gate::review::Side;
use host::approve::{PushDecision, Revision};
use host::review::{self, Change, Draft, Look};
use host::store::Topic;
use serde_json::{Value, json};

use super::person::Person;
use super::scene::{Scene, called, deep, outcome, push_to, small, strict};
use crate::error::ErrorKind;
use crate::sandbox::Sandbox;

fn proposes(scene: &Scene, sandbox: &mut Sandbox, person: &mut Person) -> Value {
    let call = called(Caller::Agent, "git_push", &push_to("main"));
    outcome(scene.play(sandbox, call, strict(), person, usize::MAX).over().unwrap()).unwrap()
}

/// Somebody who comments on the first line of the first file, marks all of it as seen, and asks for changes.
fn critic(weight: Weight, text: &str) -> Person {
    let text = text.to_owned();
    let says = move |proposal: &gate::approval::Proposal, notes: &review::Notes<'_>| {
        let review = proposal.review();
        let listed = review.listed();
        let place = Place::of_lines(&listed[0], Side::New, 1, 1).unwrap();
        notes.add(Draft { commit: review.new, place, weight, text }).unwrap();
        notes.look(&Look::at(&listed[0], true)).unwrap();
        PushDecision::AskChanges { reason: "Nearly".to_owned() }
    };
    Person { says: Some(Box::new(says)), ..Person::default() }
}

fn topic(sandbox: &Sandbox) -> Topic {
    let topics = sandbox.store.reviews.all_comments().unwrap();
    topics.first().expect("something was said").0.clone()
}

#[test]
fn an_agent_gets_the_comments_answers_them_and_what_lands_settles_them() {
    deep(|| {
        let scene = Scene::with_work(small()).assisted();
        let sandbox = &mut scene.open();
        let told = proposes(&scene, sandbox, &mut critic(Weight::Must, "Say more"));
        assert_eq!((&told["status"], &told["changes"]["reason"]), (&json!("changes-requested"), &json!("Nearly")));
        let comment = &told["changes"]["comments"][0];
        assert_eq!(
            (&comment["path"], &comment["lines"], &comment["text"], &comment["severity"]),
            (&json!("a.md"), &json!(["one"]), &json!("Say more"), &json!("must"))
        );
        let id = comment["id"].as_str().unwrap().to_owned();
        // It is told what is open by a tool, too, and answers all or nothing.
        let answers = |id: &str, text: &str| json!({ "answers": [{ "id": id, "text": text }] });
        let open = scene.agent(sandbox, "git_review", answers(&id[..8], "Like what?"));
        assert_eq!(open["comments"][0]["replies"], json!([{ "by": "the agent", "agent": true, "text": "Like what?" }]));
        for (id, text) in [("ffffffff", "x"), (&*id, "  "), ("", "x"), (&*id, &*"x".repeat(20_000))] {
            let both = json!({ "answers": [{ "id": comment["id"], "text": "y" }, { "id": id, "text": text }] });
            let error = scene.call(sandbox, Caller::Agent, "git_review", both).unwrap_err();
            assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}");
        }
        let open = scene.agent(sandbox, "git_review", json!({}));
        assert_eq!(open["comments"][0]["replies"].as_array().unwrap().len(), 1, "nothing of what was wrong is kept");
        // It mends its work, and what was seen and said is there for the next push.
        scene.user(sandbox, "write_file", json!({ "path": "a.md", "content": "one and more\n" }));
        scene.user(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "More" }));
        let says = |proposal: &gate::approval::Proposal, notes: &review::Notes<'_>| {
            let listed = proposal.review().listed();
            let seen = notes.seen();
            assert!(!seen.is_empty());
            // The file as it was, which a commit in between has, is what was seen.
            let states = seen.compare(&listed).states;
            assert_eq!(states.iter().map(|states| states[0].is_same()).collect::<Vec<_>>(), [false, true]);
            assert_eq!(notes.comments().unwrap()[0].replies[0].text, "Like what?");
            PushDecision::Decided(gate::approval::Decision::Approve { digest: proposal.digest() })
        };
        let pushed = proposes(&scene, sandbox, &mut Person { says: Some(Box::new(says)), ..Person::default() });
        assert_eq!(pushed["status"], "success");
        assert_eq!(scene.agent(sandbox, "git_review", json!({}))["comments"], json!([]));
        let comments = review::comments(sandbox, &topic(sandbox)).unwrap();
        assert!(!comments[0].is_open() && review::seen(sandbox, &topic(sandbox)).is_empty());
        let log: Vec<_> = scene.ledger().entries().iter().map(|entry| entry.record.clone()).collect();
        let events = log.iter().filter_map(|record| match record {
            Record::Comment(event) => Some(event.what),
            _ => None,
        });
        assert_eq!(events.collect::<Vec<_>>(), [CommentChange::Made, CommentChange::Answered, CommentChange::Settled]);
        assert!(scene.check().findings.is_empty());
    });
}

#[test]
fn an_agent_is_told_of_nothing_before_it_is_sent_and_settles_nothing() {
    deep(|| {
        let scene = Scene::with_work(small()).assisted();
        let sandbox = &mut scene.open();
        // Somebody comments and leaves without a decision.
        let says = |proposal: &gate::approval::Proposal, notes: &review::Notes<'_>| {
            let commit = proposal.review().new;
            notes.add(Draft { commit, place: Place::Push, weight: Weight::Note, text: "Hm".to_owned() }).unwrap();
            PushDecision::Revise(Revision { message: Some("Otherwise".to_owned()), ..Revision::default() })
        };
        let mut person = Person { says: Some(Box::new(says)), refuses: true, ..Person::default() };
        let call = called(Caller::Agent, "git_push", &push_to("main"));
        assert_eq!(scene.agent(sandbox, "git_review", json!({}))["comments"], json!([]));
        let error = outcome(scene.play(sandbox, call, strict(), &mut person, usize::MAX).over().unwrap()).unwrap_err();
        assert!(error.message.contains("not now"), "{error:?}");
        // A rejection sends what was said as well.
        let open = scene.agent(sandbox, "git_review", json!({}));
        assert_eq!(open["comments"][0]["text"], "Hm");
        let topic = topic(sandbox);
        let id = open["comments"][0]["id"].as_str().unwrap();
        let error = review::change(sandbox, &topic, id, &Change::Withdraw).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Refused, "the agent has read it");
        review::change(sandbox, &topic, &id[..6], &Change::Reply { text: "As I said".to_owned() }).unwrap();
        review::change(sandbox, &topic, id, &Change::Settle).unwrap();
        assert_eq!(scene.agent(sandbox, "git_review", json!({}))["comments"], json!([]));
        let answer = json!({ "answers": [{ "id": id, "text": "but" }] });
        assert!(scene.call(sandbox, Caller::Agent, "git_review", answer).is_err(), "it is over");
        review::change(sandbox, &topic, id, &Change::Reopen).unwrap();
        assert_eq!(scene.agent(sandbox, "git_review", json!({}))["comments"][0]["replies"][0]["agent"], false);
    });
}

#[test]
fn the_first_commits_of_a_push_are_approved_alone() {
    deep(|| {
        let scene = Scene::with_work(small()).assisted();
        let sandbox = &mut scene.open();
        scene.user(sandbox, "write_file", json!({ "path": "b.md", "content": "two\n" }));
        scene.user(sandbox, "git_stage", json!({ "files": ["b.md"], "message": "Two" }));
        let says = |proposal: &gate::approval::Proposal, _: &review::Notes<'_>| {
            let review = proposal.review();
            assert_eq!((review.commits.len(), review.steps.len()), (2, 2));
            assert_eq!(review.listed_step(1)[0].path, "b.md");
            PushDecision::Revise(Revision { upto: Some(review.commits[0].id.to_string()), ..Revision::default() })
        };
        let mut person = Person { says: Some(Box::new(says)), takes_time: true, ..Person::default() };
        let pushed = proposes(&scene, sandbox, &mut person);
        assert_eq!(person.pushes.len(), 2, "they are asked about the first ones anew");
        assert!(person.pushes[1].contains("One") && !person.pushes[1].contains("Two"));
        assert_eq!((&pushed["status"], pushed["commits"].as_array().unwrap().len()), (&json!("success"), 1));
        assert_eq!(scene.staged(sandbox), ["Two"]);
        assert_eq!(sandbox.store.waiting.all().unwrap(), []);
    });
}

#[test]
fn attack_24_what_is_said_and_seen_is_there_or_not_wherever_a_host_ends() {
    deep(|| {
        let scene = Scene::with_work(small()).assisted();
        let work = scene.copied();
        // As often as it takes until the call is over.
        for steps in 0.. {
            let scene = work.copied();
            let sandbox = &mut scene.open();
            let call = called(Caller::Agent, "git_push", &push_to("main"));
            let mut person = Person { takes_time: true, ..critic(Weight::Must, "Say more") };
            let played = scene.play(sandbox, call, strict(), &mut person, steps);
            let is_over = matches!(played, super::scene::Played::Over(_));
            let again = &mut scene.open();
            let said = again.store.reviews.all_comments().unwrap();
            let has_said = person.says.is_none();
            assert_eq!(said.iter().map(|(_, comments)| comments.len()).sum::<usize>(), usize::from(has_said));
            // Until the agent has its answer, the push waits for one.
            let waits = again.store.waiting.unanswered().unwrap().len();
            assert!(is_over || !has_said || waits == 1, "{steps}: {waits}");
            let sent = said.iter().flat_map(|(_, comments)| comments).filter(|comment| comment.sent).count();
            assert_eq!(sent, usize::from(is_over));
            assert!(scene.check().findings.is_empty());
            if is_over {
                break;
            }
        }
    });
}
