//! What the server says of its limits.

use super::{Fault, FaultKind, Response, date, fault};

/// How long to wait before the same request has a chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// So many seconds.
    For(u64),
    /// The server does not say, or this host cannot see it. GitHub asks for a minute at least, and
    /// longer each time.
    Unsaid,
}

/// The limit that made the server refuse, if one did.
pub(super) fn of(response: &Response) -> Option<Limit> {
    let headers = &response.headers;
    // Both moments are the server's own, so that no clock of the host's plays a part.
    let now = headers.date.as_deref().and_then(date::of_http);
    let retry_after = headers.retry_after_seconds();
    match response.status {
        429 => {}
        403 => {
            let said = fault::said(response).to_lowercase();
            let is_exhausted = headers.x_ratelimit_remaining.as_deref().is_some_and(|left| left.trim() == "0");
            if retry_after.is_none() && !is_exhausted && !said.contains("rate limit") && !said.contains("abuse") {
                return None;
            }
        }
        503 => return retry_after.map(Limit::For),
        _ => return None,
    }
    if let Some(seconds) = retry_after {
        return Some(Limit::For(seconds));
    }
    let reset = headers.x_ratelimit_reset.as_deref().and_then(|value| value.trim().parse::<i64>().ok());
    match reset.zip(now) {
        // The moment itself may still belong to the old period.
        Some((reset, now)) => Some(Limit::For(u64::try_from(reset.saturating_sub(now)).unwrap_or_default() + 1)),
        None => Some(Limit::Unsaid),
    }
}

/// The fault if waiting is of no use any more.
pub(super) fn fault(response: &Response, seconds: u64) -> Fault {
    let named = (of(response) != Some(Limit::Unsaid)).then_some(seconds);
    let message = match named {
        Some(seconds) => format!("GitHub's limit is reached, for {} more minutes", seconds.div_ceil(60)),
        None => "GitHub's limit is reached".to_owned(),
    };
    Fault::new(FaultKind::Limited { seconds: named }, message).with_hint("try again later")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::Headers;

    fn response(status: u16, headers: Headers, message: &str) -> Response {
        Response { status, headers, body: format!(r#"{{"message":"{message}"}}"#).into_bytes().into() }
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_limit_is_told_from_a_refusal() {
        let none = Headers::default;
        assert_eq!(of(&response(403, none(), "Resource not accessible")), None);
        assert_eq!(of(&response(403, none(), "You have exceeded a secondary rate limit")), Some(Limit::Unsaid));
        assert_eq!(of(&response(429, none(), "")), Some(Limit::Unsaid));
        assert_eq!(of(&response(503, none(), "")), None);
        let told = || Headers { retry_after: some("7"), ..none() };
        for status in [403, 429, 503] {
            assert_eq!(of(&response(status, told(), "")), Some(Limit::For(7)));
        }
        assert_eq!(of(&response(200, told(), "")), None);
        let date = some("Sun, 06 Nov 1994 08:49:37 GMT");
        let at = Headers { retry_after: some("Sun, 06 Nov 1994 08:50:07 GMT"), date, ..none() };
        assert_eq!(of(&response(403, at, "")), Some(Limit::For(30)));
    }

    #[test]
    fn the_reset_counts_from_the_servers_own_time() {
        let headers = Headers {
            x_ratelimit_remaining: some("0"),
            x_ratelimit_reset: some("784111787"),
            date: some("Sun, 06 Nov 1994 08:49:37 GMT"),
            ..Headers::default()
        };
        assert_eq!(of(&response(403, headers.clone(), "")), Some(Limit::For(11)));
        let blind = Headers { date: None, ..headers };
        assert_eq!(of(&response(403, blind, "")), Some(Limit::Unsaid));
    }
}
