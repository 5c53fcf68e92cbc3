//! The caller's memory.

use crate::errno::Errno;

/// The caller's address and length as a slice. Address 0 is valid only with length 0.
///
/// # Safety
///
/// The memory must be the caller's, initialised, and not change while the slice lives.
pub(super) unsafe fn slice<'a>(address: i32, length: i32) -> Result<&'a [u8], Errno> {
    match (address, length) {
        (_, 0) => Ok(&[]),
        (0, _) => Err(Errno::Fault),
        // SAFETY: the caller of this function promises it.
        _ => Ok(unsafe { std::slice::from_raw_parts(address as u32 as usize as *const u8, length as u32 as usize) }),
    }
}

/// As [`slice`], for writing.
///
/// # Safety
///
/// The memory must be the caller's, and nobody else may use it while the slice lives.
pub(super) unsafe fn slice_mut<'a>(address: i32, length: i32) -> Result<&'a mut [u8], Errno> {
    match (address, length) {
        (_, 0) => Ok(&mut []),
        (0, _) => Err(Errno::Fault),
        // SAFETY: the caller of this function promises it.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(address as u32 as usize as *mut u8, length as u32 as usize) }),
    }
}

/// Writes the bytes of a result to the caller's address.
///
/// # Safety
///
/// As for [`slice_mut`], with the length of `bytes`.
pub(super) unsafe fn store(address: i32, bytes: &[u8]) -> Result<(), Errno> {
    let length = i32::try_from(bytes.len()).map_err(|_| Errno::Overflow)?;
    // SAFETY: the caller of this function promises it.
    unsafe { slice_mut(address, length) }?.copy_from_slice(bytes);
    Ok(())
}

/// The buffers of a list of `(address, length)` pairs: preview1's `iovec` and `ciovec`.
///
/// # Safety
///
/// As for [`slice`], for the list.
pub(super) unsafe fn vectors(address: i32, count: i32) -> Result<impl Iterator<Item = (i32, i32)>, Errno> {
    let length = count.checked_mul(8).ok_or(Errno::Inval)?;
    // SAFETY: the caller of this function promises it.
    let list = unsafe { slice(address, length) }?;
    let word = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("four bytes"));
    Ok(list.chunks_exact(8).map(move |pair| (word(&pair[..4]), word(&pair[4..]))))
}
