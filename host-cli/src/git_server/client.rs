//! Sends a request by HTTPS or ssh, and signs in where a server asks for it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use gate::forge::{Cut, Request, Response};
use http::Uri;

use super::credentials::Credentials;
use super::place::Place;
use super::settings::Settings;
use super::ssh::{Talk, Watched};
use super::web::{Line, Sent, is_private};
use crate::error::{ErrorKind, HostError, Result};
use crate::program::Environment;
use crate::sandbox::Clock;
use crate::screen;
use crate::wire::{Broken, Limits};

/// What a request to a git server is held to. A large repository comes as one answer.
const LIMITS: Limits = Limits { silence: Duration::from_secs(120), whole: Duration::from_secs(3600), answer: 4 << 30 };
/// How a request for the refs begins.
const LS_REFS: &[u8] = b"0014command=ls-refs\n";
/// Bytes of an answer that has no pack.
const SMALL: usize = 64 << 20;

/// Connections to git servers in the person's name.
///
/// Each is made when it is first needed. It blocks, and must not be used from within an asynchronous task.
pub struct Client {
    clock: Clock,
    environment: Environment,
    limits: Limits,
    /// A line to each repository that was asked, since git's configuration may have its own settings for it.
    sites: RefCell<HashMap<String, Site>>,
    talk: RefCell<Option<Talk>>,
    /// Why the last request had no answer.
    why: RefCell<Option<String>>,
}

/// A repository that is reached by HTTP.
struct Site {
    line: Line,
    /// What the server took.
    credentials: Option<Credentials>,
}

type Came = std::result::Result<Response, Broken>;

impl Client {
    /// A client with this process's settings, which `clock` calls off.
    pub fn new(clock: Clock) -> Self {
        Client::with(clock, Environment::of_process(), LIMITS)
    }

    /// A client with other settings and limits.
    pub fn with(clock: Clock, environment: Environment, limits: Limits) -> Self {
        let (sites, talk, why) = (RefCell::default(), RefCell::default(), RefCell::default());
        Client { clock, environment, limits, sites, talk, why }
    }

    /// Sends `request` once, and once more if the server did not know who asked. Follows no redirect.
    ///
    /// A person who calls it off ends the request, unless it `moves` a branch: then nobody would know what became of
    /// it, so its answer is waited for, within the limits.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if it was called off: nothing was sent if it `moves`. Any other kind if the settings
    /// make no sense, and nothing was sent.
    pub fn send(&self, request: &Request) -> Result<std::result::Result<Response, Cut>> {
        self.why.replace(None);
        let _landing = request.moves.then(|| self.clock.landing());
        self.clock.ensure_wanted()?;
        let place = Place::of(&request.path).ok_or_else(|| refused(&request.path))?;
        let came = if place.is_ssh() { self.by_ssh(&place, request)? } else { self.by_web(&place, request)? };
        Ok(came.map_err(|Broken(cut, why)| {
            let why = screen::line(&why);
            tracing::debug!("no answer to {} {}: {why}", request.method.as_str(), request.path);
            self.why.replace(Some(why));
            cut
        }))
    }

    /// Why the last request had no answer, if it had none, safe to show in one line.
    pub fn why(&self) -> Option<String> {
        self.why.borrow().clone()
    }

    /// Only what is asked of `upload-pack` behind its refs can be as large as a repository.
    fn limits(&self, place: &Place<'_>, request: &Request) -> Limits {
        let lists = request.body.as_ref().is_none_or(|body| body.starts_with(LS_REFS));
        match !lists && place.service == "git-upload-pack" {
            true => self.limits,
            false => Limits { answer: self.limits.answer.min(SMALL), ..self.limits },
        }
    }

