//! Every limit of a push: anything beyond is refused with the number, and with a hint.

use crate::support::{
    packer::Packer,
    pushing::{Scene, facts, request},
};
use gate::{
    Fault, FaultKind,
    pack::PackLimits,
    push::{PushLimits, check},
    review::Review,
};

const LESS: &str = "push fewer commits at a time, earlier ones first, or remake them without their largest files";

/// The outcome of a push of two commits on two lines and their merge, with a file of 5,000 bytes.
fn pushed(limits: &PushLimits) -> Result<Review, Fault> {
    let scene = Scene::merge();
    scene.repo.write("folder/large.txt", "large\n".repeat(1000)).commit("large");
    let push = check(scene.request("main"), &scene.target, facts(Some(scene.base)), limits)?;
    Review::of(&push, &scene.target)
}

#[test]
fn a_push_beyond_a_bound_says_what_the_bound_is_and_what_to_do() {
    let usual = PushLimits::default;
    let pack = |pack| PushLimits { pack, ..usual() };
    let push = PackLimits::push;
    for (limits, words) in [
        (pack(PackLimits { pack_bytes: 300, ..push() }), "more than the 300 allowed"),
        (pack(PackLimits { objects: 5, ..push() }), "the pack states 12 objects, more than the 5 allowed"),
        (pack(PackLimits { object_bytes: 5999, ..push() }), "states 6000 bytes, more than the 5999 allowed"),
        (pack(PackLimits { total_bytes: 6100, ..push() }), "inflates to more than the 6100 allowed"),
        (PushLimits { review_bytes: 5999, ..usual() }, "the files and messages are larger than a review may show"),
        (PushLimits { review_tree_bytes: 50, ..usual() }, "the push has more folders than a review may compare"),
        (PushLimits { review_path_bytes: 150, ..usual() }, "the push changes more files than a review may list"),
    ] {
        let fault = pushed(&limits).expect_err(words);
        assert_eq!((fault.kind, &*fault.hint), (FaultKind::TooLarge, LESS), "{}", fault.message);
        assert!(fault.message.contains(words), "{}", fault.message);
    }
    pushed(&usual()).unwrap();
}

#[test]
fn a_path_that_is_too_long_is_to_be_made_shorter() {
    let fault = pushed(&PushLimits { path_bytes: 15, ..PushLimits::default() }).unwrap_err();
    assert_eq!((fault.kind, &*fault.message), (FaultKind::TooLarge, "a path has more than the 15 bytes allowed"));
    assert_eq!(fault.hint, "remake the commits with a shorter path");
    pushed(&PushLimits { path_bytes: 16, ..PushLimits::default() }).unwrap();
}

#[test]
fn a_commit_that_is_too_long_is_to_have_a_shorter_message() {
    let scene = Scene::simple();
    for (length, is_refused) in [(1 << 20, true), ((1 << 20) - 1000, false)] {
        let mut packer = Packer::new();
        let blob = packer.blob(b"x");
        let tree = packer.tree(&[("100644", b"a", blob)]);
        let new = packer.commit(tree, &[scene.base], &"m".repeat(length));
        let push = request("topic", Some(scene.base), new, packer.finish());
        let checked = check(push, &scene.target, facts(Some(scene.base)), &PushLimits::default());
        let said = checked.err().map(|fault| (fault.message.contains("has more than 1048576 bytes"), fault.hint));
        assert_eq!(said, is_refused.then(|| (true, "write a shorter message".to_owned())));
    }
}
