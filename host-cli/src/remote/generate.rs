//! Builds a pack from a repository's objects. Copies packed entries unchanged.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::Thread;
use std::time::Duration;

use bytes::Bytes;
use gix::ObjectId;
use gix::progress::{Discard, Step, StepShared};
use gix_pack::data::output;

use super::{Progress, Stage, TargetError, TargetErrorKind, error};

pub(super) use gix_pack::data::output::Count;

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// An object for a pack, wherever it is stored.
pub(super) fn unplaced(id: ObjectId) -> Count {
    Count { id, entry_pack_location: output::count::PackLocation::NotLookedUp }
}

/// Finds all objects that `seeds` reach. A commit leads to its tree but not to its parents, which
/// are seeds themselves.
pub(super) fn count(
    repo: &gix::Repository,
    seeds: Vec<ObjectId>,
    progress: &dyn Progress,
) -> Result<Vec<Count>, TargetError> {
    let mut objects = handle(repo)?;
    objects.set_pack_cache(|| Box::new(gix_pack::cache::lru::MemoryCappedHashmap::new(48 << 20)));
    let counter = Counter::default();
    let options = output::count::objects::Options {
        input_object_expansion: output::count::objects::ObjectExpansion::TreeContents,
        ..Default::default()
    };
    let seeds = Box::new(seeds.into_iter().map(Ok));
    let found = watch(progress, &counter, || {
        output::count::objects(objects, seeds, &counter, &AtomicBool::new(false), options)
    });
    let (counts, _) =
        found.map_err(|error| TargetError::damaged(format!("cannot read all objects: {error}"), error))?;
    progress.at(Stage::Counting, counts.len() as u64, Some(counts.len() as u64));
    Ok(counts)
}

/// Builds a whole pack of exactly these objects.
pub(super) fn pack(repo: &gix::Repository, counts: Vec<Count>, progress: &dyn Progress) -> Result<Bytes, TargetError> {
    let damaged = |error: gix::Error| TargetError::damaged(format!("cannot build the pack: {error}"), error);
    let total = counts.len();
    let ids: Vec<ObjectId> = counts.iter().map(|count| count.id).collect();
    let number =
        u32::try_from(total).map_err(|error| TargetError::damaged("more objects than a pack can hold", error))?;
    let chunks = output::entry::iter_from_counts(
        counts,
        handle(repo)?,
        Box::new(Discard),
        output::entry::iter_from_counts::Options { chunk_size: 100, ..Default::default() },
    )
    .map_err(damaged)?;
    let mut done = 0;
    // A missing object gives an invalid entry, which the writer would silently leave out.
    let missing = Cell::new(false);
    let in_order = gix::parallel::InOrderIter::from(chunks).inspect(|chunk| {
        let entries = chunk.as_deref().unwrap_or_default();
        missing.set(missing.get() || entries.iter().any(output::Entry::is_invalid));
        done += entries.len() as u64;
        progress.at(Stage::Packing, done, Some(total as u64));
    });
    let mut bytes = Vec::new();
    let writer = output::bytes::FromEntriesIter::new(
        in_order,
        &mut bytes,
        number,
        gix_pack::data::Version::V2,
        gix::hash::Kind::Sha1,
    );
    for written in writer {
        written.map_err(|error| missing_one_of(repo, &ids).caused_by(error))?;
    }
    if missing.get() {
        return Err(missing_one_of(repo, &ids));
    }
    Ok(bytes.into())
}

/// The error that names the first missing or unreadable object.
fn missing_one_of(repo: &gix::Repository, ids: &[ObjectId]) -> TargetError {
    let unreadable = ids.iter().find(|id| !matches!(repo.try_find_object(**id), Ok(Some(_))));
    let what = unreadable.map_or_else(|| "an object".to_owned(), |id| format!("the object {id}"));
    TargetError::new(TargetErrorKind::MissingObject, format!("{what} is missing or damaged"))
        .hint("run `git fsck` in that repository, and fetch the missing objects")
}

/// A handle that threads can share. It keeps its packs while offsets into them are in use.
fn handle(repo: &gix::Repository) -> Result<gix::odb::HandleArc, TargetError> {
    let objects = repo.objects.clone().into_inner().into_arc();
    let mut objects = objects.map_err(|e| error::io("open", repo.objects.store_ref().path(), e))?;
    objects.prevent_pack_unload();
    objects.refresh_never();
    Ok(objects)
}

/// A count that other threads advance.
#[derive(Default)]
struct Counter(StepShared);

impl gix::Count for Counter {
    fn set(&self, step: Step) {
        self.0.store(step, Ordering::Relaxed);
    }

    fn step(&self) -> Step {
        self.0.load(Ordering::Relaxed)
    }

    fn inc_by(&self, step: Step) {
        self.0.fetch_add(step, Ordering::Relaxed);
    }

    fn counter(&self) -> Arc<AtomicUsize> {
        self.0.clone()
    }
}

/// Reports the count regularly while `work` runs.
fn watch<T>(progress: &dyn Progress, counter: &Counter, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Acquire) {
                progress.at(Stage::Counting, counter.0.load(Ordering::Relaxed) as u64, None);
                std::thread::park_timeout(TICK);
            }
        });
        let _over = Over { flag: &over, watcher: watcher.thread() };
        work()
    })
}

/// Ends the watcher even if the work panics, because the scope waits for it.
struct Over<'a> {
    flag: &'a AtomicBool,
    watcher: &'a Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remote::Silent;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    #[test]
    fn work_that_panics_is_waited_for_by_nobody() {
        let watched = || watch(&Silent, &Counter::default(), || resume_unwind(Box::new("over")));
        let payload = catch_unwind(AssertUnwindSafe(watched)).unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"over"));
    }
}
