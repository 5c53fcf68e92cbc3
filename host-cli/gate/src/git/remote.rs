//! The repository, and the wire to its server (gitprotocol-http).
//!
//! Over ssh the same is said: the host starts the service, takes what it says first for the answer to the `GET`,
//! and what it says next for that to the `POST`.

use bytes::Bytes;

use super::{
    Cut, Fault, Forge, Method, Once, Request, Response, Wire, advertised::Advertised, again, fault, location::Location,
};

/// A program on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    /// Gives objects.
    UploadPack,
    /// Takes them.
    ReceivePack,
}

impl Service {
    /// All there are.
    pub const ALL: [Service; 2] = [Service::UploadPack, Service::ReceivePack];

    pub fn name(self) -> &'static str {
        match self {
            Service::UploadPack => "git-upload-pack",
            Service::ReceivePack => "git-receive-pack",
        }
    }

    /// What follows the repository's address in the two requests of a conversation.
    pub fn ends(self) -> [String; 2] {
        [format!("/info/refs?service={}", self.name()), format!("/{}", self.name())]
    }
}

/// A repository on a server.
#[derive(Clone)]
pub(super) struct Remote {
    pub wire: Wire,
    location: Location,
}

impl Remote {
    pub fn new(wire: Wire, location: Location) -> Self {
        Remote { wire, location }
    }

    /// What the server says of itself, and where it speaks no version 2, its refs.
    pub async fn advertised(&self, service: Service) -> Result<Advertised, Fault> {
        let [path, _] = service.ends();
        let response = self.ask(Method::Get, path, None).await?;
        Advertised::read(&response.body, service)
    }

    /// Asks `upload-pack`, which can be asked again.
    pub async fn upload_pack(&self, body: Bytes) -> Result<Response, Fault> {
        let [_, path] = Service::UploadPack.ends();
        self.ask(Method::Post, path, Some(body)).await
    }

    /// Sends a push, once.
    pub async fn receive_pack(&self, body: Bytes) -> Result<Once, Fault> {
        let [_, path] = Service::ReceivePack.ends();
        self.once(self.request(Method::Post, path, Some(body), true)).await
    }

    async fn ask(&self, method: Method, path: String, body: Option<Bytes>) -> Result<Response, Fault> {
        let request = self.request(method, path, body, false);
        again(&self.wire, async || self.once(request.clone()).await).await
    }

    fn request(&self, method: Method, end: String, body: Option<Bytes>, moves: bool) -> Request {
        Request { forge: Forge::Git, method, path: format!("{}{end}", self.location.as_str()), body, moves }
    }

    async fn once(&self, request: Request) -> Result<Once, Fault> {
        let moves = request.moves;
        Ok(match self.wire.send(request).await {
            Ok(response) if response.status == 200 => Once::Answered(response),
            Ok(response) if is_open(response.status, moves) => Once::Unknown(fault::of(&response)),
            Ok(response) => return Err(fault::of(&response)),
            Err(Cut::TooBig) => {
                let fault = Fault::too_large("the git server's answer is larger than this host takes");
                Once::Unknown(fault.with_hint("bring in fewer files (`paths`), or less history (`depth`)"))
            }
            Err(Cut::Lost) => Once::Unknown(fault::no_answer()),
            Err(Cut::Unreached) => Once::Unreached(fault::unreached()),
        })
    }
}

/// Whether nobody knows what became of a request that was answered so. Before a server there may be another, which
/// gives up while the first goes on (Cloudflare's documentation, "Error 520" and following). Only what surely comes
/// before the push is acted on is a refusal.
fn is_open(status: u16, moves: bool) -> bool {
    match moves {
        true => !matches!(status, 300..=399 | 400 | 401 | 403 | 404 | 405 | 407 | 410 | 411 | 413 | 414 | 415 | 429),
        false => matches!(status, 500 | 502 | 504),
    }
}

/// Whether a request is about a repository at one of these addresses.
pub(super) fn is_about(path: &str, locations: &[&str]) -> bool {
    locations.iter().any(|location| {
        let end = path.strip_prefix(location);
        end.is_some_and(|end| Service::ALL.iter().any(|service| service.ends().iter().any(|one| one == end)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_26_what_a_server_in_between_answers_says_nothing_of_a_push() {
        for status in [201, 202, 204, 408, 409, 499, 500, 501, 502, 503, 504, 520, 522, 524] {
            assert!(is_open(status, true), "{status}");
        }
        for status in [301, 302, 400, 401, 403, 404, 413, 429] {
            assert!(!is_open(status, true), "{status}");
        }
        assert!(is_open(502, false) && !is_open(503, false));
    }

    #[test]
    fn attack_05_only_the_two_services_of_a_given_repository_are_asked() {
        let given = ["https://h/a.git", "git@h:b"];
        for (path, expected) in [
            ("https://h/a.git/info/refs?service=git-upload-pack", true),
            ("https://h/a.git/git-receive-pack", true),
            ("git@h:b/git-upload-pack", true),
            ("https://h/a.git/info/refs?service=git-upload-archive", false),
            ("https://h/a.git/HEAD", false),
            ("https://h/a.git/../b.git/git-upload-pack", false),
            ("https://h/a.git2/git-upload-pack", false),
            ("https://h/a/git-upload-pack", false),
            ("https://H/a.git/git-upload-pack", false),
            ("", false),
        ] {
            assert_eq!(is_about(path, &given), expected, "{path}");
        }
        assert!(!is_about("/git-upload-pack", &[]));
    }
}
