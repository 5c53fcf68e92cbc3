//! An open sandbox.

use std::path::Path;
use std::rc::Rc;

use ::host::answer::{self, Advance, Call, Export, Reply, Wanted};
use ::host::approve::Revision;
use ::host::attachment::Attachment;
use ::host::error::{ErrorKind, HostError, Result};
use ::host::review::{self, Change, Draft, Look};
use ::host::sandbox::{self, Body};
use ::host::screen::audit;
use ::host::screen::times::Times;
use ::host::settings::policy::{self, REMEMBERED};
use ::host::settings::{Config, SandboxFile};
use ::host::store::{Storage, Store, Topic};
use gate::policy::{Caller, Policy};
use gate::refname::BranchRef;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::act;
use crate::error::{Thrown, thrown};
use crate::need;
use crate::run::{Run, Shared};
use crate::settings::Opened;
use crate::value::{Maker, Value, of_json};

/// What a sandbox is opened with.
#[derive(Clone)]
pub struct With {
    /// Where it is kept.
    pub storage: Rc<dyn Storage>,
    /// What this body brings.
    pub body: Body,
    /// Its name, the configuration and the person's rules.
    pub opened: Rc<Opened>,
    /// The configuration, read.
    pub config: Rc<Config>,
}

impl With {
    /// The policy that holds for `file` now, with the rules that were saved in the sandbox.
    pub fn policy(&self, file: &SandboxFile) -> Result<Policy> {
        let saved = self.storage.text(REMEMBERED)?;
        let mut files = Vec::new();
        if self.opened.rules.is_some() || saved.is_some() {
            let tools = self.body.components.tools()?;
            let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
            for (place, text) in [("the policy file", &self.opened.rules), (REMEMBERED, &saved)] {
                if let Some(text) = text {
                    files.push(policy::parse(place, text, &tools, act::act)?);
                }
            }
        }
        Ok(Policy::new(file.policy, files, self.config.unattended))
    }

    /// The sandbox, open.
    pub fn open(&self) -> Result<sandbox::Sandbox> {
        sandbox::Sandbox::open(
            &self.opened.name,
            Store::open(Rc::clone(&self.storage))?,
            self.config.tools(),
            self.body.clone(),
        )
    }
}

/// A call, as JavaScript describes it. What its arguments name comes as bytes beside it.
struct Described {
    tool: String,
    /// The text of a JSON object.
    arguments: String,
    caller: Caller,
    /// The digest of the push that was approved in advance.
    digest: Option<String>,
    /// Edits to the push that were given in advance.
    revision: Option<Revision>,
    /// Whether a person is asked, who takes their time.
    takes_time: bool,
}

impl Described {
    fn read(value: &Value) -> Result<Self> {
        value.only(&["tool", "arguments", "caller", "digest", "revision", "takesTime"])?;
        let callers = [("agent", Caller::Agent), ("user", Caller::User)];
        Ok(Described {
            tool: value.field("tool")?.text()?,
            arguments: value.field("arguments")?.text()?,
            caller: value.field("caller")?.word(&callers)?,
            digest: value.field("digest")?.optional_text()?,
            revision: revision(value)?,
            takes_time: value.field("takesTime")?.option().is_some_and(|takes| takes.js().is_truthy()),
        })
    }
}

/// The edits that are given in advance, if there are any.
fn revision(value: &Value) -> Result<Option<Revision>> {
    value.field("revision")?.option().map(|edits| need::revision(&edits)).transpose()
}

/// An export, as JavaScript describes it.
struct Exported {
    /// An absolute path that a person knows the file by.
    file: String,
    /// Default: the branch that is checked out.
    branch: Option<String>,
    /// The digest of the export that was approved in advance.
    digest: Option<String>,
    /// Edits to the export that were given in advance.
    revision: Option<Revision>,
}

