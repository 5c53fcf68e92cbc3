//! Signs the commits of a push before anybody is shown them: what is approved is what lands. Only the host has the signatures until then, and
//! a push that cannot be signed is not proposed.

use gate::objects::Objects;
use gate::push::CheckedPush;
use gate::signing::{Failed, Signature, Signed};

use crate::answer::wording::tool_error;
use crate::platform::{Platform, Signer};
use crate::store::Pending;
use crate::wit;

/// Signs those commits of the push that have to be: as they were signed for one of the `earlier` pushes, or anew. `given` is what the host
/// has given to the sandbox.
pub(crate) fn sign(
    push: &CheckedPush,
    given: &dyn Objects,
    signer: &dyn Signer,
    earlier: &[Pending],
    platform: &dyn Platform,
) -> Result<Signed, wit::AnswerBody> {
    let _signing = platform.doing("Signing the commits");
    let known = |commit, content: &[u8]| {
        let mut all = earlier.iter().flat_map(|pending| &pending.signatures);
        let found = all.find(|signature| signature.commit == commit && signature.is_of(content));
        found.map(|signature| signature.text.clone())
    };
    let mut sign = |id: &_, content: &[u8]| match known(*id, content) {
        Some(text) => Ok(text),
        None => signer.sign(content),
    };
    push.sign(given, &mut sign).map_err(|failed| match failed {
        Failed::Fault(fault) => tool_error::fault(&fault),
        Failed::Signer(error) => tool_error::host(&error, platform),
    })
}

/// What the sandbox is told of the signatures.
pub(crate) fn answer(signatures: &[Signature]) -> wit::AnswerBody {
    let signature = |one: &Signature| wit::Signature { commit: one.commit.to_string(), text: one.text.clone() };
    wit::AnswerBody::Signatures(signatures.iter().map(signature).collect())
}
