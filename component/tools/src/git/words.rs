//! Texts, numbers, dates and patterns as git reads and prints them, without any repository.

pub mod advice;
pub mod basic_regex;
pub mod c_number;
pub mod columns;
pub mod dates;
pub mod identity;
pub mod message;
pub mod space;
pub mod streams;
