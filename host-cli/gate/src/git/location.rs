//! Where a repository is: an address that git itself would take, in one spelling.

use crate::forge::{Forge, Misspelt};
use crate::target::{CanonicalTarget, TargetKind};

/// How an address is written, for whoever wrote none.
const HOW: &str = "write https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH";

/// The address of a repository, in the one spelling that approvals are bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Location(String);

impl Location {
    /// The address `text`.
    ///
    /// # Errors
    /// Why it is none that is reached, as the end of a sentence.
    pub fn of(text: &str) -> Result<Self, &'static str> {
        let spelled = match text.split_once("://") {
            Some((scheme, rest)) => url(scheme, rest)?,
            None => scp(text)?,
        };
        Ok(Location(spelled))
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The target that approvals are bound to.
    pub fn target(&self) -> CanonicalTarget {
        CanonicalTarget::new(TargetKind::Server(Forge::Git), self.as_str())
            .expect("a target is checked by the same rules")
    }
}

/// The address of a repository with a scheme (git-fetch, GIT URLS).
fn url(scheme: &str, rest: &str) -> Result<String, &'static str> {
    let default_port = match scheme {
        "https" => "443",
        "http" => "80",
        "ssh" => "22",
        "git" => return Err("nothing protects what goes over git://"),
        _ => return Err("its scheme is not https, http or ssh"),
    };
    // An end that stands for nothing.
    let (authority, path) = rest.split_once('/').ok_or("it has no path")?;
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if let Some(user) = user {
        if scheme != "ssh" || user.contains(':') {
            return Err("it carries a user name or password");
        }
        check_user(user)?;
    }
    let (name, port) = split_port(host);
    let name = check_host(name)?;
    if port.is_some_and(|port| port.parse().map_or(true, |number: u16| number.to_string() != port)) {
        return Err("its port is no number");
    }
    let path = path.trim_end_matches('/');
    check_path(path)?;
    let user = user.map_or(String::new(), |user| format!("{user}@"));
    let port = port.filter(|port| *port != default_port).map_or(String::new(), |port| format!(":{port}"));
    // The names of ssh's configuration are not the network's, and differ by case.
    let name = if scheme == "ssh" { name } else { name.to_ascii_lowercase() };
    Ok(format!("{scheme}://{user}{name}{port}/{path}"))
}

/// The short form of ssh: `user@host:path`, with a path from the user's home.
fn scp(text: &str) -> Result<String, &'static str> {
    let (authority, path) = text.split_once(':').ok_or("it is not an address")?;
    if authority.contains('/') || path.starts_with(':') {
        return Err("it is not an address");
    }
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    user.map_or(Ok(()), check_user)?;
    let host = check_host(host)?;
    let path = path.trim_end_matches('/');
    check_path(path.strip_prefix('/').unwrap_or(path))?;
    let user = user.map_or(String::new(), |user| format!("{user}@"));
    Ok(format!("{user}{host}:{path}"))
}

fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        // The colons of an IPv6 address are in brackets.
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    }
}

fn check_user(user: &str) -> Result<(), &'static str> {
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    // What begins with a dash, ssh would take for an option.
    match !user.is_empty() && !user.starts_with('-') && user.bytes().all(is_fine) {
        true => Ok(()),
        false => Err("its user name has characters that none has"),
    }
}

/// The host in the one spelling that it has.
fn check_host(host: &str) -> Result<String, &'static str> {
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        let v6 = inner.parse::<core::net::Ipv6Addr>().map_err(|_| "its host is no address of IPv6")?;
        return Ok(format!("[{v6}]"));
    }
    if host.is_empty() || host.starts_with('-') {
        return Err("it has no host name");
    }
    if !host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
        return Err("its host name has characters that none has");
    }
    // Clients read such numbers as addresses of IPv4, each in its own way (the URL standard, "ends in a number").
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.to_ascii_lowercase().starts_with("0x");
    if is_number && host.parse::<core::net::Ipv4Addr>().is_err() {
        return Err("its host is no address of IPv4, and a name does not end so");
    }
    Ok(host.to_owned())
}

fn check_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("it has no path");
    }
    if path.starts_with('-') {
        return Err("its path begins with a dash");
    }
    if path.chars().any(|char| char.is_whitespace() || char.is_control() || "\\?#'\"".contains(char)) {
        return Err("its path has a space, a quote, or one of \\ ? #");
    }
    // A client or a server would resolve them, and one repository would have two names.
    let is_odd = |part: &str| part.is_empty() || matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | "..");
    if path.split('/').any(is_odd) {
        return Err("its path has a part that is empty, '.' or '..'");
    }
    Ok(())
}

