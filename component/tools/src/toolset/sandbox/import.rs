//! `sandbox_import`: create the repository of a new sandbox, from verified packs or empty.

use std::path::Path;

use gix::ObjectId;
use patch::sort::sort;
use serde::{Deserialize, Serialize};

use crate::approval::{Annotations, Mode};
use crate::attachment;
use crate::error::{Stop, ToolError};
use crate::git::staged::targets::{self, Known};
use crate::git::store::{config_file, index};
use crate::git::worktree::first_checkout::checkout;
use crate::options::Toolset;
use crate::output::{Effect, Output};
use crate::platform;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::sandbox::named::id;

/// Create the sandbox's repository: from packs that the host attached, as `git clone` would, or
/// empty, as `git init -b main` would. Only the user can call it, once, in a sandbox that has no
/// repository yet.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SandboxImport {
    /// Where the refs come from. Their branches become tracking refs of `origin`. Without it, the
    /// refs stay as they are.
    origin: Option<Origin>,
    /// What HEAD points to. Default: the branch main.
    head: Option<HeadAt>,
    /// Refs by their full names.
    #[serde(default)]
    refs: Vec<RefAt>,
    /// Packs and their indexes, by the SHA-256 of the attachments.
    #[serde(default)]
    packs: Vec<PackAt>,
    /// Commits whose parents are not in the packs.
    #[serde(default)]
    shallow: Vec<String>,
}

/// A repository that a sandbox is opened from.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Origin {
    /// `local`, `local-bare`, `github`, `git` or `bundle`.
    kind: String,
    /// A path or URL.
    location: String,
    /// The host's canonical name for it.
    target: String,
    /// The branch that `origin/HEAD` names, in full. `origin/HEAD` is made only if the refs have it.
    head: Option<String>,
}

/// What HEAD is.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum HeadAt {
    /// A branch, by its full name.
    Branch(String),
    /// A commit.
    Detached(String),
}

/// A ref.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct RefAt {
    /// Its full name.
    name: String,
    /// What it points to.
    id: String,
}

/// A pack.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PackAt {
    /// The pack.
    pack: String,
    /// Its index.
    index: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Imported {
    /// The commit that HEAD leads to; null if there is none yet.
    head: Option<String>,
    /// By its full name; null if HEAD is detached.
    branch: Option<String>,
    refs: usize,
    files: usize,
}

impl Call for SandboxImport {
    const NAME: &'static str = "sandbox_import";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Session];
    const ANNOTATIONS: Annotations = Annotations::writes().only(Mode::Manual).open_world();
    /// A repository may be as large as the limits allow. A person sees the progress and can cancel.
    const HURRIED: bool = false;
    const FILE: &'static str = schema_file!("sandbox_import");
    type Result = Imported;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let root = context.session.zones.workspace().real();
        let git = root.join(".git");
        if platform::stat(&git).is_ok() {
            return Err(ToolError::failed("The sandbox already has a repository").hint("Open another sandbox.").into());
        }
        let plan = Plan::new(&self)?;
        lay_out(&git, &plan).map_err(|error| ToolError::io(".git", &error))?;
        for (at, pack) in self.packs.iter().enumerate() {
            // The names need only be unique: the host has verified the contents.
            let base = git.join(format!("objects/pack/pack-{:040x}", at + 1));
            context.embedding.place_attachment(&attachment::named(&pack.pack)?, &base.with_extension("pack"))?;
            context.embedding.place_attachment(&attachment::named(&pack.index)?, &base.with_extension("idx"))?;
        }
        context.session.forget();
        let repo = context.session.repo()?;
        if let Some(origin) = &self.origin {
            let Origin { kind, location, target, .. } = origin.clone();
            targets::add(&repo, &Known { name: "origin".to_owned(), target, kind, location })?;
        }
        let mut files = 0;
        if let Some(head) = plan.head_id {
            log_clone(context, &git, &plan, head).map_err(|error| ToolError::io(".git/logs", &error))?;
            let state = checkout(&mut context.session.caches.trees, &repo, repo.tree_of(head)?, context.deadline)?;
            files = state.entries().len();
            index::store(&mut context.session.caches.index, &repo, state)?;
        }
        let count = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        let text = match &plan.branch {
            Some(branch) => format!("Repository at /workspace on {} with {count}\n", short(branch)),
            None => format!("Repository at /workspace with a detached HEAD and {count}\n"),
        };
        let imported = Imported {
            head: plan.head_id.map(|id| id.to_string()),
            branch: plan.branch.clone(),
            refs: plan.refs.len(),
            files,
        };
        Ok(Output::new::<SandboxImport>(text, imported).effect(Effect::Settled))
    }
}

