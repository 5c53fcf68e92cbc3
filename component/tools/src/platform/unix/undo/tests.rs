use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::platform;

/// A folder to work in, a folder for the log, and one for files in the way.
struct Scene {
    base: tempfile::TempDir,
    /// Contains the latter two.
    beside: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        Scene::beside(tempfile::tempdir().unwrap())
    }

    /// A scene whose log is on another filesystem, to which no rename is possible.
    #[cfg(target_os = "linux")]
    fn across() -> Scene {
        use std::os::unix::fs::MetadataExt;
        let device = |folder: &Path| fs::metadata(folder).unwrap().dev();
        // At least one of these is on a disk, wherever TMPDIR is: the test program itself is.
        let program = std::env::current_exe().unwrap();
        let base = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
        let scene = Scene::in_folders(base, tempfile::tempdir_in("/dev/shm").unwrap());
        assert_ne!(device(scene.base.path()), device(scene.beside.path()), "the target folder is not in /dev/shm");
        scene
    }

    fn beside(beside: tempfile::TempDir) -> Scene {
        Scene::in_folders(tempfile::tempdir().unwrap(), beside)
    }

    fn in_folders(base: tempfile::TempDir, beside: tempfile::TempDir) -> Scene {
        let scene = Scene { base, beside };
        fs::create_dir(scene.root()).unwrap();
        for (path, content) in [("a", "1"), ("sub/b", "2"), ("sub/deep/c", "3"), ("d", "4")] {
            let path = scene.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        std::os::unix::fs::symlink("sub/b", scene.root().join("link")).unwrap();
        fs::set_permissions(scene.root().join("d"), fs::Permissions::from_mode(0o640)).unwrap();
        scene
    }

    fn root(&self) -> PathBuf {
        self.base.path().join("root")
    }

    fn notes(&self) -> PathBuf {
        self.beside.path().join("undo")
    }

    fn aside(&self) -> PathBuf {
        self.beside.path().join("kept")
    }

    /// All paths with types, contents and permissions.
    fn tree(&self) -> BTreeMap<PathBuf, String> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.root()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let meta = path.symlink_metadata().unwrap();
                let what = if meta.is_dir() {
                    folders.push(path.clone());
                    "folder".to_owned()
                } else if meta.is_symlink() {
                    format!("link {:?}", fs::read_link(&path).unwrap())
                } else {
                    format!("{:o} {:?}", entry::mode(&meta), fs::read(&path).unwrap())
                };
                tree.insert(path, what);
            }
        }
        tree
    }

    /// Makes a random change. Many of them fail.
    fn change(&self, random: &mut fastrand::Rng) -> Result<(), io::ErrorKind> {
        const NAMES: [&str; 8] = ["a", "sub/b", "sub", "sub/deep", "new", "new/x", "link", "d"];
        let mut path = || self.root().join(NAMES[random.usize(..NAMES.len())]);
        let (one, other) = (path(), path());
        let content = vec![b'x'; random.usize(..10)];
        let bit = [None, Some(true), Some(false)][random.usize(..3)];
        let done = match random.u32(..10) {
            0..3 => platform::put_file(&one, content, bit),
            3 => platform::symlink("anywhere".as_ref(), &one),
            4 => platform::create_dir_all(&one),
            5 => platform::remove_file(&one),
            6 => platform::remove_dir(&one),
            7 => platform::remove_dir_all(&one),
            // Tools check the destination before they move something.
            8 if other.symlink_metadata().is_err() => platform::rename(&one, &other),
            // A library that follows a link would change a file that is not logged.
            _ if one.is_symlink() => Ok(()),
            _ => platform::editing(std::slice::from_ref(&one), || {
                let mut file = OpenOptions::new().append(true).create(true).open(&one)?;
                file.write_all(&content)
            })
            .and_then(|done| done),
        };
        done.map_err(|error| error.kind())
    }
}

#[test]
fn whatever_was_changed_is_taken_back() {
    take_back(Scene::new);
}

#[cfg(target_os = "linux")]
#[test]
fn whatever_was_changed_across_filesystems_has_the_same_end_and_is_taken_back() {
    assert_eq!(take_back(Scene::across), take_back(Scene::new));
}

