//! Limits what one token, and all of one role, may use of a server: agents' tokens, even together, must not use up what a person needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::operation::Operation;
use crate::problem::{Problem, Refusal};
use crate::role::Role;

/// Bytes of the longest body.
pub const LONGEST_BODY: u64 = 16 << 20;

/// The limited resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Good {
    /// Requests whose bodies are still arriving.
    Reading,
    /// The bytes of bodies, from their heads on until the answer.
    Bytes,
    /// Requests that have arrived whole.
    Working,
    /// Listeners.
    Listening,
}

impl Good {
    fn words(self) -> &'static str {
        match self {
            Good::Reading => "requests whose bodies are on their way",
            Good::Bytes => "bytes in bodies",
            Good::Working => "requests that are worked on",
            Good::Listening => "listeners",
        }
    }
}

/// The owner of a share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Callers of operations that are open to anybody.
    Anybody,
    /// The operator.
    Operator,
    /// The holder of this token.
    Token {
        /// Its role.
        role: Role,
        /// Its id.
        id: String,
    },
}

impl Holder {
    fn rank(&self) -> Rank {
        match self {
            Holder::Anybody => Rank::Anybody,
            Holder::Operator => Rank::Operator,
            Holder::Token { role, .. } => Rank::Of(*role),
        }
    }
}

/// The group that shares a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Rank {
    Anybody,
    Operator,
    Of(Role),
}

/// The most for a role, and the most for one of its tokens.
#[derive(Clone, Copy, Debug)]
struct Most {
    all: u64,
    each: u64,
}

const fn most(all: u64, each: u64) -> Most {
    Most { all, each }
}

/// The limits of a server. No role may use another's part, so their sum is the total.
#[derive(Debug)]
pub struct Plan {
    requests: fn(Rank) -> Most,
    listeners: fn(Rank) -> Most,
    mebibytes: fn(Rank) -> Most,
}

impl Plan {
    /// A process that serves many sandboxes: 256 requests, 320 listeners and 385 MiB.
    pub const SERVER: Plan = Plan {
        requests: |rank| match rank {
            Rank::Anybody => most(16, 16),
            Rank::Operator => most(32, 32),
            Rank::Of(Role::Owner) => most(64, 32),
            Rank::Of(Role::Reviewer) => most(48, 24),
            Rank::Of(Role::Agent) => most(96, 32),
        },
        listeners: |rank| match rank {
            Rank::Of(Role::Owner | Role::Reviewer) => most(128, 32),
            Rank::Of(Role::Agent) => most(64, 16),
            _ => most(0, 0),
        },
        mebibytes: |rank| match rank {
            Rank::Anybody => most(1, 1),
            Rank::Operator => most(64, 64),
            Rank::Of(Role::Owner | Role::Agent) => most(128, 48),
            Rank::Of(Role::Reviewer) => most(64, 32),
        },
    };

    /// An object of one sandbox, with a memory of 128 MB: 88 requests, 80 listeners and 89 MiB.
    pub const OBJECT: Plan = Plan {
        requests: |rank| match rank {
            Rank::Anybody => most(4, 4),
            Rank::Operator => most(8, 8),
            Rank::Of(Role::Owner) => most(28, 24),
            Rank::Of(Role::Reviewer) => most(16, 12),
            Rank::Of(Role::Agent) => most(32, 16),
        },
        listeners: |rank| match rank {
            Rank::Of(Role::Owner | Role::Reviewer) => most(32, 16),
            Rank::Of(Role::Agent) => most(16, 8),
            _ => most(0, 0),
        },
        mebibytes: |rank| match rank {
            Rank::Anybody => most(1, 1),
            Rank::Operator => most(16, 16),
            Rank::Of(Role::Owner) => most(32, 24),
            Rank::Of(Role::Reviewer | Role::Agent) => most(20, 16),
        },
    };

    fn most(&self, good: Good, rank: Rank) -> Most {
        match good {
            Good::Reading | Good::Working => (self.requests)(rank),
            Good::Listening => (self.listeners)(rank),
            Good::Bytes => {
                let Most { all, each } = (self.mebibytes)(rank);
                most(all << 20, each << 20)
            }
        }
    }
}