impl Exported {
    fn read(value: &Value) -> Result<Self> {
        value.only(&["file", "branch", "digest", "revision"])?;
        Ok(Exported {
            file: value.field("file")?.text()?,
            branch: value.field("branch")?.optional_text()?,
            digest: value.field("digest")?.optional_text()?,
            revision: revision(value)?,
        })
    }
}

/// An open sandbox. Whatever it has done is in its storage: it can be freed at any time.
#[wasm_bindgen]
pub struct Sandbox {
    shared: Shared,
    with: With,
}

impl Sandbox {
    /// An open sandbox, with what it was opened with.
    pub fn new(sandbox: sandbox::Sandbox, with: With) -> Self {
        Sandbox { shared: Shared::new(sandbox), with }
    }

    /// What its calls share.
    #[cfg(feature = "edge")]
    pub(crate) fn shared(&self) -> Shared {
        self.shared.clone()
    }

    /// The policy that holds for `file` now.
    #[cfg(feature = "edge")]
    pub(crate) fn policy(&self, file: &SandboxFile) -> Result<Policy> {
        self.with.policy(file)
    }

    fn making(&self, described: Described, attached: Vec<Attachment>) -> Result<Run> {
        let for_agent = described.caller == Caller::Agent;
        let call = Call::new(described.tool, described.arguments, described.caller);
        let wanted = Wanted {
            call,
            attached,
            policy: Rc::new(self.with.policy(&self.shared.get()?.file)?),
            digest: described.digest.map(|digest| need::digest(&digest)).transpose()?,
            revision: described.revision,
            along: None,
            takes_time: described.takes_time,
        };
        Ok(Run::new(self.shared.clone(), answer::Run::new(wanted), for_agent))
    }

    fn exporting(&self, exported: Exported) -> Result<Run> {
        let file = Path::new(&exported.file);
        if !exported.file.starts_with('/') {
            return Err(HostError::new(ErrorKind::Usage, format!("{} is no absolute path", exported.file)));
        }
        let mut sandbox = self.shared.get()?;
        let branch = match exported.branch {
            Some(branch) => BranchRef::from_branch(&branch).map_err(HostError::from)?,
            None => branch(&mut sandbox)?,
        };
        let policy = Rc::new(self.with.policy(&sandbox.file)?);
        let digest = exported.digest.map(|digest| need::digest(&digest)).transpose()?;
        let export = Export::new(&sandbox, sandbox.near(), file, &branch, policy, digest, exported.revision)?;
        drop(sandbox);
        Ok(Run::new(self.shared.clone(), export, false))
    }

    fn answering(&self, id: &str, digest: Option<String>) -> Result<Run> {
        let waiting = self.shared.get()?.store.waiting.find(id)?;
        let call = Call::new(waiting.tool.clone(), waiting.arguments.clone(), Caller::Agent);
        let policy = Rc::new(self.with.policy(&self.shared.get()?.file)?);
        let digest = digest.map(|digest| need::digest(&digest)).transpose()?;
        let wanted = Wanted { digest, ..Wanted::new(call, policy) };
        Ok(Run::new(self.shared.clone(), answer::Run::new(wanted), false).answering(waiting))
    }

    fn deciding(&self, id: &str, given: JsValue) -> Result<JsValue> {
        let mut sandbox = self.shared.get()?;
        let waiting = sandbox.store.waiting.find(id)?;
        let given = Value::new(given, Maker::Caller, "answer");
        Ok(match answer::decide_waiting(&mut sandbox, &waiting, need::answered(&given)?)? {
            Ok(_) => JsValue::UNDEFINED,
            Err(not) => of_json(&answer::json::not_approved(&not, act::words)),
        })
    }

    fn waits(&self) -> Result<Json> {
        let sandbox = self.shared.get()?;
        Ok(sandbox.store.waiting.unanswered()?.into_iter().map(|waiting| json!(waiting)).collect())
    }

