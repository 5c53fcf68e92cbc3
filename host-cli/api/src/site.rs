//! Where a server is: the names by which it is reached, and the pages that may ask it. A browser sends
//! both with each request of a page, and a page cannot make them up.
//!
//! A name that somebody else owns may lead to this machine (DNS rebinding): a page of that name is of the
//! same origin then, and `Host` alone tells.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use host::error::{ErrorKind, HostError};

use crate::message::Request;
use crate::problem::{Problem, Refusal};

/// A host, by its name in lower case or by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Name(String),
    Number(IpAddr),
}

impl Host {
    fn is_loopback(&self) -> bool {
        match self {
            Host::Name(name) => name == "localhost",
            Host::Number(number) => number.is_loopback(),
        }
    }
}

impl FromStr for Host {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(number) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let number: Ipv6Addr = number.parse().map_err(drop)?;
            return Ok(Host::Number(number.into()));
        }
        let is_label = |label: &str| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        // A name that ends with a dot has an empty label.
        if !text.split('.').all(is_label) {
            return Err(());
        }
        // As URLs have it, what ends with a number is a number. Browsers write those one way.
        let last = text.rsplit('.').next().unwrap_or_default();
        if last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x") || last.starts_with("0X") {
            return text.parse().map(|number: Ipv4Addr| Host::Number(number.into())).map_err(drop);
        }
        Ok(Host::Name(text.to_ascii_lowercase()))
    }
}

/// A host, and a port unless it is that of the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Authority {
    host: Host,
    port: Option<u16>,
}

impl FromStr for Authority {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (host, port) = match text.rsplit_once(':') {
            // What is within brackets is of the host.
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (text, None),
        };
        Ok(Authority { host: host.parse()?, port: port.map(self::port).transpose()? })
    }
}

fn port(text: &str) -> Result<u16, ()> {
    // Reading a number would take a sign.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number).ok_or(())
}

/// Where a page is from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    /// In lower case.
    scheme: String,
    authority: Authority,
}

impl Origin {
    fn default_port(&self) -> Option<u16> {
        match &*self.scheme {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        }
    }

    /// Whether the page is from the place that the request was sent to. What takes TLS off before this server
    /// is a part of that place.
    fn is_at(&self, place: &Authority) -> bool {
        let own = |port: Option<u16>| port.or(self.default_port());
        self.default_port().is_some()
            && self.authority.host == place.host
            && own(self.authority.port) == own(place.port)
    }
}

impl FromStr for Origin {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (scheme, authority) = text.split_once("://").ok_or(())?;
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        if !is_scheme {
            return Err(());
        }
        let mut origin = Origin { scheme: scheme.to_ascii_lowercase(), authority: authority.parse()? };
        if origin.authority.port == origin.default_port() {
            origin.authority.port = None;
        }
        Ok(origin)
    }
}

/// The names by which a server is reached.
#[derive(Clone, Debug)]
enum Hosts {
    /// Whatever name has led here: what is before the server looks at it.
    Any,
    /// These, at any port if none is said.
    These(Vec<Authority>),
    /// The same, and each address by its number. No name leads by rebinding to a page of a number.
    TheseAndNumbers(Vec<Authority>),
}

/// What whoever is refused can have done about it, in the words of the server.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// About a further name.
    pub host: &'static str,
    /// About a page from elsewhere.
    pub origin: &'static str,
}

/// Where a server is, and whom it lets ask.
#[derive(Clone, Debug)]
pub struct Site {
    hosts: Hosts,
    origins: Vec<Origin>,
    advice: Advice,
}

impl Site {
    /// A server that listens on this address: that of the machine itself, and the address. Where it listens on
    /// all addresses, each of them.
    pub fn at(address: IpAddr, advice: Advice) -> Self {
        let own = [Host::Name("localhost".to_owned()), Host::Number(Ipv4Addr::LOCALHOST.into())];
        let own = own.into_iter().chain([Host::Number(Ipv6Addr::LOCALHOST.into()), Host::Number(address)]);
        let own = own.map(|host| Authority { host, port: None }).collect();
        let hosts = if address.is_unspecified() { Hosts::TheseAndNumbers(own) } else { Hosts::These(own) };
        Site { hosts, origins: Vec::new(), advice }
    }

