//! The person's small repository, with some history.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use gix::bstr::BStr;
use gix::objs::tree::EntryKind;

const PERSON: &str = "Ada Lovelace <ada@example.org> 1763632800 +0000";

/// Files of a commit.
type Files = &'static [(&'static str, &'static str)];

static COMMITS: &[(&str, Files)] = &[
    (
        "Start the project",
        &[
            ("README.md", "# Greetings\n\nSays hello.\n"),
            ("src/greet.py", "def greet(name):\n    return \"Hello \" + name\n"),
            ("notes.txt", "ask about the comma\n"),
        ],
    ),
    (
        "Put a comma in the greeting",
        &[
            ("README.md", "# Greetings\n\nSays hello.\n"),
            ("src/greet.py", "def greet(name):\n    return \"Hello, \" + name\n"),
            ("notes.txt", "ask about the comma\n"),
        ],
    ),
];

/// Creates the repository at `path`, checks out its branch and describes its content.
pub(super) fn make(path: &Path) -> anyhow::Result<String> {
    let repo = gix::ThreadSafeRepository::init_opts(
        path,
        gix::create::Kind::WithWorktree,
        gix::create::Options::default(),
        gix::open::Options::isolated(),
    )
    .context("cannot make a repository")?
    .to_thread_local();
    fs::write(repo.git_dir().join("HEAD"), "ref: refs/heads/main\n")?;

    let signature = gix::actor::SignatureRef::from_bytes(PERSON.as_bytes()).context("the person is well-formed")?;
    let mut parent = None;
    let mut tree = repo.empty_tree().id;
    for (message, files) in COMMITS {
        let mut editor = repo.empty_tree().edit()?;
        for (name, content) in *files {
            editor.upsert(BStr::new(name), EntryKind::Blob, repo.write_blob(content)?)?;
        }
        tree = editor.write()?.detach();
        parent = Some(repo.commit_as(signature, signature, "refs/heads/main", message, tree, parent)?.detach());
    }

    let files = COMMITS.last().map_or(&[][..], |(_, files)| files);
    for (name, content) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().context("a file is in a folder")?)?;
        fs::write(file, content)?;
    }
    let mut index = repo.index_from_tree(&tree)?;
    index.write(gix::index::write::Options::default())?;
    Ok(format!("{} commits, {} files", COMMITS.len(), files.len()))
}

/// The person's own commit: its message, its file and the file's new content.
static MEANWHILE: (&str, &str, &str) =
    ("Be formal", "src/greet.py", "def greet(name):\n    return f\"Good day, {name}!\"\n");

/// Commits to the checked-out branch as the person, and describes the commit.
pub(super) fn meanwhile(path: &Path) -> anyhow::Result<String> {
    let repo = gix::open_opts(path, gix::open::Options::isolated()).context("cannot open the demo's repository")?;
    let (message, name, content) = MEANWHILE;
    let signature = gix::actor::SignatureRef::from_bytes(PERSON.as_bytes()).context("the person is well-formed")?;
    let head = repo.head_commit()?;
    let mut editor = head.tree()?.edit()?;
    editor.upsert(BStr::new(name), EntryKind::Blob, repo.write_blob(content)?)?;
    let tree = editor.write()?.detach();
    let commit = repo.commit_as(signature, signature, "refs/heads/main", message, tree, [head.id])?;
    fs::write(path.join(name), content)?;
    let mut index = repo.index_from_tree(&tree)?;
    index.write(gix::index::write::Options::default())?;
    Ok(format!("{} {message} ({name})\n", commit.shorten()?))
}