    /// Does something with what is kept about the pushes to a branch.
    fn noting<T: for<'de> Deserialize<'de>>(
        &self,
        topic: &str,
        wanted: &str,
        act: impl FnOnce(&sandbox::Sandbox, &Topic, T) -> Result<Json>,
    ) -> Thrown<JsValue> {
        let done = || {
            let sandbox = self.shared.get()?;
            act(&sandbox, &from_json(topic)?, from_json(wanted)?)
        };
        done().map(|json| of_json(&json)).map_err(thrown)
    }

    fn history(&self) -> Result<Json> {
        let sandbox = self.shared.get()?;
        let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
        Ok(ledger.entries().iter().map(|entry| json!(entry.record)).collect())
    }

    fn log(&self) -> Result<String> {
        let sandbox = self.shared.get()?;
        let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
        Ok(audit::screen(&ledger, Times::EXACT))
    }

    fn specs(&self) -> Result<Json> {
        let mut sandbox = self.shared.get()?;
        let tools = answer::enter(&mut sandbox)?.tools()?;
        Ok(tools.iter().map(answer::json::tool_spec).collect())
    }
}

#[wasm_bindgen]
impl Sandbox {
    /// Begins a call: `{ tool, arguments, caller, digest?, revision?, takesTime? }`, with the packs
    /// and indices that its arguments name. An agent's reply never has a digest.
    pub fn call(&self, call: JsValue, attached: Option<Vec<JsValue>>) -> Thrown<Run> {
        let attachment = |bytes: JsValue| Value::new(bytes, Maker::Caller, "attachment").bytes().map(Attachment::new);
        let attached = attached.unwrap_or_default().into_iter().map(attachment).collect::<Result<_>>();
        let made = attached.and_then(|attached| {
            let described = Described::read(&Value::new(call, Maker::Caller, "call"))?;
            self.making(described, attached)
        });
        made.map_err(thrown)
    }

    /// Begins to write a branch to a bundle: `{ file, branch?, digest?, revision? }`.
    pub fn export(&self, export: JsValue) -> Thrown<Run> {
        let exported = Exported::read(&Value::new(export, Maker::Caller, "export"));
        exported.and_then(|exported| self.exporting(exported)).map_err(thrown)
    }

    /// The calls that wait for a person, oldest first.
    pub fn waiting(&self) -> Thrown<JsValue> {
        self.waits().map(|waiting| of_json(&waiting)).map_err(thrown)
    }

    /// The question about a waiting call that stays inside the sandbox, or `undefined` for a push,
    /// which `review` makes.
    pub fn question(&self, id: &str) -> Thrown<JsValue> {
        let found = self.shared.get().and_then(|sandbox| sandbox.store.waiting.find(id));
        let request = found.map_err(thrown)?;
        Ok(answer::ask_waiting(&request)
            .map_or(JsValue::UNDEFINED, |request| of_json(&answer::json::call_request(&request))))
    }

    /// Answers a waiting call that stays inside. Says why nobody could, or nothing. The call runs
    /// when the agent makes it again.
    pub fn decide(&self, id: &str, given: JsValue) -> Thrown<JsValue> {
        self.deciding(id, given).map_err(thrown)
    }

    /// Rejects a waiting call. The agent reads the reason when it makes the call again.
    pub fn reject(&self, id: &str, reason: &str) -> Thrown<()> {
        let rejected = self.shared.get().and_then(|mut sandbox| {
            let waiting = sandbox.store.waiting.find(id)?;
            answer::reject_waiting(&mut sandbox, &waiting, reason)
        });
        rejected.map_err(thrown)
    }

    /// Forgets what came of a waiting call, because the agent that made it has been told.
    #[wasm_bindgen(js_name = forgetTold)]
    pub fn forget_told(&self, id: &str) -> Thrown<()> {
        self.shared.get().and_then(|sandbox| answer::forget_told(&sandbox, id)).map_err(thrown)
    }

