//! Git's delta format: two sizes, then instructions that copy from the base or insert new bytes.

/// The sizes at the head of a delta.
pub(super) struct Sizes {
    pub base: u64,
    pub result: u64,
    /// Where the instructions start.
    pub instructions: usize,
}

/// Reads the head of `delta`.
pub(super) fn sizes(delta: &[u8]) -> Result<Sizes, &'static str> {
    let mut at = 0;
    let base = varint(delta, &mut at)?;
    let result = varint(delta, &mut at)?;
    Ok(Sizes { base, result, instructions: at })
}

fn varint(bytes: &[u8], at: &mut usize) -> Result<u64, &'static str> {
    let (mut value, mut shift) = (0u64, 0u32);
    loop {
        let byte = *bytes.get(*at).ok_or("a delta ends inside its sizes")?;
        *at += 1;
        let part = u64::from(byte & 0x7f);
        if shift > 63 || (part << shift) >> shift != part {
            return Err("a delta states a size beyond 64 bits");
        }
        value |= part << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
}

/// Replaces `out` with `delta` applied to `base`. The caller has checked the stated result size against its limits.
pub(super) fn apply(base: &[u8], delta: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    let head = sizes(delta)?;
    if head.base != base.len() as u64 {
        return Err("a delta was made for a base of another size");
    }
    let size = usize::try_from(head.result).map_err(|_| "a delta's result does not fit into memory")?;
    out.clear();
    out.reserve(size);
    let mut rest = &delta[head.instructions..];
    while let Some((&op, after)) = rest.split_first() {
        rest = after;
        let piece = if op & 0x80 != 0 {
            let (offset, length) = copy(op, &mut rest)?;
            let end = offset.checked_add(length).ok_or("a delta copies from outside its base")?;
            base.get(offset..end).ok_or("a delta copies from outside its base")?
        } else if op != 0 {
            let (inserted, after) = rest.split_at_checked(usize::from(op)).ok_or("a delta ends inside an insertion")?;
            rest = after;
            inserted
        } else {
            return Err("a delta uses the reserved instruction 0");
        };
        if piece.len() > size - out.len() {
            return Err("a delta makes more than it states");
        }
        out.extend_from_slice(piece);
    }
    if out.len() != size {
        return Err("a delta makes less than it states");
    }
    Ok(())
}

/// The offset and length of a copy. Length 0 means 64 KiB.
fn copy(op: u8, rest: &mut &[u8]) -> Result<(usize, usize), &'static str> {
    let mut fields = [0u8; 7];
    for (bit, field) in fields.iter_mut().enumerate() {
        if op & (1 << bit) != 0 {
            let (&byte, after) = rest.split_first().ok_or("a delta ends inside a copy")?;
            *field = byte;
            *rest = after;
        }
    }
    let offset = u32::from_le_bytes([fields[0], fields[1], fields[2], fields[3]]);
    let length = u32::from_le_bytes([fields[4], fields[5], fields[6], 0]);
    // 32 bits fit usize on every target this crate is built for.
    Ok((offset as usize, if length == 0 { 0x10000 } else { length as usize }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut out = Vec::new();
        apply(base, delta, &mut out).map(|()| out)
    }

    #[test]
    fn copies_and_insertions_make_the_result() {
        assert_eq!(applied(b"hello", &[5, 7, 0x91, 1, 4, 3, b'!', b'?', b'.']), Ok(b"ello!?.".to_vec()));
    }

    #[test]
    fn a_copy_without_a_length_is_64_kib() {
        let base = vec![7u8; 0x10000];
        assert_eq!(applied(&base, &[0x80, 0x80, 4, 0x80, 0x80, 4, 0x80]), Ok(base.clone()));
    }

    #[test]
    fn every_way_out_of_bounds_is_refused() {
        for delta in [
            &[][..],
            &[0x80],
            &[5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
            &[4, 1, 1, b'a'],
            &[5, 1, 0],
            &[5, 4, 4, b'a'],
            &[5, 6, 0x90, 6],
            &[5, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[5, 1, 0x91],
            &[5, 1, 2, b'a', b'b'],
            &[5, 3, 2, b'a', b'b'],
        ] {
            assert!(applied(b"hello", delta).is_err(), "{delta:?}");
        }
    }
}
