//! A call as the host passes it.

use dialect::Dialect;

/// Who calls. The host decides this, not the caller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Caller {
    /// A model.
    Agent,
    /// The person who owns the sandbox.
    User,
}

/// One call of one tool. Call, tree and answers determine the result.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The host's id for the call.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments, a JSON object.
    pub arguments: String,
    /// The names that the caller's own tools have.
    pub dialect: Option<Dialect>,
    /// Bytes of text that the caller can take. Other limits count only below it.
    pub max_bytes: Option<usize>,
    /// Who calls.
    pub caller: Caller,
    /// Wall clock time, the same during the whole call.
    pub now: Moment,
}

/// A point in time, and the time zone to write it in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Moment {
    /// Nanoseconds since the Unix epoch.
    pub nanos: u64,
    /// Seconds east of UTC.
    pub utc_offset: i32,
}

impl Moment {
    /// The time as git writes it in a commit: whole seconds, with the offset in whole minutes.
    pub fn git_time(self) -> gix::date::Time {
        gix::date::Time { seconds: (self.nanos / 1_000_000_000) as i64, offset: self.utc_offset - self.utc_offset % 60 }
    }

    /// The time in RFC 3339, in the caller's zone.
    pub fn rfc3339(self) -> String {
        self.git_time().format_or_unix(gix::date::time::format::ISO8601_STRICT)
    }
}
