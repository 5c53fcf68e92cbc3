//! White space as git has it where it reads commits: no form feed, no vertical tab (git's `isspace`).

/// Whether git takes `character` for white space.
pub fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}
