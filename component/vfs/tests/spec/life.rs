//! Timelines with their journals, to replay and compare.

use vfs::{
    AttachmentId, Bytes, Content, Kernel, ROOT_FD,
    journal::Attachments,
    timeline::{HistoryEntry, Replayer, Timeline, UndoLimits},
};
use zlib_rs::{Deflate, DeflateFlush, Status, compress_bound};

use crate::{
    support::{EDIT, Numbers, Shorthand, kernel_on},
    tree_dump::{Deep, deep},
};

pub const SANDBOX: [u8; 16] = *b"a sandbox's name";

/// A timeline and its journal.
pub struct Lived {
    pub timeline: Timeline,
    pub journal: Vec<u8>,
    pub attachments: Attachments,
}

impl Lived {
    pub fn new(limits: UndoLimits) -> Self {
        let (timeline, journal) = Timeline::new(SANDBOX, limits);
        Self { timeline, journal, attachments: Attachments::new() }
    }

    /// One step, made by calls on a kernel.
    pub fn step(&mut self, meta: &str, change: impl FnOnce(&mut Kernel)) {
        let mut kernel = kernel_on(self.timeline.current());
        change(&mut kernel);
        self.journal.extend(self.timeline.commit(kernel.root(), meta.as_bytes(), true));
    }

    /// As above, for a step that undo cannot go back past.
    pub fn settle(&mut self, meta: &str, change: impl FnOnce(&mut Kernel)) {
        let mut kernel = kernel_on(self.timeline.current());
        change(&mut kernel);
        self.journal.extend(self.timeline.settle_in_pieces(kernel.root(), meta.as_bytes()).concat());
    }

    pub fn undo(&mut self, steps: usize) {
        let restored = self.timeline.peek_undo(steps).expect("so many can be undone").clone();
        self.journal.extend(self.timeline.undo(steps, restored, b"undo").expect("so many can be undone"));
    }

    pub fn replay(&self) -> Timeline {
        replay(&self.journal, &self.attachments, usize::MAX)
    }
}

pub fn replayer(attachments: &Attachments) -> Replayer {
    Replayer::new(
        Some(SANDBOX),
        UndoLimits { roots: usize::MAX, bytes: u64::MAX, history: usize::MAX },
        attachments.clone(),
    )
}

pub fn replay(journal: &[u8], attachments: &Attachments, chunk: usize) -> Timeline {
    let mut replayer = replayer(attachments);
    for chunk in journal.chunks(chunk.min(journal.len())) {
        replayer.feed(Bytes::copy_from_slice(chunk)).expect("the journal is whole");
    }
    let (timeline, report) = replayer.finish().expect("the journal is whole");
    assert_eq!((report.valid_bytes, report.torn_tail), (journal.len() as u64, false));
    timeline
}

pub type Facts = Vec<(u64, Vec<u8>, bool, bool)>;

/// The sequence number, the present tree and the trees that undo can reach, and the history.
pub type Everything = (u64, Vec<Deep>, Facts);

/// Everything about a timeline.
pub fn everything(timeline: &Timeline) -> Everything {
    let trees: Vec<_> = (0..).map_while(|steps| timeline.peek_undo(steps).ok().map(deep)).collect();
    let fact = |entry: HistoryEntry<'_>| (entry.sequence, entry.meta.to_vec(), entry.undoable, entry.forgotten);
    (timeline.sequence(), trees, timeline.history().map(fact).collect())
}

/// The start of the zlib stream in an attachment.
const STREAM: usize = 20_000;

/// Incompressible bytes, then the zlib stream of [`packed`].
pub fn attachment(n: u8) -> (AttachmentId, Bytes) {
    let mut bytes = Numbers(u64::from(n) + 1).bytes(STREAM);
    bytes.extend(zlib(&packed(n)));
    ([n; 32], Bytes::from(bytes))
}

/// The content of the zlib stream in an attachment.
pub fn packed(n: u8) -> Vec<u8> {
    (0..1000).flat_map(|line| format!("line {line} of {n}\n").into_bytes()).collect()
}

/// The same content as a stream that was not read.
pub fn inflated(n: u8) -> Content {
    let (id, bytes) = attachment(n);
    let stream = STREAM..bytes.len();
    let attached = Content::from_attachment(id, 0, bytes);
    attached.inflated(stream, packed(n).len() as u64).expect("it is a stream in an attachment")
}

fn zlib(content: &[u8]) -> Vec<u8> {
    let mut state = Deflate::new(9, true, 15);
    let mut stream = vec![0; compress_bound(content.len())];
    let status = state.compress(content, &mut stream, DeflateFlush::Finish).expect("any content can be compressed");
    assert_eq!(status, Status::StreamEnd);
    stream.truncate(state.total_out() as usize);
    stream
}

/// Makes a change that the number chooses. It may fail.
pub fn make_change(kernel: &mut Kernel, choice: u64) {
    let mut numbers = Numbers(choice | 1);
    let path = |numbers: &mut Numbers| {
        let names: Vec<String> = (0..=numbers.below(2)).map(|_| format!("n{}", numbers.below(5))).collect();
        format!("/{}", names.join("/")).into_bytes()
    };
    let (a, b) = (path(&mut numbers), path(&mut numbers));
    let done = match numbers.below(10) {
        0 | 1 => kernel.mkdir(ROOT_FD, &a),
        2 | 3 => {
            let length = [0, 10, 3000, 50_000][numbers.below(4) as usize];
            let content = match numbers.below(2) {
                0 => numbers.bytes(length),
                _ => b"the journal compresses this ".iter().cycle().take(length).copied().collect(),
            };
            kernel.put_file(ROOT_FD, &a, Content::from(content), choice & 1 == 0)
        }
        4 if choice & 1 == 0 => kernel.put_file(ROOT_FD, &a, inflated(numbers.below(3) as u8), false),
        4 => {
            let (id, bytes) = attachment(numbers.below(3) as u8);
            let offset = numbers.below(10_000) as usize;
            let content = Content::from_attachment(id, offset as u64, bytes.slice(offset..offset + 5000));
            kernel.put_file(ROOT_FD, &a, content, false)
        }
        5 => kernel.open_at(std::str::from_utf8(&a).expect("ascii"), EDIT).and_then(|fd| {
            let offset = numbers.below(40_000);
            kernel.pwrite(fd, b"edited in place", offset).expect("there is room");
            kernel.close(fd)
        }),
        6 => kernel.rename(ROOT_FD, &a, ROOT_FD, &b),
        7 => kernel.link(ROOT_FD, &a, false, ROOT_FD, &b),
        8 => kernel.symlink(&a, ROOT_FD, &b),
        _ => kernel.unlink(ROOT_FD, &a).or_else(|_| kernel.rmdir(ROOT_FD, &a)),
    };
    // A failed call is a step that changes nothing, and must replay as well.
    done.unwrap_or_default();
}
