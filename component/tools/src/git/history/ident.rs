//! Who and when, as a line of a commit or a tag says it: `Name <mail> 1767225600 +0100`.

use gix::bstr::{BStr, ByteSlice};
use gix::date::Time;

/// The parts of such a line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ident<'a> {
    /// Without white space at its end.
    pub name: &'a BStr,
    /// Without the angle brackets.
    pub mail: &'a BStr,
    /// Digits, and a sign and digits; none where the line lacks one of them.
    pub date: Option<(&'a BStr, &'a BStr)>,
}

impl<'a> Ident<'a> {
    /// The parts of `line`; none where there is no mail in it.
    pub fn parse(line: &'a BStr) -> Option<Ident<'a>> {
        let start = line.find_byte(b'<')?;
        let length = line[start + 1..].find_byte(b'>')?;
        let name = line[..start].trim_ascii_end().as_bstr();
        let mail = line[start + 1..start + 1 + length].as_bstr();
        // Where a mail has a bracket in it, the date comes behind the last one.
        let last = line.rfind_byte(b'>').expect("one was found above");
        Some(Ident { name, mail, date: date(line[last + 1..].as_bstr()) })
    }

    /// The moment and the zone. A number that is too large counts as the epoch, as in git.
    pub fn time(&self) -> Option<Time> {
        let (seconds, zone) = self.date?;
        let seconds = seconds.to_str().ok()?.parse::<i64>().unwrap_or(0);
        Some(Time { seconds, offset: offset(zone) })
    }
}

fn date(text: &BStr) -> Option<(&BStr, &BStr)> {
    let text = text.trim_ascii_start();
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (seconds, rest) = text.split_at(digits(text));
    let rest = rest.trim_ascii_start();
    let sign = rest.first().filter(|byte| matches!(byte, b'+' | b'-'));
    let length = 1 + digits(rest.get(1..)?);
    let is_whole = !seconds.is_empty() && sign.is_some() && length > 1;
    is_whole.then(|| (seconds.as_bstr(), rest[..length].as_bstr()))
}

/// `-0130` in seconds.
fn offset(zone: &BStr) -> i32 {
    let value = zone.to_str().ok().and_then(|zone| zone.parse::<i32>().ok()).unwrap_or(0);
    let minutes = (value / 100).saturating_mul(60).saturating_add(value % 100);
    minutes.saturating_mul(60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_git_reads_it() {
        let line = b"A U Thor  <a@b> 12 -0130".as_bstr();
        let ident = Ident::parse(line).unwrap();
        assert_eq!((ident.name, ident.mail), ("A U Thor".into(), "a@b".into()));
        assert_eq!(ident.time(), Some(Time { seconds: 12, offset: -5400 }));
        let bracket = Ident::parse(b"<a> b> 12 +0000".as_bstr()).unwrap();
        assert_eq!((bracket.name, bracket.mail), ("".into(), "a".into()));
        assert!(bracket.date.is_some());
        assert_eq!(Ident::parse(b"A <a@b>".as_bstr()).unwrap().date, None);
        assert_eq!(Ident::parse(b"A <a@b> 12".as_bstr()).unwrap().date, None);
        assert_eq!(Ident::parse(b"nobody".as_bstr()), None);
    }
}
