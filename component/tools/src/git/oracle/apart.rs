//! Where the tools do not say what git says, on purpose. The generator makes no such call, and here each has a test.

use gix::bstr::ByteSlice;

/// Complaints of git's about rules that count for nothing: a `.gitattributes` that is a link, or a line in one that makes no sense. git
/// repeats them as often as it happens to read the file. And what it says of line endings that it would not write back as they are, once for
/// each time that it happens to convert a file; and that somebody moved a ref behind the back of its log.
const UNSAID: &[&[u8]] = &[
    b": Too many levels of symbolic links",
    b" is not a valid attribute name: ",
    b" will be replaced by ",
    b" unexpectedly ended on ",
];

/// Whether a line of git's error stream is one that the tools leave out.
pub fn is_unsaid(line: &[u8]) -> bool {
    UNSAID.iter().any(|part| line.contains_str(part))
}
