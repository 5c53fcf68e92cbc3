//! The host's own functions, for test runs that need real output and a real exit.

macro_rules! forward {
    ($($import:ident $name:literal $export:literal ($($argument:ident),*) -> $result:ty;)*) => {
        #[link(wasm_import_module = "wasi_snapshot_preview1")]
        unsafe extern "C" {
            /// # Safety
            ///
            /// As for the function of the same name that wasi-libc imports.
            #[link_name = "fd_write"]
            pub(super) fn fd_write(fd: i32, list: i32, count: i32, result: i32) -> i32;
            $(
                #[link_name = $name]
                fn $import($($argument: i32),*) -> $result;
            )*
        }

        mod exports {
            $(
                #[unsafe(export_name = $export)]
                unsafe extern "C" fn $import($($argument: i32),*) -> $result {
                    // SAFETY: the host takes the same arguments.
                    unsafe { super::$import($($argument),*) }
                }
            )*
        }
    };
}

forward! {
    args_get "args_get" "__imported_wasi_snapshot_preview1_args_get" (pointers, bytes) -> i32;
    args_sizes_get "args_sizes_get" "__imported_wasi_snapshot_preview1_args_sizes_get" (count, bytes) -> i32;
    environ_get "environ_get" "__imported_wasi_snapshot_preview1_environ_get" (pointers, bytes) -> i32;
    environ_sizes_get "environ_sizes_get" "__imported_wasi_snapshot_preview1_environ_sizes_get" (count, bytes) -> i32;
    proc_exit "proc_exit" "__imported_wasi_snapshot_preview1_proc_exit" (status) -> !;
}
