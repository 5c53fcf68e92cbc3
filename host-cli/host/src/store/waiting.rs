//! Calls of an agent that nobody could be asked about, so that a person can answer them from
//! another process.

use patch::sort::sort_by;
use std::rc::Rc;

use gate::policy::Severity;
use gate::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::reviews::Topic;
use super::share;
use super::storage::{Held, Item, Kind, Storage};
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Act;
use crate::wit::ToolResult;

/// How long an answer to a call waits for the same call to come again.
const ANSWER_SECONDS: u64 = 15 * 60;
/// How long a call waits for an answer.
const WAITS_SECONDS: u64 = 7 * 24 * 60 * 60;
/// The most waiting calls. Further ones replace the latest of the kind of which there are most.
const MOST: usize = 100;

/// A call that waits for a person, or for its answer to be fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// Sixteen hex digits, by which the person names it.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, as they were given.
    pub arguments: String,
    /// When it was last made, or answered.
    pub at: Timestamp,
    /// The call, if it stays inside the sandbox. A push is reviewed in its current state when the
    /// person answers.
    pub inside: Option<Inside>,
    /// Where the push goes that it asks for, once that is known: comments on it are kept by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// The person's answer.
    pub answer: Option<Answer>,
}

impl Waiting {
    /// What it shares with others that ask for the same: the tool, and for a push where it goes.
    pub fn kind(&self) -> (String, String) {
        let arguments: serde_json::Value = serde_json::from_str(&self.arguments).unwrap_or_default();
        let target = if self.tool == "git_push" { arguments["target"].to_string() } else { String::new() };
        (self.tool.clone(), target)
    }

    /// Whether it is this call.
    pub fn is_of(&self, tool: &str, arguments: &str) -> bool {
        is_same(self, tool, arguments)
    }

    /// Whether it still waits, or its answer still holds.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        match self.answer {
            Some(_) => self.at <= now && now < self.at.plus(ANSWER_SECONDS),
            None => now < self.at.plus(WAITS_SECONDS),
        }
    }
}

/// A call inside the sandbox, described for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// The severity.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// More lines; may be empty.
    pub detail: String,
    /// The rules' reasons that the person has been told.
    #[serde(default)]
    pub reasons: Vec<String>,
}

/// A person's answer to a waiting call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The call may run when it is made again.
    Approved,
    /// The call is rejected, for this reason.
    Rejected(String),
    /// The push is to be mended; this is the reply that says how.
    Changes(ToolResult),
    /// The push was made, with this reply.
    Landed(ToolResult),
}

/// The waiting calls, one record each.
#[derive(Debug)]
pub struct WaitingCalls {
    storage: Rc<dyn Storage>,
}

