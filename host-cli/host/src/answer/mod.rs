//! What is asked about a call, and how it is answered.

pub mod paths;
