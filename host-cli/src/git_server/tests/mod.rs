//! A client against servers.
