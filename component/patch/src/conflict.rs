//! Detects the markers of an unfinished merge.

/// Whether a text has all three conflict markers, in order.
pub fn is_marked(content: &[u8]) -> bool {
    let mut next = 0;
    for line in content.split(|byte| *byte == b'\n') {
        let marker = [b'<', b'=', b'>'][next];
        let marked = line.first_chunk::<7>().is_some_and(|start| *start == [marker; 7]);
        // A name or nothing follows a marker. A longer row of the sign is decoration.
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
        assert!(is_marked(text([0, 1, 2]).as_bytes()));
        assert!(is_marked(text([0, 1, 2]).replace('\n', "\r\n").as_bytes()));
        for order in [[1, 0, 2], [0, 2, 1], [0, 1, 1], [2, 1, 0]] {
            assert!(!is_marked(text(order).as_bytes()), "{order:?}");
        }
        assert!(!is_marked(text([0, 1, 2]).replace("<<<", " <<<").as_bytes()));
        assert!(!is_marked(text([0, 1, 2]).replace("===", "====").as_bytes()));
    }
}