    fn by_ssh(&self, place: &Place<'_>, request: &Request) -> Result<Came> {
        let watched = Watched { clock: &self.clock, limits: self.limits(place, request), moves: request.moves };
        let mut talk = self.talk.borrow_mut();
        let is_open = talk.as_ref().is_some_and(|talk| talk.is_with(place));
        if place.begins || !is_open {
            // The one before ends before the next begins.
            *talk = None;
            let (begun, came) = Talk::begin(place, &self.environment, watched)?;
            if place.begins || came.as_ref().map_or(true, |answer| answer.status != 200) {
                *talk = came.is_ok().then_some(begun);
                return Ok(came);
            }
            *talk = Some(begun);
        }
        let (Some(open), Some(body)) = (talk.as_mut(), &request.body) else { return Err(refused(&request.path)) };
        let came = open.go_on(body, watched);
        // A conversation ends with the refs, or with the pack.
        let is_last = body.ends_with(b"0009done\n0000") || body.starts_with(LS_REFS);
        if is_last || !matches!(came, Ok(Ok(_))) {
            *talk = None;
        }
        came
    }

    fn by_web(&self, place: &Place<'_>, request: &Request) -> Result<Came> {
        let url: Uri = request.path.parse().map_err(|_| refused(&request.path))?;
        let mut sites = self.sites.borrow_mut();
        if !sites.contains_key(place.repository) {
            let settings = Settings::of(place.repository, &self.environment, &self.clock)?;
            let line = Line::new(&url, &settings, &self.environment)?;
            sites.insert(place.repository.to_owned(), Site { line, credentials: None });
        }
        let site = sites.get_mut(place.repository).expect("it was put there above");
        let came = self.once(site, place, request, &url)?;
        let is_asked = matches!(&came, Ok(answer) if answer.status == 401);
        if !is_asked || site.line.is_signed() || !is_private(&url) {
            return Ok(came);
        }
        self.signed_in(site, place, request, &url, came)
    }

    /// Sends it again with what is known of the person there. The server did not act on it before.
    fn signed_in(
        &self,
        site: &mut Site,
        place: &Place<'_>,
        request: &Request,
        url: &Uri,
        mut came: Came,
    ) -> Result<Came> {
        let repository: Uri = place.repository.parse().map_err(|_| refused(place.repository))?;
        let mut is_known_wrong = site.credentials.take().is_some_and(|known| !known.is_of_helper());
        for _ in 0..2 {
            let found = Credentials::find(&repository, is_known_wrong, &self.environment, &self.clock)?;
            let Some(found) = found else { return Ok(came) };
            let is_of_helper = found.is_of_helper();
            site.credentials = Some(found);
            came = self.once(site, place, request, url)?;
            let status = came.as_ref().map_or(0, |answer| answer.status);
            // Any other answer may come from a server that did not look.
            if matches!(status, 200 | 401) {
                let credentials = site.credentials.as_ref().expect("they were put there above");
                // A helper that fails takes nothing back from the answer.
                let _ = credentials.tell(status == 200, &self.environment, &self.clock);
            }
            if status != 401 {
                return Ok(came);
            }
            site.credentials = None;
            if is_of_helper {
                return Ok(came);
            }
            is_known_wrong = true;
        }
        Ok(came)
    }

    fn once(&self, site: &Site, place: &Place<'_>, request: &Request, url: &Uri) -> Result<Came> {
        let signed = site.credentials.as_ref().and_then(Credentials::header);
        let (method, body, moves) = (request.method, request.body.clone(), request.moves);
        let sent = Sent { place: *place, url: url.clone(), method, body, moves, signed: signed.as_ref() };
        let came = site.line.send(sent, self.limits(place, request), &self.clock)?;
        let redact = |text: &str| site.credentials.as_ref().map_or(text.to_owned(), |known| known.redact(text));
        Ok(came.map_err(|Broken(cut, why)| Broken(cut, redact(&why))))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("limits", &self.limits).finish_non_exhaustive()
    }
}

fn refused(path: &str) -> HostError {
    HostError::new(ErrorKind::Refused, format!("'{}' is no request to a git server", screen::line(path)))
}
