//! The arguments that many tools take.

use serde::Deserialize;

/// Maximum output bytes; 200000 unless the sandbox is set up otherwise
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(transparent, extend("minimum" = 1, "maximum" = crate::options::MAX_MAX_BYTES)))]
#[serde(transparent)]
pub struct MaxBytes(pub usize);

/// Timeout in milliseconds; 30000 unless the sandbox is set up otherwise
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(transparent, extend("minimum" = crate::options::MIN_TIMEOUT_MS)))]
#[serde(transparent)]
pub struct TimeoutMs(#[expect(dead_code, reason = "the dispatch reads it for every tool")] u64);

/// Working directory for git command
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(transparent))]
#[serde(transparent)]
pub struct WorkingDir(pub String);
