//! How the commands of a script take turns.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use crate::world::{Called, Halt, Ran};

/// A future of this thread.
pub type Local<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What tells whether anybody has got on, and what a program of the world is asked to do.
#[derive(Debug, Default)]
pub struct Turns {
    made: Cell<u64>,
    asked: RefCell<Option<Called>>,
    answer: RefCell<Option<Result<Ran, Halt>>>,
}

impl Turns {
    /// Says that something has got on.
    pub fn made(&self) {
        self.made.set(self.made.get().wrapping_add(1));
    }

    /// A number that changes when something has got on.
    pub fn count(&self) -> u64 {
        self.made.get()
    }

    /// Lets the others go on once.
    pub async fn others(&self) {
        let mut waited = false;
        poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Has the world run a program.
    pub async fn ask(&self, called: Called) -> Result<Ran, Halt> {
        // One at a time: whoever asks is served before any other goes on.
        *self.asked.borrow_mut() = Some(called);
        self.made();
        loop {
            self.others().await;
            if let Some(answer) = self.answer.take() {
                return answer;
            }
        }
    }

    /// What the world is to run.
    pub fn asked(&self) -> Option<Called> {
        self.asked.take()
    }

    /// What has come of it.
    pub fn answered(&self, answer: Result<Ran, Halt>) {
        *self.answer.borrow_mut() = Some(answer);
        self.made();
    }

    /// Whether somebody waits for the world.
    fn waits(&self) -> bool {
        self.asked.borrow().is_some()
    }
}

/// Runs all of them in turns, and gives what each comes to. The last of a pipeline has its turn first: as with processes, it has opened the
/// files that it writes before those in front of it have anything to give.
pub async fn together<T>(turns: &Rc<Turns>, futures: Vec<Local<'_, T>>) -> Vec<T> {
    let mut running: Vec<Option<Local<'_, T>>> = futures.into_iter().map(Some).collect();
    let mut done: Vec<Option<T>> = running.iter().map(|_| None).collect();
    poll_fn(|context| {
        loop {
            let before = turns.count();
            for (slot, done) in running.iter_mut().zip(&mut done).rev() {
                let Some(future) = slot else { continue };
                if let Poll::Ready(value) = future.as_mut().poll(context) {
                    *done = Some(value);
                    // What it had open is closed with it.
                    *slot = None;
                    turns.made();
                }
                if turns.waits() {
                    return Poll::Pending;
                }
            }
            if done.iter().all(Option::is_some) {
                return Poll::Ready(());
            }
            if turns.count() == before {
                return Poll::Pending;
            }
        }
    })
    .await;
    done.into_iter().map(|done| done.expect("each is done")).collect()
}
