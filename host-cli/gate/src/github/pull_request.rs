//! Opens a pull request for a branch that was pushed.

use serde::Deserialize;
use serde_json::json;

use super::{
    ChangeRequest, Fault, Proposed, Repository, Response, Running,
    api::{Api, ok, parse},
    exchange, fault,
    repository::encoded,
};

/// Bytes of an address.
const MOST_ADDRESS: usize = 2048;

/// Opens a pull request within one repository, or finds the one that is open.
pub struct OpenPullRequest(Running<ChangeRequest>);

exchange!(OpenPullRequest => ChangeRequest);

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
    fault::of(response).with_hint("check that both branches exist and differ")
}

fn told(Told { number, html_url }: Told, existed: bool) -> Result<ChangeRequest, Fault> {
    let is_address = html_url.starts_with("https://") || html_url.starts_with("http://");
    let is_plain = html_url.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_address || !is_plain || html_url.len() > MOST_ADDRESS {
        return Err(fault::malformed(format!("'{}' is not an address", fault::clean(&html_url))));
    }
    Ok(ChangeRequest { number, address: html_url, existed })
}
