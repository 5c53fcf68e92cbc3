//! Detects Git LFS pointers and merge markers.

/// The first line of every pointer of Git LFS.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
/// The most bytes of a pointer.
const POINTER: usize = 1024;

/// True if a file is only a pointer to content in Git LFS.
pub(super) fn lfs_pointer(content: &[u8]) -> bool {
    content.len() <= POINTER && content.starts_with(LFS)
}

/// True if a text has all three markers of an unsolved merge, in order.
pub(super) fn conflict(content: &[u8]) -> bool {
    let mut next = 0;
    for line in content.split(|byte| *byte == b'\n') {
        let marker = [b'<', b'=', b'>'][next];
        let marked = line.first_chunk::<7>().is_some_and(|start| *start == [marker; 7]);
        // A name or nothing follows a marker. A longer row of signs is an ornament.
        if marked && matches!(line.get(7), None | Some(b' ' | b'\r')) {
            next += 1;
            if next == 3 {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_has_all_three_markers_at_the_start_of_lines_and_in_order() {
        let marks = ["<<<<<<< HEAD", "=======", ">>>>>>> topic"];
        let text = |order: [usize; 3]| order.map(|at| format!("{}\ntext", marks[at])).join("\n");
        assert!(conflict(text([0, 1, 2]).as_bytes()));
        assert!(conflict(text([0, 1, 2]).replace('\n', "\r\n").as_bytes()));
        for order in [[1, 0, 2], [0, 2, 1], [0, 1, 1], [2, 1, 0]] {
            assert!(!conflict(text(order).as_bytes()), "{order:?}");
        }
        assert!(!conflict(text([0, 1, 2]).replace("<<<", " <<<").as_bytes()));
        assert!(!conflict(text([0, 1, 2]).replace("===", "====").as_bytes()));
    }

    #[test]
    fn a_pointer_is_small_and_starts_as_one() {
        let pointer = [LFS, b"oid sha256:0\nsize 1\n"].concat();
        assert!(lfs_pointer(&pointer));
        assert!(!lfs_pointer(&pointer[1..]));
        assert!(!lfs_pointer(&[&pointer[..], &[b'x'; POINTER]].concat()));
    }
}
