//! What is shown of a change.

/// What is shown of a change.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The path.
    Names,
    /// How many lines, and the patch with so many lines of context, if a number is given.
    Stat(Option<u32>),
    /// The patch, with so many lines of context.
    Patch(u32),
    /// How many lines in all, and which paths are new, gone or moved (`--shortstat --summary`).
    Summary,
}

impl Form {
    /// Lines of context unless a call asks for others.
    pub const CONTEXT: u32 = 3;

    /// Lines of context, where there are patches.
    pub fn context(self) -> Option<u32> {
        match self {
            Form::Names | Form::Stat(None) | Form::Summary => None,
            Form::Stat(Some(context)) | Form::Patch(context) => Some(context),
        }
    }
}