    /// Makes a waiting push for a person to decide about.
    pub fn review(&self, id: &str, digest: Option<String>) -> Thrown<Run> {
        self.answering(id, digest).map_err(thrown)
    }

    /// The comments on the pushes to a branch, `{ target, reference }` as JSON.
    pub fn comments(&self, topic: &str) -> Thrown<JsValue> {
        self.noting(topic, "null", |sandbox, topic, (): ()| Ok(json!(review::comments(sandbox, topic)?)))
    }

    /// Comments on a push: `{ commit, place, weight?, text }` as JSON.
    pub fn comment(&self, topic: &str, draft: &str) -> Thrown<JsValue> {
        self.noting(topic, draft, |sandbox, topic, draft: Draft| Ok(json!(review::add(sandbox, topic, draft)?)))
    }

    /// Changes a comment: `{ change: 'settle' | 'reopen' | 'withdraw' }` or `{ change: 'reply', text }` as JSON.
    #[wasm_bindgen(js_name = changeComment)]
    pub fn change_comment(&self, topic: &str, comment: &str, change: &str) -> Thrown<JsValue> {
        self.noting(topic, change, |sandbox, topic, change: Change| {
            Ok(json!(review::change(sandbox, topic, comment, &change)?))
        })
    }

    /// Keeps which parts of a push a person has seen: `{ path, key, text, instead?, seen }[]` as JSON.
    #[wasm_bindgen(js_name = markSeen)]
    pub fn mark_seen(&self, topic: &str, looks: &str) -> Thrown<JsValue> {
        self.noting(topic, looks, |sandbox, topic, looks: Vec<Look>| {
            review::look(sandbox, topic, &looks).map(|_| Json::Null)
        })
    }

    /// What was decided and what became of it, as records, oldest first.
    pub fn decisions(&self) -> Thrown<JsValue> {
        self.history().map(|records| of_json(&records)).map_err(thrown)
    }

    /// The same for a person to read.
    pub fn audit(&self) -> Thrown<String> {
        self.log().map_err(thrown)
    }

    /// The tools that are switched on.
    pub fn tools(&self) -> Thrown<JsValue> {
        self.specs().map(|tools| of_json(&tools)).map_err(thrown)
    }

    /// Takes the notes for the person that have come up since.
    pub fn notes(&self) -> Thrown<Vec<String>> {
        self.shared.get().map(|mut sandbox| sandbox.take_notes()).map_err(thrown)
    }

    /// Makes the journal as short as it can be.
    pub fn compact(&self) -> Thrown<()> {
        let compacted = self.shared.get().and_then(|mut sandbox| answer::enter(&mut sandbox)?.compact());
        compacted.map_err(thrown)
    }

    /// Its settings.
    pub fn settings(&self) -> Thrown<JsValue> {
        self.shared.get().map(|sandbox| of_json(&json!(sandbox.file))).map_err(thrown)
    }
}

fn from_json<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| HostError::new(ErrorKind::Usage, format!("it does not fit: {error}")))
}

/// The branch that is checked out.
fn branch(sandbox: &mut sandbox::Sandbox) -> Result<BranchRef> {
    // Nothing leaves, so no rule of the person's is concerned.
    let mut run = answer::Run::new(Wanted::new(user("git_status", json!({})), Rc::default()));
    match run.advance(sandbox)? {
        Advance::Done(Reply::Done(Ok(result))) => answer::branch_to_export(&result.structured),
        Advance::Done(Reply::Done(Err(error))) => {
            Err(HostError::new(ErrorKind::Session, error.message).hint(error.hint))
        }
        Advance::Done(Reply::NotApproved(_)) | Advance::Need(_) => {
            Err(Maker::Component.wrong("a question about a status"))
        }
    }
}

fn user(tool: &str, arguments: Json) -> Call {
    Call::new(tool, arguments.to_string(), Caller::User)
}