impl WaitingCalls {
    /// The calls in `storage`.
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        WaitingCalls { storage }
    }

    /// True if none is waiting. Cheap.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.storage.records(Kind::Waiting)?.is_empty())
    }

    /// All waiting calls, oldest first. Skips invalid records, because the agent can make the call
    /// again.
    pub fn all(&self) -> Result<Vec<Waiting>> {
        let mut all: Vec<Waiting> = self.keys()?.iter().filter_map(|key| self.read(key)?.ok()).collect();
        sort_by(&mut all, |a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok(all)
    }

    /// Those that nobody has answered, oldest first.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn unanswered(&self) -> Result<Vec<Waiting>> {
        let mut all = self.all()?;
        all.retain(|waiting| waiting.answer.is_none());
        Ok(all)
    }

    /// Where there is something else than a waiting call, with the reason.
    pub fn damaged(&self) -> Result<Vec<(String, String)>> {
        let place = |key: &str| self.storage.place(Item::Record(Kind::Waiting, key));
        Ok(self.keys()?.iter().filter_map(|key| Some((place(key), self.read(key)?.err()?))).collect())
    }

    /// The keys of what may be a call.
    fn keys(&self) -> Result<Vec<String>> {
        let mut keys = self.storage.records(Kind::Waiting)?;
        keys.retain(|key| key.ends_with(".json"));
        Ok(keys)
    }

    /// The call in a record, or why there is none. `None` if there is no such record.
    fn read(&self, key: &str) -> Option<Result<Waiting, String>> {
        let text = match self.storage.record(Kind::Waiting, key) {
            Ok(text) => text?,
            Err(error) => return Some(Err(error.message)),
        };
        let waiting = serde_json::from_slice(&text).map_err(|error| error.to_string());
        Some(waiting.and_then(|waiting: Waiting| match key_of(&waiting.id) == key {
            true => Ok(waiting),
            false => Err("it belongs to another call".to_owned()),
        }))
    }

    /// The unanswered call whose id starts with `id`.
    pub fn find(&self, id: &str) -> Result<Waiting> {
        let mut found: Vec<Waiting> =
            self.unanswered()?.into_iter().filter(|waiting| waiting.id.starts_with(id)).collect();
        let wrong = |what: String, act: Act| Err(HostError::new(ErrorKind::Usage, what).hint(act));
        match (found.pop(), found.len()) {
            (Some(one), 0) => Ok(one),
            (Some(_), _) => wrong(format!("'{id}' matches several waiting calls"), Act::LengthenId),
            (None, _) => wrong(format!("no waiting call has the id '{id}'"), Act::ListWaiting),
        }
    }

    /// Adds a call, unless the same call is already waiting.
    pub fn add(&self, held: &Held, mut waiting: Waiting) -> Result<Waiting> {
        let all = self.all()?;
        if let Some(same) = all.iter().find(|other| is_same(other, &waiting.tool, &waiting.arguments)) {
            waiting.id.clone_from(&same.id);
        }
        let (mut others, stale): (Vec<Waiting>, Vec<Waiting>) =
            all.into_iter().filter(|other| other.id != waiting.id).partition(|other| other.is_fresh(waiting.at));
        stale.iter().for_each(|stale| self.remove(held, &stale.id));
        others.push(waiting.clone());
        let kinds: Vec<_> = others.iter().map(Waiting::kind).collect();
        share::surplus(&kinds, MOST).into_iter().for_each(|surplus| self.remove(held, &others[surplus].id));
        self.store(held, &waiting)?;
        Ok(waiting)
    }

    /// Stores the answer until the call is made again.
    pub fn answer(&self, held: &Held, waiting: Waiting, answer: Answer, now: Timestamp) -> Result<()> {
        self.store(held, &Waiting { answer: Some(answer), at: now, ..waiting })
    }

    /// Forgets what was answered: each call waits on, but for a push that was made.
    pub(super) fn forget_answers(&self, held: &Held) -> Result<()> {
        self.all()?.into_iter().try_for_each(|waiting| match waiting.answer {
            None => Ok(()),
            Some(Answer::Landed(_)) => {
                self.remove(held, &waiting.id);
                Ok(())
            }
            Some(_) => self.store(held, &Waiting { answer: None, ..waiting }),
        })
    }

    /// Takes what a person has decided about this call, once.
    pub fn take_decided(&self, held: &Held, tool: &str, arguments: &str, now: Timestamp) -> Result<Option<Waiting>> {
        let is_decided =
            |other: &Waiting| matches!(other.answer, Some(Answer::Approved | Answer::Rejected(_) | Answer::Changes(_)));
        let answered = self.all()?.into_iter().find(|other| is_same(other, tool, arguments) && is_decided(other));
        let Some(answered) = answered else { return Ok(None) };
        self.remove(held, &answered.id);
        Ok(Some(answered).filter(|answered| answered.is_fresh(now)))
    }

    /// Forgets a call.
    pub fn remove(&self, held: &Held, id: &str) {
        if let Err(error) = self.storage.remove(held, Kind::Waiting, &key_of(id)) {
            tracing::debug!("{error}");
        }
    }

    fn store(&self, held: &Held, waiting: &Waiting) -> Result<()> {
        let text = serde_json::to_vec_pretty(waiting).expect("it has only string keys");
        self.storage.put(held, Kind::Waiting, &key_of(&waiting.id), &text)
    }
}

fn key_of(id: &str) -> String {
    format!("{id}.json")
}

