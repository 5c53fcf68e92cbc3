//! What a hostile push makes the host hold at once.

use crate::support::{
    measured::rise,
    packer::{self, Packer},
};
use gate::pack::{Origin, PackLimits, verify};
use gix_object::Kind;

const MIB: usize = 1 << 20;

#[test]
fn attack_21_a_small_object_is_not_kept_in_the_buffer_of_a_large_one() {
    const SMALL: usize = 1 << 10;
    const LARGE: usize = 900 << 10;
    let small = |level: u8, which: u8| [vec![level, which], vec![0; SMALL - 2]].concat();
    let prepare = || {
        let mut packer = Packer::new();
        let mut base = packer.blob(&small(0, 0));
        for level in 1..=40 {
            // A leaf, for which the small object is kept until all that follows has been resolved.
            packer.reference_delta(base, &packer::insert_all(SMALL, &small(level, 1)));
            // Then a large one, and a small one on that, which needs no other buffer yet, and another, which does.
            let mut delta = packer::sizes(SMALL, LARGE);
            delta.extend_from_slice(&[2, level, 2]);
            delta.extend([0xb0, 0, 4].repeat(LARGE / SMALL - 1));
            delta.extend_from_slice(&[0xb1, 2, 0xfe, 3]);
            packer.reference_delta(base, &delta);
            let previous = small(level - 1, if level == 1 { 0 } else { 4 });
            let large = [vec![level, 2], previous.repeat(LARGE / SMALL - 1), previous[2..].to_vec()].concat();
            packer.reference_delta(packer::id(Kind::Blob, &large), &packer::insert_all(LARGE, &small(level, 3)));
            let between = packer::id(Kind::Blob, &small(level, 3));
            packer.reference_delta(between, &packer::insert_all(SMALL, &small(level, 4)));
            base = packer::id(Kind::Blob, &small(level, 4));
        }
        packer.finish()
    };
    let risen = rise("memory::attack_21_a_small_object_is_not_kept_in_the_buffer_of_a_large_one", prepare, |pack| {
        let limits = PackLimits { memory: 4 * MIB, ..PackLimits::push() };
        assert_eq!(verify(pack, &limits, Origin::New).unwrap().objects().len(), 161);
    });
    // The 40 large ones have 35 MiB together.
    assert!(risen < 12 * MIB as u64, "{risen}");
}