/// The amounts in use. Unused ones have no entry.
#[derive(Debug, Default)]
struct Taken {
    all: HashMap<(Good, Rank), u64>,
    each: HashMap<(Good, Holder), u64>,
}

/// A server's shared resources. Each share counts until it is dropped.
#[derive(Clone, Debug)]
pub struct Shares {
    plan: &'static Plan,
    taken: Arc<Mutex<Taken>>,
}

impl Shares {
    /// Starts with nothing in use.
    pub fn new(plan: &'static Plan) -> Self {
        Shares { plan, taken: Arc::default() }
    }

    /// Reserves the bytes to read a body of this length, if the length is known. A request without a body takes none.
    ///
    /// # Errors
    /// If the token or its role has used up its share.
    pub fn body(&self, holder: &Holder, length: Option<u64>) -> Result<Body, Problem> {
        // A body that is too long is read up to the limit.
        let bytes = length.unwrap_or(LONGEST_BODY).min(LONGEST_BODY);
        let reading = self.take(holder, Good::Reading, u64::from(bytes > 0))?;
        Ok(Body { reading, bytes: self.take(holder, Good::Bytes, bytes)? })
    }

    /// Reserves a place to process a request that arrived whole. Requests that end others always get one.
    ///
    /// # Errors
    /// If the token or its role has used up its share.
    pub fn place(&self, holder: &Holder, operation: Operation) -> Result<Share, Problem> {
        let is_end = matches!(operation, Operation::WithdrawToken | Operation::DeleteSandbox);
        self.take(holder, Good::Working, u64::from(!is_end))
    }

    /// Reserves a place to listen: to the events, or for an agent that pushes, to the review.
    ///
    /// # Errors
    /// If the token or its role has used up its share.
    pub fn listener(&self, holder: &Holder) -> Result<Share, Problem> {
        self.take(holder, Good::Listening, 1)
    }

    fn take(&self, holder: &Holder, good: Good, amount: u64) -> Result<Share, Problem> {
        let rank = holder.rank();
        let most = self.plan.most(good, rank);
        let mut taken = self.taken();
        let (of_all, of_each) = ((good, rank), (good, holder.clone()));
        let has = |taken: Option<&u64>| taken.copied().unwrap_or_default() + amount;
        if has(taken.each.get(&of_each)) > most.each {
            return Err(too_many("this token", good));
        }
        if has(taken.all.get(&of_all)) > most.all {
            return Err(too_many("all tokens of this role together", good));
        }
        *taken.all.entry(of_all).or_default() += amount;
        *taken.each.entry(of_each).or_default() += amount;
        Ok(Share { shares: self.clone(), holder: holder.clone(), good, amount })
    }

    fn give_back(&self, holder: &Holder, good: Good, amount: u64) {
        let mut taken = self.taken();
        less(&mut taken.all, &(good, holder.rank()), amount);
        less(&mut taken.each, &(good, holder.clone()), amount);
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("nothing panics while it is held")
    }
}

fn less<K: std::hash::Hash + Eq>(taken: &mut HashMap<K, u64>, key: &K, amount: u64) {
    if let Some(has) = taken.get_mut(key) {
        *has -= amount;
        if *has == 0 {
            taken.remove(key);
        }
    }
}

fn too_many(who: &str, good: Good) -> Problem {
    let detail = format!("{who} cannot have more {}", good.words());
    Problem::refused(Refusal::TooMany, detail, "try again when others have been answered, and send fewer at a time")
}

/// A part of a resource, reserved until this is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Shares,
    holder: Holder,
    good: Good,
    amount: u64,
}

impl Share {
    /// Gives back everything but this amount.
    fn keep(&mut self, amount: u64) {
        let much = self.amount.saturating_sub(amount);
        self.shares.give_back(&self.holder, self.good, much);
        self.amount -= much;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.keep(0);
    }
}

/// Permission to read a body.
#[derive(Debug)]
pub struct Body {
    reading: Share,
    bytes: Share,
}

impl Body {
    /// Counts bytes that arrived. They count until the returned share is dropped.
    pub fn has_come(mut self, bytes: u64) -> Share {
        drop(self.reading);
        self.bytes.keep(bytes);
        self.bytes
    }
}

#[cfg(test)]
mod tests;
