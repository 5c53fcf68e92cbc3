//! Which servers are this machine itself.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether what goes to `host` does not leave this machine. A name other than `localhost` could lead anywhere.
pub fn is_loopback(host: &str) -> bool {
    let is_v6 = || host.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || is_v6().is_some_and(|address| address.is_loopback())
}
