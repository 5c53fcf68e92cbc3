//! Permissions in a shared repository, with the same push by git as the oracle.

use super::support::*;
use std::collections::BTreeMap;
use std::path::Path;

/// The permissions of everything but the names that differ from push to push.
fn permissions(repo: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, (mode, _)) in snapshot(repo) {
        let path = match path.split_once("objects/pack/") {
            Some((_, name)) => format!("a pack's {}", name.rsplit('.').next().unwrap()),
            None => path,
        };
        // Git keeps a reverse index besides a pack's index.
        if path != "a pack's rev" {
            found.insert(path, format!("{:o}", mode & 0o7777));
        }
    }
    found
}

#[test]
fn what_is_written_is_shared_as_git_shares_it() {
    let many: Vec<String> = (0..120).map(|n| format!("many/{n}={n}\n")).collect();
    for value in ["umask", "group", "2", "0600", "0640"] {
        for (scene, edits) in [
            (Scene::bare(&["a=a\n"]), vec!["a=b\n", "d/c=c\n"]),
            (Scene::bare(&["a=a\n"]), many.iter().map(String::as_str).collect()),
            (Scene::new(&["a=a\n", "x!=x\n"]), vec!["a=b\n", "d/c!=c\n"]),
        ] {
            scene.git(&["config", "core.sharedRepository", value]);
            scene.git(&["config", "core.logAllRefUpdates", "true"]);
            scene.git(&["config", "receive.denyCurrentBranch", "updateInstead"]);
            for branch in ["main", "topic/new"] {
                let push = scene.push(branch, &edits);
                let oracle = scene.temp.path().join(format!("oracle-{}", branch.len()));
                let copied = std::process::Command::new("cp").arg("-a").arg(&scene.repo).arg(&oracle).status();
                assert!(copied.unwrap().success());
                let place = oracle.to_str().unwrap();
                git(&scene.temp.path().join("sandbox"), &["push", "-q", place, &format!("HEAD:{}", push.reference)]);
                scene.land(&push).unwrap();
                scene.assert_landed(&push, "");
                assert_eq!(permissions(&scene.repo), permissions(&oracle), "{value}, {branch}");
            }
        }
    }
}

#[test]
fn an_impossible_mode_is_refused_as_git_refuses_it() {
    let scene = Scene::bare(&["a=a\n"]);
    scene.git(&["config", "core.sharedRepository", "0444"]);
    assert!(!try_git(&scene.repo, &["update-ref", "refs/heads/x", "HEAD"]).0);
    let spec = crate::remote::TargetSpec::parse("bare:bare.git").unwrap();
    let error = crate::remote::Target::open(&spec, scene.temp.path()).unwrap_err();
    assert_eq!(error.kind, crate::remote::TargetErrorKind::Unsupported);
}
