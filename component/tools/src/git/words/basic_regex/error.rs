//! Why a pattern is refused.

/// Why there is nothing to look for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// git refuses it, too.
    Git(Invalid),
    /// It has a back-reference.
    BackReference,
    /// It is nested too deep, or would be too large.
    TooLarge,
}

impl From<Invalid> for Refusal {
    fn from(error: Invalid) -> Refusal {
        Refusal::Git(error)
    }
}

/// What is wrong with a pattern.
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
    /// Nothing that could be repeated, or something that is repeated already.
    Repetition,
    /// A number of repetitions beyond all bounds.
    TooBig,
}

impl Invalid {
    /// In the words of the C library.
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
