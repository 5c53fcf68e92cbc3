//! Options that make no sense are refused in words, and never by a trap.

use tests::host::wit::{FaultKind, Zone};
use tests::host::{Attachments, Sandbox, options, with_stack};

#[test]
fn a_zone_has_one_name_that_no_other_has() {
    with_stack(|| {
        for writable in [true, false] {
            for name in ["a/b", "", ".", "..", "a\0b", "workspace", "notes", &"n".repeat(256)] {
                let mut options = options();
                options.zones.push(Zone { name: name.to_owned(), writable });
                let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
                assert_eq!(fault.kind, FaultKind::Misuse, "{name:?}: {fault:?}");
            }
        }
    });
}

#[test]
fn limits_that_leave_no_room_for_the_zones_are_said_to() {
    with_stack(|| {
        for files in 0..3 {
            let mut options = options();
            options.limits.files = files;
            let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
            assert_eq!(fault.kind, FaultKind::OutOfSpace, "{files} files: {fault:?}");
        }
        let mut options = options();
        options.limits.path_bytes = 3;
        let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
        assert_eq!(fault.kind, FaultKind::Misuse, "{fault:?}");
        options.limits.path_bytes = 1024;
        options.limits.files = 3;
        Sandbox::create(&options);
    });
}
