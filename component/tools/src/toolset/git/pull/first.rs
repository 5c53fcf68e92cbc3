//! The first pull into a sandbox without a commit. The repository becomes a clone, which is shallow and sparse if the call names paths.

use std::num::NonZeroU32;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::index::{State, entry};

use crate::error::{Stop, ToolError};
use crate::git::staged::fetch::{self, Extent};
use crate::git::staged::landed;
use crate::git::staged::targets::{self, Known};
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::store::{config_file, flat_tree, index};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::writer::Writer;
use crate::output::Output;
use crate::platform;
use crate::session::Context;
use crate::toolset::git::pull::files::{Bringing, Found};
use crate::toolset::git::pull::incoming::Incoming;
use crate::toolset::git::pull::report::Report;
use crate::toolset::git::pull::source::Source;
use crate::toolset::git::pull::wanted::{Wanted, rules_above};
use crate::toolset::git::pull::work;

pub fn pull(
    context: &mut Context<'_>,
    repo: &Repo,
    source: &Source,
    wanted: &Wanted,
    depth: Option<NonZeroU32>,
) -> Result<Output, Stop> {
    let max_bytes = context.session.options.git.max_bytes;
    let Some(tip) = source.commit else {
        let repo = become_clone(context, repo, source)?;
        drop(repo);
        let mut report = Report { target: source.target.clone(), ..Report::default() };
        report.branch = source.branch().to_owned();
        report.opening = "You appear to have cloned an empty repository.\n".to_owned();
        return Ok(report.output(max_bytes));
    };
    let depth = depth.or(NonZeroU32::new(1).filter(|_| !wanted.is_all()));
    let extent = Extent { depth, blobs: wanted.is_all(), related: false };
    fetch::commit(context.answers, repo, &source.target, tip, extent)?;
    let tree = flat_tree::load(&mut context.session.caches.trees, repo, repo.tree_of(tip)?, context.deadline)?;
    let state = flat_tree::index_of(&tree)?;
    let selected = wanted.select(&tree, context.deadline)?;
    let with_rules = selected.iter().copied().chain(rules_above(&tree, &selected));
    let blobs: Vec<(BString, ObjectId)> = with_rules.filter_map(blob_at).collect();
    fetch::blobs(context.answers, repo, &source.target, tip, blobs, context.deadline)?;

    let added = index::load(&mut context.session.caches.index, repo)?;
    let attributes = Attributes::of(repo, added.clone(), context.deadline);
    work::ensure_kept(&work::of(context, repo, &added, &attributes)?.only_in_index, &state)?;
    let repo = become_clone(context, repo, source)?;
    if let Some(sparse) = wanted.sparse() {
        sparse.store(&repo)?;
        context.session.forget();
    }
    let repo = if wanted.is_all() { repo } else { context.session.repo()? };
    let (state, report) = check_out(context, &repo, source, state, &selected)?;
    landed::seen(&context.reflog_signature(), &repo, &source.target, &source.reference, tip)?;
    let head = Head::Unborn { name: source.reference.as_str().into() };
    let (who, refs) = (context.reflog_signature(), Refs::of(&repo, context.deadline));
    refs::move_head(&who, &refs, &head, tip, &format!("clone: from {}", source.target))?;
    index::store(&mut context.session.caches.index, &repo, state)?;
    Ok(Report { commit: Some(tip.to_string()), ..report }.output(max_bytes))
}

/// A file's path and blob. `None` for a submodule.
fn blob_at((path, version): (&BStr, Version)) -> Option<(BString, ObjectId)> {
    (version.mode != SUBMODULE).then(|| (path.to_owned(), version.id))
}

/// Adds a remote to the repository, and lets HEAD point to the branch with its upstream, as `git clone` does.
fn become_clone(context: &mut Context<'_>, repo: &Repo, source: &Source) -> Result<Repo, ToolError> {
    let known = match &source.known {
        Some(known) => known.clone(),
        None => {
            let is_only = targets::list(repo)?.is_empty();
            let known = Known::of(&source.target, is_only.then_some("origin"), repo)?;
            targets::add(repo, &known)?;
            known
        }
    };
    config_file::add_once(repo, &config_file::remote(&known.name, &known.location))?;
    config_file::add_once(repo, &config_file::branch(source.branch(), &known.name, &source.reference))?;
    let head = format!("ref: {}\n", source.reference);
    platform::put_file(&repo.git_dir().join("HEAD"), head.into_bytes(), None)
        .map_err(|error| ToolError::io(".git/HEAD", &error))?;
    context.session.forget();
    context.session.repo()
}

/// Writes the selected files, and merges them with existing ones. Returns the index and the report.
fn check_out(
    context: &mut Context<'_>,
    repo: &Repo,
    source: &Source,
    mut state: State,
    selected: &[(&BStr, Version)],
) -> Result<(State, Report), Stop> {
    let root = context.session.zones.workspace();
    let rules = std::rc::Rc::new(state.clone());
    let attributes = Attributes::of(repo, rules.clone(), context.deadline);
    let mut writer = Writer::of_checkout(repo, &rules, context.deadline);
    let mut bringing = Bringing::new(source, &root);
    let mut selected = selected.iter().peekable();
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        context.deadline.poll_units(8)?;
        let path = entry.path_in(backing);
        let Some((_, version)) = selected.next_if(|(selected, _)| *selected == path) else {
            entry.flags.insert(entry::Flags::SKIP_WORKTREE | entry::Flags::EXTENDED);
            continue;
        };
        let found = Found::InWorkspace(&attributes);
        let incoming = Incoming { path, version: *version, base: None, left_out: None };
        if let Some(stat) = bringing.bring(repo, &incoming, found, &mut writer, context.deadline)? {
            entry.stat = stat;
        }
    }
    Ok((state, bringing.report))
}
