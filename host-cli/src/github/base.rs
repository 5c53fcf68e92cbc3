//! Where the API is, and whether a token may go there.

use http::Uri;
use http::uri::{PathAndQuery, Scheme};

use super::environment::{API_URL, Environment};
use crate::error::{ErrorKind, HostError, Result};
use crate::wire::is_loopback;

const GITHUB: &str = "https://api.github.com";

/// The base of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// Scheme and authority, with an empty path.
    server: Uri,
    /// What stands before every path, without a slash at its end.
    prefix: String,
}

impl Base {
    /// `GITHUB_API_URL`, or GitHub itself.
    pub fn of(environment: &Environment) -> Result<Self> {
        match environment.get(API_URL) {
            None => Base::parse(GITHUB),
            Some(value) => Base::parse(value.to_str().ok_or_else(|| wrong("is not UTF-8"))?),
        }
    }

    /// The value may have a password in it, so no error repeats it.
    fn parse(value: &str) -> Result<Self> {
        if value.contains('#') {
            return Err(wrong("has a fragment"));
        }
        let uri: Uri = value.parse().map_err(|_| wrong("is not an address"))?;
        let parts = uri.into_parts();
        let (Some(scheme), Some(authority)) = (parts.scheme, parts.authority) else {
            return Err(wrong("is not a whole address, such as https://HOST/api/v3"));
        };
        if authority.as_str().contains('@') {
            return Err(wrong("has a user name or a password in it"));
        }
        let path = parts.path_and_query.unwrap_or_else(|| PathAndQuery::from_static("/"));
        if path.query().is_some() {
            return Err(wrong("has a query"));
        }
        if scheme != Scheme::HTTPS && !(scheme == Scheme::HTTP && is_loopback(authority.host())) {
            return Err(HostError::new(
                ErrorKind::Refused,
                format!("{API_URL} is not https, so the token would travel in the clear"),
            )
            .hint("use https; only this machine itself, such as http://127.0.0.1, may do without"));
        }
        let prefix = path.path().trim_end_matches('/').to_owned();
        let server = Uri::builder().scheme(scheme).authority(authority).path_and_query("/").build();
        Ok(Base { server: server.expect("its parts come from an address"), prefix })
    }

    /// The server alone.
    pub fn server(&self) -> &Uri {
        &self.server
    }

    /// The path of a request at the server, or `None` if `path` is none.
    pub fn path(&self, path: &str) -> Option<PathAndQuery> {
        if !path.starts_with('/') {
            return None;
        }
        // GitHub Enterprise Server has REST at /api/v3 and GraphQL at /api/graphql.
        let prefix = match path {
            "/graphql" => self.prefix.strip_suffix("/v3").unwrap_or(&self.prefix),
            _ => &self.prefix,
        };
        format!("{prefix}{path}").parse().ok()
    }

    /// The host that the GitHub CLI knows it by.
    pub fn host(&self) -> &str {
        let host = self.server.host().expect("it has an authority");
        let is_cloud = host.ends_with(".github.com") || host.ends_with(".ghe.com");
        host.strip_prefix("api.").filter(|_| is_cloud).unwrap_or(host)
    }
}

fn wrong(what: &str) -> HostError {
    HostError::new(ErrorKind::Usage, format!("{API_URL} {what}"))
        .hint("unset it for github.com, or give the base of the API, such as https://HOST/api/v3")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_below_the_base() {
        let path = |base: &str, path: &str| Base::parse(base).unwrap().path(path).map(|path| path.to_string());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(path(GITHUB, "/repos/o/r?a=%2F"), some("/repos/o/r?a=%2F"));
        assert_eq!(path("https://h:8/api/v3/", "/repos/o/r"), some("/api/v3/repos/o/r"));
        assert_eq!(path("https://h/api/v3", "/api/v3/x"), some("/api/v3/api/v3/x"));
        assert_eq!(path("https://h/api/v3", "/graphql"), some("/api/graphql"));
        assert_eq!(path(GITHUB, "/graphql"), some("/graphql"));
        assert_eq!(path(GITHUB, "//elsewhere.example/x"), some("//elsewhere.example/x"));
        assert_eq!(path(GITHUB, "https://elsewhere.example/x"), None);
        assert_eq!(path(GITHUB, "@elsewhere.example/x"), None);
        assert_eq!(path(GITHUB, "/a b"), None);
    }

    #[test]
    fn the_cli_knows_a_server_by_its_web_address() {
        let host = |base: &str| Base::parse(base).unwrap().host().to_owned();
        assert_eq!(host(GITHUB), "github.com");
        assert_eq!(host("https://api.octo.ghe.com"), "octo.ghe.com");
        assert_eq!(host("https://api.example.com:8443/api/v3"), "api.example.com");
    }

    #[test]
    fn attack_13_no_token_goes_in_the_clear_beyond_this_machine() {
        for address in ["http://127.0.0.1:8080", "http://127.8.8.8", "http://localhost", "http://[::1]:1/x"] {
            assert!(Base::parse(address).is_ok(), "{address}");
        }
        for address in [
            "http://api.github.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://10.0.0.1",
            "http://0.0.0.0",
            "http://2130706433",
            "http://[::ffff:127.0.0.1]",
            "ftp://127.0.0.1",
        ] {
            let error = Base::parse(address).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Refused, "{address}");
            assert_eq!(error.message, "GITHUB_API_URL is not https, so the token would travel in the clear");
        }
    }

    #[test]
    fn attack_13_an_address_that_is_refused_is_not_repeated() {
        for address in [
            "",
            "api.github.com",
            "/api/v3",
            "https://",
            "https://u:hunter2@h",
            "http://hunter2@127.0.0.1",
            "https://h/?hunter2",
            "https://h/#hunter2",
            "hunter2\n",
        ] {
            let error = Base::parse(address).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage, "{address}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
