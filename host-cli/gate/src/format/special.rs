//! Files that git obeys in every clone: `.gitmodules` and `.gitattributes`. The rules are those of
//! git's fsck. Where git parses leniently, anything unparsable is refused.

use super::{
    Broken,
    config::{self, Variable},
    dotgit,
};

/// A file with a meaning for git, by its name in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    /// `.gitmodules`, under any name that some filesystem takes for it.
    Modules,
    /// `.gitattributes`, likewise.
    Attributes,
}

/// The most bytes of one line of `.gitattributes`. git ignores longer lines, and its fsck refuses
/// them.
const ATTRIBUTES_LINE: usize = 2048;
/// The most bytes of one `.gitmodules`. A thousand submodules take a tenth of it.
const MODULES_BYTES: usize = 1 << 20;
/// The most bytes of one `.gitattributes`. git ignores larger ones.
const ATTRIBUTES_BYTES: usize = 100 << 20;

impl Special {
    /// The meaning of `name` for git.
    pub fn named(name: &[u8]) -> Option<Self> {
        // For most names, the first letter and the absence of two others decide.
        if name.first().is_some_and(u8::is_ascii_alphanumeric) && !name.iter().any(|byte| matches!(byte, b'~' | b'\\'))
        {
            return None;
        }
        if dotgit::is_gitmodules(name) {
            return Some(Special::Modules);
        }
        dotgit::is_gitattributes(name).then_some(Special::Attributes)
    }

    /// Checks the content of the file.
    pub fn check(self, content: &[u8]) -> Result<(), Broken> {
        match self {
            Special::Modules => modules(content),
            Special::Attributes => attributes(content),
        }
    }
}

fn attributes(content: &[u8]) -> Result<(), Broken> {
    const HINT: &str = "shorten the lines of .gitattributes";
    if content.len() > ATTRIBUTES_BYTES {
        return Err(Broken::format(format!(".gitattributes has more than {ATTRIBUTES_BYTES} bytes")).with_hint(HINT));
    }
    if content.split(|byte| *byte == b'\n').any(|line| line.len() >= ATTRIBUTES_LINE) {
        let most = ATTRIBUTES_LINE - 1;
        return Err(Broken::format(format!(".gitattributes has a line of more than {most} bytes")).with_hint(HINT));
    }
    Ok(())
}

fn modules(content: &[u8]) -> Result<(), Broken> {
    if content.len() > MODULES_BYTES {
        return Err(Broken::format(format!(".gitmodules has more than {MODULES_BYTES} bytes")));
    }
    config::read(content, &mut module)
}

/// One variable of `.gitmodules`.
fn module(variable: &Variable<'_>) -> Result<(), Broken> {
    let Some(name) = variable.section.strip_prefix(b"submodule.").and_then(|name| name.strip_suffix(b".")) else {
        return Ok(());
    };
    let refused = |what: &str| {
        Broken::format(format!("the submodule '{}' of .gitmodules {what}", crate::text::name(name)))
            .with_hint("change .gitmodules: git refuses to clone this submodule")
    };
    if variable.first && is_unsafe_name(name) {
        return Err(refused("has a name that leads outside its folder"));
    }
    match (variable.key, variable.value) {
        (b"url", Some(url)) if unsafe_url(url) => Err(refused("has a url that git rejects")),
        (b"path", Some(path)) if path.starts_with(b"-") => Err(refused("has a path that looks like an option")),
        (b"update", Some(update)) if update.starts_with(b"!") => Err(refused("runs a command to update")),
        _ => Ok(()),
    }
}

/// Whether a submodule's name leads out of the folder where git keeps submodules.
fn is_unsafe_name(name: &[u8]) -> bool {
    name.is_empty() || name.split(|byte| is_separator(*byte)).any(|part| part == b"..")
}

/// The separators of some system.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Whether git refuses a submodule's URL: one that looks like an option, that puts a line feed into
/// the request to a credential helper, or that gets a host of its own when git appends it to
/// another URL.
fn unsafe_url(url: &[u8]) -> bool {
    let up = |url: &[u8]| url.starts_with(b"..") && url.get(2).is_some_and(|byte| is_separator(*byte));
    let here = |url: &[u8]| url.starts_with(b".") && url.get(1).is_some_and(|byte| is_separator(*byte));
    if url.starts_with(b"-") {
        return true;
    }
    if up(url) || here(url) {
        let (mut rest, mut above) = (url, false);
        loop {
            rest = match rest {
                _ if up(rest) => {
                    above = true;
                    &rest[3..]
                }
                _ if here(rest) => &rest[2..],
                _ => break,
            };
        }
        return has_line_feed(url) || above && matches!(rest.first(), Some(b':' | b'/'));
    }
    for scheme in [&b"http"[..], b"https", b"ftp", b"ftps"] {
        if let Some(rest) = url.strip_prefix(scheme) {
            if let Some(other) = rest.strip_prefix(b"::") {
                return !is_web_url(other);
            }
            if rest.starts_with(b"://") {
                return !is_web_url(url);
            }
        }
    }
    false
}

/// Whether `url` has a line feed, directly or after decoding.
fn has_line_feed(url: &[u8]) -> bool {
    url.contains(&b'\n') || url.windows(3).any(|three| three.eq_ignore_ascii_case(b"%0a"))
}

/// Whether git's own parser accepts `url`, and curl and credential helpers read it alike. Stricter
/// than git in one point: no part of the path may be `..`.
fn is_web_url(url: &[u8]) -> bool {
    let Some(colon) = url.windows(3).position(|three| three == b"://") else {
        return false;
    };
    let (scheme, rest) = (&url[..colon], &url[colon + 3..]);
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-');
    if scheme.is_empty() || !scheme.iter().all(word) || has_line_feed(url) {
        return false;
    }
    let mut escapes = url.split(|byte| *byte == b'%').skip(1);
    if !escapes.all(|after| after.len() > 1 && after[..2].iter().all(u8::is_ascii_hexdigit)) {
        return false;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let place = authority.iter().position(|byte| *byte == b'@').map_or(authority, |at| &authority[at + 1..]);
    let (host, port) = match place.iter().rposition(|byte| matches!(byte, b':' | b']')) {
        Some(at) if place[at] == b':' => (&place[..at], &place[at + 1..]),
        _ => (place, &b""[..]),
    };
    let of_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'[' | b':' | b']');
    if host.is_empty() || !host.iter().all(of_host) || !is_port(port) {
        return false;
    }
    let path = path.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
    let path = path.to_ascii_lowercase();
    !bstr::ByteSlice::replace(&path[..], "%2e", ".").split(|byte| *byte == b'/').any(|part| part == b"..")
}

/// Whether the part after the last colon is a port or empty.
fn is_port(port: &[u8]) -> bool {
    let digits = &port[port.iter().take_while(|byte| **byte == b'0').count()..];
    let number = digits.iter().try_fold(0u32, |number, digit| {
        (digit.is_ascii_digit() && number < 10_000).then(|| number * 10 + u32::from(digit - b'0'))
    });
    port.is_empty() || number.is_some_and(|number| (1..=65_535).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_21_a_section_s_name_is_looked_at_once() {
        let variable = |first| Variable { section: b"submodule.../up.", first, key: b"path", value: Some(b"x") };
        assert!(module(&variable(true)).is_err());
        assert!(module(&variable(false)).is_ok(), "the first variable has been refused");
    }
}
