//! Answers that go on for as long as there may be something to tell: the events of a sandbox, which are server-sent events as in HTML,
//! and a push by git whose client waits for the review.

use std::time::Duration;

use gate::id::SandboxId;
use gate::time::Timestamp;
use host::answer::{self, Awaiting};
use host::error::Result;
use host::store::Store;
use serde_json::json;

use crate::authority::Authorized;
use crate::message::{Content, Response};
use crate::problem::Problem;
use crate::share::Holder;

/// Who listens, and to what.
#[derive(Debug)]
pub struct Listening {
    by: Authorized,
    about: About,
}

#[derive(Debug)]
enum About {
    /// The calls that wait for a person, whenever they change, and that comments have changed.
    Events { told: Option<String>, said: Option<String> },
    /// What becomes of a push.
    Review(Box<Awaiting>),
    /// Nothing more.
    Over,
}

/// What there is to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing now.
    Nothing,
    /// This.
    Told(Vec<u8>),
    /// The sandbox has to be asked: see [`Doing::go_on`](crate::Doing::go_on) and [`Listening::heard`].
    Asks,
    /// This, and nothing after it.
    Last(Vec<u8>),
}

impl Listening {
    /// A client that receives nothing for longer may assume a dead connection.
    pub const PERIOD: Duration = Duration::from_secs(15);

    /// Listens to the events. Nothing has been told.
    pub fn new(by: Authorized) -> Self {
        Listening { by, about: About::Events { told: None, said: None } }
    }

    /// Waits for the rest of an answer, of which the beginning has been sent.
    pub fn to_rest(by: Authorized, rest: Box<Awaiting>) -> Self {
        Listening { by, about: About::Review(rest) }
    }

    /// The whole of an answer that cannot go on here, for this reason.
    pub fn at_once(mut self, response: Response, why: &Problem) -> Response {
        let News::Last(end) = self.last(&why.detail) else { return response };
        Response { body: response.body.clone().then(end), ..response }
    }

    /// The answer, whose body is the stream of events.
    pub fn response() -> Response {
        Response::of(200, "text/event-stream", Content::default())
    }

    /// What keeps the connection alive.
    pub fn alive(&self) -> Vec<u8> {
        match &self.about {
            About::Events { .. } => b":\n\n".to_vec(),
            About::Review(rest) => rest.alive(),
            About::Over => Vec::new(),
        }
    }

    /// The next news. A token may expire or be withdrawn meanwhile, and who has it hears nothing more then.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn news(&mut self, store: &Store, now: Timestamp) -> Result<News> {
        if self.by.no_more(store, now)?.is_some() {
            return Ok(self.break_off("the token has expired, or was withdrawn"));
        }
        match &mut self.about {
            About::Events { told, said } => {
                Ok(events(store, told, said)?.map_or(News::Nothing, |events| News::Told(events.into_bytes())))
            }
            About::Review(rest) => Ok(match rest.news(store, now)? {
                answer::News::Nothing => News::Nothing,
                answer::News::Decided => News::Asks,
                answer::News::Late => self.last("nobody has decided yet"),
            }),
            About::Over => Ok(News::Last(Vec::new())),
        }
    }

    /// Ends it, for this reason, although what it is about goes on.
    pub fn last(&mut self, why: &str) -> News {
        News::Last(self.ended(|rest| rest.end(why)))
    }

    /// Ends it, for this reason, because what it is about cannot go on.
    pub fn break_off(&mut self, why: &str) -> News {
        News::Last(self.ended(|rest| rest.break_off(why)))
    }

    fn ended(&mut self, last: impl FnOnce(&Awaiting) -> Vec<u8>) -> Vec<u8> {
        match std::mem::replace(&mut self.about, About::Over) {
            About::Review(rest) => last(&rest),
            About::Events { .. } | About::Over => Vec::new(),
        }
    }

    /// What to tell if it has to be left for an error.
    pub fn farewell(&self, why: &str) -> Vec<u8> {
        self.rest().map_or_else(Vec::new, |rest| rest.end(why))
    }

    /// Takes what the sandbox has answered.
    pub fn heard(&mut self, response: Response) -> News {
        match response.rest {
            Some(rest) => {
                self.about = About::Review(rest);
                News::Told(response.body.whole().into())
            }
            None if response.status == 200 => {
                self.about = About::Over;
                News::Last(response.body.whole().into())
            }
            None => self.last(String::from_utf8_lossy(&Problem::in_words(&response.body.whole())).trim_end()),
        }
    }

    /// Whose share it uses.
    pub fn holder(&self) -> &Holder {
        &self.by.holder
    }

    pub(crate) fn by(&self) -> &Authorized {
        &self.by
    }

    pub(crate) fn rest(&self) -> Option<&Awaiting> {
        match &self.about {
            About::Review(rest) => Some(rest),
            About::Events { .. } | About::Over => None,
        }
    }

    /// The sandbox that it is about.
    ///
    /// # Panics
    /// If it is about none, which its operation excludes.
    pub fn sandbox(&self) -> &SandboxId {
        self.by.sandbox.as_ref().expect("what is listened to is a sandbox")
    }
}

/// The next events, if anything has changed.
fn events(store: &Store, told: &mut Option<String>, said: &mut Option<String>) -> Result<Option<String>> {
    let mut events = String::new();
    let waiting = json!({ "waiting": store.waiting.unanswered()? }).to_string();
    if told.as_ref() != Some(&waiting) {
        events.push_str(&format!("event: waiting\ndata: {waiting}\n\n"));
        *told = Some(waiting);
    }
    // Comments that cannot be read are named to whoever asks for them.
    if let Ok(comments) = store.reviews.all_comments() {
        let now = json!(comments).to_string();
        if said.as_ref().is_some_and(|before| *before != now) {
            events.push_str("event: comments\ndata: {}\n\n");
        }
        *said = Some(now);
    }
    Ok((!events.is_empty()).then_some(events))
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
        let told = |text: &str| News::Told(text.as_bytes().to_vec());
        assert_eq!(listening.news(&store, now()).unwrap(), told("event: waiting\ndata: {\"waiting\":[]}\n\n"));
        assert_eq!(listening.news(&store, now()).unwrap(), News::Nothing);
        let topic =
            Topic { target: "bare:/t.git".parse().unwrap(), reference: BranchRef::from_branch("main").unwrap() };
        let comment = json!([{
            "id": "1", "commit": "1".repeat(40), "place": { "on": "push" }, "weight": "must", "text": "why?", "by": "ada",
            "at": 1, "sent": false, "replies": [], "settled": null,
        }]);
        store.reviews.put_comments(&held, &topic, &serde_json::from_value::<Vec<_>>(comment).unwrap()).unwrap();
        assert_eq!(listening.news(&store, now()).unwrap(), told("event: comments\ndata: {}\n\n"));
        assert_eq!(listening.news(&store, now()).unwrap(), News::Nothing);
        platform.pass(Duration::from_secs(61));
        assert_eq!(listening.news(&store, now()).unwrap(), News::Last(Vec::new()));
    }
}
