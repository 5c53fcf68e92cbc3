//! How `xargs` reads its arguments.

use bstr::BString;

use crate::io::Source;

/// What stands between arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// This byte, and nothing has a meaning but it.
    Byte(u8),
    /// Blanks and line breaks.
    Words,
    /// Line breaks.
    Lines,
}

/// Reads arguments one by one.
pub struct Items {
    source: Source,
    parts: Parts,
    /// What stands for the end, if anything does.
    end: Option<BString>,
    is_over: bool,
    /// The byte before the next one.
    before: u8,
    /// Lines that ended, but for those that end in a blank.
    pub lines: u64,
}

/// What is read next.
pub enum Item {
    /// An argument.
    Text(BString),
    /// Nothing: that was all.
    End,
    /// A quote is open at the end of a line.
    Open(&'static str),
}

impl Items {
    /// Those of a source.
    pub fn new(source: Source, parts: Parts, end: Option<BString>) -> Items {
        Items { source, parts, end, is_over: false, before: 0, lines: 0 }
    }

    /// The next argument.
    pub async fn next(&mut self) -> Item {
        if self.is_over {
            return Item::End;
        }
        let Parts::Byte(end) = self.parts else { return self.word().await };
        match self.source.line(end).await {
            Some(mut text) => {
                if text.last() == Some(&end) {
                    text.pop();
                    self.lines += 1;
                }
                Item::Text(text.into())
            }
            None => Item::End,
        }
    }

    async fn byte(&mut self) -> Option<u8> {
        let byte = self.source.byte().await;
        self.is_over = byte.is_none();
        byte
    }

    async fn word(&mut self) -> Item {
        let mut text = BString::default();
        // Whether anything was seen that is an argument even if it is empty.
        let (mut begun, mut quoted) = (false, false);
        loop {
            let before = self.before;
            let Some(byte) = self.byte().await else {
                return if text.is_empty() { Item::End } else { self.ended(text) };
            };
            self.before = byte;
            if !begun && matches!(byte, b' ' | b'\t'..=b'\r') {
                continue;
            }
            begun = true;
            match byte {
                b'\n' => {
                    if before != b' ' && before != b'\t' {
                        self.lines += 1;
                    }
                    if text.is_empty() && !quoted {
                        begun = false;
                        continue;
                    }
                    return self.ended(text);
                }
                b' ' | b'\t' if self.parts == Parts::Words => return self.ended(text),
                b'\\' => match self.byte().await {
                    Some(byte) => {
                        self.before = byte;
                        text.push(byte);
                    }
                    None => return if text.is_empty() { Item::End } else { self.ended(text) },
                },
                b'\'' | b'"' => {
                    quoted = true;
                    loop {
                        match self.byte().await {
                            Some(end) if end == byte => break,
                            None | Some(b'\n') => return Item::Open(if byte == b'"' { "double" } else { "single" }),
                            Some(inner) => text.push(inner),
                        }
                    }
                    self.before = byte;
                }
                byte => text.push(byte),
            }
        }
    }

    fn ended(&mut self, text: BString) -> Item {
        if self.end.as_ref() == Some(&text) {
            self.is_over = true;
            return Item::End;
        }
        Item::Text(text)
    }
}
