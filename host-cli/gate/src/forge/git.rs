//! Any git server, by URL. Its repositories have names, which are checked, and no exchange reaches them.

use super::{Misspelt, Row};

pub(super) const ROW: Row = Row {
    word: "git",
    name: "a git server",
    place: "URL",
    example: "https://host/path",
    addresses: &[],
    canonical: |url| fault(url).map_or_else(|| Ok(url.to_owned()), Err),
    read,
    open: None,
    is_about: |_, _| false,
    propose: None,
};

/// Why `url` is none that a push could go to.
fn fault(url: &str) -> Option<&'static str> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme @ ("https" | "http" | "ssh" | "git"), rest)) => (scheme, rest),
        _ => return Some("it is not an https, http, ssh or git URL"),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains(['?', '#']) {
        // To git all before the slash is the host, with a user before the last '@'; to others the
        // host ends here.
        return Some("its host name has a '?' or '#'");
    }
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if user.is_some_and(|user| scheme != "ssh" || user.contains(':') || user.is_empty() || user.starts_with('-')) {
        return Some("it carries a user name or password");
    }
    if host.is_empty() || host.starts_with('-') || host.starts_with(':') {
        return Some("it has no host name");
    }
    url.bytes().any(|byte| byte == b' ' || byte == b'\\').then_some("it has a space or backslash")
}

fn read(place: &str) -> Result<String, Misspelt> {
    let Some((scheme, rest)) = place.split_once("://") else {
        // No hint says how to write one: it could not be reached.
        return Err(Misspelt::new(format!("`{place}` is not a URL with a scheme")));
    };
    if !matches!(scheme, "https" | "http" | "ssh" | "git") {
        return Err(Misspelt::new(format!("gitgate does not support `{scheme}://`")));
    }
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if rest.starts_with('-') || host.is_empty() || host.starts_with(['-', '/']) {
        return Err(Misspelt::new(format!("`{place}` has no usable host")));
    }
    Ok(place.to_owned())
}
