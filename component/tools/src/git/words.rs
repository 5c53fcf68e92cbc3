//! The words that git is written in: what texts, numbers, dates and patterns mean, without any repository.

pub mod advice;
pub mod basic_regex;
pub mod c_number;
pub mod columns;
pub mod dates;
pub mod identity;
pub mod message;
pub mod space;
