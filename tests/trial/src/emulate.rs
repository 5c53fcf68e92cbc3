//! A fake GitHub with state: npm's emulate, pinned by `tests/emulate`. It has one repository,
//! ada/project, with one commit.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::node::{install, run};

/// Its only valid token.
pub const TOKEN: &str = "a-token-of-the-tests";

/// A running fake GitHub. It ends when it is dropped.
#[derive(Debug)]
pub struct StandIn {
    child: Child,
    /// Open while it runs, because it may write more.
    _said: BufReader<ChildStdout>,
    port: u16,
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.kill();
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../emulate"))
}

impl StandIn {
    /// Starts it on a free loopback port, from its installation in `installed`.
    ///
    /// # Panics
    ///
    /// If node or npm fails.
    pub fn start(installed: &Path) -> StandIn {
        install(folder(), installed);
        loop {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            // Another process may have taken the port meanwhile.
            if let Some(stand_in) = StandIn::on(port.expect("loopback has free ports").port(), installed) {
                return stand_in;
            }
        }
    }

    fn on(port: u16, installed: &Path) -> Option<StandIn> {
        let program: PathBuf = installed.join("node_modules/emulate/dist/index.js");
        let mut command = Command::new("node");
        command.arg(program).args(["start", "-s", "github", "-p", &port.to_string(), "--seed"]);
        command.arg(folder().join("seed.yaml")).current_dir(installed);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("node is there");
        let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
        let is_up = said.by_ref().lines().map_while(Result::ok).any(|line| line.contains("seed.yaml"));
        let stand_in = StandIn { child, _said: said, port };
        is_up.then_some(stand_in)
    }

    /// The value for `GITHUB_API_URL`.
    pub fn base(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Queries it through `tests/emulate/ask.mjs`, and returns the answer.
    ///
    /// # Panics
    ///
    /// If it refuses.
    pub fn ask(&self, arguments: &[&str]) -> String {
        run(Command::new("node").arg(folder().join("ask.mjs")).arg(self.base()).args(arguments))
    }

    /// Kills it.
    pub fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
