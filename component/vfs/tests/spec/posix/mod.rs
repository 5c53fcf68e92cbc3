//! Random sequences of calls on the kernel and on a real directory: the results, the errors and the
//! trees must be equal.

mod both;
mod op;
mod real;

use proptest::{collection::vec, prelude::*};

use crate::tree_dump;
use both::Both;
use op::op;
use real::visible;

proptest! {
    #![proptest_config(ProptestConfig { cases: trial::times(200, 500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_kernel_does_what_a_real_filesystem_does(ops in vec(op(), 1..80)) {
        let top = tempfile::tempdir().expect("there is room for a temporary directory");
        let mut both = Both::new(top.path());
        for op in &ops {
            both.run(op);
        }
        let root = both.kernel.root();
        prop_assert_eq!(tree_dump::visible(&root), visible(top.path()));
        prop_assert_eq!(root.verify(), Ok(()));
        // Closing all descriptors frees the inodes without a name, and changes nothing else.
        for slot in both.slots.drain(..).flatten() {
            both.kernel.close(slot.ours).expect("it is open");
        }
        prop_assert_eq!(tree_dump::visible(&both.kernel.root()), visible(top.path()));
    }
}
