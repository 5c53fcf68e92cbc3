//! The types of files that `rg` knows by their names.

use crate::commands::arguments::Given;
use crate::commands::glob::Glob;

use super::flags::{TYPE_ADD, TYPE_CLEAR};

/// The usual ones, sorted: what each is called, and the names of its files.
const TYPES: &[(&str, &str)] = &[
    ("agda", "*.agda *.lagda"),
    ("asciidoc", "*.adoc *.asc *.asciidoc"),
    ("asm", "*.S *.asm *.s"),
    ("awk", "*.awk"),
    ("bazel", "*.BUILD *.bazel *.bazelrc *.bzl BUILD WORKSPACE"),
    ("c", "*.[chH] *.[chH].in *.cats"),
    ("clojure", "*.clj *.cljc *.cljs *.cljx"),
    ("cmake", "*.cmake CMakeLists.txt"),
    ("coffeescript", "*.coffee"),
    ("config", "*.cfg *.conf *.config *.ini"),
    ("cpp", "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl"),
    ("cs", "*.cs"),
    ("csharp", "*.cs"),
    ("css", "*.css *.scss"),
    ("csv", "*.csv"),
    ("cython", "*.pxd *.pxi *.pyx"),
    ("d", "*.d"),
    ("dart", "*.dart"),
    ("diff", "*.diff *.patch"),
    ("docker", "*Dockerfile*"),
    ("elisp", "*.el"),
    ("elixir", "*.eex *.ex *.exs"),
    ("elm", "*.elm"),
    ("erlang", "*.erl *.hrl"),
    ("fish", "*.fish"),
    ("fortran", "*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo"),
    ("fsharp", "*.fs *.fsi *.fsx"),
    ("go", "*.go"),
    ("groovy", "*.gradle *.groovy"),
    ("gzip", "*.gz *.tgz"),
    ("h", "*.h *.hpp"),
    ("haskell", "*.c2hs *.cpphs *.hs *.hsc *.lhs"),
    ("html", "*.ejs *.htm *.html"),
    ("java", "*.java *.jsp *.jspx *.properties"),
    ("js", "*.js *.jsx *.vue"),
    ("json", "*.json composer.lock"),
    ("jsonl", "*.jsonl"),
    ("julia", "*.jl"),
    ("jupyter", "*.ipynb *.jpynb"),
    ("kotlin", "*.kt *.kts"),
    ("less", "*.less"),
    (
        "license",
        "*[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* BSD-*[0-9]* CC-BY-* COPYING COPYING[.-]* COPYRIGHT \
         COPYRIGHT[.-]* EULA EULA[.-]* GFDL-*[0-9]* GNU-*[0-9]* GPL-*[0-9]* LGPL-*[0-9]* LICEN[CS]E \
         LICEN[CS]E[.-]* MIT-*[0-9]* MPL-*[0-9]* NOTICE NOTICE[.-]* OFL-*[0-9]* PATENTS PATENTS[.-]* \
         UNLICEN[CS]E UNLICEN[CS]E[.-]* agpl[.-]* gpl[.-]* lgpl[.-]* licen[cs]e licen[cs]e.*",
    ),
    ("lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm"),
    ("log", "*.log"),
    ("lua", "*.lua"),
    (
        "make",
        "*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile \
         [Mm]akefile.am [Mm]akefile.in",
    ),
    ("man", "*.[0-9][cEFMmpSx] *.[0-9lnpx]"),
    ("markdown", "*.markdown *.md *.mdown *.mkdn"),
    ("matlab", "*.m"),
    ("md", "*.markdown *.md *.mdown *.mkdn"),
    ("meson", "meson.build meson_options.txt"),
    ("nix", "*.nix"),
    ("objc", "*.h *.m"),
    ("ocaml", "*.ml *.mli *.mll *.mly"),
    ("org", "*.org *.org_archive"),
    ("pascal", "*.dpr *.inc *.lpr *.pas *.pp"),
    ("pdf", "*.pdf"),
    ("perl", "*.PL *.perl *.pl *.plh *.plx *.pm *.t"),
    ("php", "*.php *.php3 *.php4 *.php5 *.phtml"),
    ("postscript", "*.eps *.ps"),
    ("protobuf", "*.proto"),
    ("ps", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"),
    ("puppet", "*.erb *.pp *.rb"),
    ("purs", "*.purs"),
    ("py", "*.py"),
    ("r", "*.R *.Rmd *.Rnw *.r"),
    ("racket", "*.rkt"),
    ("rdoc", "*.rdoc"),
    ("readme", "*README README*"),
    ("rst", "*.rst"),
    ("ruby", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru"),
    ("rust", "*.rs"),
    ("sass", "*.sass *.scss"),
    ("scala", "*.sbt *.scala"),
    (
        "sh",
        "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout \
         .bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile \
         .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv \
         zshrc",
    ),
    ("sql", "*.psql *.sql"),
    ("svg", "*.svg"),
    ("swift", "*.swift"),
    ("tcl", "*.tcl"),
    ("tex", "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex"),
    ("tf", "*.tf"),
    ("thrift", "*.thrift"),
    ("toml", "*.toml Cargo.lock"),
    ("ts", "*.ts *.tsx"),
    ("txt", "*.txt"),
    ("vim", "*.vim"),
    ("webidl", "*.idl *.webidl *.widl"),
    ("xml", "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt"),
    ("yaml", "*.yaml *.yml"),
    ("zig", "*.zig"),
    ("zsh", "*.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc"),
];

/// Types that are wanted, and that are not.
#[derive(Debug)]
pub struct Types {
    /// Patterns, and whether their files are left out.
    rules: Vec<(Vec<Glob>, bool)>,
    /// Whether only some are wanted.
    selects: bool,
}

/// All types with the names of their files, as options change them.
pub fn all(given: &Given) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut types: Vec<(String, Vec<String>)> =
        TYPES.iter().map(|(name, globs)| ((*name).to_owned(), globs.split(' ').map(str::to_owned).collect())).collect();
    for name in given.values(TYPE_CLEAR) {
        types.retain(|(other, _)| name != other);
    }
    for text in given.values(TYPE_ADD) {
        let wrong = || "invalid definition (format is type:glob, e.g., html:*.html)".to_owned();
        let text = std::str::from_utf8(text).map_err(|_| wrong())?;
        let (name, glob) =
            text.split_once(':').filter(|(name, glob)| !name.is_empty() && !glob.is_empty()).ok_or_else(wrong)?;
        let mut globs = vec![glob.to_owned()];
        if let Some(names) = glob.strip_prefix("include:") {
            globs.clear();
            for other in names.split(',') {
                globs.extend(named(&types, other)?.iter().cloned());
            }
        }
        match types.iter_mut().find(|(other, _)| other == name) {
            Some((_, known)) => known.extend(globs),
            None => types.push((name.to_owned(), globs)),
        }
    }
    types.iter_mut().for_each(|(_, globs)| globs.sort());
    types.sort();
    Ok(types)
}

fn named<'t>(types: &'t [(String, Vec<String>)], name: &str) -> Result<&'t [String], String> {
    let found = types.iter().find(|(other, _)| other == name);
    found.map(|(_, globs)| &**globs).ok_or_else(|| format!("unrecognized file type: {name}"))
}

