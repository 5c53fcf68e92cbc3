//! Names of files.

use gate::{FaultKind, format, pack::Origin};
use gix_hash::ObjectId;
use gix_object::Kind;
use tools::paths::unsafe_name::{self, Alias};

use crate::model::{self, Meaning};
use crate::packer;

/// Both sides classify a name in the same way.
pub fn name(name: &[u8]) {
    let meaning = model::meaning(name);
    let alias = match unsafe_name::alias(name) {
        None => Meaning::Itself,
        Some(Alias::GitFolder) => Meaning::DotGit,
        Some(Alias::ThisOrAbove) => Meaning::Dots,
    };
    assert_eq!(alias, meaning, "the tools take {} for something else", name.escape_ascii());
    if name.contains(&0) {
        return;
    }
    let refused = |mode: &str, origin| {
        let tree = packer::tree(&[(mode, name, ObjectId::Sha1([7; 20]))]);
        match format::check(Kind::Tree, &tree, origin, &mut |_| {}) {
            Ok(()) => false,
            Err(broken) => {
                let fault = broken.of(Kind::Tree, &ObjectId::null(gix_hash::Kind::Sha1));
                assert_eq!(fault.kind, FaultKind::UnsafePath, "{fault}");
                true
            }
        }
    };
    let is_safe = model::is_safe(name);
    assert_eq!(
        refused("100644", Origin::Supplied),
        !is_safe,
        "the gate takes {} for something else",
        name.escape_ascii()
    );
    if is_safe {
        let agreed = refused("120000", Origin::Supplied) == unsafe_name::is_gitmodules(name);
        assert!(agreed, "one of gate and tools takes {} for .gitmodules", name.escape_ascii());
        assert!(!refused("100644", Origin::New) || name.len() > 4096, "{} is refused", name.escape_ascii());
    }
}
