//! The destinations of commits: branches and targets.

use gate::FaultKind;
use gate::forge::Forge;
use gate::refname::{self, BranchRef};
use gate::target::{CanonicalTarget, TargetKind};

use crate::model;

/// git accepts every accepted branch, and every plain name is accepted.
pub fn branch(full: &str) {
    match full.parse::<BranchRef>() {
        Ok(branch) => {
            assert!(model::is_branch(full), "{full:?} is accepted");
            assert_eq!(branch.as_str(), full);
            assert_eq!(BranchRef::from_branch(branch.branch()), Ok(branch));
            assert_eq!(refname::check_name(full), Ok(()));
        }
        Err(fault) => {
            assert!(fault.kind == FaultKind::BadRef && !fault.to_string().contains('\n'), "{fault:?}");
            // Plain names that are not device names.
            let is_plain = |part: &str| {
                let device = ["con", "prn", "aux", "nul", "com", "lpt"]
                    .iter()
                    .any(|name| part.to_ascii_lowercase().starts_with(name));
                !device
                    && part
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'@'))
            };
            let expected = model::is_branch(full) && full.len() <= 1024 && full.split('/').all(is_plain);
            assert!(!expected, "{full:?} is refused: {fault}");
        }
    }
}

/// An accepted target has one spelling, and hides nothing.
pub fn target(text: &str) {
    let Ok(target) = text.parse::<CanonicalTarget>() else { return };
    // GitHub ignores case in its names, so all spellings become one.
    let expected =
        if target.kind() == TargetKind::Server(Forge::Github) { text.to_ascii_lowercase() } else { text.to_owned() };
    assert_eq!(target.to_string(), expected, "a target has one spelling");
    assert_eq!(CanonicalTarget::new(target.kind(), target.location()), Ok(target.clone()));
    assert!(!text.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)), "{text:?}");
    let location = target.location();
    match target.kind() {
        TargetKind::Local | TargetKind::Bare => {
            assert!(!location.split(['/', '\\']).any(|part| matches!(part, "." | "..")), "{text:?}");
            assert!(location.starts_with('/') || location.as_bytes().get(1) == Some(&b':'), "{text:?}");
        }
        TargetKind::Server(Forge::Github) => {
            let parts: Vec<&str> = location.split('/').collect();
            assert!(parts.len() == 2 && model::resolved(location).is_some_and(|same| same == parts), "{text:?}");
        }
        TargetKind::Server(Forge::Git) => {
            let (scheme, rest) = location.split_once("://").expect("a URL has a scheme");
            assert!(["https", "http", "ssh", "git"].contains(&scheme), "{text:?}");
            let host = rest.split('/').next().unwrap_or_default();
            assert!(!host.is_empty() && !host.starts_with('-'), "{text:?}");
            assert!(!host.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')), "{text:?} has a password");
        }
    }
}
