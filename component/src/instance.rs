//! One sandbox: it replays its journal, then runs calls.

use std::collections::BTreeMap;

use bytes::Bytes;
use tools::approval::Mode;
use tools::output::Effect;
use tools::{Caller, Deadline, Session, registry};
use vfs::AttachmentId;
use vfs::journal::Attachments;
use vfs::timeline::{Replayer, Timeline, UndoLimits};

use crate::embedding::{ComponentEmbedding, cannot_undo, past};
use crate::meta::Meta;
use crate::out::Out;
use crate::running::Running;
use crate::wasi::clocks::monotonic_clock;
use crate::{fault, kernel, misuse};

/// Steps whose facts the history keeps.
const HISTORY: usize = 10_000;

/// An open sandbox.
pub struct Open {
    options: wit::Options,
    attachments: BTreeMap<AttachmentId, Bytes>,
    /// The attachment whose parts are arriving.
    incoming: Option<(AttachmentId, Vec<u8>)>,
    state: State,
    out: Out,
}

enum State {
    /// The journal is arriving. The replayer exists from its first byte on.
    Replaying(Option<Box<Replayer>>),
    Running(Box<Running>),
    /// The journal could not be replayed. An empty instance would hide what the journal holds.
    Failed(wit::Fault),
}

impl Open {
    pub fn new(options: wit::Options) -> Result<Open, wit::Fault> {
        sandbox_id(&options)?;
        kernel::check_zones(&options.zones)?;
        convert::options(&options).map_err(|error| misuse(&error))?;
        let state = State::Replaying(None);
        Ok(Open { options, attachments: BTreeMap::new(), incoming: None, state, out: Out::default() })
    }

    pub fn attach(&mut self, id: &[u8], size: u64, part: &[u8]) -> Result<(), wit::Fault> {
        if let State::Failed(fault) = &self.state {
            return Err(fault.clone());
        }
        let id = AttachmentId::try_from(id).map_err(|_| misuse("an attachment's id has 32 bytes"))?;
        let size = usize::try_from(size).map_err(|_| misuse("the attachment is too large"))?;
        let (current, bytes) = self.incoming.get_or_insert_with(|| (id, Vec::with_capacity(size)));
        if *current != id || bytes.len() + part.len() > size {
            return Err(misuse("the parts of an attachment must come in order"));
        }
        bytes.extend_from_slice(part);
        if bytes.len() == size {
            let (id, bytes) = self.incoming.take().expect("it was put there above");
            self.attachments.insert(id, bytes.into());
        }
        Ok(())
    }

    pub fn replay(&mut self, part: Vec<u8>) -> Result<(), wit::Fault> {
        let replayer = self.state.replaying()?;
        if replayer.is_none() {
            let mut attachments = Attachments::new();
            for (id, bytes) in &self.attachments {
                attachments.add(*id, bytes.clone());
            }
            *replayer = Some(Box::new(Replayer::new(
                Some(sandbox_id(&self.options)?),
                undo_limits(&self.options),
                attachments,
            )));
        }
        let replayer = replayer.as_mut().expect("it was put there above");
        let fed = replayer.feed(part.into()).map_err(|error| fault::journal(&error));
        fed.inspect_err(|fault| self.state = State::Failed(fault.clone()))
    }

    pub fn start(&mut self) -> Result<wit::Restoration, wit::Fault> {
        let replayer = self.state.replaying()?.take();
        self.run(replayer).inspect_err(|fault| self.state = State::Failed(fault.clone()))
    }

    /// Goes on from where the journal ends, or begins one.
    fn run(&mut self, replayer: Option<Box<Replayer>>) -> Result<wit::Restoration, wit::Fault> {
        let (mut timeline, mut preamble, report) = match replayer {
            Some(replayer) => {
                let (timeline, report) = replayer.finish().map_err(|error| fault::journal(&error))?;
                (timeline, Vec::new(), (report.records, report.valid_bytes))
            }
            None => {
                let (timeline, header) = Timeline::new(sandbox_id(&self.options)?, undo_limits(&self.options));
                (timeline, header, (0, 0))
            }
        };
        let zones = kernel::zones(&self.options.zones);
        let root = kernel::set_up(timeline.current().clone(), &self.options)?;
        // No former tree has the zones' folders that were made just now.
        preamble.extend(timeline.settle_in_pieces(root, &[]).concat());
        let options = convert::options(&self.options).map_err(|error| misuse(&error))?;
        let session = Session::new(options, zones);
        self.state = State::Running(Box::new(Running { timeline, session, snapshot: None }));
        Ok(wit::Restoration { records: report.0, valid_bytes: report.1, preamble })
    }

    pub fn tools(&self) -> Vec<wit::ToolSpec> {
        match &self.state {
            State::Running(running) => {
                let options = &running.session.options;
                let is_manual = |mode: Mode| !mode.allows(Caller::Agent, options);
                registry::enabled(options).map(|tool| convert::tool(tool, is_manual)).collect()
            }
            State::Replaying(_) | State::Failed(_) => Vec::new(),
        }
    }

