//! An HTTP/1.1 server on a loopback port. It answers as a test says, and misbehaves on demand.
//!
//! It needs no clock: a hanging answer hangs until the client disconnects or the server is dropped,
//! which ends all its threads.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// The most bytes of a request's head, and of its body.
const MOST_HEAD: u64 = 1 << 20;
const MOST_BODY: usize = 256 << 20;

/// A request, as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Such as `GET`.
    pub method: String,
    /// Path and query, as sent.
    pub path: String,
    /// In the order of the wire, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The bytes after the head.
    pub body: Vec<u8>,
}

impl Seen {
    /// The first header of that name, which must be lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(is, _)| is == name).map(|(_, value)| value.as_str())
    }
}

/// The server's reaction to a request.
#[derive(Clone, Debug)]
pub struct Reply {
    bytes: Vec<u8>,
    /// Bytes of filler after it. `None` never ends.
    filler: Option<u64>,
    then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Goes,
    Closes,
    Hangs,
}

impl Reply {
    /// An answer with this status and body. The client may reuse the connection.
    pub fn new(status: u16, body: impl AsRef<[u8]>) -> Self {
        Reply::with(status, &[], body)
    }

    /// An answer with further headers.
    pub fn with(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        Reply::raw([head.as_bytes(), b"\r\n", body].concat())
    }

    /// These raw bytes. The client may reuse the connection.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Reply { bytes: bytes.into(), filler: Some(0), then: Then::Goes }
    }

    /// Closes the connection without an answer.
    pub fn cut() -> Self {
        Reply::raw([]).closing()
    }

    /// Sends nothing, and leaves the connection open.
    pub fn hang() -> Self {
        Reply::raw([]).hanging()
    }

    /// A good answer with a body of `length` bytes.
    pub fn huge(length: u64) -> Self {
        let head = format!("HTTP/1.1 200 Scripted\r\ncontent-length: {length}\r\n\r\n");
        Reply { filler: Some(length), ..Reply::raw(head) }
    }

    /// A good answer without a length, whose body never ends.
    pub fn endless() -> Self {
        Reply { filler: None, ..Reply::raw("HTTP/1.1 200 Scripted\r\nconnection: close\r\n\r\n") }
    }

    /// The first `bytes` bytes of the answer, including the head. Then closes the connection.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.bytes.truncate(bytes);
        self.filler = Some(0);
        self.closing()
    }

    /// The first `bytes` bytes of the answer, including the head, and nothing more.
    #[must_use]
    pub fn hang_after(mut self, bytes: usize) -> Self {
        self.bytes.truncate(bytes);
        self.filler = Some(0);
        self.hanging()
    }

    /// Sends the answer, then closes the connection without announcing it.
    #[must_use]
    pub fn closing(mut self) -> Self {
        self.then = Then::Closes;
        self
    }

    /// Whether only the client's own timeout can end this.
    pub fn hangs(&self) -> bool {
        self.then == Then::Hangs
    }

    fn hanging(mut self) -> Self {
        self.then = Then::Hangs;
        self
    }

    fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.write_all(&self.bytes)?;
        let piece = [b' '; 1 << 16];
        let mut left = self.filler;
        while left != Some(0) {
            let length = left.map_or(piece.len(), |left| left.min(piece.len() as u64) as usize);
            stream.write_all(&piece[..length])?;
            left = left.map(|left| left - length as u64);
        }
        stream.flush()
    }
}

type Handler = Box<dyn FnMut(&Seen) -> Reply + Send>;

struct Shared {
    state: Mutex<State>,
}

