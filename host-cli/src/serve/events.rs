//! Tells listeners what waits. The store is looked at from time to time, because other processes use it
//! as well.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use api::{Listening, Share};
use bytes::Bytes;
use gate::id::SandboxId;
use http_body::{Body, Frame};
use http_body_util::channel::Channel;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::answer::store_of;
use crate::error;
use crate::home::Home;
use crate::moment;

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(250);

/// The events, as long as there may be any and somebody listens. The share is held until then.
pub fn of(home: Home, name: SandboxId, listening: Listening, share: Share) -> Heard {
    let (mut sender, events) = Channel::new(4);
    tokio::spawn(async move {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut listening, mut last) = (listening, Instant::now());
        loop {
            looks.tick().await;
            let (home, name) = (home.clone(), name.clone());
            let looked = tokio::task::spawn_blocking(move || {
                let news = look(&home, &name, &mut listening);
                (listening, news)
            });
            let Ok((kept, news)) = looked.await else { return };
            listening = kept;
            let text = match news {
                Ok(Some(News::Event(event))) => event,
                Ok(Some(News::Nothing)) if last.elapsed() < Listening::PERIOD => continue,
                Ok(Some(News::Nothing)) => Listening::NOTHING.to_owned(),
                Ok(None) => return,
                Err(error) => return tracing::debug!("a listener is left: {}", error.message),
            };
            last = Instant::now();
            // Whoever does not listen any more has gone.
            if sender.send_data(Bytes::from(text)).await.is_err() {
                return;
            }
        }
    });
    Heard { events, _share: share }
}

/// Events on their way. Whoever has gone away drops this, before the next event finds nobody.
#[derive(Debug)]
pub struct Heard {
    events: Channel<Bytes>,
    _share: Share,
}

impl Body for Heard {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.events).poll_frame(context)
    }
}

enum News {
    Event(String),
    Nothing,
}

/// What there is to tell. `None` if nothing may be told any more.
fn look(home: &Home, name: &SandboxId, listening: &mut Listening) -> error::Result<Option<News>> {
    let Some(store) = store_of(home, name)? else { return Ok(None) };
    if !listening.is_allowed(&store, moment::now().timestamp())? {
        return Ok(None);
    }
    Ok(Some(listening.news(&store)?.map_or(News::Nothing, News::Event)))
}
