//! What goes on in sandboxes, live, at a terminal.
//!
//! | file | what it does |
//! |---|---|
//! | `marks` | tells from the lengths and times of files whether anything has changed |
//! | `seen` | what there is to see, from what files and tools say |
//! | `look` | reads the files, and asks the component once they have changed |
//! | `state` | what is chosen, and what the keys do |
//! | `screen` | the rows of the screen |
//! | `show` | keeps the screen up to date until the person wants something |
//!
//! The sandbox's lock is held only while its tools say what is in it, never while the person looks at
//! the screen.

mod look;
mod marks;
mod screen;
mod seen;
mod show;
mod state;

pub use look::Look;
pub use show::show;
pub use state::{State, Wish};
