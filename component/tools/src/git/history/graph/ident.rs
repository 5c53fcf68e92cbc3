//! Parses the person and time in a line of a commit or tag: `Name <mail> 1767225600 +0100`.

use gix::bstr::{BStr, ByteSlice};

use crate::git::words::dates::Stamp;
use crate::git::words::space::TrimSpace;

/// The parts of a person's line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ident<'a> {
    /// Without trailing white space.
    pub name: &'a BStr,
    /// Without the angle brackets.
    pub mail: &'a BStr,
    /// `None` if the date is incomplete.
    pub date: Option<Stamp>,
    /// The digits of the date's seconds.
    pub seconds: &'a BStr,
}

impl<'a> Ident<'a> {
    /// Splits `line`. `None` if it has no mail address.
    pub fn parse(line: &'a BStr) -> Option<Ident<'a>> {
        let start = line.find_byte(b'<')?;
        let length = line[start + 1..].find_byte(b'>')?;
        let name = line[..start].trim_space_end().as_bstr();
        let mail = line[start + 1..start + 1 + length].as_bstr();
        // If the mail address has brackets in it, the date follows the last one.
        let last = line.rfind_byte(b'>').expect("one was found above");
        let date = line[last + 1..].trim_space_start();
        let digits = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
        Some(Ident { name, mail, date: Stamp::parse(date.as_bstr()), seconds: date[..digits].as_bstr() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_git_reads_it() {
        let line = b"A U Thor  <a@b> 12 -0130".as_bstr();
        let ident = Ident::parse(line).unwrap();
        assert_eq!((ident.name, ident.mail), ("A U Thor".into(), "a@b".into()));
        assert_eq!(ident.date, Some(Stamp { seconds: 12, zone: -130 }));
        let bracket = Ident::parse(b"<a> b> 12 +0000".as_bstr()).unwrap();
        assert_eq!((bracket.name, bracket.mail), ("".into(), "a".into()));
        assert_eq!(bracket.seconds, "12");
        assert_eq!(Ident::parse(b"A <a@b>".as_bstr()).unwrap().date, None);
        assert_eq!(Ident::parse(b"A <a@b> 12".as_bstr()).unwrap().date, None);
        assert_eq!(Ident::parse(b"nobody".as_bstr()), None);
    }
}