    /// A server to which a platform brings requests by names of its own: the names that are allowed, if
    /// any are said, and the origins, with spaces between them.
    ///
    /// # Errors
    /// If one of them is none.
    pub fn listed(hosts: &str, origins: &str, advice: Advice) -> Result<Self, HostError> {
        let mut site = Site { hosts: Hosts::Any, origins: Vec::new(), advice };
        hosts.split_whitespace().try_for_each(|host| site.allow_host(host))?;
        origins.split_whitespace().try_for_each(|origin| site.allow_origin(origin))?;
        Ok(site)
    }

    /// Allows a further name, at any port unless it names one.
    ///
    /// # Errors
    /// If it is none.
    pub fn allow_host(&mut self, text: &str) -> Result<(), HostError> {
        let authority =
            text.parse().map_err(|()| wrong(text, "host", "name it as in example.org or example.org:8443"))?;
        match &mut self.hosts {
            Hosts::These(all) | Hosts::TheseAndNumbers(all) => all.push(authority),
            Hosts::Any => self.hosts = Hosts::These(vec![authority]),
        }
        Ok(())
    }

    /// Allows pages from there.
    ///
    /// # Errors
    /// If it is no origin.
    pub fn allow_origin(&mut self, text: &str) -> Result<(), HostError> {
        let hint = "name scheme and host, as in https://example.org";
        self.origins.push(text.parse().map_err(|()| wrong(text, "origin", hint))?);
        Ok(())
    }

    /// Looks where a request was sent to, and from which page. Gives the origin that the answer is to name, if a
    /// page has sent it.
    ///
    /// # Errors
    /// If it was sent to another place, or by a page that may not. Nothing else of it need be looked at.
    pub fn admit(&self, request: &Request) -> Result<Option<String>, Problem> {
        let text = request.header("host").unwrap_or_default();
        let host = text.parse().ok().filter(|host| self.is_here(host));
        let Some(host) = host else {
            let hint = self.advice.host;
            return Err(Problem::refused(Refusal::Forbidden, format!("this server is not '{text}'"), hint));
        };
        let Some(text) = request.header("origin") else { return Ok(None) };
        if text.parse().is_ok_and(|origin| self.may_ask(&origin, &host)) {
            return Ok(Some(text.to_owned()));
        }
        Err(Problem::refused(
            Refusal::Forbidden,
            format!("pages of '{text}' may not ask this server"),
            self.advice.origin,
        ))
    }

    fn is_here(&self, host: &Authority) -> bool {
        let are = |all: &[Authority]| {
            all.iter().any(|one| one.host == host.host && (one.port.is_none() || one.port == host.port))
        };
        match &self.hosts {
            Hosts::Any => true,
            Hosts::These(all) => are(all),
            Hosts::TheseAndNumbers(all) => matches!(host.host, Host::Number(_)) || are(all),
        }
    }

    /// A page beside the interface may, and those that are allowed. So may one of another program of the machine
    /// that the server is on: such a program could ask by itself, and either needs a token.
    fn may_ask(&self, origin: &Origin, host: &Authority) -> bool {
        let is_of_machine = origin.default_port().is_some()
            && origin.authority.host.is_loopback()
            && !matches!(self.hosts, Hosts::Any)
            && self.is_here(&origin.authority);
        is_of_machine || origin.is_at(host) || self.origins.contains(origin)
    }
}

fn wrong(text: &str, what: &str, hint: &str) -> HostError {
    HostError::new(ErrorKind::Usage, format!("'{text}' is no {what}")).hint(hint)
}

#[cfg(test)]
mod tests;
