//! Pulls files from a repository that is not the target of the sandbox's commits, and merges them with existing files. Nothing else
//! changes.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry;
use patch::tree_merge::Driver;

use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::staged::{fetch, landed};
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::store::version::LINK;
use crate::git::store::{flat_tree, index, missing};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::writer::Writer;
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::platform::{self, Kind};
use crate::session::Context;
use crate::toolset::git::pull::in_the_way;
use crate::toolset::git::pull::incoming::{self, Fate, File, Incoming};
use crate::toolset::git::pull::report::{FileStatus, Report};
use crate::toolset::git::pull::source::Source;
use crate::toolset::git::pull::wanted::Wanted;

pub fn pull(
    context: &mut Context<'_>,
    repo: &Repo,
    source: &Source,
    wanted: &Wanted,
    zone: &SandboxPath,
) -> Result<Output, Stop> {
    let max_bytes = context.session.options.git.max_bytes;
    let Some(tip) = source.commit else {
        let empty = Report { target: source.target.clone(), branch: source.branch().to_owned(), ..Report::default() };
        return Ok(empty.output(max_bytes));
    };
    fetch::history(context.answers, repo, &source.target, tip)?;
    let tree = flat_tree::load(&mut context.session.caches.trees, repo, repo.tree_of(tip)?, context.deadline)?;
    let mut selected = wanted.select(&tree, context.deadline)?;
    selected.retain(|(_, version)| incoming::has_content(version));
    let base = match (zone.is_in_workspace(), repo.head()?.id()) {
        (true, Some(head)) => merge_base(repo, head, tip)?,
        _ => None,
    };
    let base = match base {
        Some(base) => {
            Some(flat_tree::load(&mut context.session.caches.trees, repo, repo.tree_of(base)?, context.deadline)?)
        }
        None => None,
    };
    let state = index::load(&mut context.session.caches.index, repo)?;
    let mut all = Vec::with_capacity(selected.len());
    for (path, version) in selected {
        context.deadline.poll_units(8)?;
        check_path(path, entry::Mode::from_bits_truncate(version.mode))?;
        let base = base.as_ref().and_then(|base| base.find(path)).filter(incoming::has_content);
        let left_out = if zone.is_in_workspace() { incoming::left_out(repo, &state, path) } else { None };
        if left_out.is_some_and(|ours| !incoming::has_content(&ours)) {
            return Err(in_the_way(&format!("{}/{}", zone.shown(), path.to_str_lossy())).into());
        }
        all.push(Incoming { path, version, base, left_out });
    }
    let blobs = all.iter().filter(|incoming| !incoming.is_here());
    let blobs: Vec<(BString, ObjectId)> =
        blobs.map(|incoming| (incoming.path.to_owned(), incoming.version.id)).collect();
    fetch::blobs(context.answers, repo, &source.target, tip, blobs, context.deadline)?;
    ensure_sources(repo, &all)?;
    let attributes = Attributes::of(repo, state.clone(), context.deadline);
    let deadline = context.deadline;
    let mut writer = Writer::of_checkout(repo, &state, deadline);
    let mut bringing = Bringing::new(source, zone);
    for incoming in &all {
        context.deadline.poll_units(8)?;
        let found = if zone.is_in_workspace() { Found::InWorkspace(&attributes) } else { Found::Elsewhere };
        bringing.bring(repo, incoming, found, &mut writer, context.deadline)?;
    }
    if source.known.is_some() {
        landed::seen(&context.reflog_signature(), repo, &source.target, &source.reference, tip)?;
    }
    Ok(Report { commit: Some(tip.to_string()), ..bringing.report }.output(max_bytes))
}

/// Asks for all blobs that a sparse sandbox lacks for these merges, at once and before writing anything.
fn ensure_sources(repo: &Repo, all: &[Incoming<'_>]) -> Result<(), ToolError> {
    let sources = all.iter().flat_map(Incoming::sources);
    let absent: BTreeSet<ObjectId> = sources.filter(|id| !repo.gix.has_object(id)).collect();
    if absent.is_empty() { Ok(()) } else { Err(missing::blobs(repo, absent)) }
}

/// The merge base of `ours` and `theirs` in the history that the sandbox has.
fn merge_base(repo: &Repo, ours: ObjectId, theirs: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let bases = repo.gix.merge_bases_many(ours, &[theirs]).map_err(|error| crate::git::store::repo::damaged(&error))?;
    Ok(bases.first().map(|base| base.detach()))
}

/// The destination of an incoming file.
pub enum Found<'a> {
    /// The working folder, where attributes say how git converts and merges contents.
    InWorkspace(&'a Attributes<'a>),
    /// Another zone.
    Elsewhere,
}

/// A pull of files in progress.
pub struct Bringing<'a> {
    zone: &'a SandboxPath,
    /// The results so far.
    pub report: Report,
}

