//! The answer to a request.

use std::error::Error;

use bytes::{Bytes, BytesMut};
use gate::forge::{Cut, Headers, Response};
use http::header::HeaderMap;
use http_body::Body;
use http_body_util::BodyExt;
use hyper_util::client::legacy::Error as Unsent;

use super::{Broken, Watch};

/// Bytes that are set aside for what an answer says of its length.
const BELIEVED: u64 = 64 << 20;

/// Reads the whole of an answer, with at most `limit` bytes of body.
///
/// # Errors
/// It is longer, or the connection broke.
pub async fn read<B>(answer: http::Response<B>, watch: &Watch, limit: usize) -> Result<Response, Broken>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Error,
{
    let too_big = || Broken(Cut::TooBig, format!("the answer has more than {limit} bytes"));
    let (head, mut body) = answer.into_parts();
    watch.moved();
    if body.size_hint().lower() > limit as u64 {
        return Err(too_big());
    }
    // One that says how long it is does not have to grow, as far as that is believed.
    let mut bytes =
        BytesMut::with_capacity(usize::try_from(body.size_hint().lower().min(BELIEVED)).unwrap_or_default());
    while let Some(frame) = body.frame().await {
        watch.moved();
        // Any other frame is a trailer.
        let frame = frame.map_err(|error| Broken(Cut::Lost, root(&error)))?;
        let Ok(data) = frame.into_data() else { continue };
        if data.len() > limit - bytes.len() {
            return Err(too_big());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Response { status: head.status.as_u16(), headers: headers(&head.headers), body: bytes.freeze() })
}

/// The headers that matter.
fn headers(all: &HeaderMap) -> Headers {
    let header = |name: &str| Some(all.get(name)?.to_str().ok()?.to_owned());
    Headers {
        retry_after: header("retry-after"),
        x_ratelimit_remaining: header("x-ratelimit-remaining"),
        x_ratelimit_reset: header("x-ratelimit-reset"),
        date: header("date"),
        location: header("location"),
        link: header("link"),
    }
}

/// A request that was not answered.
pub fn broken(error: &(dyn Error + 'static)) -> Broken {
    let is_unsent = |error: &(dyn Error + 'static)| error.downcast_ref::<Unsent>().is_some_and(Unsent::is_connect);
    let (mut at, mut is_unreached) = (Some(error), false);
    while let Some(error) = at.filter(|_| !is_unreached) {
        is_unreached = is_unsent(error);
        at = error.source();
    }
    Broken(if is_unreached { Cut::Unreached } else { Cut::Lost }, root(error))
}

/// What is below all the wrappings of an error. They name addresses, and say less.
pub fn root(mut error: &dyn Error) -> String {
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
