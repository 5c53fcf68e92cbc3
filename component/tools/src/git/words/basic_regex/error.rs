//! Reasons to refuse a pattern.

/// The reason to refuse a pattern.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// git refuses the pattern too.
    Git(Invalid),
    /// The pattern has a back-reference.
    BackReference,
    /// The pattern is nested too deep or too large.
    TooLarge,
}

impl From<Invalid> for Refusal {
    fn from(error: Invalid) -> Refusal {
        Refusal::Git(error)
    }
}

/// The syntax error in a pattern.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Invalid {
    /// A bracket at the very end.
    Pattern,
    /// `[[.ab.]]`
    CollationCharacter,
    /// `[[:letter:]]`
    ClassName,
    /// A backslash at the very end.
    TrailingBackslash,
    /// `\1` without a group.
    BackReference,
    /// A bracket that is not closed.
    Bracket,
    /// A group that is not closed, or not opened.
    Group,
    /// An interval that is not closed.
    Interval,
    /// `\{x\}`
    IntervalContent,
    /// `[z-a]`
    Range,
    /// A repetition without an operand, or of another repetition.
    Repetition,
    /// A repetition count that is too large.
    TooBig,
}

impl Invalid {
    /// The message of the C library.
    pub fn message(self) -> &'static str {
        match self {
            Invalid::Pattern => "Invalid regular expression",
            Invalid::CollationCharacter => "Invalid collation character",
            Invalid::ClassName => "Invalid character class name",
            Invalid::TrailingBackslash => "Trailing backslash",
            Invalid::BackReference => "Invalid back reference",
            Invalid::Bracket => "Unmatched [, [^, [:, [., or [=",
            Invalid::Group => r"Unmatched ( or \(",
            Invalid::Interval => r"Unmatched \{",
            Invalid::IntervalContent => r"Invalid content of \{\}",
            Invalid::Range => "Invalid range end",
            Invalid::Repetition => "Invalid preceding regular expression",
            Invalid::TooBig => "Regular expression too big",
        }
    }
}
