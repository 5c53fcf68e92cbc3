//! The types of the component's interface, as plain values. `sandbox.wit` documents each.
//!
//! | file | what it has |
//! |---|---|
//! | `interface` | the table: every record, enum and variant, once |
//! | `declare` | makes the types of this crate from the table |
//! | `mirror` | converts between these types and those that a generator of bindings makes |
//! | `error` | how a host makes an error, and the names of the kinds |
//!
//! A binding that does not match the table does not compile: each conversion names every field and
//! every case.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

#[macro_use]
mod declare;
mod error;
#[macro_use]
mod interface;
mod mirror;

pub use mirror::Convert;

interface!(declare_item, _);
