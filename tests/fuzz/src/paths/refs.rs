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
    match target.kind() {
        // GitHub ignores case in its names, so all spellings become one.
        TargetKind::Server(Forge::Github) => assert_eq!(target.to_string(), text.to_ascii_lowercase()),
        // Hosts ignore it, and an address can name the port that goes without saying.
        TargetKind::Server(Forge::Git) => {}
        TargetKind::Local | TargetKind::Bare => assert_eq!(target.to_string(), text),
    }
    assert_eq!(target.to_string().parse::<CanonicalTarget>(), Ok(target.clone()), "a target has one spelling");
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
            let (scheme, host) = match location.split_once("://") {
                Some((scheme, rest)) => (scheme, rest.split('/').next().unwrap_or_default()),
                None => ("ssh", location.split(':').next().unwrap_or_default()),
            };
            assert!(["https", "http", "ssh"].contains(&scheme), "{text:?}");
            assert!(!host.is_empty() && !host.starts_with('-'), "{text:?}");
            assert!(!host.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')), "{text:?} has a password");
        }
    }
}
