//! Generates two realistic repositories, S and L, with `git fast-import` from fixed numbers, and keeps them.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::place;
use crate::step::{Report, run};
use fastrand::Rng;

/// The dimensions of a repository.
pub struct Shape {
    pub name: &'static str,
    pub files: usize,
    pub commits: usize,
    /// Average number of lines in a file.
    lines: usize,
    seed: u64,
}

/// 1,019 files, 516 commits, a pack of about 3.8 MB.
pub const SMALL: Shape = Shape { name: "S", files: 1019, commits: 516, lines: 118, seed: 1 };
/// 10,094 files, 2,071 commits, a pack of about 50 MB.
pub const LARGE: Shape = Shape { name: "L", files: 10_094, commits: 2071, lines: 182, seed: 2 };

/// Revisions of the one file that changes often.
const HOT: usize = 300;
/// Files changed by each commit.
const CHANGED: usize = 4;
/// Marks a complete repository with the version of its generator.
const VERSION: &str = "3";

/// The folder of the repository.
pub fn path(folder: &Path, shape: &Shape) -> PathBuf {
    folder.join(shape.name)
}

/// Generates the repository unless it exists, and reports its size.
pub fn make(folder: &Path, shape: &Shape) -> Result<Report> {
    let (repo, mark) = (path(folder, shape), folder.join(format!("{}.version", shape.name)));
    if !std::fs::read_to_string(&mark).is_ok_and(|version| version == VERSION) {
        if repo.exists() {
            std::fs::remove_dir_all(&repo)?;
        }
        std::fs::create_dir_all(&repo)?;
        run(place::git(&repo).args(["init", "--quiet", "-b", "main"]))?;
        import(&repo, shape)?;
        run(place::git(&repo).args(["repack", "-adfq", "--window=10", "--depth=50"]))?;
        run(place::git(&repo).args(["reset", "--quiet", "--hard", "main"]))?;
        std::fs::write(&mark, VERSION)?;
    }
    let megabytes = pack_bytes(&repo)? as f64 / 1e6;
    Ok(Report::note(format!("{} files, {} commits, pack {megabytes:.1} MB", shape.files, shape.commits)))
}

/// Size of the repository's packs in bytes.
pub fn pack_bytes(repo: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(repo.join(".git/objects/pack"))? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "pack") {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}

fn import(repo: &Path, shape: &Shape) -> Result<()> {
    let mut git: Command = place::git(repo);
    let mut child = git
        .args(["fast-import", "--quiet", "--date-format=raw"])
        .stdin(Stdio::piped())
        .spawn()
        .context("git is needed")?;
    let mut stream = BufWriter::new(child.stdin.take().expect("it is piped"));
    write(&mut stream, shape)?;
    stream.flush()?;
    drop(stream);
    ensure!(child.wait()?.success(), "git fast-import failed");
    Ok(())
}

/// Most files exist from the beginning, commits add the others. Each commit changes a few, and one file changes often.
fn write(stream: &mut impl Write, shape: &Shape) -> Result<()> {
    let mut random = Rng::with_seed(shape.seed);
    let mut files: Vec<Vec<String>> = Vec::with_capacity(shape.files);
    for commit in 0..shape.commits {
        let message = format!("Change number {commit}\n");
        writeln!(stream, "commit refs/heads/main")?;
        writeln!(stream, "committer Ada Example <ada@example.org> {} +0000", 1_600_000_000 + 3600 * commit)?;
        writeln!(stream, "data {}\n{message}", message.len())?;
        let known = shape.files * 6 / 10 + shape.files * 4 / 10 * (commit + 1) / shape.commits;
        let known = if commit + 1 == shape.commits { shape.files } else { known };
        let mut changed: Vec<usize> = (files.len()..known).collect();
        while files.len() < known {
            let lines = shape.lines / 2 + random.usize(..shape.lines);
            files.push((0..lines).map(|_| line(&mut random)).collect());
        }
        if commit > 0 {
            changed.extend((0..CHANGED).map(|_| 1 + random.usize(..known - 1)));
            if commit * HOT / shape.commits != (commit - 1) * HOT / shape.commits {
                changed.push(0);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for index in changed {
            if commit > 0 {
                let at = random.usize(..files[index].len());
                files[index][at] = line(&mut random);
            }
            let content = files[index].concat();
            writeln!(stream, "M 100644 inline {}\ndata {}\n{content}", name(index), content.len())?;
        }
    }
    Ok(())
}

/// The path of a file, among ten folders with ten subfolders each.
pub fn name(index: usize) -> String {
    format!("part{}/module{}/file{index:05}.txt", index % 10, index / 10 % 10)
}

/// A line of words and digits. Compression halves it.
fn line(random: &mut Rng) -> String {
    format!("let value_{:04x} = compute({:016x}, {:016x});\n", random.usize(..1 << 16), random.u64(..), random.u64(..))
}
