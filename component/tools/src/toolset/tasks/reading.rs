//! The common start of every tool that reads records.

use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::staged::ids::Ids;
use crate::git::staged::records::trail::{Records, Trail};
use crate::session::{Context, Session};

/// The records of the current branch.
pub struct Reading {
    pub trail: Trail,
    /// The ids of commits.
    pub ids: Ids,
}

impl Reading {
    /// Reads the records.
    pub fn of(context: &mut Context<'_>) -> Result<Reading, ToolError> {
        let repo = context.session.repo()?;
        let history = History::of(&repo, &context.session.caches.history)?;
        let trail = Trail::of(&repo, &history, &records(context.session), context.deadline)?;
        Ok(Reading { trail, ids: Ids::load(&repo)? })
    }
}

/// The reader for this sandbox's records.
pub fn records(session: &Session) -> Records<'_> {
    Records { cache: &session.caches.records, prefix: &session.options.tasks.trailer_prefix }
}
