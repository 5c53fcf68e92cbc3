//! Paths of tools, in a workspace with links.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tools::paths::{Access, Zone, Zones};

use super::{phrase, words};
use crate::choices::Choices;
use crate::model;

/// A workspace with links of all kinds, a read-only zone, and files outside.
struct Scene {
    base: PathBuf,
    zones: Zones,
    _folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let base = folder.path().canonicalize().expect("the folder was made just now");
        let write = |path: &str| {
            let path = base.join(path);
            fs::create_dir_all(path.parent().expect("it is below the folder")).expect("the folder is fresh");
            fs::write(path, "content").expect("the folder is fresh");
        };
        for path in ["workspace/a/b/file", "workspace/.git/HEAD", "workspace/a.txt", "library/x/file", "outside/file"] {
            write(path);
        }
        let link = |target: &Path, name: &str| {
            symlink(target, base.join("workspace").join(name)).expect("the folder is fresh")
        };
        for (name, target) in [
            ("up", ".."),
            ("loop", "loop"),
            ("repository", ".git"),
            ("in", "a/b"),
            ("dots", "a/../a/./b"),
            ("to_file", "a.txt"),
            ("a/up", "../a/b"),
            ("a/out", "../../outside"),
            ("git_in", "./a/../.git/HEAD"),
        ] {
            link(Path::new(target), name);
        }
        for (name, target) in [("out", "outside"), ("absolute", "workspace/a"), ("library", "library/x")] {
            link(&base.join(target), name);
        }
        let library = Zone { name: "library".to_owned(), root: base.join("library"), writable: false };
        Scene { zones: Zones::new(base.join("workspace"), vec![library]), base, _folder: folder }
    }
}

thread_local! {
    static SCENE: Scene = Scene::new();
}

/// A path resolves to a place in a zone and outside the repository's folder. Without links on the way, it resolves literally.
pub fn path(choices: &mut Choices<'_>) {
    let access = choices.of_these(&[Access::Read, Access::Write, Access::Entry, Access::Look]);
    let below_a = choices.one_in(3);
    let named = phrase(choices, words::PATHS);
    SCENE.with(|scene| {
        let workspace = scene.zones.workspace();
        let from = if below_a { workspace.join("a") } else { workspace };
        let accepted = scene.zones.resolve(&named, &from, access);
        let plain = plain(scene, &named, below_a);
        let Ok(path) = accepted else {
            let may_be = plain
                .is_none_or(|path| matches!(access, Access::Write | Access::Entry) && !is_in_workspace(scene, &path));
            return assert!(may_be, "{named:?} is refused for {access:?}");
        };
        let real = path.real();
        if let Some(plain) = plain {
            assert_eq!(real, plain, "{named:?}");
        }
        assert!(!named.contains('\0') && !named.is_empty(), "{named:?}");
        for part in named.split('/').filter(|part| !matches!(*part, "" | ".")) {
            assert!(model::is_safe(part.as_bytes()), "{named:?} has {part:?}");
        }
        assert!(
            !matches!(access, Access::Write | Access::Entry) || is_in_workspace(scene, &real),
            "{named:?} can be written"
        );
        // The target of an entry is not followed, but the folder of the entry is the checked one.
        let follows = matches!(access, Access::Read | Access::Write);
        let checked = if follows || path.is_root() { Some(&*real) } else { real.parent() };
        let checked = checked.expect("what is in a zone is in a folder");
        if let Ok(canonical) = checked.canonicalize() {
            assert_eq!(canonical, checked, "{named:?} is followed later");
        }
        let zones = [scene.base.join("workspace"), scene.base.join("library")];
        assert!(zones.iter().any(|zone| real.starts_with(zone)), "{named:?} leads out to {}", real.display());
        assert!(!real.starts_with(scene.base.join("workspace/.git")), "{named:?} leads into the repository");
        assert!(path.shown().starts_with('/') && path.shown().ends_with(&path.relative()), "{named:?}");
    });
}

fn is_in_workspace(scene: &Scene, path: &Path) -> bool {
    path.starts_with(scene.base.join("workspace"))
}

/// The place that `named` names literally, without links and without anything unusual.
fn plain(scene: &Scene, named: &str, below_a: bool) -> Option<PathBuf> {
    let is_plain = |part: &str| !part.is_empty() && part != ".." && model::is_safe(part.as_bytes());
    let parts: Vec<&str> = model::resolved(named)?;
    if named.is_empty() || named.contains("..") || !parts.iter().all(|part| is_plain(part)) {
        return None;
    }
    let from = match (named.starts_with('/'), below_a) {
        (true, _) => scene.base.clone(),
        (false, true) => scene.base.join("workspace/a"),
        (false, false) => scene.base.join("workspace"),
    };
    let path = parts.iter().fold(from, |path, part| path.join(part));
    let in_zone = is_in_workspace(scene, &path) || path.starts_with(scene.base.join("library"));
    (in_zone && path.canonicalize().is_ok_and(|canonical| canonical == path)).then_some(path)
}
