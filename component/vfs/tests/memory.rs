//! Replay needs memory for one tree, and not for a second one.

use peak_alloc::PeakAlloc;
use vfs::{
    Bytes, Content, Kernel, Limits, ROOT_FD, Root,
    journal::Attachments,
    timeline::{Replayer, Timeline, UndoLimits},
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;

/// The peak of extra memory during `run`, and its result.
fn peak<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = run();
    (MEMORY.peak_usage() - before, result)
}

/// A tree of 48 MiB. Half of it is in files of 3 KiB, which a journal compresses, half in larger ones, which it cannot compress. The last
/// one has 5 KiB.
fn tree() -> Root {
    let mut kernel = Kernel::new(Root::new(), Limits::default());
    let mut number = 0_u32;
    let mut put = |length: usize| {
        number += 1;
        let content = match length < MIB / 2 {
            true => number.to_le_bytes().repeat(length / 4),
            false => noise(number, length),
        };
        let content = Content::from(content);
        kernel.put_file(ROOT_FD, number.to_string().as_bytes(), content, false).expect("there is room");
    };
    (0..8 << 10).for_each(|_| put(3 << 10));
    (0..48).for_each(|_| put(MIB / 2));
    put(5 << 10);
    kernel.root()
}

/// Incompressible bytes.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = u64::from(seed);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Replays a journal in parts, and frees each part once it is read.
fn replay(journal: Vec<Vec<u8>>) -> (Timeline, bool) {
    let mut replayer = Replayer::new(None, UndoLimits::default(), Attachments::new());
    for part in journal {
        replayer.feed(Bytes::from(part)).expect("the journal is whole");
    }
    let (timeline, report) = replayer.finish().expect("the journal is whole");
    (timeline, report.torn_tail)
}

/// A single test, because all tests of a process share its memory.
#[test]
fn replay_needs_no_more_memory_than_the_tree() {
    let tree = tree();
    let (mut timeline, _) = Timeline::new([1; 16], UndoLimits::default());
    timeline.commit(tree.clone(), b"import", true);
    let journal: Vec<Vec<u8>> = timeline.snapshot(0).collect();
    drop((timeline, tree));
    let bytes: usize = journal.iter().map(Vec::len).sum();
    assert!(bytes > 24 * MIB && bytes < 27 * MIB && journal.len() > 24);

    // The journal counts before the replay, and frees memory for the tree as it is read. Extra memory goes to inodes, names and one part.
    // Compressed contents stay compressed.
    let allowed = 8 * MIB;
    let mut torn = journal.clone();
    let (extra, (timeline, is_torn)) = peak(|| replay(journal));
    assert!(!is_torn);
    assert!(extra < allowed, "{} KiB more than the journal", extra >> 10);

    // The rest of a tree keeps nothing alive of the journal it was read from.
    let survivor = timeline.current().find(b"/8241").expect("it is the last one").1.content().expect("a file").clone();
    let before = MEMORY.current_usage();
    drop(timeline);
    assert_eq!(survivor.len(), 5 << 10);
    let freed = before - MEMORY.current_usage();
    assert!(freed > bytes - MIB, "{} of {} KiB freed", freed >> 10, bytes >> 10);

    // A record that was never fully written needs no more memory.
    torn.last_mut().expect("there are parts").pop();
    let (extra, (timeline, is_torn)) = peak(|| replay(torn));
    assert!(is_torn && timeline.current().files() == 0);
    assert!(extra < MIB, "{} KiB more than the journal", extra >> 10);
}
