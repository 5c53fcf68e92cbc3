//! Answers that go on: each listener is told what there is to tell. The store is looked at from time to time, because other processes
//! use it as well.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use api::{Doing, Listening, News, Share};
use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::channel::{Channel, Sender};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::store_of;
use super::rooms::Rooms;
use crate::command;
use crate::error::Result;
use crate::home::Home;
use crate::sandbox::Sandbox;
use crate::{driver, moment};

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(250);

/// What a listener is told after `first`, as long as there may be anything and somebody listens. The share is held until then.
pub fn of(rooms: Arc<Rooms>, listening: Listening, first: Bytes, share: Share) -> Heard {
    let (sender, events) = Channel::new(4);
    let gone = CancellationToken::new();
    let heard = Heard { events, _share: share, _gone: gone.clone().drop_guard() };
    tokio::spawn(async move {
        // What somebody who has gone away would be told is not asked for: it waits for who comes next.
        let told = tell(&rooms, listening, first, sender, &gone);
        tokio::select! {
            () = told => {}
            () = gone.cancelled() => {}
        }
    });
    heard
}

async fn tell(rooms: &Rooms, mut listening: Listening, first: Bytes, mut to: Sender<Bytes>, gone: &CancellationToken) {
    if !first.is_empty() && to.send_data(first).await.is_err() {
        return;
    }
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last = Instant::now();
    loop {
        looks.tick().await;
        let home = rooms.home.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let news = look(&home, &mut listening);
            (listening, news)
        });
        let Ok((kept, news)) = looked.await else { return };
        listening = kept;
        let news = match news {
            Ok(News::Asks) => {
                let farewell = listening.farewell("the sandbox cannot be asked now");
                match ask(rooms, listening, gone).await {
                    Ok((kept, news)) => {
                        listening = kept;
                        news
                    }
                    Err(error) => {
                        tracing::debug!("a listener is left: {error:#}");
                        // A client of git needs an end, and nobody else waits for one.
                        let _ = to.send_data(Bytes::from(farewell)).await;
                        return;
                    }
                }
            }
            Ok(news) => news,
            Err(error) => {
                tracing::debug!("a listener is left: {}", error.message);
                listening.last(&error.message)
            }
        };
        let (bytes, is_last) = match news {
            News::Nothing | News::Asks if last.elapsed() < Listening::PERIOD => continue,
            News::Nothing | News::Asks => (listening.alive(), false),
            News::Told(bytes) => (bytes, false),
            News::Last(bytes) => (bytes, true),
        };
        last = Instant::now();
        // Whoever does not listen any more has gone.
        if to.send_data(Bytes::from(bytes)).await.is_err() || is_last {
            return;
        }
    }
}

/// Events on their way. Whoever has gone away drops this, before the next event finds nobody.
#[derive(Debug)]
pub struct Heard {
    events: Channel<Bytes>,
    _share: Share,
    _gone: DropGuard,
}

impl Body for Heard {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.events).poll_frame(context)
    }
}

/// What there is to tell.
fn look(home: &Home, listening: &mut Listening) -> Result<News> {
    match store_of(home, listening.sandbox())? {
        Some(store) => listening.news(&store, moment::now().timestamp()),
        None => Ok(listening.break_off("the sandbox is gone")),
    }
}

/// Asks the sandbox, in its turn.
async fn ask(rooms: &Rooms, mut listening: Listening, gone: &CancellationToken) -> anyhow::Result<(Listening, News)> {
    let desk = rooms.desk(listening.sandbox()).await?;
    let work = move |context: &command::Context, sandbox: &mut Sandbox| {
        let policy = Rc::new(context.policy(sandbox)?);
        let mut doing = Doing::go_on(&listening, sandbox, policy);
        let response = driver::answer_request(sandbox, &mut doing, &*context.servers);
        let news = listening.heard(response);
        Ok((listening, news))
    };
    desk.run(gone, work).await
}