fn is_same(waiting: &Waiting, tool: &str, arguments: &str) -> bool {
    waiting.tool == tool && waiting.arguments == arguments
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    fn files() -> (MemoryStorage, WaitingCalls) {
        let storage = MemoryStorage::default();
        (storage.clone(), WaitingCalls::new(Rc::new(storage)))
    }

    fn held(files: &WaitingCalls) -> Held {
        files.storage.lock(Wait::Not).unwrap()
    }

    fn waiting(number: usize, arguments: &str) -> Waiting {
        let at = Timestamp(100 + number as u64);
        let (tool, arguments) = ("git_stage".to_owned(), arguments.to_owned());
        Waiting { id: format!("{number:016x}"), tool, arguments, at, inside: None, topic: None, answer: None }
    }

    #[test]
    fn a_call_waits_once_however_often_it_is_made() {
        let (_storage, files) = files();
        assert_eq!(files.all().unwrap(), []);
        let first = files.add(&held(&files), waiting(1, "a")).unwrap();
        let again = files.add(&held(&files), waiting(2, "a")).unwrap();
        assert_eq!(again.id, first.id);
        files.add(&held(&files), waiting(3, "b")).unwrap();
        assert_eq!(files.all().unwrap().len(), 2);
        assert_eq!(files.find("0000000000000001").unwrap().arguments, "a");
        assert_eq!(files.find("0").unwrap_err().kind, ErrorKind::Usage);
        assert_eq!(files.find("x").unwrap_err().kind, ErrorKind::Usage);
    }

    #[test]
    fn attack_22_an_answer_is_of_one_call_once_and_not_for_long() {
        let (_storage, files) = files();
        let call = files.add(&held(&files), waiting(1, "a")).unwrap();
        let take = |arguments: &str, now| {
            files
                .take_decided(&held(&files), "git_stage", arguments, Timestamp(now))
                .unwrap()
                .and_then(|waiting| waiting.answer)
        };
        assert_eq!(take("a", 200), None, "nobody has said anything");
        files.answer(&held(&files), call.clone(), Answer::Approved, Timestamp(200)).unwrap();
        assert_eq!(take("b", 200), None);
        assert_eq!(files.take_decided(&held(&files), "git_pull", "a", Timestamp(200)).unwrap(), None);
        assert_eq!(take("a", 1099), Some(Answer::Approved));
        assert_eq!(take("a", 1099), None);
        for now in [199, 1100] {
            files.answer(&held(&files), call.clone(), Answer::Approved, Timestamp(200)).unwrap();
            assert_eq!(take("a", now), None);
        }
        assert_eq!(files.all().unwrap(), []);
    }

    #[test]
    fn attack_21_no_more_than_a_hundred_wait() {
        let (_storage, files) = files();
        for number in 0..MOST + 3 {
            files.add(&held(&files), waiting(number, &number.to_string())).unwrap();
        }
        let all = files.all().unwrap();
        let last = &all[MOST - 1];
        assert_eq!((all.len(), all[0].arguments.as_str(), last.arguments.as_str()), (MOST, "0", "102"));
    }

    #[test]
    fn attack_21_a_flood_drives_out_no_call_of_another_kind() {
        let (_storage, files) = files();
        let push = |number: usize, branch: &str| {
            let arguments =
                format!(r#"{{"commitId":"{number}","target":{{"type":"local","path":".","branch":"{branch}"}}}}"#);
            Waiting { tool: "git_push".to_owned(), ..waiting(number, &arguments) }
        };
        files.add(&held(&files), push(0, "honest")).unwrap();
        files.add(&held(&files), waiting(1, "honest")).unwrap();
        for number in 2..402 {
            files.add(&held(&files), push(number, "flood")).unwrap();
        }
        let all = files.all().unwrap();
        assert_eq!(all.len(), MOST);
        assert!(all[0].arguments.contains("honest") && all[1].arguments == "honest", "{all:#?}");
    }

    #[test]
    fn what_nobody_answers_goes_by_itself() {
        let (_storage, files) = files();
        files.add(&held(&files), waiting(1, "old")).unwrap();
        files.add(&held(&files), Waiting { at: Timestamp(101 + WAITS_SECONDS), ..waiting(2, "new") }).unwrap();
        assert_eq!(files.all().unwrap().len(), 1);
    }

    #[test]
    fn a_file_that_is_no_call_is_passed_over() {
        let (storage, files) = files();
        let call = files.add(&held(&files), waiting(1, "a")).unwrap();
        let text = serde_json::to_vec(&call).unwrap();
        for (key, content) in [("x.json", &b"{"[..]), ("y.json", &text), ("z", b"{")] {
            storage.put(&held(&files), Kind::Waiting, key, content).unwrap();
        }
        assert_eq!(files.all().unwrap(), [call]);
        let damaged = files.damaged().unwrap();
        assert_eq!((damaged.len(), damaged[1].1.as_str()), (2, "it belongs to another call"));
    }
}
