//! Opens a pull request for a branch that was pushed.

use serde::Deserialize;
use serde_json::json;

use super::{
    Fault, Repository, Response,
    api::{Api, ok, parse},
    exchange::{Running, exchange},
    fault,
    repository::encoded,
};
use crate::refname::BranchRef;

/// Bytes of an address.
const MOST_ADDRESS: usize = 2048;

/// What a pull request proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The branch with the changes.
    pub head: BranchRef,
    /// The branch that they shall go to.
    pub base: BranchRef,
    /// One line.
    pub title: String,
    /// Markdown; may be empty.
    pub body: String,
    /// It is not ready to be merged.
    pub is_draft: bool,
}

/// A pull request that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number in the repository.
    pub number: u64,
    /// The address of its page.
    pub address: String,
    /// It was there before. Its title and text may be others.
    pub existed: bool,
}

/// Opens a pull request within one repository, or finds the one that is open.
pub struct OpenPullRequest(Running<PullRequest>);

exchange!(OpenPullRequest => PullRequest);

#[derive(Deserialize)]
struct Told {
    number: u64,
    html_url: String,
}

impl OpenPullRequest {
    /// Opens one in `repository`.
    pub fn new(repository: Repository, proposed: Proposed) -> Self {
        OpenPullRequest(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            let body = json!({
                "title": proposed.title,
                "body": proposed.body,
                "head": proposed.head.branch(),
                "base": proposed.base.branch(),
                "draft": proposed.is_draft,
            });
            // GitHub opens no second one for the same branches, so this can be sent again.
            let response = api.post("/pulls", &body).await?;
            if response.status != 422 {
                return told(parse(&ok(response)?)?, false);
            }
            match open(&api, &proposed).await? {
                Some(found) => told(found, true),
                None => Err(refused(&response)),
            }
        }))
    }
}

/// The pull request that is open for these branches.
async fn open(api: &Api, proposed: &Proposed) -> Result<Option<Told>, Fault> {
    let owner = api.repository.owner();
    let (head, base) = (encoded(proposed.head.branch()), encoded(proposed.base.branch()));
    let found: Vec<Told> = api.read(&format!("/pulls?state=open&head={owner}:{head}&base={base}&per_page=1")).await?;
    Ok(found.into_iter().next())
}

fn refused(response: &Response) -> Fault {
    Fault::of(response).with_hint("check that both branches exist and differ")
}

fn told(Told { number, html_url }: Told, existed: bool) -> Result<PullRequest, Fault> {
    let is_address = html_url.starts_with("https://") || html_url.starts_with("http://");
    let is_plain = html_url.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_address || !is_plain || html_url.len() > MOST_ADDRESS {
        return Err(Fault::malformed(format!("'{}' is not an address", fault::clean(&html_url))));
    }
    Ok(PullRequest { number, address: html_url, existed })
}