/// The address that approvals are bound to.
pub(super) fn canonical(text: &str) -> Result<String, &'static str> {
    Location::of(text).map(|location| location.0)
}

/// The address that a person has written.
pub(super) fn read(place: &str) -> Result<String, Misspelt> {
    canonical(place).map_err(|why| {
        // What stands before the last '@' may be a password.
        let shown = match place.rsplit_once('@') {
            Some((before, host)) if before.contains(':') => host,
            _ => place,
        };
        Misspelt { message: format!("`{shown}` is not the address of a repository: {why}"), hint: Some(HOW) }
    })
}

/// The whole of `text`, if it is an address and not something else that has a colon.
pub(super) fn address(text: &str) -> Option<&str> {
    let is_short = || {
        text.split_once(':').is_some_and(|(authority, path)| {
            authority.contains('@') && !authority.contains('/') && !path.starts_with(':')
        })
    };
    (["https://", "http://", "ssh://", "git://"].iter().any(|start| text.starts_with(start)) || is_short())
        .then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_spelling() {
        for (text, spelled) in [
            ("https://Git.Example.org/Me/x.git", "https://git.example.org/Me/x.git"),
            ("https://example.org:443/x/", "https://example.org/x"),
            ("https://example.org:8443/x", "https://example.org:8443/x"),
            ("http://127.0.0.1:80/x", "http://127.0.0.1/x"),
            ("http://[::1]:3000/x", "http://[::1]:3000/x"),
            ("ssh://git@example.org:22/me/x.git", "ssh://git@example.org/me/x.git"),
            ("ssh://git@Work/me/x.git", "ssh://git@Work/me/x.git"),
            ("https://[0:0:0:0:0:0:0:1]/x", "https://[::1]/x"),
            ("ssh://example.org/~me/x", "ssh://example.org/~me/x"),
            ("git@Work:me/x.git", "git@Work:me/x.git"),
            ("git@example.org:/srv/x.git/", "git@example.org:/srv/x.git"),
        ] {
            assert_eq!(canonical(text).as_deref(), Ok(spelled));
            assert_eq!(canonical(spelled).as_deref(), Ok(spelled));
        }
    }

    #[test]
    fn attack_05_and_13_what_runs_something_or_tells_a_secret_is_no_address() {
        for text in [
            "",
            "x",
            "/srv/x.git",
            "../x",
            "file:///srv/x.git",
            "ext::sh -c id",
            "ext://sh",
            "git://example.org/x",
            "ftp://example.org/x",
            "HTTPS://example.org/x",
            "https://me@example.org/x",
            "https://me:secret@example.org/x",
            "ssh://me:secret@example.org/x",
            "ssh://-oProxyCommand=id@example.org/x",
            "ssh://me@-oProxyCommand=id/x",
            "-oProxyCommand=id:x",
            "me@-oProxyCommand=id:x",
            "me@host:-x",
            "me@host:",
            "me@host::x",
            "ssh://$(id)/x",
            "ssh://host/x'$(id)'",
            "ssh://host/`id`\"",
            "https://",
            "https:///x",
            "https://example.org",
            "https://example.org/",
            "https://example.org:x/y",
            "https://example.org:+80/y",
            "https://example.org:99999/y",
            "https://example.org:0443/y",
            "https://example.org./y",
            "https://2130706433/y",
            "https://0x7f.1/y",
            "https://127.1/y",
            "https://[::1/y",
            "https://example.org/a/../b",
            "https://example.org/a/%2E%2e/b",
            "https://example.org/a//b",
            "https://example.org/x?y",
            "https://example.org/x#y",
            "https://example.org\\@evil.org/x",
            "https://example.org/x y",
            "https://exämple.org/x",
        ] {
            assert!(canonical(text).is_err(), "{text}");
            assert!(!read(text).unwrap_err().message.contains("secret"), "{text}");
        }
    }

    #[test]
    fn an_address_is_told_from_a_folder() {
        for text in ["https://h/x", "ssh://h/x", "git@h:x", "git://h/x"] {
            assert_eq!(address(text), Some(text));
        }
        for text in ["local:x", "C:\\x", "a/b@c:d", "x", "host:x", "a@b::c"] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
