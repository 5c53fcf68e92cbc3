//! Clocks, waiting, arguments and environment, and the end of the process.

use super::{call, code, layout, memory};
use crate::{errno::Errno, process};

/// The resolution of the clocks, in nanoseconds.
const RESOLUTION: u64 = 1;

/// Only the realtime clock (0) and the monotonic clock (1) exist. Both show the time that was set,
/// and stand still.
fn known_clock(id: i32) -> Result<(), Errno> {
    if (0..2).contains(&id) { Ok(()) } else { Err(Errno::Inval) }
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_clock_res_get")]
unsafe extern "C" fn clock_res_get(id: i32, result: i32) -> i32 {
    // SAFETY: the caller gives the address of a `timestamp`.
    code(known_clock(id).and_then(|()| unsafe { memory::store(result, &RESOLUTION.to_le_bytes()) }))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_clock_time_get")]
unsafe extern "C" fn clock_time_get(id: i32, _precision: i64, result: i32) -> i32 {
    call(|kernel| {
        known_clock(id)?;
        // SAFETY: the caller gives the address of a `timestamp`.
        unsafe { memory::store(result, &kernel.now().to_le_bytes()) }
    })
}

/// Every awaited event has happened: time does not pass here, and files are always ready.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_poll_oneoff")]
unsafe extern "C" fn poll_oneoff(subscriptions: i32, events: i32, count: i32, result: i32) -> i32 {
    let poll = || {
        let size = layout::SUBSCRIPTION as i32;
        let length = count.checked_mul(size).filter(|&length| length > 0).ok_or(Errno::Inval)?;
        // SAFETY: the caller gives as many subscriptions.
        let subscriptions = unsafe { memory::slice(subscriptions, length) }?;
        let happened: Vec<u8> = subscriptions
            .chunks_exact(layout::SUBSCRIPTION)
            .flat_map(|one| layout::event(*one.first_chunk().expect("it is longer"), one[8]))
            .collect();
        // SAFETY: the caller gives room for as many events, and the address of a `size`.
        unsafe {
            memory::store(events, &happened)?;
            memory::store(result, &count.to_le_bytes())
        }
    };
    code(poll())
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sched_yield")]
unsafe extern "C" fn sched_yield() -> i32 {
    code(process::with(|kernel| if kernel.interrupted() { Err(Errno::Canceled) } else { Ok(()) }))
}

#[cfg(not(feature = "stdio"))]
mod none {
    use super::{code, memory};

    /// There are no strings.
    ///
    /// # Safety
    ///
    /// Both must be addresses of a `size`.
    unsafe fn no_strings(count: i32, bytes: i32) -> i32 {
        // SAFETY: the caller of this function promises it.
        code(unsafe { memory::store(count, &[0; 4]).and_then(|()| memory::store(bytes, &[0; 4])) })
    }

    #[unsafe(export_name = "__imported_wasi_snapshot_preview1_args_sizes_get")]
    unsafe extern "C" fn args_sizes_get(count: i32, bytes: i32) -> i32 {
        // SAFETY: the caller gives addresses of a `size`.
        unsafe { no_strings(count, bytes) }
    }

    #[unsafe(export_name = "__imported_wasi_snapshot_preview1_environ_sizes_get")]
    unsafe extern "C" fn environ_sizes_get(count: i32, bytes: i32) -> i32 {
        // SAFETY: the caller gives addresses of a `size`.
        unsafe { no_strings(count, bytes) }
    }

    #[unsafe(export_name = "__imported_wasi_snapshot_preview1_args_get")]
    unsafe extern "C" fn args_get(_pointers: i32, _bytes: i32) -> i32 {
        0
    }

    #[unsafe(export_name = "__imported_wasi_snapshot_preview1_environ_get")]
    unsafe extern "C" fn environ_get(_pointers: i32, _bytes: i32) -> i32 {
        0
    }

    /// There is no process to exit: the instance traps, and its host starts another.
    #[unsafe(export_name = "__imported_wasi_snapshot_preview1_proc_exit")]
    unsafe extern "C" fn proc_exit(_status: i32) -> ! {
        std::arch::wasm32::unreachable()
    }
}
