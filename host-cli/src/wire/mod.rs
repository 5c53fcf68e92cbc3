//! What every client of a server does: limits, and answers that are read up to a bound.
//!
//! | file | what it has |
//! |---|---|
//! | `body` | the body of a request, and how far it has got |
//! | `limits` | how long a request may take, and who calls it off |
//! | `answer` | the answer to one |
//! | `loopback` | which servers are this machine itself |

mod answer;
mod body;
mod limits;
mod loopback;

pub use answer::{broken, read, root};
pub use body::{Upload, Watch};
pub use limits::{Broken, Limits, guard};
pub use loopback::is_loopback;
