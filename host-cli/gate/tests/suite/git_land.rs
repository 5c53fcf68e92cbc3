//! Landing an approved push on any git server, and settling one that was interrupted: it lands once, as approved.

use std::rc::Rc;

use gate::forge::{Along, Fault, FaultKind, GRACE, Landing, Settled};
use gate::objects::Nothing;
use gate::time::Timestamp;
use gix_hash::ObjectId;

use crate::support::git_server::{GitServer, Trouble, repository};
use crate::support::pushing::{Scene, intent};

/// A server with the target's part of a scene.
fn before(scene: &Scene) -> GitServer {
    let server = GitServer::empty();
    let path = server.path();
    scene.repo.git(&["push", "-q", path.to_str().unwrap(), &format!("{}:refs/heads/main", scene.base)]);
    server
}

fn work() -> Scene {
    let scene = Scene::merge();
    scene.repo.write("dir/new.txt", "new\n").commit("new");
    scene
}

fn land(server: &mut GitServer, scene: &Scene, branch: &str, old: Option<ObjectId>) -> Result<Landing, Fault> {
    let push = scene.approved(branch, old, repository().target());
    server.drive(repository().land(push, Rc::new(Nothing), None))
}

fn moves(server: &GitServer) -> usize {
    server.log.iter().filter(|request| request.moves).count()
}

#[test]
fn a_push_lands_in_two_requests_with_the_approved_ids() {
    for (branch, is_new) in [("main", false), ("topic/new", true)] {
        let scene = work();
        let mut server = before(&scene);
        let (head, old) = (scene.repo.id("HEAD"), (!is_new).then_some(scene.base));
        assert_eq!(land(&mut server, &scene, branch, old), Ok(Landing::Landed { tip: head, said: Vec::new() }));
        assert_eq!(server.tip(branch), Some(head));
        assert_eq!((server.log.len(), moves(&server)), (2, 1));
        server.git(&["fsck", "--strict", "--full"]);
    }
}

#[test]
fn a_push_to_a_repository_without_a_commit_lands() {
    let scene = Scene::of({
        let repo = crate::support::Repo::new();
        repo.git(&["commit", "-q", "--allow-empty", "-m", "elsewhere"]);
        repo
    });
    let mut server = GitServer::empty();
    let pushed = scene.repo.write("a", "a\n").commit("first");
    scene.repo.git(&["push", "-q", server.path().to_str().unwrap(), &format!("{}:refs/heads/x", scene.base)]);
    assert_eq!(land(&mut server, &scene, "main", None), Ok(Landing::Landed { tip: pushed, said: Vec::new() }));
}

#[test]
fn a_branch_that_moved_is_a_conflict_before_and_during_the_push() {
    for index in [0, 1] {
        let scene = work();
        scene.repo.git(&["checkout", "-q", "--detach", &scene.base.to_string()]);
        let other = scene.repo.write("other.txt", "other\n").commit("of somebody else");
        scene.repo.git(&["checkout", "-q", "main"]);
        let from = scene.repo.path().to_path_buf();
        let mut server = before(&scene).before(index, move |server| {
            let from = from.to_str().unwrap();
            server.git(&["fetch", "-q", from, &format!("+{other}:refs/heads/main")]);
        });
        scene.repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let Ok(Landing::Conflict(fault)) = land(&mut server, &scene, "main", Some(scene.base)) else {
            panic!("it is a conflict")
        };
        assert!(fault.message.contains(&other.to_string()), "{}", fault.message);
        assert_eq!(server.tip("main"), Some(other));
        assert_eq!(moves(&server), index);
    }
}

#[test]
fn a_push_that_somebody_built_on_meanwhile_has_landed() {
    let scene = work();
    let head = scene.repo.id("HEAD");
    let beyond = scene.repo.write("beyond.txt", "x\n").commit("beyond");
    let mut server = before(&scene);
    scene.repo.git(&["push", "-q", server.path().to_str().unwrap(), "HEAD:refs/heads/main"]);
    scene.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert_eq!(scene.repo.id("HEAD"), head);
    assert_eq!(
        land(&mut server, &scene, "main", Some(scene.base)),
        Ok(Landing::Landed { tip: beyond, said: Vec::new() })
    );
    assert_eq!(moves(&server), 0);
}

