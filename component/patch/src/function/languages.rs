//! The lines that start a function, for each language git knows.
//!
//! The rules match the same lines, with the same first group, as git's own patterns. Those are POSIX expressions, where the longest of
//! several alternatives wins; here the first wins. Where that makes a difference, the alternatives are ordered or terminated to agree with
//! git.

use std::sync::OnceLock;

use super::Driver::{
    self, Ada, Bash, Bibtex, Cpp, Csharp, Css, Dts, Elixir, Fortran, Fountain, Golang, Html, Java, Kotlin, Markdown,
    Matlab, Objc, Pascal, Perl, Php, Python, Ruby, Rust, Scheme, Tex,
};
use super::rules::Rule::{Name, Not};
use super::rules::{Case, Rule, Rules};

/// All drivers by git's names.
pub(super) const NAMES: &[(&str, Driver)] = &[
    ("ada", Ada),
    ("bash", Bash),
    ("bibtex", Bibtex),
    ("cpp", Cpp),
    ("csharp", Csharp),
    ("css", Css),
    ("default", Driver::Default),
    ("dts", Dts),
    ("elixir", Elixir),
    ("fortran", Fortran),
    ("fountain", Fountain),
    ("golang", Golang),
    ("html", Html),
    ("java", Java),
    ("kotlin", Kotlin),
    ("markdown", Markdown),
    ("matlab", Matlab),
    ("objc", Objc),
    ("pascal", Pascal),
    ("perl", Perl),
    ("php", Php),
    ("python", Python),
    ("ruby", Ruby),
    ("rust", Rust),
    ("scheme", Scheme),
    ("tex", Tex),
];

/// The rules of `driver`, compiled on first use; `None` for the default driver.
pub(super) fn rules(driver: Driver) -> Option<&'static Rules> {
    static COMPILED: [OnceLock<Rules>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
    let written = written(driver);
    let case = if matches!(driver, Ada | Css | Fortran | Fountain) { Case::Either } else { Case::Counts };
    (!written.is_empty()).then(|| COMPILED[driver as usize].get_or_init(|| Rules::new(written, case)))
}

