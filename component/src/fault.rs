//! Messages and hints of faults.

use tools::ToolError;
use vfs::journal::{JournalError, JournalErrorKind};
use wit::{Fault, FaultKind};

/// The host used the interface out of order.
pub fn misuse(message: &str) -> Fault {
    let hint = "Follow the order of calls in the interface's documentation.";
    Fault { kind: FaultKind::Misuse, message: message.to_owned(), hint: hint.to_owned() }
}

/// The journal cannot be replayed.
pub fn journal(error: &JournalError) -> Fault {
    let kind = match error.kind {
        JournalErrorKind::Version | JournalErrorKind::Foreign => FaultKind::ForeignJournal,
        JournalErrorKind::MissingAttachment => FaultKind::MissingAttachment,
        JournalErrorKind::NotAJournal
        | JournalErrorKind::Damaged
        | JournalErrorKind::Order
        | JournalErrorKind::Malformed => FaultKind::DamagedJournal,
    };
    Fault { kind, message: error.to_string(), hint: error.hint().to_owned() }
}

/// The limits leave no room for a zone's folder.
pub fn out_of_space(zone: &str) -> Fault {
    let message = format!("The limits leave no room for the folder of zone {zone}");
    Fault { kind: FaultKind::OutOfSpace, message, hint: "Open the sandbox with a higher files limit.".to_owned() }
}

/// A fault as the outcome of a call.
pub fn of_a_call(fault: Fault) -> ToolError {
    ToolError::failed(fault.message).hint(fault.hint)
}

/// Fewer calls can be undone than the host asked for.
pub fn cannot_undo(error: ToolError) -> Fault {
    Fault { kind: FaultKind::NothingToUndo, message: error.message, hint: error.hint }
}