    pub fn call(&mut self, call: wit::ToolCall, answers: Vec<wit::Answer>) -> wit::Step {
        self.out = Out::default();
        let outcome = |outcome| wit::Step::Done(wit::Done { outcome, record_size: 0, pack_size: 0 });
        let running = match self.state.running() {
            Ok(running) => running,
            Err(fault) => return outcome(Err(convert::error(fault::of_a_call(fault)))),
        };
        let answers = match convert::answers(answers) {
            Ok(answers) => answers,
            Err(error) => return outcome(Err(convert::error(error))),
        };
        let deadline = Deadline::after(monotonic_clock::now, call.time_allowed);
        let call = convert::call(call);
        kernel::begin(call.now.nanos, self.options.seed);
        let mut embedding = ComponentEmbedding { timeline: &running.timeline, attachments: &self.attachments };
        let step = tools::dispatch(&mut running.session, &call, &answers, deadline, &mut embedding);
        let after = kernel::end(&self.options);
        if matches!(step, tools::Step::Done(_)) {
            // The tree holds the attachments that the call placed. The others would fill the
            // memory.
            self.attachments.clear();
        }
        match step {
            tools::Step::Done(Ok(finished)) => {
                let meta = Meta::of(&call, &finished.text);
                let record = match finished.effect {
                    Effect::Keep => Ok(running.commit(after, meta, true)),
                    Effect::Fact => Ok(running.commit(after, meta, false)),
                    Effect::Settled => Ok(running.settle(after, meta)),
                    Effect::Undo(steps) => {
                        running.put_back(&after);
                        running.undo(steps as usize, meta)
                    }
                };
                match record {
                    Ok(record) => self.out = record,
                    Err(error) => {
                        return outcome(Err(convert::error(cannot_undo(&running.timeline, error))));
                    }
                }
                let is_lost = finished.effect == Effect::Keep && self.out.len() > 0 && running.is_beyond_undo();
                let mut finished = if is_lost { finished.beyond_undo() } else { finished };
                let (record_size, pack) = (self.out.len(), std::mem::take(&mut finished.pack));
                let pack_size = pack.len() as u64;
                self.out.add(pack);
                wit::Step::Done(wit::Done { outcome: Ok(convert::result(finished)), record_size, pack_size })
            }
            tools::Step::Done(Err(error)) => {
                running.put_back(&after);
                outcome(Err(convert::error(error)))
            }
            tools::Step::Ask(question) => {
                running.put_back(&after);
                let (question, out) = convert::question(*question);
                self.out = Out::from(out);
                wit::Step::Ask(question)
            }
        }
    }

    pub fn undo(&mut self, steps: u32, now: u64) -> Result<wit::Undone, wit::Fault> {
        let running = self.state.running()?;
        if steps == 0 {
            return Err(misuse("an undo must take back at least one call"));
        }
        let refused = |running: &Running, error| fault::cannot_undo(cannot_undo(&running.timeline, error));
        let entries = running.timeline.steps_to_undo(steps as usize).map_err(|error| refused(running, error))?;
        let calls = entries.into_iter().filter_map(past).map(|past| past.id).collect();
        let undone = running.undo(steps as usize, Meta::of_undo(steps, now));
        self.out = undone.map_err(|error| refused(running, error))?;
        Ok(wit::Undone { calls, record_size: self.out.len() })
    }

    pub fn read_out(&self, offset: u64, len: u32) -> Vec<u8> {
        self.out.read(offset, len)
    }

    pub fn snapshot(&mut self, part: u32) -> Result<u64, wit::Fault> {
        let keep = self.options.limits.undo_steps as usize;
        let running = self.state.running()?;
        if part == 0 {
            running.snapshot = Some(running.timeline.snapshot(keep));
        }
        let snapshot = running.snapshot.as_mut().ok_or_else(|| misuse("a snapshot must begin with part 0"))?;
        self.out = Out::from(snapshot.next().unwrap_or_default());
        Ok(self.out.len())
    }

    pub fn compacted(&mut self) -> Result<(), wit::Fault> {
        let running = self.state.running()?;
        let snapshot = running.snapshot.take().ok_or_else(|| misuse("no snapshot was taken"))?;
        running.timeline.compacted(&snapshot).map_err(|error| misuse(&error.to_string()))
    }

    pub fn attachments(&self) -> Vec<Vec<u8>> {
        match &self.state {
            State::Running(running) => running.timeline.attachments().into_iter().map(Vec::from).collect(),
            State::Replaying(_) | State::Failed(_) => Vec::new(),
        }
    }
}

impl State {
    fn replaying(&mut self) -> Result<&mut Option<Box<Replayer>>, wit::Fault> {
        match self {
            State::Replaying(replayer) => Ok(replayer),
            State::Running(_) => Err(misuse("the sandbox has already started")),
            State::Failed(fault) => Err(fault.clone()),
        }
    }

    fn running(&mut self) -> Result<&mut Running, wit::Fault> {
        match self {
            State::Running(running) => Ok(running),
            State::Replaying(_) => Err(misuse("the sandbox has not started")),
            State::Failed(fault) => Err(fault.clone()),
        }
    }
}

fn sandbox_id(options: &wit::Options) -> Result<[u8; 16], wit::Fault> {
    options.sandbox.as_slice().try_into().map_err(|_| misuse("a sandbox's name must have 16 bytes"))
}

fn undo_limits(options: &wit::Options) -> UndoLimits {
    UndoLimits { roots: options.limits.undo_steps as usize, bytes: options.limits.undo_bytes, history: HISTORY }
}
