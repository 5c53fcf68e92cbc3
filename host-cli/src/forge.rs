//! The servers that this process reaches: a client for each forge.

use std::cell::Cell;
use std::time::Duration;

use gate::forge::{Cut, Forge, Request, Response};

use crate::driver::Servers;
use crate::error::Result;
use crate::sandbox::Clock;
use crate::{git_server, github};

/// A client for each forge.
#[derive(Debug)]
pub struct Clients {
    clock: Clock,
    github: github::Client,
    git: git_server::Client,
    /// Who was asked last.
    asked: Cell<Option<Forge>>,
}

impl Clients {
    /// Clients with this process's settings, which `clock` calls off.
    pub fn new(clock: Clock) -> Self {
        Clients {
            github: github::Client::new(clock.clone()),
            git: git_server::Client::new(clock.clone()),
            asked: Cell::new(None),
            clock,
        }
    }
}

impl Servers for Clients {
    fn send(&self, request: &Request) -> Result<Result<Response, Cut>> {
        self.asked.set(Some(request.forge));
        match request.forge {
            Forge::Github => self.github.send(request),
            Forge::Git => self.git.send(request),
        }
    }

    fn why(&self) -> Option<String> {
        match self.asked.get()? {
            Forge::Github => self.github.why(),
            Forge::Git => self.git.why(),
        }
    }

    fn sleep(&self, time: Duration) -> Result<()> {
        self.clock.sleep(time)
    }
}
