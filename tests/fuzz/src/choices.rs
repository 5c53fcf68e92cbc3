//! Uses a fuzzer's bytes as a source of choices. When they run out, every choice is the first one.

use arbitrary::Unstructured;

pub struct Choices<'a>(Unstructured<'a>);

impl<'a> Choices<'a> {
    pub fn of(input: &'a [u8]) -> Self {
        Choices(Unstructured::new(input))
    }

    /// Whether all further choices are the first one.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below `bound`, or 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound.saturating_sub(1)).unwrap_or(0)
    }

    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub fn number(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// True one time in `of`.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    pub fn of_these<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())]
    }

    /// At most `most` bytes.
    pub fn bytes(&mut self, most: usize) -> &'a [u8] {
        let count = self.below(most + 1).min(self.0.len());
        self.0.bytes(count).unwrap_or_default()
    }

    /// At most `most` bytes as text.
    pub fn text(&mut self, most: usize) -> String {
        String::from_utf8_lossy(self.bytes(most)).into_owned()
    }

    /// All bytes left.
    pub fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }
}
