//! The GraphQL API, which can move a branch by compare-and-swap. Not every server or token has it.

use bytes::Bytes;
use gix_hash::ObjectId;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    github::{
        Fault, FaultKind, Method, Repository, Response,
        answer::Id,
        api::{self, Api},
        fault,
    },
    refname::BranchRef,
};

const PATH: &str = "/graphql";

/// What moves the branch.
pub(super) enum Server {
    /// REST alone.
    Rest,
    /// GraphQL, with what it said at the start.
    Graph {
        repository: About,
        /// The branch's head.
        tip: Option<ObjectId>,
    },
}

/// The repository as GraphQL knows it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct About {
    pub id: String,
    name_with_owner: String,
    pub is_archived: bool,
    pub is_empty: bool,
    r#ref: Option<Ref>,
}

#[derive(Debug, Deserialize)]
struct Ref {
    target: Oid,
}

#[derive(Debug, Deserialize)]
struct Oid {
    oid: Id,
}

/// An answer of GraphQL: either may be missing.
#[derive(Debug, Deserialize)]
struct Answer<T> {
    data: Option<T>,
    #[serde(default)]
    errors: Vec<Error>,
}

#[derive(Debug, Deserialize)]
struct Error {
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    extensions: Option<Value>,
    #[serde(default)]
    message: String,
}

#[derive(Debug, Deserialize)]
struct Found {
    repository: Option<About>,
}

/// Finds out whether the server has GraphQL, and asks it for the branch. Whatever keeps it from
/// answering is no fault: REST has its own answer.
pub(super) async fn probe(api: &Api, reference: &BranchRef) -> Result<Server, Fault> {
    const QUERY: &str = "query($owner:String!,$name:String!,$ref:String!){\
        repository(owner:$owner,name:$name,followRenames:false){\
        id nameWithOwner isArchived isEmpty ref(qualifiedName:$ref){target{oid}}}}";
    let repository = &api.repository;
    let variables = json!({"owner": repository.owner(), "name": repository.name(), "ref": reference.as_str()});
    let body = api::json(&json!({"query": QUERY, "variables": variables}));
    let response = match api.ask(Method::Post, PATH.to_owned(), Some(body)).await {
        Ok(response) => response,
        Err(fault) if fault.kind == FaultKind::Unauthorized => return Err(fault),
        Err(_) => return Ok(Server::Rest),
    };
    let found = match api::parse::<Answer<Found>>(&response) {
        Ok(answer) if response.status == 200 && answer.errors.is_empty() => {
            answer.data.and_then(|data| data.repository)
        }
        _ => None,
    };
    // Under another name, REST says that the repository was renamed.
    let is_same = |about: &About| about.name_with_owner.parse::<Repository>().is_ok_and(|name| name == *repository);
    Ok(match found.filter(is_same) {
        Some(about) => {
            let tip = about.r#ref.as_ref().map(|found| found.target.oid.0);
            Server::Graph { repository: about, tip }
        }
        None => Server::Rest,
    })
}

/// The body that moves the branch from `old` to `new`, or refuses.
pub(super) fn update(repository: &str, reference: &BranchRef, old: ObjectId, new: ObjectId) -> (String, Bytes) {
    const MUTATION: &str = "mutation($input:UpdateRefsInput!){updateRefs(input:$input){clientMutationId}}";
    let (before, after) = (old.to_string(), new.to_string());
    let update = json!({"name": reference.as_str(), "beforeOid": before, "afterOid": after, "force": false});
    let input = json!({"repositoryId": repository, "refUpdates": [update]});
    (PATH.to_owned(), api::json(&json!({"query": MUTATION, "variables": {"input": input}})))
}

/// What a mutation did.
pub(super) enum Updated {
    Yes,
    /// Nothing: the branch is elsewhere, or a rule protects it. The server's words.
    Refused(String),
    /// Nothing: this server or token cannot do it this way.
    NotHere,
    /// The server does not say.
    Unknown,
}

pub(super) fn updated(response: &Response) -> Updated {
    if response.status != 200 {
        return Updated::NotHere;
    }
    let Ok(Answer { data, errors }) = api::parse::<Answer<Value>>(response) else { return Updated::Unknown };
    if errors.is_empty() {
        let is_done = data.is_some_and(|data| !data["updateRefs"].is_null());
        return if is_done { Updated::Yes } else { Updated::Unknown };
    }
    if errors.iter().all(Error::is_refusal) {
        let said: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        return Updated::Refused(fault::clean(&said.join("; ")));
    }
    // An error that the server has one of these names for was found before anything was done. It
    // has none for those where it broke off.
    if errors.iter().all(|error| error.is_refusal() || error.is_not_here()) {
        Updated::NotHere
    } else {
        Updated::Unknown
    }
}

impl Error {
    fn is_refusal(&self) -> bool {
        matches!(self.r#type.as_deref(), Some("UNPROCESSABLE" | "STALE_DATA"))
    }

    fn is_not_here(&self) -> bool {
        // Such codes come from a server that does not know the mutation.
        let code = self.extensions.as_ref().and_then(|extensions| extensions.get("code"));
        matches!(self.r#type.as_deref(), Some("FORBIDDEN" | "INSUFFICIENT_SCOPES" | "NOT_FOUND" | "RATE_LIMITED"))
            || self.r#type.is_none() && code.is_some_and(Value::is_string)
    }
}
