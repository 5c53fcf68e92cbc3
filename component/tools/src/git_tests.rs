//! The git tools against git itself: the oracle, the verification cases of the requirements, the attacks and the limits. Tests of
//! one module stand with that module.

#[cfg(not(target_os = "wasi"))]
mod changing_attacks;
#[cfg(not(target_os = "wasi"))]
mod changing_endings;
#[cfg(not(target_os = "wasi"))]
mod changing_spec;
#[cfg(not(target_os = "wasi"))]
pub mod oracle;
mod pulling_spec;
#[cfg(not(target_os = "wasi"))]
mod reading_attacks;
#[cfg(not(target_os = "wasi"))]
mod reading_limits;
#[cfg(not(target_os = "wasi"))]
mod reading_spec;
mod rules_spec;
#[cfg(all(feature = "shell", not(target_os = "wasi")))]
mod scripts_push_spec;
#[cfg(all(feature = "shell", not(target_os = "wasi")))]
mod scripts_spec;
mod staging_spec;