impl Types {
    /// Reads what was given.
    pub fn read(given: &Given) -> Result<Types, String> {
        let mut types = Types { rules: Vec::new(), selects: given.has('t') };
        if !['t', 'T', TYPE_ADD].iter().any(|letter| given.has(*letter)) {
            return Ok(types);
        }
        let known = all(given)?;
        for (letter, leaves_out) in [('t', false), ('T', true)] {
            for name in given.values(letter) {
                let name = String::from_utf8_lossy(name);
                let globs: Vec<&String> = match &*name {
                    "all" => known.iter().flat_map(|(_, globs)| globs).collect(),
                    name => named(&known, name)?.iter().collect(),
                };
                let globs = globs.into_iter().flat_map(|glob| super::ignored::alternatives(glob.as_bytes()));
                types.rules.push((globs.map(|glob| Glob::new(&glob, false)).collect(), leaves_out));
            }
        }
        Ok(types)
    }

    /// Whether a file of this name is left out, or wanted. None if nothing is known of it.
    pub fn leaves_out(&self, name: &[u8]) -> Option<bool> {
        let rule = self.rules.iter().rev().find(|(globs, _)| globs.iter().any(|glob| glob.matches(name)));
        match rule {
            Some((_, leaves_out)) => Some(*leaves_out),
            None => self.selects.then_some(true),
        }
    }
}
