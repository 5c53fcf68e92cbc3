//! A target as a person writes it at a command line: also a path, whose folder says what kind of
//! repository it is, and an address at a forge.

use std::path::Path;

use gate::forge::Forge;
use gate::target::TargetKind;

use super::{TargetError, TargetSpec};

/// How to write a repository, as an option's help lists it, with `last` before the last way.
pub fn usage(last: &str) -> String {
    let forges = Forge::ALL.map(Forge::usage);
    let mut ways: Vec<String> = ["local:PATH", "bare:PATH"].into_iter().map(str::to_owned).chain(forges).collect();
    let end = ways.pop().unwrap_or_default();
    format!("{}{last}{end}", ways.join(", "))
}

/// Parses what a person wrote as an option's value. An error is one text, with its hint.
pub fn of_person(text: &str) -> Result<TargetSpec, String> {
    parse(text).map_err(|error| match error.hint.as_deref() {
        Some(hint) => format!("{error}: {hint}"),
        None => error.to_string(),
    })
}

fn parse(text: &str) -> Result<TargetSpec, TargetError> {
    if let Some((forge, place)) = Forge::of_address(text) {
        return TargetSpec::parse(&format!("{}:{}", forge.word(), place.trim_end_matches('/')));
    }
    if text.contains("://") && !text.starts_with("git:") {
        return TargetSpec::parse(&format!("git:{text}"));
    }
    let has_kind = text.split_once(':').is_some_and(|(word, _)| TargetKind::of_word(word).is_some());
    if has_kind || text.contains("::") {
        return TargetSpec::parse(text);
    }
    let place = text.rsplit_once('#').map_or(text, |(place, _)| place);
    let folder = Path::new(place);
    if !folder.is_dir() {
        return Err(TargetError::bad_spec(format!("there is no folder `{place}`")));
    }
    let is_bare = !folder.join(".git").exists() && folder.join("objects").is_dir();
    let kind = if is_bare { TargetKind::Bare } else { TargetKind::Local };
    TargetSpec::parse(&format!("{}:{text}", kind.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_target_that_it_leads_to() {
        for (text, target) in [
            ("https://github.com/me/repo/", "github:me/repo"),
            ("git@github.com:me/repo.git#topic", "github:me/repo#topic"),
            ("https://example.org/x.git", "git:https://example.org/x.git"),
            ("local:a#b", "local:a#b"),
            ("bare:a.git", "bare:a.git"),
        ] {
            assert_eq!(of_person(text).unwrap().to_string(), target);
        }
    }

    #[test]
    fn a_folder_says_what_kind_of_repository_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [plain, bare] = ["plain", "bare.git"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(plain.join(".git")).unwrap();
        std::fs::create_dir_all(bare.join("objects")).unwrap();
        for (path, kind) in [(&plain, "local"), (&bare, "bare")] {
            let text = format!("{}#topic", path.display());
            assert_eq!(of_person(&text).unwrap().to_string(), format!("{kind}:{text}"));
        }
        let missing = of_person("nowhere").unwrap_err();
        assert!(missing.starts_with("there is no folder `nowhere`: name a repository's folder"), "{missing}");
    }

    #[test]
    fn attack_05_a_transport_helper_is_no_folder() {
        assert!(of_person("ext::sh -c id").unwrap_err().starts_with("`ext::` names a transport helper"));
    }
}
