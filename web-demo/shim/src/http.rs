//! Requests to servers, and their answers. JavaScript adds credentials, and the address where the forge has one.

use ::host::answer::Given;
use ::host::error::Result;
use bytes::Bytes;
use gate::forge::{Cut, Headers, Request, Response};
use wasm_bindgen::JsValue;

use crate::value::{Value, bytes, object, optional};

/// A request: `{ forge, method, path, body?, moves }`. One that `moves` may move a branch.
pub fn request(Request { forge, method, path, body, moves }: &Request) -> JsValue {
    let body = body.as_ref().map_or(JsValue::UNDEFINED, |body| bytes(body));
    let path = optional(Some(path));
    object([
        ("forge", forge.word().into()),
        ("method", method.as_str().into()),
        ("path", path),
        ("body", body),
        ("moves", (*moves).into()),
    ])
}

/// An answer: `response` with `{ status, headers, body }`, `lost` with the reason if it is known, or `too-big`.
/// Headers are named as in HTTP, in lower case, and those that a page does not see are not there.
pub fn answer(value: &Value) -> Result<Given> {
    let (tag, val) = value.variant()?;
    Ok(match tag.as_str() {
        "response" => Given::Http(Ok(response(&val)?)),
        "lost" => val.optional_text()?.map_or(Given::Http(Err(Cut::Lost)), |why| Given::Cut(Cut::Lost, why)),
        "too-big" => Given::Http(Err(Cut::TooBig)),
        _ => return Err(value.wrong("answer of a server")),
    })
}

fn response(value: &Value) -> Result<Response> {
    let status = value.field("status")?;
    let headers = value.field("headers")?;
    let header = |name| headers.field(name)?.optional_text();
    Ok(Response {
        status: u16::try_from(status.u32()?).map_err(|_| status.wrong("status"))?,
        headers: Headers {
            retry_after: header("retry-after")?,
            x_ratelimit_remaining: header("x-ratelimit-remaining")?,
            x_ratelimit_reset: header("x-ratelimit-reset")?,
            date: header("date")?,
            location: header("location")?,
            link: header("link")?,
        },
        body: Bytes::from(value.field("body")?.bytes()?),
    })
}
