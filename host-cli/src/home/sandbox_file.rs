//! Reads and writes `sandbox.toml`.

use std::io::Write;
use std::path::Path;

use host::settings::SandboxFile;

use crate::error::{Doing, Result};
use crate::store::disk::{self, RealDisk};

/// Reads the file in `folder`.
pub fn read(folder: &Path) -> Result<SandboxFile> {
    let path = folder.join(SandboxFile::NAME);
    let text = std::fs::read_to_string(&path).doing("read", &path)?;
    SandboxFile::parse(&path.display().to_string(), &text)
}

/// Writes the file in `folder`, durably.
pub fn write(file: &SandboxFile, folder: &Path) -> Result<()> {
    let path = folder.join(SandboxFile::NAME);
    let text = file.text(&path.display().to_string())?;
    disk::replace(&RealDisk, &path, |file| file.write_all(text.as_bytes())).doing("write", &path)
}

/// The file as it was first written, with one line more or another.
#[cfg(test)]
pub(crate) fn with_line(line: &str) -> SandboxFile {
    const FORMER: &str = "version = 1\nid = \"07070707070707070707070707070707\"\ncreated = \"2026-11-20T10:00:00+00:00\"\n\
        base = \"/home/ada\"\npolicy = \"gate\"\ntargets = []\n";
    let key = line.split(' ').next().expect("a line has a key");
    let text: String =
        FORMER.lines().filter(|former| !former.starts_with(key)).map(|line| format!("{line}\n")).collect();
    SandboxFile::parse("", &format!("{text}{line}\n")).expect("it is a line of the file")
}
