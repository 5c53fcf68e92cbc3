//! A push whose client waits for the review: with the push option `wait`, or `wait=SECONDS`.

use gate::git::serve::Pushed;
use gate::time::Timestamp;
use gix_hash::ObjectId;

use crate::error::Result;
use crate::store::{Store, Waiting};

/// The beginning of an answer has been sent. The rest comes once a person has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaiting {
    /// The push, by which its client is answered.
    pub(super) pushed: Pushed,
    /// What became of the refs so far.
    pub(super) became: Vec<(String, std::result::Result<(), String>)>,
    /// What waits for a person.
    pub(super) proposals: Vec<Waits>,
    /// When the client waits no longer.
    pub(super) until: Option<Timestamp>,
}

/// A branch whose proposal waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waits {
    /// The branch's full name.
    pub name: String,
    /// The arguments of the call that proposes it. They name no commit: a later push of the branch makes the same call.
    pub arguments: String,
    /// The commit that was pushed.
    pub commit: ObjectId,
}

/// How a proposal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody has answered it.
    Waits,
    /// The answer is there for whoever makes the call again.
    Answered,
    /// There is no such call any more: somebody else has heard the answer, or others have taken its place.
    Gone,
}

/// Branches of a push whose client waits. Each is looked at several times a second.
pub(super) const MOST: usize = 16;

/// What there is to tell to who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing.
    Nothing,
    /// Something is decided, so the sandbox has to be asked.
    Decided,
    /// The client has waited as long as it wanted.
    Late,
}

/// How long a client waits, by what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It hears that its proposal waits, and goes.
    Not,
    /// Until a person has decided.
    ForEver,
    /// So many seconds at most.
    Seconds(u64),
}

impl Wait {
    /// By the options of a push.
    ///
    /// # Errors
    /// The option that is unknown here.
    pub fn of(pushed: &Pushed) -> std::result::Result<Self, &str> {
        let mut wait = Wait::Not;
        for option in &pushed.options {
            wait = match option.split_once('=') {
                None if option == "wait" => Wait::ForEver,
                Some(("wait", seconds)) => Wait::Seconds(seconds.parse().map_err(|_| option.as_str())?),
                _ => return Err(option),
            };
        }
        // Without bands, nothing can be said before the end.
        Ok(if pushed.hears_words() { wait } else { Wait::Not })
    }

    /// When it has waited long enough.
    pub fn until(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Wait::Seconds(seconds) => Some(now.plus(seconds)),
            Wait::Not | Wait::ForEver => None,
        }
    }
}

impl Waits {
    /// How it stands among `all` calls that wait.
    pub fn standing(&self, all: &[Waiting]) -> Standing {
        match all.iter().find(|waiting| waiting.is_of("git_push", &self.arguments)) {
            Some(Waiting { answer: None, .. }) => Standing::Waits,
            Some(Waiting { answer: Some(_), .. }) => Standing::Answered,
            None => Standing::Gone,
        }
    }
}

impl Awaiting {
    /// What has happened meanwhile.
    ///
    /// # Errors
    /// If what waits cannot be read.
    pub fn news(&self, store: &Store, now: Timestamp) -> Result<News> {
        let all = store.waiting.all()?;
        if self.proposals.iter().any(|waits| waits.standing(&all) != Standing::Waits) {
            return Ok(News::Decided);
        }
        Ok(if self.until.is_some_and(|until| until <= now) { News::Late } else { News::Nothing })
    }

    /// What a client gets now and then, so that nobody on the way takes the connection for dead.
    pub fn alive(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.pushed.band().alive(&mut bytes);
        bytes
    }

    /// Ends the answer while the rest waits on, for this reason.
    pub fn end(&self, why: &str) -> Vec<u8> {
        let words = format!("{why}; it waits for review still\nPush again to hear what was decided.\n");
        self.report(&words, &Ok(()))
    }

    /// Ends the answer, because nothing can be said of the rest any more, for this reason.
    pub fn break_off(&self, why: &str) -> Vec<u8> {
        self.report(&format!("{why}\n"), &Err(why.to_owned()))
    }

    fn report(&self, words: &str, rest: &std::result::Result<(), String>) -> Vec<u8> {
        let rest = self.proposals.iter().map(|waits| (waits.name.clone(), rest.clone()));
        let became: Vec<_> = self.became.iter().cloned().chain(rest).collect();
        self.pushed.report(words, Ok(()), &became)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(options: &[&str], capabilities: &str) -> Pushed {
        let packet = |line: &str| format!("{:04x}{line}", line.len() + 4);
        let (zero, id) = ("0".repeat(40), "a".repeat(40));
        let command = packet(&format!("{zero} {id} refs/heads/main\0push-options {capabilities}"));
        let options: String = options.iter().map(|option| packet(option)).collect();
        Pushed::read(format!("{command}0000{options}0000").as_bytes()).unwrap()
    }

    #[test]
    fn a_client_says_how_long_it_waits() {
        for (options, expected) in [
            (&[][..], Ok(Wait::Not)),
            (&["wait"], Ok(Wait::ForEver)),
            (&["wait=90"], Ok(Wait::Seconds(90))),
            (&["wait", "wait=1"], Ok(Wait::Seconds(1))),
            (&["wait=-1"], Err("wait=-1")),
            (&["wait", "ci.skip"], Err("ci.skip")),
        ] {
            assert_eq!(Wait::of(&pushed(options, "side-band-64k")), expected, "{options:?}");
        }
        assert_eq!(
            Wait::of(&pushed(&["wait"], "report-status")),
            Ok(Wait::Not),
            "it could hear nothing before the end"
        );
    }
}
