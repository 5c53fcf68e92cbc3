//! One request, asked again as often as that is safe and of use.

use std::time::Duration;

use bytes::Bytes;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Cut, Fault, FaultKind, Forge, Method, Once, Repository, Request, Response, Wire, again, fault,
    limit::{self, Limit},
};

/// Bytes of an answer. The largest is a blob of 100 MiB in Base64 with its line ends.
const MOST_ANSWER: usize = 144 << 20;

/// How often a request is sent that meets a limit.
const LIMITED_TRIES: u32 = 6;

/// The longest pause. Whoever waits can be told to come back, and nothing is lost.
const LONGEST: u64 = 15 * 60;

/// The repository, and the wire to its server.
#[derive(Clone)]
pub(super) struct Api {
    pub wire: Wire,
    pub repository: Repository,
}

impl Api {
    pub fn new(wire: Wire, repository: Repository) -> Self {
        Api { wire, repository }
    }

    /// Reads something of the repository. `rest` is the path in it. The status is 2xx, 404, 409,
    /// 422 or another that only the caller can judge.
    pub async fn get(&self, rest: &str) -> Result<Response, Fault> {
        self.ask(Method::Get, self.repository.path(rest), None).await
    }

    /// The same for what must be there.
    pub async fn read<T: DeserializeOwned>(&self, rest: &str) -> Result<T, Fault> {
        parse(&ok(self.get(rest).await?)?)
    }

    /// Sends something to the repository that can be sent again, because its name is computed from
    /// its content.
    pub async fn post(&self, rest: &str, body: &impl Serialize) -> Result<Response, Fault> {
        self.ask(Method::Post, self.repository.path(rest), Some(json(body))).await
    }

    /// A request that can be repeated, whatever became of it.
    pub async fn ask(&self, method: Method, path: String, body: Option<Bytes>) -> Result<Response, Fault> {
        let request = Request { method, path, body, moves: false, forge: Forge::Github };
        again(&self.wire, async || self.once(request.clone()).await).await
    }

    /// A request that is sent again only where the server has said that it did not act on it. An
    /// error says the same of the last attempt.
    pub async fn once(&self, request: Request) -> Result<Once, Fault> {
        let (mut pause, mut attempt) = (60, 0);
        loop {
            attempt += 1;
            let response = match self.wire.send(request.clone()).await {
                Ok(response) if response.body.len() <= MOST_ANSWER => response,
                Ok(_) | Err(Cut::TooBig) => {
                    return Ok(Once::Unknown(Fault::too_large("GitHub's answer is larger than this host takes")));
                }
                Err(Cut::Unreached) => {
                    let fault = Fault::new(FaultKind::NoAnswer, "GitHub cannot be reached");
                    return Ok(Once::Unreached(fault.with_hint("check the connection, then try again")));
                }
                Err(Cut::Lost) => {
                    let fault = Fault::new(FaultKind::NoAnswer, "GitHub does not answer");
                    return Ok(Once::Unknown(fault.with_hint("check the connection, then try again")));
                }
            };
            // Whoever answers with a 503 may not know what became of the request.
            let limit = limit::of(&response).filter(|_| !(request.moves && response.status == 503));
            let wait = match (limit, response.status) {
                (Some(Limit::For(seconds)), _) => seconds,
                (Some(Limit::Unsaid), _) => {
                    pause *= 2;
                    pause / 2
                }
                (None, 500..) => {
                    let status = response.status;
                    let message = format!("GitHub failed with status {status}");
                    let fault = Fault::new(FaultKind::Remote { status }, message).with_hint("try again later");
                    return Ok(Once::Unknown(fault));
                }
                (None, 301 | 302 | 307 | 308) => return Err(self.renamed(&response).await),
                (None, 401 | 403) => return Err(fault::of(&response)),
                (None, _) => return Ok(Once::Answered(response)),
            };
            if attempt == LIMITED_TRIES || wait > LONGEST {
                return Err(limit::fault(&response, wait));
            }
            self.wire.sleep(Duration::from_secs(wait)).await;
        }
    }

    /// The fault for a repository that has moved. The redirect may name it by number; then one
    /// request finds its name.
    async fn renamed(&self, response: &Response) -> Fault {
        let location = response.headers.location.as_deref().unwrap_or_default();
        let mut to = named_in(location);
        if let Some(number) = number_in(location) {
            let path = format!("/repositories/{number}");
            let request = Request { method: Method::Get, path, body: None, moves: false, forge: Forge::Github };
            #[derive(serde::Deserialize)]
            struct Named {
                full_name: String,
            }
            if let Ok(response) = self.wire.send(request).await
                && response.status == 200
                && let Ok(named) = parse::<Named>(&response)
            {
                to = named.full_name.parse().ok();
            }
        }
        let fault = match &to {
            Some(to) => {
                Fault::new(FaultKind::Renamed { to: Some(to.to_string()) }, format!("{} is now {to}", self.repository))
            }
            None => Fault::new(FaultKind::Renamed { to: None }, format!("{} has another name now", self.repository)),
        };
        fault.with_hint("use the repository by its new name")
    }
}

fn named_in(location: &str) -> Option<Repository> {
    let (_, rest) = location.split_once("/repos/")?;
    let mut parts = rest.split(['/', '?', '#']);
    format!("{}/{}", parts.next()?, parts.next()?).parse().ok()
}

fn number_in(location: &str) -> Option<u64> {
    let (_, rest) = location.split_once("/repositories/")?;
    rest.split(['/', '?', '#']).next()?.parse().ok()
}

/// The answer if it is a success, or else the fault that it stands for.
pub(super) fn ok(response: Response) -> Result<Response, Fault> {
    if (200..300).contains(&response.status) { Ok(response) } else { Err(fault::of(&response)) }
}

/// The JSON of an answer.
pub(super) fn parse<T: DeserializeOwned>(response: &Response) -> Result<T, Fault> {
    // The parser's words can hold what stands in the answer.
    serde_json::from_slice(&response.body).map_err(|error| fault::malformed(fault::clean(&error.to_string())))
}

pub(super) fn json(body: &impl Serialize) -> Bytes {
    serde_json::to_vec(body).expect("a body has only string keys").into()
}
