//! Where the pushes of a sandbox go that name no target. Every body settles it here.

use gate::Fault;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use super::Place;
use crate::error::{HostError, Result};

/// The sandbox's own branch in the repository that it comes from: `agent/NAME`, with a number if another one `is_taken`. So an agent's work
/// lies beside the branches of people until one of them merges it.
///
/// # Errors
/// Those of `is_taken`.
pub fn own_branch<E: From<Fault>>(
    name: &str,
    origin: &CanonicalTarget,
    is_taken: impl Fn(&BranchRef) -> std::result::Result<bool, E>,
) -> std::result::Result<Place, E> {
    let numbered = |number: u32| if number == 1 { String::new() } else { format!("-{number}") };
    for number in 1.. {
        let branch = BranchRef::from_branch(&format!("agent/{}{}", as_ref(name), numbered(number)))?;
        if !is_taken(&branch)? {
            return Ok(branch_of(origin, &branch));
        }
    }
    unreachable!("no repository has as many branches")
}

/// A branch of the repository that a sandbox comes from.
pub fn branch_of(origin: &CanonicalTarget, branch: &BranchRef) -> Place {
    Place::of(origin, Some(branch))
}

/// The same for a sandbox that comes from a server: the branch that was `named`, else its own. The server is not asked: a push says if the
/// branch is taken.
///
/// # Errors
/// If no branch can have that name.
pub fn on_server(name: &str, origin: &CanonicalTarget, named: Option<&str>) -> Result<Place> {
    match named {
        Some(branch) => Ok(branch_of(origin, &BranchRef::from_branch(branch)?)),
        None => own_branch(name, origin, |_| Ok::<_, HostError>(false)),
    }
}

/// The name of a sandbox as git allows it in a branch's (git-check-ref-format).
fn as_ref(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let dashed: String = name.chars().map(|c| if allowed(c) { c } else { '-' }).collect();
    let dashed = dashed.replace("..", "-");
    let dashed = dashed.trim_start_matches('.').trim_end_matches('.');
    let dashed = dashed.strip_suffix(".lock").map_or_else(|| dashed.to_owned(), |start| format!("{start}-lock"));
    if dashed.is_empty() { "sandbox".to_owned() } else { dashed }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn origin() -> CanonicalTarget {
        "github:octo/hello".parse().unwrap()
    }

    #[test]
    fn every_name_of_a_sandbox_has_a_branch() {
        for (name, branch) in [
            ("project", "agent/project"),
            ("a.b", "agent/a.b"),
            ("a..b", "agent/a-b"),
            ("a.", "agent/a"),
            (".a", "agent/a"),
            ("a.lock", "agent/a-lock"),
            ("My project (1)", "agent/My-project--1-"),
            ("a/b", "agent/a-b"),
            ("\u{65e5}\u{672c}", "agent/\u{65e5}\u{672c}"),
            ("...", "agent/-"),
            ("\u{1f980}", "agent/-"),
            (".", "agent/sandbox"),
        ] {
            assert_eq!(json!(on_server(name, &origin(), None).unwrap())["branch"], branch, "{name}");
        }
    }

    #[test]
    fn a_branch_that_is_taken_gets_a_number_and_a_named_one_is_kept() {
        let is_taken = |branch: &BranchRef| Ok::<_, HostError>(["agent/a", "agent/a-2"].contains(&branch.branch()));
        assert_eq!(json!(own_branch("a", &origin(), is_taken).unwrap())["branch"], "agent/a-3");
        assert_eq!(json!(on_server("a", &origin(), Some("main")).unwrap())["branch"], "main");
        assert!(on_server("a", &origin(), Some("a..b")).is_err());
    }
}
