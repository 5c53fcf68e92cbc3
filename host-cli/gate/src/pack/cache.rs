//! Contents decoded lately: the next object in a pack is often a delta against one of them.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use gix_object::Kind;

/// Contents by the offset of their entry, first in, first out.
#[derive(Default)]
pub(super) struct Cache {
    contents: HashMap<u64, (Kind, Arc<[u8]>)>,
    order: VecDeque<u64>,
    bytes: usize,
}

impl Cache {
    /// The most bytes kept. A larger content is not kept; of smaller ones as many as fit, so that one pass reads a chain of deltas over
    /// contents of any size below.
    const ALL: usize = 64 << 20;

    pub fn get(&self, offset: u64) -> Option<(Kind, Arc<[u8]>)> {
        self.contents.get(&offset).cloned()
    }

    pub fn put(&mut self, offset: u64, kind: Kind, content: &[u8]) {
        if content.len() > Self::ALL || self.contents.contains_key(&offset) {
            return;
        }
        self.bytes += content.len();
        self.contents.insert(offset, (kind, content.into()));
        self.order.push_back(offset);
        while self.bytes > Self::ALL {
            let oldest = self.order.pop_front().expect("bytes are only counted for what is in the queue");
            self.bytes -= self.contents.remove(&oldest).map_or(0, |(_, content)| content.len());
        }
    }
}
