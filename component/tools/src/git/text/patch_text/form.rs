//! The forms of a diff.

/// The form of a diff.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Only the path.
    Names,
    /// The numbers of lines, and with a number also the patch with that many lines of context.
    Stat(Option<u32>),
    /// The numbers of lines, and the added, deleted and renamed paths (`--stat --summary`).
    StatAndSummary,
    /// The patch, with this many lines of context.
    Patch(u32),
    /// The total number of lines, and the added, deleted and renamed paths (`--shortstat --summary`).
    Summary,
}

impl Form {
    /// The default number of context lines.
    pub const CONTEXT: u32 = 3;

    /// The number of context lines, if the form has patches.
    pub fn context(self) -> Option<u32> {
        match self {
            Form::Names | Form::Stat(None) | Form::StatAndSummary | Form::Summary => None,
            Form::Stat(Some(context)) | Form::Patch(context) => Some(context),
        }
    }
}
