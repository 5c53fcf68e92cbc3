//! The call that asks the component for the commits of an export.

use std::ops::ControlFlow;
use std::path::Path;

use bytes::Bytes;
use gate::push::PushRequest;
use gix_hash::ObjectId;

use crate::answer::call::invocation::{self, End, Found};
use crate::answer::call::questions::Answering;
use crate::answer::call::suspend::Halting;
use crate::answer::export::{Export, KIND};
use crate::answer::repository::fetch;
use crate::answer::{Reply, misbehaved};
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::session::{Question, Step};
use crate::wit;

/// The call that asks for the commits, and the sandbox that it is made in.
pub(super) struct Exporting<'a> {
    pub(super) export: &'a mut Export,
    pub(super) sandbox: &'a mut Sandbox,
}

/// What ends that call.
pub(super) enum Wants {
    /// The commits that the bundle gets.
    Push(Box<PushRequest>),
    /// Something that is in the way.
    Reply(Reply),
}

impl Answering for Exporting<'_> {
    type End = Wants;

    fn step(&mut self, answers: &[wit::Answer]) -> Result<Step> {
        let invocation = &self.export.invocation;
        invocation::step(self.sandbox, &invocation.call, answers, &invocation.brought).map(|(step, _)| step)
    }

    fn find(
        &mut self,
        _: &[u8],
        question: &Question,
        _: &[wit::Answer],
    ) -> Halting<ControlFlow<Wants, wit::AnswerBody>> {
        let Exporting { export, sandbox } = self;
        Ok(match question {
            // The person requested the export and approves its content later.
            Question::Approval(_) => ControlFlow::Continue(wit::AnswerBody::Approved),
            Question::Refs(named) if named.kind == KIND && Path::new(&named.location) == export.file => {
                let (target, head) = (export.place.to_string(), Some(export.branch.to_string()));
                ControlFlow::Continue(wit::AnswerBody::Refs(wit::Refs { target, head, references: Vec::new() }))
            }
            Question::Refs(_) => return Err(misbehaved("it asked for a target other than the given one").into()),
            Question::Push { push, pack } => {
                ControlFlow::Break(Wants::Push(Box::new(request(export, sandbox, push, pack)?)))
            }
            Question::Commits(_) => return Err(misbehaved("it asked a bundle for commits").into()),
            Question::Comments(_) => return Err(misbehaved("it answers comments where it was to export").into()),
            Question::Blobs(wanted) => match fetch::blobs(&mut export.invocation, wanted, sandbox)? {
                Found::Continue(body) => ControlFlow::Continue(body),
                Found::Break(End::Over(reply)) => ControlFlow::Break(Wants::Reply(reply)),
                Found::Break(End::Ruled(_) | End::Revise(_)) => {
                    return Err(misbehaved("it pushes where it was to ask for files").into());
                }
            },
        })
    }
}

/// What the component wants to export, if it is what it was asked for.
fn request(export: &Export, sandbox: &Sandbox, push: &wit::Push, pack: &Bytes) -> Result<PushRequest> {
    let new =
        ObjectId::from_hex(push.new.as_bytes()).map_err(|_| misbehaved("it names a commit with an invalid id"))?;
    if push.target != export.place.to_string() || push.reference != export.branch.as_str() || push.old.is_some() {
        return Err(misbehaved("it pushes to a place other than the given one"));
    }
    Ok(PushRequest {
        sandbox: sandbox.file.id.name(),
        target: export.place.clone(),
        reference: export.branch.clone(),
        old: None,
        new,
        pack: pack.clone(),
    })
}