fn written(driver: Driver) -> &'static [Rule] {
    match driver {
        Driver::Default => &[],
        Ada => &[
            Not(r"^(?:.*[\t ])?(?:is[\t ]+(?:new|separate)|renames)(?:[\t ].*)?$"),
            Not(r"^[\t ]*with[\t ].*$"),
            Name(r"^[\t ]*((?:procedure|function|package|protected|task)[\t ]+.*)$"),
        ],
        Bash => &[Name(concat!(
            r"^[\t ]*([A-Z_a-z]\w*[\t ]*\([\t ]*\)",
            r"|function[\t ]+[A-Z_a-z]\w*(?:[\t ]*\([\t ]*\)|[\t ]+)[\t ]*(?:\{|\(\(?|\[\[))",
        ))],
        Bibtex => &[Name(r##"(@[A-Za-z]+[\t ]*\{?[\t ]*[^\t "#%',@\\{}~]*).*$"##)],
        Cpp => &[Not(r"^[\t ]*[A-Z_a-z]\w*:\s*(?:$|/[*/])"), Name(r"^((?:::\s*)?[A-Z_a-z].*)$")],
        Csharp => &[
            Not(concat!(
                r"(?:^|[\t ])(?:case|catch|default|do|else|fixed|for|foreach|if|lock|new|return|switch|throw|using|while)",
                r"(?:[\t (]|$)",
            )),
            Name(concat!(
                r"^[\t ]*((?:[]\[\w@.](?:<[]\[\w@, \t<>]+>)?)+(?:[\t ]+(?:[]\[\w@.](?:<[]\[\w@, \t<>]+>)?)+)+",
                r"(?:[\t ]*\([^;]*|[^(),:;=]*))$",
            )),
            Name(concat!(
                r"^[\t ]*((?:(?:abstract|internal|new|partial|private|protected|public|sealed|static|unsafe)[\t ]+)*",
                r"(?:class|enum|interface|record|struct)[\t ]+.*)$",
            )),
            Name(r"^[\t ]*(namespace[\t ]+.*)$"),
        ],
        Css => &[Not(r"[:;]\s*$"), Name(r"^[#.:@\[]?\w.*$")],
        Dts => &[Not("[;=]"), Name(r"^[\t ]*((?:/[\t ]*\{|&?[A-Z_a-z]).*)")],
        Elixir => &[Name(r"^[\t ]*((?:def(?:impl|macro|module|p|protocol)?|test)[\t ].*)$")],
        Fortran => &[
            Not(r"^(?:[*C]|[\t ]*!)"),
            Not(r"^[\t ]*module[\t ]+procedure[\t ]"),
            Name(concat!(
                r"^[\t ]*((?:end[\t ]+)?(?:program|module|block[\t ]+data|(?:[^\t !'\x22]+[\t ]+)*(?:subroutine|function))",
                r"[\t ]+[a-z].*)$",
            )),
        ],
        Fountain => &[Name(r"^((?:\.[^.]|(?:int|ext|est|int\.?/ext|i/e)[ .]).*)$")],
        Golang => &[Name(r"^[\t ]*(func.*)"), Name(r"^[\t ]*(type[\t ].*(?:interface|struct)[\t ]*(?:\{[\t ]*)?)")],
        Html => &[Name(r"^[\t ]*(<[Hh][1-6](?:[\t ].*)?>.*)$")],
        Java => &[
            Not(r"^[\t ]*(?:catch|do|for|if|instanceof|new|return|switch|throw|while)"),
            Name(r"^[\t ]*((?:[a-z-]+[\t ]+)*(?:class|enum|interface|record)[\t ]+.*)$"),
            Name(r"^[\t ]*((?:[&<>A-Z_a-z][]\[&,.<>?\w]*[\t ]+)+[A-Z_a-z]\w*[\t ]*\([^;]*)$"),
        ],
        Kotlin => &[Name(r"^[\t ]*((?:[a-z]+[\t ]+)*(?:class|fun|interface)[\t ]+.*)$")],
        Markdown => &[Name(r"^ {0,3}#{1,6}[\t ].*")],
        Matlab => &[Name(r"^\s*((?:classdef|function)\s.*)$|^(?:%%%?|##)\s.*$")],
        Objc => &[
            Not(r"^[\t ]*(?:do|else|for|if|return|switch|while)"),
            Name(r"^[\t ]*([+-][\t ]*\([\t ]*[A-Z_a-z][\w*\t ]*\)[\t ]*[A-Z_a-z].*)$"),
            Name(r"^[\t ]*((?:[A-Z_a-z]\w*[\t ]+)+[A-Z_a-z]\w*[\t ]*\([^;]*)$"),
            Name(r"^(@(?:implementation|interface|protocol)[\t ].*)$"),
        ],
        Pascal => &[
            Name(concat!(
                r"^((?:(?:class[\t ]+)?(?:function|procedure)|constructor|destructor|finalization|implementation|initialization",
                r"|interface).*)$",
            )),
            Name(r"^(.*=[\t ]*(?:class|record).*)$"),
        ],
        Perl => &[
            Name(r"^package .*"),
            Name(r"^sub [\w':]+[\t ]*(\([^)]*\)[\t ]*)?(?::[^#;]*)?(?:\{[\t ]*)?(?:#.*)?$"),
            Name(r"^(AUTOLOAD|BEGIN|CHECK|DESTROY|END|INIT|UNITCHECK)[\t ]*(?:\{[\t ]*)?(?:#.*)?$"),
            Name(r"^=head[0-9] .*"),
        ],
        Php => &[
            Name(r"^[\t ]*((?:(?:abstract|final|private|protected|public|static)[\t ]+)*function.*)$"),
            Name(r"^[\t ]*((?:(?:(?:abstract|final)[\t ]+)?class|enum|interface|trait).*)$"),
        ],
        Python => &[Name(r"^[\t ]*((?:class|(?:async[\t ]+)?def)[\t ].*)$")],
        Ruby => &[Name(r"^[\t ]*((?:class|def|module)[\t ].*)$")],
        Rust => &[Name(concat!(
            r"^[\t ]*((?:pub(?:\([^)\\]+\))?[\t ]+)?(?:(?:async|const|unsafe|extern[\t ]+\x22[^\x22]+\x22)[\t ]+)?",
            r"(?:enum|fn|impl|macro_rules!|mod|struct|trait|union)[\t <]+[^;]*)$",
        ))],
        Scheme => &[Name(concat!(
            r"^[\t ]*(\((?:(?:define|def(?:alias|class|method|proto|record|rules|struct|syntax)?)[*/\t -]",
            r"|(?:class|library|module|struct)[*+\t ]).*)$",
        ))],
        Tex => &[Name(r"^(\\(?:(?:sub)*section|chapter|part)\*?\{.*)$")],
    }
}
