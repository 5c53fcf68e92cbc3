//! A review takes time and memory in proportion to its output, or refuses.

use crate::support::{
    packer::{self, Packer},
    pushing::{SHOWN, Scene, facts, nonce, request},
};
use gate::{
    Fault, FaultKind,
    push::{CheckedPush, PushLimits, check},
    review::{Flag, Review, Screen},
};
use gix_hash::ObjectId;
use gix_object::Kind;

fn checked(scene: &Scene, new: ObjectId, packer: Packer, limits: &PushLimits) -> CheckedPush {
    check(request("topic", Some(scene.base), new, packer.finish()), &scene.target, facts(Some(scene.base)), limits)
        .unwrap()
}

fn review(scene: &Scene, new: ObjectId, packer: Packer, limits: &PushLimits) -> Result<Review, Fault> {
    Review::of(&checked(scene, new, packer, limits), &scene.target)
}

#[test]
fn attack_21_names_of_one_look_get_one_flag_each() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"x");
    let mut names: Vec<String> = (0..1500)
        .map(|number| (0..12).map(|bit| if number >> bit & 1 == 1 { 'A' } else { 'a' }).collect::<String>() + ".b/c")
        .collect();
    names.sort();
    let folder = packer.tree(&[("100644", b"c", blob)]);
    let folders: Vec<_> = names.iter().map(|name| &name.as_bytes()[..14]).collect();
    let tree = packer.tree(&folders.iter().map(|name| ("40000", *name, folder)).collect::<Vec<_>>());
    let new = packer.commit(tree, &[scene.base], "twins\n");
    let review = review(&scene, new, packer, &PushLimits::default()).unwrap();
    let flags: Vec<_> = review.flags.iter().filter(|flag| matches!(flag, Flag::LookAlike { .. })).collect();
    assert_eq!(flags.len(), 1500);
    let (first, second) = (&names[0][..14], &names[1][..14]);
    assert_eq!(flags[0].sentence(), format!("Adds {first}, which looks like {second} and 1498 more"));
}

#[test]
fn attack_21_a_subject_of_marks_without_width_is_cut() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"x");
    let tree = packer.tree(&[("100644", b"a", blob)]);
    let new = packer.commit(tree, &[scene.base], &format!("a{}\n", "\u{301}".repeat(200_000)));
    let shown = review(&scene, new, packer, &PushLimits::default()).unwrap().prompt_box(&Screen::default());
    assert!(shown.lines().all(|line| line.chars().count() < 400));
}

/// Contents of a little more than 1 MiB. Each but the first is a delta on the previous one. In the pack their order is reversed if
/// `backwards`.
fn chain(depth: u16, backwards: bool) -> (Packer, Vec<ObjectId>) {
    let (size, mut content) = ((1 << 20) + 64, vec![b'x'; (1 << 20) + 64]);
    let mut ids = vec![packer::id(Kind::Blob, &content)];
    let mut deltas = Vec::new();
    for step in 1..depth {
        // Two bytes of its own, then one copy whose length fits into 24 bits.
        let mut delta = packer::sizes(size, size);
        delta.push(2);
        delta.extend_from_slice(&step.to_be_bytes());
        delta.extend_from_slice(&[0xf1, 2]);
        delta.extend_from_slice(&((size - 2) as u32).to_le_bytes()[..3]);
        deltas.push((*ids.last().unwrap(), delta));
        content[..2].copy_from_slice(&step.to_be_bytes());
        ids.push(packer::id(Kind::Blob, &content));
    }
    let mut packer = Packer::new();
    if backwards {
        deltas.reverse();
    } else {
        packer.blob(&vec![b'x'; size]);
    }
    for (base, delta) in &deltas {
        packer.reference_delta(*base, delta);
    }
    if backwards {
        packer.blob(&vec![b'x'; size]);
    }
    (packer, ids)
}