#[test]
fn what_the_server_refuses_is_told_in_its_own_words_and_changes_nothing() {
    type Refuse<'a> = &'a dyn Fn(&GitServer);
    let refusing: [(&str, Refuse<'_>); 4] = [
        ("no pushes on sunday", &|server| server.hook("pre-receive", "echo 'no pushes on sunday' >&2; exit 1")),
        ("hook declined", &|server| server.hook("update", "exit 1")),
        ("unpack", &|server| {
            server.git(&["config", "receive.maxInputSize", "10"]);
        }),
        ("branch is currently checked out", &|server| {
            server.git(&["config", "core.bare", "false"]);
            server.git(&["config", "receive.denyCurrentBranch", "refuse"]);
        }),
    ];
    for (words, refuse) in refusing {
        let scene = work();
        let mut server = before(&scene);
        refuse(&server);
        let fault = land(&mut server, &scene, "main", Some(scene.base)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Refused, "{fault:?}");
        assert!(fault.message.contains(words), "{}", fault.message);
        assert_eq!(server.tip("main"), Some(scene.base));
        assert_eq!(moves(&server), 1);
    }
}

#[test]
fn attack_15_what_the_server_says_of_a_push_that_landed_is_told_and_bounded() {
    let scene = work();
    let mut server = before(&scene);
    let script = "echo 'To create a merge request for main, visit:' >&2; printf '\\033[31mhttps://git.example/new\\n' >&2; \
                  seq 100 >&2";
    server.hook("post-receive", script);
    let Ok(Landing::Landed { said, .. }) = land(&mut server, &scene, "main", Some(scene.base)) else {
        panic!("it lands")
    };
    assert_eq!(said[0], "To create a merge request for main, visit:");
    assert!(said[1].ends_with("[31mhttps://git.example/new") && !said[1].contains('\u{1b}'), "{}", said[1]);
    assert_eq!(said.len(), 10);
}

#[test]
fn a_merge_request_is_asked_for_along_with_the_push_or_nothing_is_pushed() {
    for takes_options in [false, true] {
        let scene = work();
        let mut server = before(&scene);
        server.git(&["config", "receive.advertisePushOptions", if takes_options { "true" } else { "false" }]);
        server.hook(
            "pre-receive",
            "printf '%s ' $GIT_PUSH_OPTION_COUNT $GIT_PUSH_OPTION_0 $GIT_PUSH_OPTION_1 $GIT_PUSH_OPTION_2 >&2",
        );
        let push = scene.approved("topic", None, repository().target());
        let along = Some(Along { title: Some("Count\namounts".to_owned()), is_draft: true });
        let landed = server.drive(repository().land(push, Rc::new(Nothing), along));
        match landed {
            Ok(Landing::Landed { said, .. }) if takes_options => {
                assert_eq!(said, ["3 merge_request.create merge_request.title=Count\\namounts merge_request.draft"]);
            }
            Err(fault) if !takes_options => assert_eq!((fault.kind, moves(&server)), (FaultKind::Refused, 0)),
            landed => panic!("{takes_options}: {landed:?}"),
        }
    }
}

#[test]
fn a_server_that_checks_strictly_takes_what_was_verified() {
    let scene = work();
    let mut server = before(&scene);
    for (name, value) in [
        ("receive.fsckObjects", "true"),
        ("receive.denyNonFastForwards", "true"),
        ("receive.denyDeletes", "true"),
        ("transfer.unpackLimit", "1"),
    ] {
        server.git(&["config", name, value]);
    }
    assert!(matches!(land(&mut server, &scene, "main", Some(scene.base)), Ok(Landing::Landed { .. })));
}

#[test]
fn whatever_goes_wrong_a_push_lands_once_or_not_and_the_verdict_is_true() {
    for index in 0..2 {
        for trouble in Trouble::ALL {
            for lasts in [false, true] {
                let scene = work();
                let head = scene.repo.id("HEAD");
                let server = before(&scene);
                let mut server =
                    if lasts { server.troubled_from(index, trouble) } else { server.troubled(index, trouble) };
                let landed = land(&mut server, &scene, "main", Some(scene.base));
                let there = server.tip("main").unwrap();
                match landed {
                    Ok(Landing::Landed { tip, .. }) => assert_eq!((tip, there), (head, head)),
                    Err(fault) => assert_eq!(there, scene.base, "{index} {trouble:?} {fault:?}"),
                    Ok(Landing::InDoubt(_)) => assert_eq!(index, 1, "{trouble:?}"),
                    Ok(Landing::Conflict(fault)) => panic!("{index} {trouble:?}: nobody else pushes: {fault:?}"),
                }
            }
        }
    }
}

/// Settles a push of `scene` that was sent at the time `sent`.
fn settle(server: &mut GitServer, scene: &Scene, sent: Option<u64>, now: u64) -> Settled {
    let intent = intent(repository().target(), Some(scene.base), scene.repo.id("HEAD"));
    let settle = repository().settle(&intent, sent.map(Timestamp), Timestamp(now)).unwrap();
    server.drive(settle).unwrap()
}

#[test]
fn a_push_that_was_interrupted_is_settled_by_its_branch() {
    for is_old in [false, true] {
        let scene = work();
        let mut server = before(&scene).old(is_old);
        assert_eq!(settle(&mut server, &scene, None, 0), Settled::NotLanded);
        assert_eq!(settle(&mut server, &scene, Some(100), 101), Settled::NotYet { seconds: GRACE - 1 });
        assert_eq!(settle(&mut server, &scene, Some(100), 100 + GRACE), Settled::NotLanded);
        let mut push = |revision: &str| {
            let to = server.path();
            scene.repo.git(&["push", "-q", "-f", to.to_str().unwrap(), &format!("{revision}:refs/heads/main")]);
            settle(&mut server, &scene, Some(100), 101)
        };
        assert_eq!(push("HEAD"), Settled::Landed);
        scene.repo.git(&["checkout", "-q", "--detach"]);
        let beyond = scene.repo.write("beyond.txt", "x\n").commit("beyond").to_string();
        scene.repo.git(&["checkout", "-q", "-"]);
        assert_eq!(push(&beyond), Settled::Landed);
        scene.repo.git(&["checkout", "-q", "--detach", &scene.base.to_string()]);
        let other = scene.repo.write("other.txt", "x\n").commit("other").to_string();
        scene.repo.git(&["checkout", "-q", "main"]);
        assert_eq!(push(&other), Settled::InDoubt);
    }
}