impl<'a> Bringing<'a> {
    /// A pull from `source` into `zone`.
    pub fn new(source: &Source, zone: &'a SandboxPath) -> Bringing<'a> {
        let report = Report {
            opening: format!("From {}\n", source.target),
            target: source.target.clone(),
            branch: source.branch().to_owned(),
            ..Report::default()
        };
        Bringing { zone, report }
    }

    /// Brings in a file or submodule. Returns the stat of the file if it is exactly the incoming version.
    pub fn bring(
        &mut self,
        repo: &Repo,
        incoming: &Incoming<'_>,
        found: Found<'_>,
        writer: &mut Writer<'_>,
        deadline: &Deadline,
    ) -> Result<Option<entry::Stat>, Stop> {
        let &Incoming { path, version, base, left_out } = incoming;
        let mode = entry::Mode::from_bits_truncate(version.mode);
        let stat = incoming::at_place(self.zone, path, &version)?;
        if !incoming::has_content(&version) {
            return Ok(Some(writer.write(path, mode, Vec::new())?));
        }
        if incoming.is_here() {
            self.report.unchanged += 1;
            return Ok(None);
        }
        // Nothing is there to merge it with, so nobody has to read it. A first pull brings all files so.
        if stat.is_none()
            && left_out.is_none()
            && matches!(found, Found::InWorkspace(_))
            && let Some(stat) = writer.write_unread(path, mode, version.id)?
        {
            self.report.files.insert(self.shown(path), FileStatus::Added);
            return Ok(Some(stat));
        }
        let ours = match (&stat, left_out.filter(|ours| base != Some(*ours))) {
            (Some(stat), _) => Some(File { mode: incoming::mode_of(stat), content: self.read(path, stat, &found)? }),
            (None, Some(ours)) => Some(File::read(repo, ours)?),
            (None, None) => None,
        };
        let base = base.filter(|_| ours.is_some()).map(|base| File::read(repo, base)).transpose()?;
        let theirs = File::read(repo, version)?;
        let is_new = stat.is_none() && left_out.is_none();
        let driver = || match found {
            Found::InWorkspace(attributes) => attributes.merge_driver(path),
            Found::Elsewhere => Ok(Driver::default()),
        };
        let (file, status) = match incoming::fate(base.as_ref(), ours, theirs, driver, deadline)? {
            Fate::Same => {
                self.report.unchanged += 1;
                return Ok(stat.map(|stat| stat.index));
            }
            Fate::Kept => {
                let shown = self.shown(path);
                self.report.notes.push(match left_out {
                    None => format!(
                        "{shown} cannot be merged and has not changed. To take the incoming version, delete the file \
                         and pull it again."
                    ),
                    Some(_) => format!(
                        "{shown} cannot be merged and has not changed. It is not in this sparse sandbox. To take the \
                         incoming version, pull the file with paths from the repository that the sandbox was opened \
                         from, delete it, and pull it from here again."
                    ),
                });
                self.report.files.insert(shown, FileStatus::Unmerged);
                return Ok(None);
            }
            Fate::Write(file) => (file, if is_new { FileStatus::Added } else { FileStatus::Modified }),
            Fate::Conflict(file) => (file, FileStatus::Conflict),
        };
        self.report.files.insert(self.shown(path), status);
        let mode = entry::Mode::from_bits_truncate(file.mode);
        let written = match found {
            // A new file is unmerged, so it is exactly the incoming blob.
            Found::InWorkspace(_) if is_new => Some(writer.write_object(path, mode, version.id, file.content)?),
            Found::InWorkspace(_) => Some(writer.write(path, mode, file.content)?),
            Found::Elsewhere => {
                self.put(path, file)?;
                None
            }
        };
        Ok(written.filter(|_| status == FileStatus::Added))
    }

    fn shown(&self, path: &BStr) -> String {
        format!("{}/{}", self.zone.shown(), path.to_str_lossy())
    }

    fn read(&self, path: &BStr, stat: &platform::Stat, found: &Found<'_>) -> Result<Vec<u8>, ToolError> {
        let real = platform::join(&self.zone.real(), path);
        let io = |error: std::io::Error| ToolError::io(&self.shown(path), &error);
        match (found, stat.kind) {
            (Found::InWorkspace(attributes), Kind::File) => attributes.read_file(path),
            (Found::InWorkspace(attributes), _) => attributes.read_link(path),
            (Found::Elsewhere, Kind::File) => platform::read(&real).map(|content| content.to_vec()).map_err(io),
            (Found::Elsewhere, _) => {
                std::fs::read_link(&real).map(|target| target.into_os_string().into_encoded_bytes()).map_err(io)
            }
        }
    }

    /// Writes a file or link into a zone without a repository.
    fn put(&self, path: &BStr, file: File) -> Result<(), ToolError> {
        let real = platform::join(&self.zone.real(), path);
        let io = |error: std::io::Error| ToolError::io_of_commit(&self.shown(path), &error);
        platform::create_dir_all(real.parent().expect("a file is below the zone's root")).map_err(io)?;
        if file.mode == LINK {
            let target = gix::path::from_byte_slice(&file.content)
                .map_err(|_| ToolError::failed(format!("Link target is not UTF-8: {}", self.shown(path))))?;
            return platform::symlink(target, &real).map_err(io);
        }
        let executable = file.mode == entry::Mode::FILE_EXECUTABLE.bits();
        platform::put_file(&real, file.content, Some(executable)).map_err(io)
    }
}
