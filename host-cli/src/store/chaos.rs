//! A disk that fails at a chosen step, and one that loses what was never made durable.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::disk::{Disk, RealDisk};

/// How the disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Once, and is well afterwards.
    Once,
    /// From then on.
    Stays,
    /// From then on, and what was not made durable before is lost, or a part of it.
    Power,
}

/// Where it fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// The number of the step, from 0.
    pub(crate) at: usize,
    pub(crate) mode: Mode,
}

/// The disk. Nothing on it is really made durable: what would have been is known.
#[derive(Debug)]
pub(crate) struct Chaos {
    fault: Option<Fault>,
    /// A folder for what files were before others took their place.
    aside: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    steps: usize,
    random: Random,
    /// How much of a file is durable, by its number.
    durable: HashMap<u64, u64>,
    /// Ends of files that were cut off, by the file's number: what is not synced since may be there
    /// again.
    cut: HashMap<u64, Vec<u8>>,
    /// Names that are not durable yet, with what stood there before; oldest first.
    renamed: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Chaos {
    pub(crate) fn new(aside: PathBuf, fault: Option<Fault>, seed: u64) -> Arc<Self> {
        fs::create_dir_all(&aside).unwrap();
        let random = Random::new(seed ^ fault.map_or(0, |fault| fault.at as u64 + 1));
        let state = State { steps: 0, random, durable: HashMap::new(), cut: HashMap::new(), renamed: Vec::new() };
        Arc::new(Chaos { fault, aside, state: Mutex::new(state) })
    }

    /// The steps that were taken, or tried.
    pub(crate) fn steps(&self) -> usize {
        self.state().steps
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test goes on after a panic")
    }

    fn step(&self) -> io::Result<()> {
        let mut state = self.state();
        let now = state.steps;
        state.steps += 1;
        match self.fault {
            Some(Fault { at, mode: Mode::Once }) if now == at => Err(io::ErrorKind::StorageFull.into()),
            Some(Fault { at, mode: Mode::Stays | Mode::Power }) if now >= at => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// What is in `place` as after the power is back: of what was not durable, any part.
    pub(crate) fn lose_power(&self, place: &Path) {
        let mut state = self.state();
        let State { random, durable, cut, renamed, .. } = &mut *state;
        for _ in 0..random.below(renamed.len() + 1) {
            match renamed.pop().expect("there are as many") {
                (path, Some(before)) => fs::rename(before, path).unwrap(),
                // It may have been removed meanwhile.
                (path, None) => drop(fs::remove_file(path)),
            }
        }
        for folder in [place.to_owned(), place.join("attachments"), place.join("pending"), place.join("waiting")] {
            // Some are made only when they are needed.
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                let metadata = fs::metadata(&path).unwrap();
                if let Some(end) = cut.get(&metadata.ino())
                    && random.below(2) == 0
                {
                    File::options().append(true).open(&path).unwrap().write_all(end).unwrap();
                    continue;
                }
                let Some(sure) = durable.get(&metadata.ino()).copied().filter(|sure| *sure < metadata.len()) else {
                    continue;
                };
                let file = File::options().write(true).open(&path).unwrap();
                let kept = sure + random.below((metadata.len() - sure) as usize + 1) as u64;
                file.set_len(kept).unwrap();
                if random.below(2) == 0 {
                    // The length was written, and the content was not.
                    file.set_len(metadata.len()).unwrap();
                }
            }
        }
    }
}

impl Disk for Chaos {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let (at, number) = (file.stream_position()?, file.metadata()?.ino());
        {
            let mut state = self.state();
            let sure = state.durable.entry(number).or_insert(at);
            *sure = (*sure).min(at);
            state.cut.remove(&number);
        }
        if let Err(error) = self.step() {
            let torn = self.state().random.below(bytes.len() + 1);
            file.write_all(&bytes[..torn])?;
            return Err(error);
        }
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step()?;
        let metadata = file.metadata()?;
        let mut state = self.state();
        state.durable.insert(metadata.ino(), metadata.len());
        state.cut.remove(&metadata.ino());
        Ok(())
    }

    fn cut(&self, file: &File, len: u64) -> io::Result<()> {
        self.step()?;
        let (mut end, metadata) = (Vec::new(), file.metadata()?);
        let mut reader = File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
        reader.seek(SeekFrom::Start(len))?;
        reader.read_to_end(&mut end)?;
        self.state().cut.insert(metadata.ino(), end);
        file.set_len(len)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        let mut state = self.state();
        let before = self.aside.join(state.steps.to_string());
        let before = to.exists().then(|| fs::hard_link(to, &before).map(|()| before)).transpose()?;
        state.renamed.push((to.to_owned(), before));
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        self.state().renamed.push((to.to_owned(), None));
        RealDisk.rename_new(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        self.state().renamed.retain(|(path, _)| path.parent() != Some(folder));
        Ok(())
    }
}

/// A folder in memory, where there is such a thing: nothing here is to outlive the test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Numbers that a seed repeats.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % end as u64).expect("it is below a usize")
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).for_each(|last| items.swap(last, self.below(last + 1)));
    }
}
