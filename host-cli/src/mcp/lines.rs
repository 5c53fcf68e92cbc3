//! Messages as lines of a stream. rmcp's own transport passes over a line that is not JSON, and a client that waits for its answer waits
//! for ever.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use super::message;

/// Bytes of the longest line. A client that never ends one must not fill the memory.
const LONGEST: usize = 64 << 20;

/// A client at the other end of two streams.
#[derive(Debug)]
pub struct Lines<R, W> {
    from: BufReader<R>,
    /// The line as far as it is read. rmcp drops a reading whenever it has something to send, so it is kept here.
    line: Vec<u8>,
    longest: usize,
    /// Whether the rest of a line is passed over that was too long.
    passes_over: bool,
    /// Answers that are to be sent before the next line is read.
    owed: BytesMut,
    owes: bool,
    outlet: Arc<Mutex<Outlet<W>>>,
}

/// Where lines are written, each as a whole.
#[derive(Debug)]
struct Outlet<W> {
    /// `None` once it is closed.
    to: Option<W>,
    /// What a writing that was dropped has left.
    unsent: BytesMut,
}

/// How a reading ended.
enum Reading {
    Line,
    TooLong,
    Over,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Lines<R, W> {
    /// Reads lines from one stream, and writes lines to the other.
    pub fn new(from: R, to: W) -> Self {
        Lines {
            from: BufReader::new(from),
            line: Vec::new(),
            longest: LONGEST,
            passes_over: false,
            owed: BytesMut::new(),
            owes: false,
            outlet: Arc::new(Mutex::new(Outlet { to: Some(to), unsent: BytesMut::new() })),
        }
    }

    /// Reads until a line is whole. May be dropped and called again.
    async fn read(&mut self) -> io::Result<Reading> {
        loop {
            let room = (self.longest + 1).saturating_sub(self.line.len());
            let mut most = (&mut self.from).take(room as u64);
            most.read_until(b'\n', &mut self.line).await?;
            let is_whole = self.line.ends_with(b"\n");
            let is_full = self.line.len() > self.longest;
            match (is_whole, self.passes_over) {
                (true, false) => return Ok(Reading::Line),
                (true, true) => {
                    self.passes_over = false;
                    self.line.clear();
                }
                (false, passes_over) if is_full => {
                    self.passes_over = true;
                    self.line.clear();
                    if !passes_over {
                        return Ok(Reading::TooLong);
                    }
                }
                // The stream is over. A line that nobody has ended may be the half of one.
                (false, _) => return Ok(Reading::Over),
            }
        }
    }

    fn owe(&mut self, answer: &Value) {
        self.owed.extend_from_slice(format!("{answer}\n").as_bytes());
        self.owes = true;
    }
}

impl<W: AsyncWrite + Unpin> Outlet<W> {
    /// Writes what is unsent. May be dropped: the next writing goes on where this one ended.
    async fn write(&mut self) -> io::Result<()> {
        let Some(to) = &mut self.to else { return Err(io::ErrorKind::NotConnected.into()) };
        to.write_all_buf(&mut self.unsent).await?;
        to.flush().await
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outlet = Arc::clone(&self.outlet);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut outlet = outlet.lock().await;
            outlet.unsent.extend_from_slice(&line);
            outlet.write().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.owes {
                let mut outlet = self.outlet.lock().await;
                outlet.unsent.extend_from_slice(&self.owed.split());
                if let Err(error) = outlet.write().await {
                    tracing::debug!("the client takes no answer: {error}");
                    return None;
                }
                self.owes = false;
            }
            match self.read().await {
                Ok(Reading::Line) => {}
                Ok(Reading::TooLong) => {
                    self.owe(&message::too_long(self.longest));
                    continue;
                }
                Ok(Reading::Over) => return None,
                Err(error) => {
                    tracing::debug!("the client is read no more: {error}");
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            match message::read(line.trim_ascii_end()) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(answer) => self.owe(&answer),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outlet.lock().await.to = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