/// The planned content of the repository's own files.
struct Plan {
    branch: Option<String>,
    head_id: Option<ObjectId>,
    /// Names and ids, sorted.
    refs: Vec<(String, ObjectId)>,
    /// Symbolic refs.
    symbolic: Vec<(String, String)>,
    config: String,
    shallow: Vec<ObjectId>,
    from: String,
}

impl Plan {
    fn new(import: &SandboxImport) -> Result<Plan, ToolError> {
        let given = import
            .refs
            .iter()
            .map(|at| Ok((checked_name(&at.name)?, id(&at.id)?)))
            .collect::<Result<Vec<_>, ToolError>>()?;
        let shallow = import.shallow.iter().map(|hex| id(hex)).collect::<Result<_, _>>()?;
        let head = import.head.clone().unwrap_or(HeadAt::Branch("refs/heads/main".to_owned()));
        let (branch, head_id) = match head {
            HeadAt::Branch(name) => {
                let name = checked_name(&name)?;
                let id = given.iter().find(|(known, _)| *known == name).map(|(_, id)| *id);
                (Some(name), id)
            }
            HeadAt::Detached(hex) => (None, Some(id(&hex)?)),
        };
        let mut refs = match import.origin {
            Some(_) => tracked(given),
            None => given,
        };
        let mut symbolic = Vec::new();
        let mut config = config_file::NEW.to_owned();
        if let Some(origin) = &import.origin {
            config.push_str(&config_file::remote("origin", &origin.location));
            if let Some(branch) = &branch {
                config.push_str(&config_file::branch(short(branch), "origin", branch));
            }
            let head = origin.head.as_deref().map(checked_name).transpose()?;
            let head = head.as_deref().and_then(tracking);
            let head = head.filter(|name| refs.iter().any(|(known, _)| known == name));
            symbolic.extend(head.map(|name| ("refs/remotes/origin/HEAD".to_owned(), name)));
        }
        if let (Some(branch), Some(id), true) = (&branch, head_id, import.origin.is_some()) {
            refs.push((branch.clone(), id));
        }
        sort(&mut refs);
        refs.dedup();
        let from = import.origin.as_ref().map_or_else(|| "bundle".to_owned(), |origin| origin.location.clone());
        Ok(Plan { branch, head_id, refs, symbolic, config, shallow, from })
    }
}

/// The refs of a source as a clone has them: branches become tracking refs, tags stay, and the source's own tracking refs disappear.
fn tracked(refs: Vec<(String, ObjectId)>) -> Vec<(String, ObjectId)> {
    let renamed = refs.into_iter().filter_map(|(name, id)| match tracking(&name) {
        Some(tracking) => Some((tracking, id)),
        None if name.starts_with("refs/tags/") => Some((name, id)),
        None => None,
    });
    renamed.collect()
}

/// The tracking ref of a branch. `None` for any other ref.
fn tracking(name: &str) -> Option<String> {
    Some(format!("refs/remotes/origin/{}", name.strip_prefix("refs/heads/")?))
}

/// Writes the files that turn a folder into a repository.
fn lay_out(git: &Path, plan: &Plan) -> std::io::Result<()> {
    for folder in ["objects/pack", "objects/info", "refs/heads", "refs/tags", "info", "gitgate"] {
        platform::create_dir_all(&git.join(folder))?;
    }
    let head = match (&plan.branch, plan.head_id) {
        (Some(branch), _) => format!("ref: {branch}\n"),
        (None, Some(id)) => format!("{id}\n"),
        (None, None) => unreachable!("a head is a branch or a commit"),
    };
    platform::put_file(&git.join("HEAD"), head.into_bytes(), None)?;
    platform::put_file(&git.join("config"), plan.config.clone().into_bytes(), None)?;
    if !plan.refs.is_empty() {
        let mut packed = String::from("# pack-refs with: sorted \n");
        for (name, id) in &plan.refs {
            packed.push_str(&format!("{id} {name}\n"));
        }
        platform::put_file(&git.join("packed-refs"), packed.into_bytes(), None)?;
    }
    for (name, target) in &plan.symbolic {
        let path = git.join(name);
        platform::create_dir_all(path.parent().expect("a ref is in a folder"))?;
        platform::put_file(&path, format!("ref: {target}\n").into_bytes(), None)?;
    }
    if !plan.shallow.is_empty() {
        let lines: String = plan.shallow.iter().map(|id| format!("{id}\n")).collect();
        platform::put_file(&git.join("shallow"), lines.into_bytes(), None)?;
    }
    Ok(())
}