/// The outcomes of the changes, after checking that a roll-back restores the scene.
fn take_back(scene: fn() -> Scene) -> Vec<Result<(), io::ErrorKind>> {
    let mut ends = Vec::new();
    for seed in 0..300 {
        let scene = scene();
        let before = scene.tree();
        let mut random = fastrand::Rng::with_seed(seed);
        begin(&scene.notes(), "7");
        for _ in 0..random.usize(1..12) {
            ends.push(scene.change(&mut random));
        }
        let kept = roll_back(&scene.notes(), &scene.aside()).unwrap();
        assert_eq!((scene.tree(), kept), (before, Vec::new()), "seed {seed}");
        assert!(!scene.notes().exists() && !scene.aside().exists(), "seed {seed}");
    }
    ends
}

#[test]
fn parts_of_files_go_whenever_they_were_written_those_of_a_roll_back_that_was_cut_off_as_well() {
    let scene = Scene::new();
    let before = scene.tree();
    begin(&scene.notes(), "7");
    platform::put_file(&scene.root().join("a"), b"2".to_vec(), None).unwrap();
    let [noted, carried] = [".gitgate-1.part", ".gitgate-2.part"].map(|name| scene.root().join(name));
    with(|undo| undo.unwrap().note(Entry::Part(noted.clone()))).unwrap();
    end();
    // The last line is incomplete.
    fs::write(scene.notes().join("parts"), Entry::Part(carried.clone()).line() + "part 2f").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    for part in [&noted, &carried] {
        fs::write(part, "half").unwrap();
        File::options().write(true).open(part).unwrap().set_modified(later).unwrap();
    }
    assert_eq!(roll_back(&scene.notes(), &scene.aside()).unwrap(), []);
    assert_eq!(scene.tree(), before);
}

#[test]
fn what_is_forgotten_stays() {
    let scene = Scene::new();
    assert_eq!(pending(&scene.notes()).unwrap(), None);
    begin(&scene.notes(), "7");
    platform::put_file(&scene.root().join("new"), b"1".to_vec(), None).unwrap();
    platform::remove_file(&scene.root().join("a")).unwrap();
    assert_eq!(changed(), [scene.root().join("a"), scene.root().join("new")]);
    end();
    let after = scene.tree();
    assert_eq!(pending(&scene.notes()).unwrap().as_deref(), Some("7"));
    forget(&scene.notes()).unwrap();
    assert_eq!(pending(&scene.notes()).unwrap(), None);
    assert_eq!(roll_back(&scene.notes(), &scene.aside()).unwrap(), []);
    assert_eq!(scene.tree(), after);
}

#[test]
fn a_call_that_changes_nothing_leaves_no_notes() {
    let scene = Scene::new();
    begin(&scene.notes(), "7");
    assert!(changed().is_empty() && !scene.notes().exists());
    end();
    platform::put_file(&scene.root().join("a"), b"2".to_vec(), None).unwrap();
    assert!(!scene.notes().exists());
}

#[test]
fn a_log_that_is_damaged_takes_nothing_back_and_one_that_was_cut_off_all_that_was_done() {
    let scene = Scene::new();
    let before = scene.tree();
    begin(&scene.notes(), "7");
    platform::put_file(&scene.root().join("a"), b"2".to_vec(), None).unwrap();
    end();
    let log = scene.notes().join(LOG);
    let whole = fs::read(&log).unwrap();
    fs::write(&log, [&b"what\n"[..], &whole].concat()).unwrap();
    let after = scene.tree();
    roll_back(&scene.notes(), &scene.aside()).unwrap_err();
    assert_eq!(scene.tree(), after);
    fs::write(&log, [&whole[..], b"made 2f"].concat()).unwrap();
    roll_back(&scene.notes(), &scene.aside()).unwrap();
    assert_eq!(scene.tree(), before);
}

#[test]
fn what_is_younger_than_the_log_is_somebody_else_s_and_is_kept() {
    let scene = Scene::new();
    let file = scene.root().join("a");
    begin(&scene.notes(), "7");
    platform::put_file(&file, b"2".to_vec(), None).unwrap();
    platform::put_file(&scene.root().join("new"), b"3".to_vec(), None).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    for path in [&file, &scene.root().join("new")] {
        fs::write(path, "mine").unwrap();
        File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
    }
    let kept = roll_back(&scene.notes(), &scene.aside()).unwrap();
    let places: Vec<PathBuf> = kept.iter().map(|kept| kept.place.clone()).collect();
    assert_eq!(places, [scene.aside().join("1-new"), scene.aside().join("1-a")]);
    assert!(places.iter().all(|place| fs::read(place).unwrap() == b"mine"));
    assert_eq!((fs::read(&file).unwrap(), scene.root().join("new").exists()), (b"1".to_vec(), false));
}