struct State {
    handler: Handler,
    seen: Vec<Seen>,
    streams: Vec<TcpStream>,
    threads: Vec<JoinHandle<()>>,
    is_over: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panicking handler has failed its test already.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A server, until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request with `handler`, one at a time.
    ///
    /// # Panics
    ///
    /// If the system has no free port.
    pub fn new(handler: impl FnMut(&Seen) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback port is free");
        let address = listener.local_addr().expect("it is bound");
        let state = State {
            handler: Box::new(handler),
            seen: Vec::new(),
            streams: Vec::new(),
            threads: Vec::new(),
            is_over: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state) });
        let accepting = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Server { address, shared, accepting: Some(accepting) }
    }

    /// Gives these answers in order, and a 500 to every later request.
    pub fn script(replies: impl IntoIterator<Item = Reply>) -> Self {
        let mut replies = replies.into_iter().collect::<Vec<_>>().into_iter();
        Server::new(move |_| replies.next().unwrap_or_else(|| Reply::new(500, "the script is over")))
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The port of loopback that it listens at.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests so far. A request is listed before it is answered.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.lock().seen.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        // Wakes the accepting thread. If that fails, the thread has ended.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        let (streams, threads) = {
            let mut state = self.shared.lock();
            (std::mem::take(&mut state.streams), std::mem::take(&mut state.threads))
        };
        for stream in streams {
            // A closed connection has no peer.
            let _ = stream.shutdown(Shutdown::Both);
        }
        for thread in threads {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let mut state = shared.lock();
        if state.is_over {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(twin) = stream.try_clone() else { continue };
        state.streams.push(twin);
        let shared = Arc::clone(shared);
        state.threads.push(std::thread::spawn(move || {
            // The client may disconnect at any moment.
            let _ = serve(&stream, &shared);
            let _ = stream.shutdown(Shutdown::Both);
        }));
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(seen) = read(&mut reader)? {
        let reply = {
            let mut state = shared.lock();
            state.seen.push(seen.clone());
            (state.handler)(&seen)
        };
        reply.write(&mut stream.try_clone()?)?;
        match reply.then {
            Then::Goes => {}
            Then::Closes => return Ok(()),
            // Until the client disconnects, or the server ends.
            Then::Hangs => return io::copy(&mut reader, &mut io::sink()).map(drop),
        }
    }
    Ok(())
}

/// The next request, or `None` if the client has closed the connection.
fn read(reader: &mut impl BufRead) -> io::Result<Option<Seen>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.by_ref().take(MOST_HEAD).read_line(&mut line)?;
        match line.trim_end() {
            _ if !line.ends_with('\n') => return Ok(None),
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    let first = lines.first().ok_or_else(broken)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = words.next().zip(words.next()).ok_or_else(broken)?;
    let header = |line: &String| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_lowercase(), value.trim().to_owned()))
    };
    let headers = lines[1..].iter().map(header).collect::<Option<Vec<_>>>().ok_or_else(broken)?;
    let mut seen = Seen { method, path, headers, body: Vec::new() };
    let length: usize = seen.header("content-length").map_or(Ok(0), str::parse).map_err(|_| broken())?;
    if length > MOST_BODY || seen.header("transfer-encoding").is_some() {
        return Err(broken());
    }
    seen.body = vec![0; length];
    reader.read_exact(&mut seen.body)?;
    Ok(Some(seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends `request` and reads until the server closes.
    fn exchange(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }

    #[test]
    fn it_answers_as_the_script_says_and_keeps_what_came() {
        let server =
            Server::script([Reply::with(302, &[("location", "/b")], "gone"), Reply::new(200, "x").cut_after(9)]);
        let request = "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi";
        assert_eq!(
            exchange(&server, request),
            "HTTP/1.1 302 Scripted\r\ncontent-length: 4\r\nlocation: /b\r\n\r\ngone"
        );
        assert_eq!(exchange(&server, request), "HTTP/1.1 ");
        assert!(exchange(&server, request).ends_with("the script is over"));
        let seen = server.seen();
        let first = &seen[0];
        assert_eq!((first.method.as_str(), first.path.as_str(), first.body.as_slice()), ("POST", "/a?b", &b"hi"[..]));
        assert_eq!((first.header("host"), first.header("authorization"), seen.len()), (Some("x"), None, 3));
    }

    #[test]
    fn it_ends_with_clients_that_wait() {
        let server = Server::script([Reply::hang()]);
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let _silent = TcpStream::connect(server.address).unwrap();
        drop(server);
        assert_eq!(stream.read(&mut [0; 1]).unwrap_or_default(), 0);
    }
}
