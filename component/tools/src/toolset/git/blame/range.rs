//! The requested lines.

use gix::bstr::BStr;

use super::spans::Span;
use crate::error::ToolError;

/// The first and the last line, counted from one, if given: git's `-L`.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub start: Option<u32>,
    pub end: Option<u32>,
}

impl Range {
    /// The lines of the file at `path`, which has `lines` lines. A range may end after the file,
    /// but not begin there.
    pub fn of(self, lines: usize, path: &BStr) -> Result<Span, ToolError> {
        let lines = u32::try_from(lines).map_err(|_| ToolError::failed(format!("{path} has too many lines")))?;
        let start = self.start.unwrap_or(1);
        let is_named = self.start.is_some() || self.end.is_some();
        if is_named && lines < start {
            let plural = if lines == 1 { "" } else { "s" };
            return Err(ToolError::bad_args(format!("fatal: file {path} has only {lines} line{plural}"))
                .hint("Name lines that the file has, or omit start_line and end_line."));
        }
        let end = self.end.map_or(lines, |end| end.min(lines));
        Ok(Span { line: start - 1, origin: start - 1, count: end.saturating_sub(start - 1) })
    }
}
