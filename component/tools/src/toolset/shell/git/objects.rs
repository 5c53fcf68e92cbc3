//! `ls-tree`, `cat-file` and `hash-object`.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::objs::Kind;

use super::naming::object;
use super::options::{Given, flag, value};
use super::written::{from_top, print_path, quoted, shown};
use super::{Command, Ended, Failed, Line, fatal};
use crate::git::store::blob;
use crate::git::store::repo::{Repo, damaged};

/// The tree of nothing.
pub const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

pub const COMMANDS: &[Command] = &[
    Command {
        name: "ls-tree",
        options: &[
            flag(&["-r"]),
            flag(&["-d"]),
            flag(&["-t"]),
            flag(&["--name-only", "--name-status"]),
            flag(&["-l", "--long"]),
            flag(&["-z"]),
            flag(&["--full-tree"]),
        ],
        run: tree,
    },
    Command { name: "hash-object", options: &[flag(&["-w"]), flag(&["--stdin"]), value(&["-t"])], run: hash },
    Command { name: "cat-file", options: &[flag(&["-p"]), flag(&["-t"]), flag(&["-s"]), flag(&["-e"])], run: cat },
];

/// The object that a name means.
fn named(line: &mut Line<'_, '_>, name: &str) -> Result<ObjectId, Failed> {
    object(line, name).or_else(|_| fatal(format!("Not a valid object name {name}")))
}

fn tree(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let Some((name, paths)) = words.split_first() else { return fatal("ls-tree needs a tree") };
    let place = line.place()?;
    let repo = line.repo()?;
    let id = named(line, name)?;
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let Ok(root) = object.peel_to_tree() else { return fatal("not a tree object") };
    let base = if given.has("--full-tree") { String::new() } else { place.relative() };
    let wanted: Vec<String> = match paths {
        [] if base.is_empty() => Vec::new(),
        [] => vec![format!("{base}/")],
        paths => paths
            .iter()
            .map(|path| format!("{}{}", from_top(&place, path), if path.ends_with('/') { "/" } else { "" }))
            .collect(),
    };
    let mut entries = Vec::new();
    below(line, &repo, given, root.id, b"", &wanted, &mut entries)?;
    for (mode, kind, id, path) in entries {
        if !given.has("--name-only") {
            let size = match given.has("-l") {
                true if kind == "blob" => {
                    let header = repo.gix.find_header(id);
                    format!(" {:>7}", header.map_or_else(|_| "-".to_owned(), |header| header.size().to_string()))
                }
                true => format!(" {:>7}", "-"),
                false => String::new(),
            };
            line.out.extend_from_slice(format!("{mode:06o} {kind} {id}{size}\t").as_bytes());
        }
        let path = if given.has("--full-tree") { path } else { shown(&place, &path) };
        print_path(line, given, &path);
    }
    Ok(())
}

/// An entry of a tree: its mode, kind, object and path from the top.
type Entry = (u32, &'static str, ObjectId, BString);

/// Lists a tree, and what is below it if that is wanted.
fn below(
    line: &Line<'_, '_>,
    repo: &Repo,
    given: &Given,
    tree: ObjectId,
    prefix: &[u8],
    wanted: &[String],
    entries: &mut Vec<Entry>,
) -> Ended {
    let object = repo.gix.find_object(tree).map_err(|error| damaged(&error))?;
    let tree = object.try_into_tree().map_err(|error| damaged(&error))?;
    let decoded = tree.decode().map_err(|error| damaged(&error))?;
    for entry in &decoded.entries {
        line.context.deadline.poll()?;
        let path: BString = [prefix, entry.filename.as_bytes()].concat().into();
        let kind = match entry.mode.kind() {
            gix::objs::tree::EntryKind::Tree => "tree",
            gix::objs::tree::EntryKind::Commit => "commit",
            _ => "blob",
        };
        let is_tree = kind == "tree";
        let text = path.to_str_lossy();
        // Whether it is named, whether it is below something named, and whether something named is below it.
        let is = wanted.is_empty()
            || wanted.iter().any(|wanted| {
                let folder = format!("{}/", wanted.trim_end_matches('/'));
                *text == **wanted || text.starts_with(&folder)
            });
        let leads = wanted.iter().any(|wanted| wanted.starts_with(&format!("{text}/")));
        if is_tree && (leads || is && given.has("-r")) {
            if is && !leads && given.has("-t") {
                entries.push((entry.mode.value().into(), kind, entry.oid.into(), path.clone()));
            }
            let inner = [path.as_bytes(), b"/"].concat();
            below(line, repo, given, entry.oid.into(), &inner, wanted, entries)?;
        } else if is && (is_tree || !given.has("-d")) {
            entries.push((entry.mode.value().into(), kind, entry.oid.into(), path));
        }
    }
    Ok(())
}

fn hash(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    if given.has("-w") {
        return fatal("hash-object -w is not here\nhint: git add puts a file's content into the repository");
    }
    if given.value("-t").is_some_and(|kind| kind != "blob") {
        return fatal("hash-object hashes blobs only here");
    }
    let repo = line.repo()?;
    if given.has("--stdin") {
        let id = blob::hash(&repo, line.stdin)?;
        line.line(id.to_string());
    }
    let place = line.place()?;
    for word in given.all() {
        let found = line.context.session.zones.resolve(&word, &place, crate::paths::Access::Read)?;
        let Ok(content) = crate::platform::read(&found.real()) else {
            return fatal(format!("could not open '{word}' for reading: No such file or directory"));
        };
        let id = blob::hash(&repo, &content)?;
        line.line(id.to_string());
    }
    Ok(())
}

fn cat(line: &mut Line<'_, '_>, given: &Given) -> Ended {
    let words = given.all();
    let (kind, name) = match words.as_slice() {
        [name] => (None, name),
        [kind, name] => (Some(kind), name),
        _ => return fatal("cat-file needs an object"),
    };
    let repo = line.repo()?;
    let id = match named(line, name) {
        Err(_) if given.has("-e") => return Err(Failed::Status(1)),
        id => id?,
    };
    let header = repo.gix.find_header(id).map_err(|error| damaged(&error))?;
    if given.has("-e") {
        return Ok(());
    }
    if given.has("-t") {
        line.line(header.kind().to_string());
        return Ok(());
    }
    if given.has("-s") {
        line.line(header.size().to_string());
        return Ok(());
    }
    if let Some(kind) = kind
        && *kind != header.kind().to_string()
    {
        return fatal(format!("git cat-file {name}: bad file"));
    }
    match header.kind() {
        Kind::Tree => {
            let listed = Given::default();
            let mut entries = Vec::new();
            below(line, &repo, &listed, id, b"", &[], &mut entries)?;
            for (mode, kind, id, path) in entries {
                line.out.extend_from_slice(format!("{mode:06o} {kind} {id}\t").as_bytes());
                line.line(quoted(&path));
            }
        }
        Kind::Blob => match blob::read(&repo, id)? {
            Some(content) => line.out.extend_from_slice(&content),
            None => return Err(crate::git::store::missing::blobs(&repo, [id].into()).into()),
        },
        _ => {
            let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
            line.out.extend_from_slice(&object.data);
        }
    }
    Ok(())
}
