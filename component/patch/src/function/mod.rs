//! The function name that a hunk header shows after `@@`.

mod languages;
mod rules;

/// The longest function name that a hunk header shows, in bytes.
const LONGEST_NAME: usize = 80;

/// git's built-in userdiff drivers, which say what lines start a function. A `diff=<name>` attribute can name each of them without any
/// configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Driver {
    /// If no attribute names a driver: a line that starts with an ASCII letter, `_` or `$`.
    #[default]
    Default,
    /// Subprograms, packages and tasks.
    Ada,
    /// Functions of a shell script.
    Bash,
    /// Entries.
    Bibtex,
    /// C and C++: everything in the first column except labels.
    Cpp,
    /// C#: methods, properties, types and namespaces.
    Csharp,
    /// Selectors.
    Css,
    /// Nodes of a device tree.
    Dts,
    /// Definitions and tests.
    Elixir,
    /// Program units.
    Fortran,
    /// Scene headings of a screenplay.
    Fountain,
    /// Go: functions, structs and interfaces.
    Golang,
    /// Headings.
    Html,
    /// Types and methods.
    Java,
    /// Functions, classes and interfaces.
    Kotlin,
    /// Headings.
    Markdown,
    /// MATLAB and Octave: classes, functions and code sections.
    Matlab,
    /// Objective-C: methods, functions, classes and protocols.
    Objc,
    /// Routines, sections and classes.
    Pascal,
    /// Packages, subroutines and headings of the documentation.
    Perl,
    /// Functions and types.
    Php,
    /// Classes and functions.
    Python,
    /// Classes, modules and methods.
    Ruby,
    /// Items.
    Rust,
    /// Definitions.
    Scheme,
    /// LaTeX: parts, chapters and sections.
    Tex,
}

impl Driver {
    /// The driver that `diff=<name>` asks for, or `None` if git has no built-in driver of that name.
    pub fn named(name: &[u8]) -> Option<Self> {
        languages::NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, driver)| *driver)
    }

    /// The name that `line` gives to the lines after it, or `None` if it starts no function.
    ///
    /// As in git, the name is cut to 80 bytes and then loses white space at its end. If nothing is left, the following lines are in a
    /// function without a name.
    pub fn name(self, line: &[u8]) -> Option<&[u8]> {
        let name = match languages::rules(self) {
            None => Some(line).filter(|line| starts_with_a_letter(line)),
            Some(rules) => rules.name(without_end(line)),
        }?;
        let cut = &name[..name.len().min(LONGEST_NAME)];
        let length = cut.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        Some(&cut[..length])
    }
}

/// Whether `line` starts a function under [`Driver::Default`].
pub(crate) fn starts_with_a_letter(line: &[u8]) -> bool {
    line.first().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'_' | b'$'))
}

/// A line without its newline, and without the one carriage return before it.
fn without_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

/// White space as git's own `isspace` defines it: without form feed and vertical tab.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(line: &[u8]) -> Option<&[u8]> {
        Driver::Default.name(line)
    }

    #[test]
    fn a_letter_underscore_or_dollar_starts_a_function() {
        assert_eq!(name(b"fn main() {\r\n"), Some(&b"fn main() {"[..]));
        assert_eq!(name(b"_start:\n"), Some(&b"_start:"[..]));
        assert_eq!(name(b"$ENTRY"), Some(&b"$ENTRY"[..]));
        assert_eq!(name(b" indented\n"), None);
        assert_eq!(name(b"1. list\n"), None);
        assert_eq!(name("é\n".as_bytes()), None);
        assert_eq!(name(b""), None);
    }

    #[test]
    fn the_cut_comes_before_the_trim() {
        let line = [vec![b'a'; 70], vec![b' '; 20], b"end\n".to_vec()].concat();
        assert_eq!(name(&line), Some(&line[..70]));
        let heading = [b"# ", &line[..]].concat();
        assert_eq!(Driver::Markdown.name(&heading), Some(&heading[..72]));
        let far = [vec![b' '; 90], b"T = class\n".to_vec()].concat();
        assert_eq!(Driver::Pascal.name(&far), Some(&b""[..]));
    }

    #[test]
    fn every_driver_has_a_name_and_its_own_rules() {
        for (name, driver) in languages::NAMES {
            assert_eq!(Driver::named(name.as_bytes()), Some(*driver));
            assert_eq!(languages::rules(*driver).is_none(), *driver == Driver::Default, "{name}");
        }
        assert_eq!(Driver::named(b"c"), None);
        assert_eq!(Driver::named(b"Rust"), None);
        assert_eq!(Driver::named(b""), None);
    }

    #[test]
    fn a_name_is_what_the_driver_captures() {
        assert_eq!(
            Driver::Rust.name(b"    pub(crate) async fn run() {\r\n"),
            Some(&b"pub(crate) async fn run() {"[..])
        );
        assert_eq!(Driver::Rust.name(b"use std::fmt;\n"), None);
        assert_eq!(Driver::Markdown.name(b"  ## Two\n"), Some(&b"  ## Two"[..]));
        assert_eq!(Driver::Cpp.name(b"out:\n"), None);
        // The first group of git's pattern is the prototype here, so git shows that.
        assert_eq!(Driver::Perl.name(b"sub add($$) {\n"), Some(&b"($$)"[..]));
        assert_eq!(Driver::Perl.name(b"sub add {\n"), Some(&b"sub add {"[..]));
    }
}