#[test]
fn attack_21_a_chain_of_large_contents_is_proposed_and_redeemed() {
    let scene = Scene::simple();
    for backwards in [false, true] {
        let (mut packer, ids) = chain(30, backwards);
        let names: Vec<String> = (0..ids.len()).map(|number| format!("f{number:02}")).collect();
        let entries: Vec<_> = names.iter().zip(&ids).map(|(name, id)| ("100644", name.as_bytes(), *id)).collect();
        let tree = packer.tree(&entries);
        let new = packer.commit(tree, &[scene.base], "large\n");
        let push = checked(&scene, new, packer, &PushLimits::default());
        let pack = push.pack().bytes().clone();
        let proposal = push.propose(&scene.target, nonce(1), SHOWN).unwrap();
        assert_eq!(proposal.review().files.len(), 31, "and one that goes");
        let digest = proposal.digest();
        let approve = gate::approval::Decision::Approve { digest };
        let approved = proposal.decide(approve, SHOWN, &mut crate::support::pushing::Spent::default()).unwrap();
        let redeemed = approved.redeem(pack).unwrap();
        assert_eq!(redeemed.digest(), digest);
        let written: Vec<_> = redeemed.objects().map(Result::unwrap).collect();
        for (id, kind, data) in written {
            assert_eq!(packer::id(kind, &data), id);
        }
    }
}

#[test]
fn attack_21_few_trees_that_stand_for_files_without_number_are_too_large() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"bomb");
    let (mut mode, mut id) = ("100644", blob);
    for _ in 0..20 {
        let names: Vec<String> = (0..10).map(|number| format!("d{number}")).collect();
        let entries: Vec<_> = names.iter().map(|name| (mode, name.as_bytes(), id)).collect();
        (mode, id) = ("40000", packer.tree(&entries));
    }
    let new = packer.commit(id, &[scene.base], "bomb\n");
    let limits = PushLimits { review_path_bytes: 10 << 20, ..PushLimits::default() };
    let fault = review(&scene, new, packer, &limits).unwrap_err();
    assert_eq!(
        (fault.kind, &*fault.message),
        (FaultKind::TooLarge, "the push changes more files than a review may list")
    );
}

#[test]
fn attack_21_commits_that_go_to_and_fro_between_large_trees_are_too_large() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"x");
    let names: Vec<String> = (0..1000).map(|number| format!("file{number:04}")).collect();
    let mut entries: Vec<_> = names.iter().map(|name| ("100644", name.as_bytes(), blob)).collect();
    let all = packer.tree(&entries);
    entries.pop();
    let but_one = packer.tree(&entries);
    let mut new = scene.base;
    for round in 0..200 {
        new = packer.commit(if round % 2 == 0 { all } else { but_one }, &[new], "to and fro\n");
    }
    let limits = PushLimits { review_tree_bytes: 1 << 20, ..PushLimits::default() };
    let fault = review(&scene, new, packer, &limits).unwrap_err();
    assert_eq!(
        (fault.kind, &*fault.message),
        (FaultKind::TooLarge, "the push has more folders than a review may compare")
    );
}

#[test]
fn attack_21_a_patch_counts_as_it_is_held_and_printed() {
    let scene = Scene::simple();
    // Every byte is shown as four, twice.
    for (mode, content) in [("100644", vec![0xff; 1000]), ("100644", vec![7; 1000]), ("120000", vec![7; 1000])] {
        let mut packer = Packer::new();
        let blob = packer.blob(&content);
        let kept = packer::id(Kind::Blob, b"kept\n");
        let tree = packer.tree(&[(mode, b"a", blob), ("100644", b"kept.txt", kept)]);
        let new = packer.commit(tree, &[scene.base], "many\n");
        let push =
            |review_bytes| checked(&scene, new, packer.clone(), &PushLimits { review_bytes, ..PushLimits::default() });
        let kind = |review: Result<Review, Fault>| review.err().map(|fault| fault.kind);
        assert_eq!(kind(Review::of(&push(8000), &scene.target)), Some(FaultKind::TooLarge));
        assert_eq!(kind(Review::of(&push(20_000), &scene.target)), None);
    }
}

#[test]
fn attack_21_a_message_counts_as_it_is_held_and_printed() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let tree = packer::id(Kind::Tree, &packer::tree(&[("100644", b"kept.txt", packer::id(Kind::Blob, b"kept\n"))]));
    let new = packer.commit(tree, &[scene.base], &"\u{7}".repeat(1000));
    let limits = PushLimits { review_bytes: 5900, ..PushLimits::default() };
    let refused = review(&scene, new, packer, &limits).err().map(|fault| fault.kind);
    assert_eq!(refused, Some(FaultKind::TooLarge));
}

#[test]
fn messages_count_as_what_a_review_holds() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"x");
    let tree = packer.tree(&[("100644", b"a", blob)]);
    let new = packer.commit(tree, &[scene.base], &"m".repeat(2000));
    let limits = PushLimits { review_bytes: 2000, ..PushLimits::default() };
    assert_eq!(review(&scene, new, packer, &limits).unwrap_err().kind, FaultKind::TooLarge);
}
