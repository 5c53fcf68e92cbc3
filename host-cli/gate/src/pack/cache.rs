//! Contents that were decoded lately: the next object in a pack is often a delta against one of them.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

/// Contents by the offset of their entry, first in, first out.
#[derive(Default)]
pub(super) struct Cache {
    contents: HashMap<u64, Arc<[u8]>>,
    order: VecDeque<u64>,
    bytes: usize,
}

impl Cache {
    /// Larger contents are not kept.
    const ONE: usize = 1 << 20;
    /// Bytes kept at once.
    const ALL: usize = 32 << 20;

    pub fn get(&self, offset: u64) -> Option<Arc<[u8]>> {
        self.contents.get(&offset).cloned()
    }

    pub fn put(&mut self, offset: u64, content: &[u8]) {
        if content.len() > Self::ONE || self.contents.contains_key(&offset) {
            return;
        }
        self.bytes += content.len();
        self.contents.insert(offset, content.into());
        self.order.push_back(offset);
        while self.bytes > Self::ALL {
            let oldest = self.order.pop_front().expect("bytes are only counted for what is in the queue");
            self.bytes -= self.contents.remove(&oldest).map_or(0, |content| content.len());
        }
    }
}
