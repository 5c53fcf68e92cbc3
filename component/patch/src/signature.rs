//! Commits with signatures, as git writes them: the header `gpgsig` is the last one, and signs the rest of the commit
//! (`commit.c`, `add_header_signature` and `parse_signed_commit`).

use bstr::ByteSlice;

const HEADER: &[u8] = b"gpgsig ";

/// The commit with other parents: each for which `successor` has another id.
pub fn with_parents(commit: &[u8], successor: &dyn Fn(&[u8]) -> Option<String>) -> Vec<u8> {
    let mut out = Vec::with_capacity(commit.len());
    let mut rest = commit;
    while let Some(line) = rest.lines_with_terminator().next().filter(|line| *line != b"\n") {
        let parent = line.strip_prefix(b"parent ").map(ByteSlice::trim_end);
        match parent.and_then(successor) {
            Some(id) => out.extend_from_slice(format!("parent {id}\n").as_bytes()),
            None => out.extend_from_slice(line),
        }
        rest = &rest[line.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// The commit with this signature, whose lines have their ends.
pub fn with_signature(commit: &[u8], signature: &str) -> Vec<u8> {
    let end = commit.find(b"\n\n").map_or(commit.len(), |blank| blank + 1);
    let mut out = Vec::with_capacity(commit.len() + signature.len() + 64);
    out.extend_from_slice(&commit[..end]);
    for (at, line) in signature.lines().enumerate() {
        out.extend_from_slice(if at == 0 { HEADER } else { b" " });
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(&commit[end..]);
    out
}

/// The commit without its signature, and the signature: its lines with their ends. `None` if it has none.
pub fn split(commit: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let end = commit.find(b"\n\n").map_or(commit.len(), |blank| blank + 1);
    let (mut rest, mut signature, mut is_within) = (Vec::with_capacity(commit.len()), Vec::new(), false);
    for line in commit[..end].lines_with_terminator() {
        is_within = line.starts_with(HEADER) || is_within && line.starts_with(b" ");
        match is_within {
            true => signature.extend_from_slice(line.strip_prefix(HEADER).unwrap_or(&line[1..])),
            false => rest.extend_from_slice(line),
        }
    }
    rest.extend_from_slice(&commit[end..]);
    (!signature.is_empty()).then_some((rest, signature))
}

/// Whether the commit has a signature.
pub fn is_signed(commit: &[u8]) -> bool {
    let headers = &commit[..commit.find(b"\n\n").map_or(commit.len(), |blank| blank + 1)];
    headers.lines().any(|line| line.starts_with(HEADER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &[u8] =
        b"tree 1\nparent 2\nparent 3\nauthor A <a> 0 +0000\ncommitter A <a> 0 +0000\n\nparent 2\n\nb\n";

    #[test]
    fn parents_are_renamed_in_the_headers_only() {
        let renamed = with_parents(COMMIT, &|id| (id == b"2").then(|| "9".to_owned()));
        assert_eq!(renamed.as_bstr(), COMMIT.replacen(b"parent 2", b"parent 9", 1).as_bstr());
        assert_eq!(with_parents(b"tree 1\n", &|_| None), b"tree 1\n");
    }

    #[test]
    fn a_signature_is_the_last_header() {
        let signed = with_signature(COMMIT, "one\n\nthree\n");
        let expected = COMMIT.replacen(b"+0000\n\n", b"+0000\ngpgsig one\n \n three\n\n", 1);
        assert_eq!(signed.as_bstr(), expected.as_bstr());
        assert_eq!(split(&signed), Some((COMMIT.to_owned(), b"one\n\nthree\n".to_vec())));
        assert!(is_signed(&signed) && !is_signed(COMMIT) && split(COMMIT).is_none());
        assert!(!is_signed(b"tree 1\n\ngpgsig one\n"));
    }
}
