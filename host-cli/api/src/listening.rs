//! The events for a listener: server-sent events, as in HTML.

use std::time::Duration;

use gate::time::Timestamp;
use host::error::Result;
use host::store::Store;
use serde_json::json;

use crate::authority::Authorized;
use crate::message::Response;

/// Reports the calls that wait for a person, whenever they change, and that comments have changed.
#[derive(Debug)]
pub struct Listening {
    by: Authorized,
    told: Option<String>,
    said: Option<String>,
}

impl Listening {
    /// A client that receives nothing for longer may assume a dead connection.
    pub const PERIOD: Duration = Duration::from_secs(15);
    /// The keep-alive.
    pub const NOTHING: &str = ":\n\n";

    /// Starts without any report.
    pub fn new(by: Authorized) -> Self {
        Listening { by, told: None, said: None }
    }

    /// The answer, whose body is the stream of events.
    pub fn response() -> Response {
        Response::of(200, "text/event-stream", Vec::new())
    }

    /// The next event, if anything changed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn news(&mut self, store: &Store) -> Result<Option<String>> {
        let mut events = String::new();
        let waiting = json!({ "waiting": store.waiting.unanswered()? }).to_string();
        if self.told.as_ref() != Some(&waiting) {
            events.push_str(&format!("event: waiting\ndata: {waiting}\n\n"));
            self.told = Some(waiting);
        }
        // Comments that cannot be read are named to whoever asks for them.
        if let Ok(comments) = store.reviews.all_comments() {
            let said = json!(comments).to_string();
            if self.said.as_ref().is_some_and(|before| *before != said) {
                events.push_str("event: comments\ndata: {}\n\n");
            }
            self.said = Some(said);
        }
        Ok((!events.is_empty()).then_some(events))
    }

    /// Whether the listener may still receive events: tokens expire and are revoked.
    ///
    /// # Errors
    /// If the tokens cannot be read.
    pub fn is_allowed(&self, store: &Store, now: Timestamp) -> Result<bool> {
        Ok(self.by.no_more(store, now)?.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use gate::refname::BranchRef;
    use host::fake::FakePlatform;
    use host::platform::Platform;
    use host::store::Topic;
    use host::store::memory::MemoryStorage;

    use super::*;
    use crate::message::Request;
    use crate::operation::Operation;
    use crate::role::Role;
    use crate::{Operator, authorize, route, token};

    #[test]
    fn what_waits_is_told_once_and_only_as_long_as_the_token_is_worth_something() {
        let (store, platform) =
            (Store::new(Rc::new(MemoryStorage::default()), "a".parse().unwrap()), FakePlatform::default());
        let held = store.lock.acquire().unwrap();
        let wanted = token::Wanted { role: Role::Reviewer, note: String::new(), expires_in: Some(60) };
        let made = token::make(&store, &held, &platform, &wanted).unwrap();
        let header = ("authorization".to_owned(), format!("Bearer {}", made.token));
        let request = Request::new("GET".to_owned(), "/sandboxes/a/events".to_owned(), [header]);
        let now = || platform.now().timestamp();
        let permit = authorize(route(&request).unwrap(), Operator([0; 32]), Some(&store), now()).unwrap().unwrap();
        let authorized = permit.admit(b"").unwrap();
        assert_eq!(authorized.operation, Operation::Listen);
        let mut listening = Listening::new(authorized);
        assert_eq!(listening.news(&store).unwrap().unwrap(), "event: waiting\ndata: {\"waiting\":[]}\n\n");
        assert_eq!(listening.news(&store).unwrap(), None);
        let topic =
            Topic { target: "bare:/t.git".parse().unwrap(), reference: BranchRef::from_branch("main").unwrap() };
        let comment = json!([{
            "id": "1", "commit": "1".repeat(40), "place": { "on": "push" }, "weight": "must", "text": "why?", "by": "ada",
            "at": 1, "sent": false, "replies": [], "settled": null,
        }]);
        store.reviews.put_comments(&held, &topic, &serde_json::from_value::<Vec<_>>(comment).unwrap()).unwrap();
        assert_eq!(listening.news(&store).unwrap().unwrap(), "event: comments\ndata: {}\n\n");
        assert_eq!(listening.news(&store).unwrap(), None);
        assert!(listening.is_allowed(&store, now()).unwrap());
        platform.pass(Duration::from_secs(61));
        assert!(!listening.is_allowed(&store, now()).unwrap());
    }
}
