//! The servers that this process reaches: a client for each forge.

use std::time::Duration;

use gate::forge::{Cut, Forge, Request, Response};

use crate::driver::Servers;
use crate::error::Result;
use crate::{git_server, github};
use crate::sandbox::Clock;

/// A client for each forge.
#[derive(Debug)]
pub struct Clients {
    clock: Clock,
    github: github::Client,
    git: git_server::Client,
}

impl Clients {
    /// Clients with this process's settings, which `clock` calls off.
    pub fn new(clock: Clock) -> Self {
        Clients { github: github::Client::new(clock.clone()), git: git_server::Client::new(clock.clone()), clock }
    }
}

impl Servers for Clients {
    fn send(&self, request: &Request) -> Result<Result<Response, Cut>> {
        match request.forge {
            Forge::Github => self.github.send(request),
            Forge::Git => self.git.send(request),
        }
    }

    fn sleep(&self, time: Duration) -> Result<()> {
        self.clock.sleep(time)
    }
}
