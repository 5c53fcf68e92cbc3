#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::paths(input));

/// Without a fuzzer: runs the inputs named by the arguments.
#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    fuzz::run_files(fuzz::paths)
}
