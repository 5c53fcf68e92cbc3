//! The sandboxes that are open. Each takes memory and a thread, so they are few, and the one that was
//! used longest ago makes room for another.

use std::sync::{Arc, Mutex};

use gate::id::SandboxId;
use tokio::sync::OnceCell;

use crate::command::Context;
use crate::desk::{Desk, Opener};
use crate::home::Home;
use crate::sandbox::Clock;

/// The most sandboxes that are open. A call that is being made when its sandbox makes room is made to
/// its end.
const MOST: usize = 16;

/// A desk, once it is open.
type Room = Arc<OnceCell<Desk>>;

/// All of them.
#[derive(Debug)]
pub struct Rooms {
    /// The home that the sandboxes are in.
    pub home: Home,
    /// The process's clock.
    pub clock: Clock,
    opener: Opener,
    /// The one that was used longest ago first.
    open: Mutex<Vec<(SandboxId, Room)>>,
}

impl Rooms {
    /// None is open yet.
    pub fn new(home: Home, clock: Clock, opener: Opener) -> Self {
        Rooms { home, clock, opener, open: Mutex::default() }
    }

    /// The way to a sandbox. Opens it unless it is open.
    ///
    /// # Errors
    /// If it cannot be opened. The next request tries again.
    pub async fn desk(&self, name: &SandboxId) -> anyhow::Result<Desk> {
        let room = self.room(name);
        let open = || async {
            let (home, clock, running) = (self.home.clone(), self.clock.clone(), self.opener.running());
            let name = name.clone();
            // It waits for the component to start.
            let open = move || Desk::open(home, clock, name, Context::open_for_others, running);
            let opened = tokio::task::spawn_blocking(open).await?;
            anyhow::Ok(opened?.0)
        };
        room.get_or_try_init(open).await.cloned()
    }

    /// Closes a sandbox, once what is being made there is made.
    pub fn close(&self, name: &SandboxId) {
        self.open.lock().expect("nothing panics while it is held").retain(|(other, _)| other != name);
    }

    fn room(&self, name: &SandboxId) -> Room {
        let mut open = self.open.lock().expect("nothing panics while it is held");
        let found = open.iter().position(|(other, _)| other == name);
        let room = match found {
            Some(at) => open.remove(at).1,
            None => {
                if open.len() == MOST {
                    open.remove(0);
                }
                Room::default()
            }
        };
        open.push((name.clone(), Arc::clone(&room)));
        room
    }
}
