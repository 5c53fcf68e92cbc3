//! What `set` and `shopt` switch.

/// The options that something depends on.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// `-e`: a command that fails ends the shell.
    pub errexit: bool,
    /// `-E`: functions and subshells have the trap ERR as well.
    pub errtrace: bool,
    /// `-u`: a variable that is not set is an error.
    pub nounset: bool,
    /// `-o pipefail`: a pipeline fails with any of its commands.
    pub pipefail: bool,
    /// `-x`: commands are printed before they run.
    pub xtrace: bool,
    /// `-f`: patterns are no names of files.
    pub noglob: bool,
    /// `-C`: `>` replaces no file.
    pub noclobber: bool,
    /// `-a`: what is assigned is exported.
    pub allexport: bool,
    /// `-n`: commands are read, and not run.
    pub noexec: bool,
    /// `shopt -s nullglob`: a pattern without a match is nothing.
    pub nullglob: bool,
    /// `shopt -s failglob`: a pattern without a match is an error.
    pub failglob: bool,
    /// `shopt -s dotglob`: `*` matches names with a dot in front.
    pub dotglob: bool,
    /// `shopt -s globstar`: `**` matches folders in folders.
    pub globstar: bool,
    /// `shopt -s nocaseglob`: case does not matter in names of files.
    pub nocaseglob: bool,
    /// `shopt -s nocasematch`: case does not matter in `case` and `[[`.
    pub nocasematch: bool,
    /// `shopt -s lastpipe`: the last command of a pipeline runs in the shell itself.
    pub lastpipe: bool,
    /// `shopt -s inherit_errexit`: a command substitution keeps `-e`.
    pub inherit_errexit: bool,
    /// `shopt -s extglob`. Such patterns are always known here.
    pub extglob: bool,
    /// `shopt -s expand_aliases`
    pub expand_aliases: bool,
}

type Field = fn(&mut Options) -> &mut bool;

/// The options of `set -o`, with their letter.
pub const SET: &[(&str, char, Field)] = &[
    ("allexport", 'a', |o| &mut o.allexport),
    ("errexit", 'e', |o| &mut o.errexit),
    ("errtrace", 'E', |o| &mut o.errtrace),
    ("noclobber", 'C', |o| &mut o.noclobber),
    ("noexec", 'n', |o| &mut o.noexec),
    ("noglob", 'f', |o| &mut o.noglob),
    ("nounset", 'u', |o| &mut o.nounset),
    ("pipefail", '\0', |o| &mut o.pipefail),
    ("xtrace", 'x', |o| &mut o.xtrace),
];

/// Options of `set` that change nothing here.
pub const IGNORED: &[(&str, char)] = &[
    ("braceexpand", 'B'),
    ("functrace", 'T'),
    ("hashall", 'h'),
    ("histexpand", 'H'),
    ("interactive-comments", '\0'),
    ("monitor", 'm'),
    ("physical", 'P'),
    ("posix", '\0'),
    ("privileged", 'p'),
    ("verbose", 'v'),
];

/// The options of `shopt`.
pub const SHOPT: &[(&str, Field)] = &[
    ("dotglob", |o| &mut o.dotglob),
    ("expand_aliases", |o| &mut o.expand_aliases),
    ("extglob", |o| &mut o.extglob),
    ("failglob", |o| &mut o.failglob),
    ("globstar", |o| &mut o.globstar),
    ("inherit_errexit", |o| &mut o.inherit_errexit),
    ("lastpipe", |o| &mut o.lastpipe),
    ("nocaseglob", |o| &mut o.nocaseglob),
    ("nocasematch", |o| &mut o.nocasematch),
    ("nullglob", |o| &mut o.nullglob),
];

impl Options {
    /// The letters of those that are on, as `$-` has them for a script.
    pub fn letters(mut self) -> String {
        let mut letters: Vec<char> = vec!['h', 'B'];
        for (_, letter, field) in SET {
            if *letter != '\0' && *field(&mut self) {
                letters.push(*letter);
            }
        }
        // bash lists small letters, then large ones.
        letters.sort_by_key(|letter| (letter.is_ascii_uppercase(), *letter));
        letters.into_iter().chain(['c']).collect()
    }
}
