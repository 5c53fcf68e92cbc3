//! Expands `$Id$` for the working folder (gitattributes, "ident").

use gix::ObjectId;
use gix::bstr::ByteSlice;

/// Writes the id of the blob into each `$Id$` of `content`. This replaces an older id in git's form, and keeps the keywords of other
/// systems. `None` if nothing changes.
pub fn expanded(content: &[u8], id: ObjectId) -> Option<Vec<u8>> {
    let mut expanded: Option<Vec<u8>> = None;
    let (mut done, mut at) = (0, 0);
    while let Some(dollar) = content[at..].find_byte(b'$') {
        at += dollar + 1;
        match keyword(&content[at..]) {
            Keyword::None => {}
            Keyword::Open => break,
            Keyword::Of(length) => {
                let out = expanded.get_or_insert_default();
                out.extend_from_slice(&content[done..at]);
                out.extend_from_slice(format!("Id: {id} $").as_bytes());
                at += length;
                done = at;
            }
        }
    }
    expanded.map(|mut out| {
        out.extend_from_slice(&content[done..]);
        out
    })
}

/// The text after a dollar.
enum Keyword {
    /// No keyword.
    None,
    /// `Id:` without another dollar after it.
    Open,
    /// `Id$` or `Id: name $`, with its length in bytes.
    Of(usize),
}

fn keyword(text: &[u8]) -> Keyword {
    if text.starts_with(b"Id$") {
        return Keyword::Of(3);
    }
    let Some(rest) = text.strip_prefix(b"Id:") else { return Keyword::None };
    let Some(end) = rest.find_byte(b'$') else { return Keyword::Open };
    let name = &rest[..end];
    // git's own form has one space before the id and one after it.
    let odd_space = name.get(1..).and_then(|name| name.find_byte(b' ')).is_some_and(|space| space + 2 < name.len());
    match name.contains(&b'\n') || odd_space {
        true => Keyword::None,
        false => Keyword::Of(3 + end + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_git_would_write_is_replaced() {
        let id = ObjectId::null(gix::hash::Kind::Sha1);
        let name = format!("$Id: {id} $");
        let is = |content: &str| expanded(content.as_bytes(), id).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(is("a $Id$ b $Id$\n"), Some(format!("a {name} b {name}\n")));
        assert_eq!(is("$Id: 0123 $"), Some(name.clone()));
        assert_eq!(is("$Id:$ $Id: old$"), Some(format!("{name} {name}")));
        for same in ["$Idle$", "$Id: a,v 1.2 2003 $", "$Id:\n$", "Id$", "$Id: open", "", "$Id: x\n$Id: open"] {
            assert_eq!(is(same), None, "{same}");
        }
    }
}
