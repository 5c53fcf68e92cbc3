//! Restricts the repository's configuration to an allow list of keys.
//!
//! In the component only the tools write that file, but on a real directory anybody can. Either way, only the keys of this list are read.
//! None of them names a program, a file or another folder, and no file is included.

use gix::bstr::ByteSlice;
use gix::config::file::Metadata;
use gix::config::{File, Source};
use patch::sort::sort;

/// The keys of each section that count, in lower case, with or without a subsection.
const SECTIONS: &[(&str, &[&str])] = &[
    ("branch", &["merge", "pushremote", "remote"]),
    ("checkout", &["defaultremote"]),
    (
        "core",
        &[
            "autocrlf",
            "checkroundtripencoding",
            "disambiguate",
            "eol",
            "filemode",
            "logallrefupdates",
            "repositoryformatversion",
            "safecrlf",
            "sparsecheckout",
            "warnambiguousrefs",
        ],
    ),
    ("diff", &["algorithm", "renamelimit", "renames"]),
    ("extensions", &["objectformat"]),
    ("merge", &["conflictstyle", "renamelimit", "renames", "renormalize"]),
    ("remote", &["fetch", "pushdefault", "url"]),
];

/// Whether a section counts while gix opens the repository, before [`counting`] filters keys: no section of its own does.
pub fn counts_at_once(section: &Metadata) -> bool {
    !matches!(section.source, Source::Local | Source::Worktree)
}

/// Copies the keys of `all` that count, as if only the tools had written them.
pub fn counting(all: &File) -> Result<File, gix::Error> {
    let mut counting = File::new(Metadata::from(Source::Api));
    for section in all.sections() {
        let header = section.header();
        let name = header.name().to_str_lossy().to_ascii_lowercase();
        let Some((_, keys)) = SECTIONS.iter().find(|(known, _)| *known == name) else {
            continue;
        };
        let mut names: Vec<String> = section.value_names().map(|name| name.to_ascii_lowercase()).collect();
        sort(&mut names);
        names.dedup();
        names.retain(|name| keys.contains(&name.as_str()));
        if names.is_empty() {
            continue;
        }
        let mut copy = counting.new_section(name, header.subsection_name().map(ToOwned::to_owned))?;
        for name in names {
            // A key without a value means true. Copying it once is enough: no key of the list mixes both forms.
            match section.value_implicit(&name) {
                Some(None) => drop(copy.push(&name, None)?),
                _ => {
                    for value in section.values(&name) {
                        copy.push(&name, value.as_bstr())?;
                    }
                }
            }
        }
    }
    Ok(counting)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting_of(text: &str) -> String {
        let all =
            File::from_bytes_no_includes(text.as_bytes(), Metadata::from(Source::Local), Default::default()).unwrap();
        counting(&all).unwrap().to_string()
    }

    #[test]
    fn a_key_counts_if_it_is_in_the_list() {
        let text = "[core]\n\tautoCRLF = true\n\tfsmonitor = ./run\n[Branch \"a.b\"]\n\tremote = x\n[filter \"x\"]\n\tclean = ./run\n";
        assert_eq!(counting_of(text), "[core]\n\tautocrlf = true\n[branch \"a.b\"]\n\tremote = x\n");
    }

    #[test]
    fn a_key_keeps_all_its_values_and_one_without_a_value_says_yes() {
        let text = "[remote \"o\"]\n\tfetch = +a:b\n\tFetch = \"c:d\"\n[core]\n\tfilemode\n";
        assert_eq!(counting_of(text), "[remote \"o\"]\n\tfetch = +a:b\n\tfetch = c:d\n[core]\n\tfilemode\n");
    }

    #[test]
    fn nothing_that_names_a_program_a_file_or_a_folder_counts() {
        let keys = [
            "core.fsmonitor",
            "core.hookspath",
            "core.worktree",
            "core.attributesfile",
            "core.excludesfile",
            "core.sshcommand",
            "core.gitproxy",
            "core.editor",
            "core.pager",
            "core.askpass",
            "core.alternaterefscommand",
            "diff.external",
            "diff.x.command",
            "diff.x.textconv",
            "diff.orderfile",
            "filter.x.clean",
            "filter.x.smudge",
            "filter.x.process",
            "merge.x.driver",
            "include.path",
            "includeif.gitdir:/.path",
            "extensions.worktreeconfig",
            "extensions.partialclone",
            "gitoxide.core.indexfile",
            "gpg.program",
            "credential.helper",
            "remote.o.uploadpack",
            "remote.o.vcs",
            "submodule.x.update",
            "safe.directory",
        ];
        for key in keys {
            let (section, name) = key.rsplit_once('.').unwrap();
            let header = match section.split_once('.') {
                Some((section, below)) => format!("[{section} \"{below}\"]"),
                None => format!("[{section}]"),
            };
            assert_eq!(counting_of(&format!("{header}\n\t{name} = /x\n")), "", "{key}");
        }
    }
}
