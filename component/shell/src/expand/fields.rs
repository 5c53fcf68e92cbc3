//! Fields under construction (Word Splitting in bash's manual).

use bstr::BString;

/// A field: its bytes, and which of them stand for themselves.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether a byte was quoted.
    pub quoted: Vec<bool>,
}

/// Fields under construction.
#[derive(Debug)]
pub struct Fields {
    separators: BString,
    done: Vec<Field>,
    open: Option<Field>,
    /// Whether white space has ended the last field, and another separator behind it ends none.
    ended_by_blank: bool,
}

impl Fields {
    /// None yet. They end at these characters.
    pub fn new(separators: BString) -> Fields {
        Fields { separators, done: Vec::new(), open: None, ended_by_blank: false }
    }

    /// Adds a text that is not split.
    pub fn add(&mut self, bytes: &[u8], quoted: bool) {
        self.ended_by_blank = false;
        let field = self.open.get_or_insert_default();
        field.bytes.extend_from_slice(bytes);
        field.quoted.resize(field.bytes.len(), quoted);
    }

    /// Adds a text that is split.
    pub fn split(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let is_separator = self.separators.contains(byte);
            let is_blank = is_separator && matches!(byte, b' ' | b'\t' | b'\n');
            if !is_separator {
                self.ended_by_blank = false;
                let field = self.open.get_or_insert_default();
                field.bytes.push(*byte);
                field.quoted.push(false);
            } else if is_blank {
                if let Some(field) = self.open.take() {
                    self.done.push(field);
                    self.ended_by_blank = true;
                }
            } else if std::mem::take(&mut self.ended_by_blank) && self.open.is_none() {
                // Blanks around another separator are part of it.
            } else {
                self.done.push(self.open.take().unwrap_or_default());
            }
        }
    }

    /// Ends a field, if one is open.
    pub fn end(&mut self) {
        self.ended_by_blank = false;
        self.done.extend(self.open.take());
    }

    /// Begins a field, which may stay empty.
    pub fn begin(&mut self) {
        self.ended_by_blank = false;
        self.open.get_or_insert_default();
    }

    /// The fields.
    pub fn done(mut self) -> Vec<Field> {
        self.done.extend(self.open);
        self.done
    }

    /// All of it as one field, with a blank between what was apart.
    pub fn joined(self) -> Field {
        let mut fields = self.done().into_iter();
        let mut all = fields.next().unwrap_or_default();
        for field in fields {
            all.bytes.push(b' ');
            all.quoted.push(false);
            all.bytes.extend(field.bytes);
            all.quoted.extend(field.quoted);
        }
        all
    }
}