/// Writes the first line of the reflogs, as `git clone` does.
fn log_clone(context: &Context<'_>, git: &Path, plan: &Plan, head: ObjectId) -> std::io::Result<()> {
    let signature = context.reflog_signature();
    let mut line = Vec::new();
    line.extend_from_slice(format!("{} {head} ", ObjectId::null(gix::hash::Kind::Sha1)).as_bytes());
    let mut time = gix::date::parse::TimeBuf::default();
    signature.to_ref(&mut time).write_to(&mut line)?;
    line.extend_from_slice(format!("\tclone: from {}\n", plan.from).as_bytes());
    for name in std::iter::once("HEAD").chain(plan.branch.as_deref()) {
        let path = git.join("logs").join(name);
        platform::create_dir_all(path.parent().expect("a log is in a folder"))?;
        platform::put_file(&path, line.clone(), None)?;
    }
    Ok(())
}

fn checked_name(name: &str) -> Result<String, ToolError> {
    let valid = name.starts_with("refs/") && gix::validate::reference::name(name.into()).is_ok();
    if valid { Ok(name.to_owned()) } else { Err(ToolError::bad_args(format!("'{name}' is not a valid ref name"))) }
}

/// Removes `refs/heads/` from a branch once: the rest of its name may begin with it again.
fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::answer::Answers;
    use crate::dispatch::Step;
    use crate::options::{Identity, Options};
    use crate::question::Question;
    use crate::testing::Sandbox;

    /// Branch names, some of which an unquoted configuration value would change.
    const BRANCHES: [&str; 6] = ["main", "fix#12", "a;b", "q\"uo", "refs/heads/x", "a/b"];

    /// A sandbox opened from a repository whose HEAD is on `branch`.
    fn imported(branch: &str) -> Sandbox {
        let identity = Some(Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() });
        let mut sandbox = Sandbox::with(Options { identity, ..Options::default() }, &[]);
        let arguments = json!({
            "origin": {"kind": "local", "location": "/home/me/pro \"j; # \\x", "target": "local:/home/me/project"},
            "head": {"branch": format!("refs/heads/{branch}")},
        });
        sandbox.calling("sandbox_import", arguments).as_user().done().unwrap();
        sandbox
    }

    #[test]
    fn a_push_without_a_target_goes_to_the_branch_that_the_sandbox_was_opened_from() {
        for branch in BRANCHES {
            let mut sandbox = imported(branch);
            sandbox.write("a", "1\n");
            let stage = json!({"files": ["a"], "message": "m"});
            let Step::Ask(question) = sandbox.calling("git_stage", stage.clone()).as_user().step() else { panic!() };
            let mut answers = Answers::default();
            answers.add(question.key(), crate::answer::Answer::Approved);
            sandbox.calling("git_stage", stage).as_user().answers(answers).done().unwrap();
            let step = sandbox.calling("git_push", json!({"commitId": "HEAD"})).as_user().step();
            let Step::Ask(question) = step else { panic!("{branch}: {step:?}") };
            let Question::Refs(target) = *question else { panic!("{branch}: {question:?}") };
            assert_eq!(target.branch.as_deref(), Some(branch));
        }
    }

    #[test]
    #[cfg(not(target_os = "wasi"))]
    fn origin_head_names_the_branch_of_the_sources_head_if_the_source_has_it() {
        let made = |head: serde_json::Value| {
            let mut sandbox = Sandbox::with(Options::default(), &[]);
            let id = "1".repeat(40);
            let arguments = json!({
                "origin": {"kind": "local", "location": "/project", "target": "local:/project", "head": head},
                "head": {"branch": "refs/heads/unborn"},
                "refs": [{"name": "refs/heads/main", "id": id}, {"name": "refs/heads/topic", "id": id}],
            });
            sandbox.calling("sandbox_import", arguments).as_user().done().unwrap();
            let file = sandbox.real(".git/refs/remotes/origin/HEAD");
            file.exists().then(|| sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD"]))
        };
        assert_eq!(made(json!("refs/heads/topic")).as_deref(), Some("refs/remotes/origin/topic\n"));
        assert_eq!(made(json!("refs/heads/gone")), None);
        assert_eq!(made(json!(null)), None);
    }

    #[test]
    #[cfg(not(target_os = "wasi"))]
    fn git_reads_the_upstream_that_was_written() {
        for branch in BRANCHES {
            let mut sandbox = imported(branch);
            let merge = sandbox.git(&["config", "--get", &format!("branch.{branch}.merge")]);
            assert_eq!(merge, format!("refs/heads/{branch}\n"));
            assert_eq!(sandbox.git(&["remote", "get-url", "origin"]), "/home/me/pro \"j; # \\x\n");
            assert_eq!(sandbox.ok("git_status", json!({})).text, sandbox.git(&["status", "--porcelain", "-b"]));
        }
    }
}
