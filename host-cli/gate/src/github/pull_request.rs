//! Opens a pull request for a branch that was pushed, and says how it stands.

use serde::Deserialize;
use serde_json::json;

use crate::refname::BranchRef;

use super::{
    ChangeRequest, Checks, Fault, FaultKind, Progress, Proposed, Repository, Response, Running, Standing,
    answer::Id,
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
                None => Err(refused(&response, proposed.is_draft)),
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

fn refused(response: &Response, is_draft: bool) -> Fault {
    fault::of(response).with_hint(match is_draft {
        true => "check that both branches exist and differ, and that the repository has drafts",
        false => "check that both branches exist and differ",
    })
}

/// Reads how the latest pull request of a branch stands.
pub struct LatestPullRequest(Running<Option<Standing>>);

exchange!(LatestPullRequest => Option<Standing>);

#[derive(Deserialize)]
struct Listed {
    number: u64,
    html_url: String,
    state: String,
    #[serde(default)]
    draft: bool,
    merged_at: Option<String>,
    head: Head,
}

#[derive(Deserialize)]
struct Head {
    sha: Id,
}

impl LatestPullRequest {
    /// That of the branch `head` of `repository`, to any branch of it.
    pub fn new(repository: Repository, head: BranchRef) -> Self {
        LatestPullRequest(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            let (owner, head) = (api.repository.owner(), encoded(head.branch()));
            let path = format!("/pulls?state=all&head={owner}:{head}&sort=created&direction=desc&per_page=1");
            let found: Vec<Listed> = api.read(&path).await?;
            let Some(Listed { number, html_url, state, draft, merged_at, head }) = found.into_iter().next() else {
                return Ok(None);
            };
            let progress = match (&*state, merged_at) {
                (_, Some(_)) => Progress::Merged,
                ("open", None) if draft => Progress::Draft,
                ("open", None) => Progress::Open,
                _ => Progress::Closed,
            };
            let checks = match progress {
                Progress::Draft | Progress::Open => checks(&api, &head.sha.0.to_string()).await?,
                Progress::Merged | Progress::Closed => None,
            };
            Ok(Some(Standing { number, address: address(html_url)?, progress, checks }))
        }))
    }
}

#[derive(Deserialize)]
struct Runs {
    total_count: usize,
    check_runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    status: String,
    conclusion: Option<String>,
}

#[derive(Deserialize)]
struct Combined {
    state: String,
    total_count: u64,
}

/// What the checks of a commit say together: those of apps, and the older statuses. A token may be allowed to read neither.
async fn checks(api: &Api, commit: &str) -> Result<Option<Checks>, Fault> {
    let runs: Option<Runs> = allowed(api.read(&format!("/commits/{commit}/check-runs?per_page=100")).await)?;
    let statuses: Option<Combined> = allowed(api.read(&format!("/commits/{commit}/status?per_page=1")).await)?;
    let of_run = |run: Run| match (&*run.status, run.conclusion.as_deref()) {
        ("completed", Some("success" | "neutral" | "skipped")) => Checks::Pass,
        ("completed", _) => Checks::Fail,
        _ => Checks::Run,
    };
    let of_statuses = statuses.filter(|all| all.total_count > 0).map(|all| match &*all.state {
        "success" => Checks::Pass,
        "pending" => Checks::Run,
        _ => Checks::Fail,
    });
    // Of those that are not listed nobody knows whether they have ended.
    let omitted = runs.as_ref().filter(|all| all.total_count > all.check_runs.len()).map(|_| Checks::Run);
    let listed = runs.into_iter().flat_map(|all| all.check_runs).map(of_run);
    Ok(listed.chain(omitted).chain(of_statuses).max())
}

/// The answer, unless the token may not have it.
fn allowed<T>(answer: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(fault) if matches!(fault.kind, FaultKind::Forbidden | FaultKind::NotFound) => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn told(Told { number, html_url }: Told, existed: bool) -> Result<ChangeRequest, Fault> {
    Ok(ChangeRequest { number, address: address(html_url)?, existed })
}

/// The address of a page, as it can be shown.
fn address(html_url: String) -> Result<String, Fault> {
    let is_address = html_url.starts_with("https://") || html_url.starts_with("http://");
    let is_plain = html_url.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_address || !is_plain || html_url.len() > MOST_ADDRESS {
        return Err(fault::malformed(format!("'{}' is not an address", fault::clean(&html_url))));
    }
    Ok(html_url)
}
