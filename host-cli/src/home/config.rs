//! Reads `gitgate.toml`.

use std::path::Path;

use host::settings::{Config, Setting};

use crate::error::{self, Result};

/// Reads the file at `path`. A missing file gives the defaults.
pub fn read(path: &Path) -> Result<Config> {
    Config::parse(&path.display().to_string(), &text_of(path)?)
}

/// Every setting with its value, in the order of the file, and whether the file at `path` has it.
pub fn settings(path: &Path) -> Result<Vec<Setting>> {
    Config::settings(&path.display().to_string(), &text_of(path)?)
}

/// The file's text; a missing file is empty.
fn text_of(path: &Path) -> Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|error| error::io("read", path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_the_defaults() {
        assert_eq!(read(Path::new("/nowhere/gitgate.toml")).unwrap(), Config::default());
    }
}
