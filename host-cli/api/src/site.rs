//! The names that a server answers to, and the pages that may call it. A browser sends both with each request of a page, and a page cannot
//! forge them.
//!
//! A name that somebody else owns may lead to this machine (DNS rebinding). A page under that name then has the same origin, and only
//! `Host` reveals it.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use host::error::{ErrorKind, HostError};

use crate::message::Request;
use crate::problem::{Problem, Refusal};

/// A host, by its lower-case name or its address.
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
        // By the URL standard, a name that ends in a number is an address. Browsers write addresses in one form.
        let last = text.rsplit('.').next().unwrap_or_default();
        if last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x") || last.starts_with("0X") {
            return text.parse().map(|number: Ipv4Addr| Host::Number(number.into())).map_err(drop);
        }
        Ok(Host::Name(text.to_ascii_lowercase()))
    }
}

/// A host, and a port unless it is the scheme's default.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Authority {
    host: Host,
    port: Option<u16>,
}

impl FromStr for Authority {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (host, port) = match text.rsplit_once(':') {
            // Everything in brackets belongs to the host.
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (text, None),
        };
        Ok(Authority { host: host.parse()?, port: port.map(self::port).transpose()? })
    }
}

fn port(text: &str) -> Result<u16, ()> {
    // Parsing a number would accept a sign.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number).ok_or(())
}

/// The origin of a page.
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

    /// Whether the page comes from the address that the request was sent to. A proxy that removes TLS in front of this server belongs to
    /// that address.
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

/// The names that a server answers to.
#[derive(Clone, Debug)]
enum Hosts {
    /// Any name: the proxy in front of the server checks it.
    Any,
    /// These, at any port unless they name one.
    These(Vec<Authority>),
    /// The same, and every numeric address. No name can lead to a page at a numeric address by rebinding.
    TheseAndNumbers(Vec<Authority>),
}

/// The server's hints for refused clients.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// How to allow a further name.
    pub host: &'static str,
    /// How to allow a page from elsewhere.
    pub origin: &'static str,
}

/// The addresses of a server, and the pages it admits.
#[derive(Clone, Debug)]
pub struct Site {
    hosts: Hosts,
    origins: Vec<Origin>,
    advice: Advice,
}

impl Site {
    /// A server that listens on this address. It answers to the machine's own names and to the address. If it listens on all addresses, it
    /// answers to each of them.
    pub fn at(address: IpAddr, advice: Advice) -> Self {
        let own = [Host::Name("localhost".to_owned()), Host::Number(Ipv4Addr::LOCALHOST.into())];
        let own = own.into_iter().chain([Host::Number(Ipv6Addr::LOCALHOST.into()), Host::Number(address)]);
        let own = own.map(|host| Authority { host, port: None }).collect();
        let hosts = if address.is_unspecified() { Hosts::TheseAndNumbers(own) } else { Hosts::These(own) };
        Site { hosts, origins: Vec::new(), advice }
    }

    /// A server that gets requests from a platform, under the platform's names: the allowed names, if any are given, and the origins,
    /// separated by spaces.
    ///
    /// # Errors
    /// If one of them is invalid.
    pub fn listed(hosts: &str, origins: &str, advice: Advice) -> Result<Self, HostError> {
        let mut site = Site { hosts: Hosts::Any, origins: Vec::new(), advice };
        hosts.split_whitespace().try_for_each(|host| site.allow_host(host))?;
        origins.split_whitespace().try_for_each(|origin| site.allow_origin(origin))?;
        Ok(site)
    }

    /// Allows a further name, at any port unless it names one.
    ///
    /// # Errors
    /// If it is not a name.
    pub fn allow_host(&mut self, text: &str) -> Result<(), HostError> {
        let authority =
            text.parse().map_err(|()| wrong(text, "host", "name it as in example.org or example.org:8443"))?;
        match &mut self.hosts {
            Hosts::These(all) | Hosts::TheseAndNumbers(all) => all.push(authority),
            Hosts::Any => self.hosts = Hosts::These(vec![authority]),
        }
        Ok(())
    }

    /// Allows pages of this origin.
    ///
    /// # Errors
    /// If it is not an origin.
    pub fn allow_origin(&mut self, text: &str) -> Result<(), HostError> {
        let hint = "name scheme and host, as in https://example.org";
        self.origins.push(text.parse().map_err(|()| wrong(text, "origin", hint))?);
        Ok(())
    }

    /// Checks where a request was sent to, and which page sent it. Returns the origin that the answer must name, if a page sent it.
    ///
    /// # Errors
    /// If it was sent elsewhere, or by a page that is not allowed. The caller must not read the rest of the request.
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

    /// A page beside the interface may call it, and so may allowed pages. So may a page of another program on the server's machine: that
    /// program could call the server itself, and either needs a token.
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
