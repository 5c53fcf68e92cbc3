//! The state between calls, and the context of one call.

use std::path::PathBuf;

use dialect::Dialect;
use gix::actor::Signature;
use serde_json::Value;

use crate::answer::Answers;
use crate::approval::Approval;
use crate::arguments::{MaxBytes, WorkingDir};
use crate::attachment;
use crate::call::{Moment, ToolCall};
use crate::deadline::Deadline;
use crate::embedding::Embedding;
use crate::error::{Stop, ToolError};
use crate::git::caches::Caches;
use crate::git::change::replay::Replayer;
use crate::git::store::repo::Repo;
use crate::git::words::identity::{self, Signatures};
use crate::options::{MAX_MAX_BYTES, Options};
use crate::output::Output;
use crate::paths::{SandboxPath, Zones};

/// One sandbox: its options, and what the tools have learnt about its tree.
///
/// A session caches only what the tree holds too. Without its caches it gives the same answers, only later.
pub struct Session {
    /// The options.
    pub options: Options,
    /// The zones.
    pub zones: Zones,
    /// Cached parts of the repository.
    pub(crate) caches: Caches,
}

impl Session {
    /// A session on the folders of `zones`.
    pub fn new(options: Options, zones: Zones) -> Session {
        Session { options, zones, caches: Caches::default() }
    }

    /// The repository of the sandbox.
    pub(crate) fn repo(&mut self) -> Result<Repo, ToolError> {
        Repo::open(&mut self.caches.repo, &self.zones.workspace())
    }

    /// Where git looks for a pack that the host has attached, without an ending. The name need only be the pack's own: the host has
    /// verified what is in it.
    pub(crate) fn pack_place(&self, id: &[u8; 32]) -> PathBuf {
        let name = attachment::name(&id[..20]);
        self.zones.workspace().real().join(format!(".git/objects/pack/pack-{name}"))
    }

    /// Drops the caches. Call this after every change of the tree that is not a finished call's.
    pub fn forget(&mut self) {
        self.caches = Caches::default();
    }
}

/// Makes a call of the tool of this name as a part of the one that runs, in this folder. Its caller has to be allowed to make it. What it
/// would ask by itself is not asked: whoever makes it asks for all parts together.
pub type Within = fn(&mut Context<'_>, &'static str, &str, Value) -> Result<Made, Stop>;

/// A call that was made as a part of another.
pub struct Made {
    /// Its result.
    pub output: Output,
    /// Whether its tool may change something.
    pub changes: bool,
    /// What it would have asked.
    pub asked: Option<Approval>,
    /// Its arguments, with the folder.
    pub arguments: Value,
}

/// The context of one call.
pub struct Context<'a> {
    /// The sandbox.
    pub session: &'a mut Session,
    /// The call.
    pub call: &'a ToolCall,
    /// The names that the caller uses.
    pub dialect: Option<Dialect>,
    /// The host's answers so far.
    pub answers: &'a Answers,
    /// When to stop.
    pub deadline: &'a Deadline,
    /// The code that embeds the tools.
    pub embedding: &'a mut dyn Embedding,
    /// How a tool calls another.
    pub within: Within,
}

impl Context<'_> {
    /// Wall clock time, the same during the whole call.
    pub fn now(&self) -> Moment {
        self.call.now
    }

    /// Author and committer, at the time of the call.
    pub(crate) fn signatures(&self) -> Result<Signatures, ToolError> {
        let Options { identity, committer, .. } = &self.session.options;
        let author = identity::signature(identity.as_ref(), self.now())?;
        let committer = match committer {
            Some(_) => identity::signature(committer.as_ref(), self.now())?,
            None => author.clone(),
        };
        Ok(Signatures { author, committer })
    }

    /// Who stands in reflog entries, at the time of the call: the committer.
    pub(crate) fn reflog_signature(&self) -> Signature {
        let Options { identity, committer, .. } = &self.session.options;
        identity::reflog_signature(committer.as_ref().or(identity.as_ref()), self.now())
    }

    /// Re-applies commits of `repo`.
    pub(crate) fn replayer<'c>(&'c mut self, repo: &'c Repo) -> Replayer<'c> {
        let caches = &mut self.session.caches;
        Replayer { repo, index: &mut caches.index, trees: &mut caches.trees, deadline: self.deadline }
    }

    /// The size limit of a text: the caller's if given, otherwise the sandbox's (SRD 4.4).
    pub fn max_bytes(&self, wanted: Option<MaxBytes>) -> Result<usize, ToolError> {
        match wanted.map(|MaxBytes(wanted)| wanted) {
            Some(0) => Err(ToolError::bad_args("max_bytes must be at least 1")),
            Some(max) if max > MAX_MAX_BYTES => {
                Err(ToolError::bad_args(format!("max_bytes cannot exceed {MAX_MAX_BYTES}")))
            }
            wanted => {
                let most = self.call.max_bytes.unwrap_or(usize::MAX);
                Ok(wanted.unwrap_or(self.session.options.git.max_bytes).min(most))
            }
        }
    }

    /// The repository that contains `working_dir` (SRD, FR-GIT-COMMON-07).
    pub(crate) fn repo(&mut self, working_dir: &SandboxPath) -> Result<Repo, ToolError> {
        if !working_dir.is_in_workspace() {
            return Err(ToolError::not_a_repository(&working_dir.shown()));
        }
        self.session.repo()
    }

    /// The folder that `working_dir` names. Relative paths start there.
    pub fn working_dir(&self, working_dir: Option<&WorkingDir>) -> Result<SandboxPath, ToolError> {
        self.session.zones.working_dir(working_dir.map(|WorkingDir(named)| named.as_str()))
    }
}
