//! The body of a request, handed over piece by piece, so that it is known how far it has got.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Bytes of a piece.
const PIECE: usize = 64 << 10;

/// When something last went over the wire.
#[derive(Debug)]
pub struct Watch {
    start: Instant,
    /// Milliseconds from the start to the last sign of life.
    last: AtomicU64,
}

impl Watch {
    pub fn new() -> Arc<Self> {
        Arc::new(Watch { start: Instant::now(), last: AtomicU64::new(0) })
    }

    /// Something went over the wire.
    pub fn moved(&self) {
        let passed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(passed, Ordering::Relaxed);
    }

    /// How long nothing has.
    pub fn silence(&self) -> Duration {
        self.passed().saturating_sub(Duration::from_millis(self.last.load(Ordering::Relaxed)))
    }

    /// How long it has taken so far.
    pub fn passed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// The body of a request.
#[derive(Debug)]
pub struct Upload {
    rest: Bytes,
    watch: Arc<Watch>,
}

impl Upload {
    pub fn new(body: Bytes, watch: Arc<Watch>) -> Self {
        Upload { rest: body, watch }
    }
}

impl Body for Upload {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        // A piece is asked for only when the last one is on its way.
        self.watch.moved();
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = PIECE.min(self.rest.len());
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    #[test]
    fn a_body_goes_in_pieces_each_of_which_is_a_sign_of_life() {
        let second = Duration::from_secs(1);
        let start = Instant::now().checked_sub(second).expect("the system has run for longer");
        let body = Bytes::from((0..PIECE + 1).map(|at| at as u8).collect::<Vec<_>>());
        let mut came = Vec::new();
        let mut rest = body.clone();
        for length in [PIECE, 1] {
            let watch = Arc::new(Watch { start, last: AtomicU64::new(0) });
            assert!(watch.silence() >= second);
            let mut upload = Upload::new(rest, Arc::clone(&watch));
            assert_eq!((upload.size_hint().exact(), upload.is_end_stream()), (Some(upload.rest.len() as u64), false));
            let polled = Pin::new(&mut upload).poll_frame(&mut Context::from_waker(Waker::noop()));
            let Poll::Ready(Some(Ok(frame))) = polled else { panic!("a piece is there at once") };
            let piece = frame.into_data().unwrap();
            assert!(watch.silence() < watch.passed());
            assert_eq!(piece.len(), length);
            came.extend_from_slice(&piece);
            rest = upload.rest;
        }
        assert!(rest.is_empty() && came == body);
    }
}
