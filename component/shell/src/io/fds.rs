//! The open files of a shell, by their numbers.

use std::collections::BTreeMap;

use super::{Sink, Source};

/// What a number stands for.
#[derive(Clone, Debug)]
pub struct Fd {
    /// What is read from it.
    pub source: Source,
    /// What is written to it.
    pub sink: Sink,
}

impl From<Source> for Fd {
    fn from(source: Source) -> Fd {
        Fd { source, sink: Sink::Closed }
    }
}

impl From<Sink> for Fd {
    fn from(sink: Sink) -> Fd {
        Fd { source: Source::Closed, sink }
    }
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Fds(BTreeMap<i32, Fd>);

impl Fds {
    /// The three that every command has.
    pub fn new(stdin: Source, stdout: Sink, stderr: Sink) -> Fds {
        Fds(BTreeMap::from([(0, stdin.into()), (1, stdout.into()), (2, stderr.into())]))
    }

    /// What is open as this number.
    pub fn get(&self, number: i32) -> Option<&Fd> {
        self.0.get(&number)
    }

    /// Opens it, instead of what is open as this number.
    pub fn set(&mut self, number: i32, fd: impl Into<Fd>) {
        self.0.insert(number, fd.into());
    }

    /// Closes it.
    pub fn close(&mut self, number: i32) {
        self.0.remove(&number);
    }

    /// What is read from this number.
    pub fn source(&self, number: i32) -> Source {
        self.0.get(&number).map_or(Source::Closed, |fd| fd.source.clone())
    }

    /// What is written to this number.
    pub fn sink(&self, number: i32) -> Sink {
        self.0.get(&number).map_or(Sink::Closed, |fd| fd.sink.clone())
    }
}
