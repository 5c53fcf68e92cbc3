//! The review in full screen: files, their changes, comments, and what is decided.
//!
//! What a key does is known to [`Screen`], which draws into cells and knows no terminal. It says what is to be kept or decided, and
//! [`run`] does it.
//!
//! | file | what it has |
//! |---|---|
//! | `file` | a changed file, of a push or of a diff |
//! | `model` | all files, what was looked at in them, what is left out, and what is said |
//! | `overview` | where the push goes, its commits and warnings |
//! | `tree` | the files in their folders |
//! | `rows` | the lines of a file as they stand below each other |
//! | `cells` | text in cells that no terminal draws wider |
//! | `highlight` | the colours of code |
//! | `theme` | colours on a light and on a dark ground |
//! | `keys` | the keys, and what they are for |
//! | `input` | a text that is typed |
//! | `screen` | what is shown, and where the person is |
//! | `effect` | what comes of a key, and what takes it back |
//! | `moving` | the keys that move |
//! | `searching` | goes to what is searched for, warned of or said |
//! | `acting` | the keys that change or decide something |
//! | `placing` | how much of the screen there is for what |
//! | `commenting` | the keys that say something about the push |
//! | `answering` | the keys that answer what is asked |
//! | `popup` | what is asked before something is decided |
//! | `draw` | the screen in cells |
//! | `run` | the screen at a terminal |

mod acting;
mod answering;
mod cells;
mod commenting;
mod draw;
mod effect;
mod file;
mod highlight;
mod input;
mod keys;
mod model;
mod moving;
mod overview;
mod placing;
mod popup;
mod rows;
mod run;
mod screen;
mod searching;
#[cfg(test)]
mod tests;
mod theme;
mod tree;

pub use effect::Outcome;
pub use file::File;
pub use model::Model;
pub use overview::Overview;
pub use run::{Kept, run};

pub use theme::Ground;
