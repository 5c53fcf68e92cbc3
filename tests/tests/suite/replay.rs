//! A call is a pure function of the tree, the call and the answers. So a warm instance with all its caches, and one that just replayed the
//! journal, return the same bytes. A call that fails, or gets no answer, leaves no trace.

use fastrand::Rng;
use tests::host::wit::{ErrorKind, Step};
use tests::host::{Sandbox, options, with_stack};
use tests::import::import;
use tests::operation::{Came, Operation};
use tests::repo::Repo;
use tests::session::{World, look, succeed};

/// The number of sequences, and of operations in each.
const SEQUENCES: u64 = 8;
const OPERATIONS: u64 = 60;

/// An initial sandbox: empty, with an empty repository, or with one that has a history.
fn begin(seed: u64, world: &mut World) -> Sandbox {
    let mut sandbox = Sandbox::create(&options());
    match seed % 4 {
        0 => {}
        1 => drop(succeed(&mut sandbox, "sandbox_import", &serde_json::json!({}), 0, world)),
        _ => {
            let folder = tempfile::tempdir().unwrap();
            import(&mut sandbox, &Repo::with_history(&folder.path().join("repository")), world);
        }
    }
    sandbox
}

/// The results of a sequence, to check that the sequences cover their subjects.
#[derive(Debug, Default)]
struct Reached {
    results: usize,
    errors: usize,
    questions: usize,
    undone: usize,
    compacted: usize,
}

impl Reached {
    fn count(&mut self, came: &Came) {
        match came {
            Came::Call(heard) => {
                self.questions += heard.iter().filter(|(step, _)| matches!(step, Step::Ask(_))).count();
                match heard.last() {
                    Some((Step::Done(done), _)) if done.outcome.is_ok() => self.results += 1,
                    Some((Step::Done(_), _)) => self.errors += 1,
                    _ => {}
                }
            }
            Came::Undo(undone) => self.undone += usize::from(undone.is_ok()),
            Came::Compact(compacted) => self.compacted += usize::from(compacted.is_ok()),
        }
    }
}

#[test]
fn every_byte_is_the_same_warm_and_after_a_replay() {
    with_stack(|| {
        let mut reached = Reached::default();
        for seed in trial::seeds(0..SEQUENCES) {
            sequence(seed, &mut reached);
        }
        let enough = [reached.results, reached.errors, reached.questions, reached.undone, reached.compacted];
        assert!(!trial::has_usual_seeds() || enough.iter().all(|count| *count >= 5), "{reached:?}");
    });
}

fn sequence(seed: u64, reached: &mut Reached) {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::default();
    let mut warm = begin(seed, &mut world);
    let (mut fresh, mut other_world) = (warm.reopened(), world.clone());
    let every = rng.u64(1..6);
    let mut ids = Vec::new();
    for second in 1..=OPERATIONS {
        let operation = Operation::random(&mut rng, second, &ids);
        let at = || format!("GITGATE_SEED={seed}, operation {second}: {operation:?}");
        if second % every == 0 {
            fresh = fresh.reopened();
        }
        let came = operation.perform(&mut warm, &mut world);
        let other = operation.perform(&mut fresh, &mut other_world);
        assert!(came == other, "{}\nwarm:  {came:?}\nfresh: {other:?}", at());
        assert!(warm.journal == fresh.journal, "the journals differ: {}", at());
        assert_eq!(world, other_world);
        check_errors(&came, &at());
        reached.count(&came);
        ids.extend(came.ids());
    }
    let at = format!("GITGATE_SEED={seed}, at the end");
    assert_eq!(warm.tools(), fresh.tools(), "{at}");
    assert_eq!(look(&mut warm), look(&mut warm.reopened()), "{at}");
}

/// An error has a readable message, and never a panic's.
fn check_errors(came: &Came, at: &str) {
    let Came::Call(heard) = came else { return };
    let Some((Step::Done(done), record)) = heard.last() else { return };
    let Err(error) = &done.outcome else { return };
    assert!(record.is_empty(), "a call that fails leaves no record: {at}");
    assert!(!error.message.is_empty() && !error.message.contains("panicked"), "{error:?}: {at}");
    assert!(!matches!(error.kind, ErrorKind::Timeout(_)), "nothing here takes long: {at}");
}

#[test]
fn what_fails_or_is_not_answered_has_never_been() {
    with_stack(|| {
        for seed in trial::seeds(0..SEQUENCES) {
            let mut rng = Rng::with_seed(seed ^ 0x5eed);
            let mut world = World::default();
            let mut sandbox = begin(seed, &mut world);
            let mut ids = Vec::new();
            let mut before = look(&mut sandbox);
            for second in 1..=OPERATIONS / 2 {
                let operation = Operation::random(&mut rng, second, &ids);
                let came = operation.perform(&mut sandbox, &mut world);
                let after = look(&mut sandbox);
                if came.changes_nothing() {
                    assert!(
                        before == after,
                        "GITGATE_SEED={seed}, operation {second}: {operation:?} came to {came:?}\nbefore: {before}\nafter:  {after}"
                    );
                }
                ids.extend(came.ids());
                before = after;
            }
        }
    });
}
