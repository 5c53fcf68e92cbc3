//! How the lines of a file end, and texts that follow it.

use std::borrow::Cow;

use gix::bstr::ByteSlice;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LineEnds {
    /// It has no line end.
    None,
    /// All end with LF.
    Lf,
    /// All end with CRLF.
    Crlf,
    /// Some end with LF, and some with CRLF.
    Mixed,
}

impl LineEnds {
    /// Those of a file. Like git, takes a file with a NUL for binary: its bytes are no lines, so nothing follows them.
    pub fn of(content: &[u8]) -> LineEnds {
        if content.contains(&0) {
            return LineEnds::None;
        }
        LineEnds::of_text(content)
    }

    fn of_text(text: &[u8]) -> LineEnds {
        let (mut lf, mut crlf) = (false, false);
        for at in text.find_iter("\n") {
            match at.checked_sub(1).map(|before| text[before]) {
                Some(b'\r') => crlf = true,
                _ => lf = true,
            }
            if lf && crlf {
                return LineEnds::Mixed;
            }
        }
        match (lf, crlf) {
            (true, _) => LineEnds::Lf,
            (_, true) => LineEnds::Crlf,
            _ => LineEnds::None,
        }
    }

    /// `text` with its line breaks as all lines of the file end. Unchanged if the file's lines do not agree.
    pub fn follow(self, text: &[u8]) -> Cow<'_, [u8]> {
        match (self, LineEnds::of_text(text)) {
            (LineEnds::Crlf, LineEnds::Lf | LineEnds::Mixed) => {
                Cow::Owned(text.replace("\r\n", "\n").replace("\n", "\r\n"))
            }
            (LineEnds::Lf, LineEnds::Crlf | LineEnds::Mixed) => Cow::Owned(text.replace("\r\n", "\n")),
            _ => Cow::Borrowed(text),
        }
    }

    /// Its name, where its lines agree.
    pub fn name(self) -> Option<&'static str> {
        match self {
            LineEnds::Lf => Some("LF"),
            LineEnds::Crlf => Some("CRLF"),
            LineEnds::None | LineEnds::Mixed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_line_ends_if_all_its_lines_agree() {
        for (content, ends) in [
            ("", LineEnds::None),
            ("one", LineEnds::None),
            ("one\rtwo", LineEnds::None),
            ("one\n", LineEnds::Lf),
            ("\n\r\r\n", LineEnds::Mixed),
            ("one\r\ntwo", LineEnds::Crlf),
            ("one\r\ntwo\n", LineEnds::Mixed),
            ("\0\r\n", LineEnds::None),
        ] {
            assert_eq!(LineEnds::of(content.as_bytes()), ends, "{content:?}");
        }
    }

    #[test]
    fn a_text_follows_a_file_whose_lines_agree() {
        for (ends, text, followed) in [
            (LineEnds::Crlf, "a\nb\r\nc", "a\r\nb\r\nc"),
            (LineEnds::Lf, "a\nb\r\nc", "a\nb\nc"),
            (LineEnds::Lf, "a\rb", "a\rb"),
            (LineEnds::Mixed, "a\nb\r\nc", "a\nb\r\nc"),
            (LineEnds::None, "a\nb\r\nc", "a\nb\r\nc"),
        ] {
            assert_eq!(&*ends.follow(text.as_bytes()), followed.as_bytes(), "{ends:?} {text:?}");
        }
    }
}
