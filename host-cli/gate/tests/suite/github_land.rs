//! Landing an approved push on GitHub: the requests, their number, and that it lands once.

use std::rc::Rc;

use gate::forge::{Fault, FaultKind, Landing};
use gate::github::Land;
use gate::objects::Objects;

use crate::support::Repo;
use crate::support::github::{Server, Trouble, approved};
use crate::support::pushing::Scene;

fn land(server: &mut Server, scene: &Scene) -> Result<Landing, Fault> {
    server.drive(Land::new(approved(scene, "main", Some(scene.base))))
}

/// The push has landed, with every object as git made it.
fn assert_landed(server: &Server, scene: &Scene) {
    let head = scene.repo.id("HEAD");
    assert_eq!(server.main(), Some(head));
    assert_eq!(server.moves, 1);
    for (id, object) in scene.repo.objects(&["HEAD"]).0 {
        assert_eq!(server.objects.get(&id), Some(&object), "{id}");
    }
}

/// A push of ten new files in two folders.
fn ten_files() -> Scene {
    let scene = Scene::simple();
    for number in 0..10 {
        scene.repo.write(&format!("folder{}/{number}.txt", number % 2), format!("file {number}\n"));
    }
    scene.repo.commit("ten files");
    scene
}

/// A history with everything that a push may contain.
fn rich() -> Scene {
    let scene = Scene::merge();
    let repo = &scene.repo;
    repo.remove("kept.txt").write("run.sh", "#!/bin/sh\n").write("b\u{e9}/\"q\"\\", [0, 159, 146, 150, 255]);
    std::os::unix::fs::symlink("run.sh", repo.path().join("link")).unwrap();
    repo.git(&["add", "-A"]);
    repo.git(&["update-index", "--chmod=+x", "run.sh"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module", scene.base)]);
    for (zone, message) in
        [("-0330", "zone\n\nwith a body\n"), ("+1345", "no line end"), ("+0000", " \u{1f980} odd \n\n")]
    {
        let mut command = repo.command(&["commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message]);
        command.env("GIT_AUTHOR_DATE", format!("1234567890 {zone}"));
        assert!(command.status().unwrap().success());
    }
    scene
}

#[test]
fn a_push_lands_with_every_object_as_git_made_it() {
    for has_graph in [false, true] {
        for scene in [ten_files(), rich()] {
            let mut server = Server::before_push(&scene).with_graph(has_graph);
            let tip = scene.repo.id("HEAD");
            assert_eq!(land(&mut server, &scene), Ok(Landing::Landed { tip, said: Vec::new() }));
            assert_landed(&server, &scene);
        }
    }
}

#[test]
fn a_push_takes_four_requests_more_than_it_has_blobs_and_trees() {
    let scene = ten_files();
    let (blobs, trees) = (10, 3);
    for (has_graph, more) in [(false, 4), (true, 3)] {
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        land(&mut server, &scene).unwrap();
        assert_eq!(server.log.len(), blobs + trees + more, "{:?}", server.asked());
    }
}

#[test]
fn the_branch_is_the_last_thing_that_is_touched() {
    let scene = Scene::simple();
    scene.repo.write("new.txt", "new\n").commit("new");
    let (base, head) = (scene.base, scene.repo.id("HEAD"));
    let mut server = Server::before_push(&scene);
    land(&mut server, &scene).unwrap();
    let objects = ["POST /git/blobs", "POST /git/trees", "POST /git/commits"];
    let rest = ["GET /git/ref/heads/main", "PATCH /git/refs/heads/main"];
    assert_eq!(server.asked(), [&["POST /graphql"][..], &objects, &rest].concat());
    assert_eq!(server.log.iter().filter(|request| request.moves).count(), 1);
    assert!(server.log.last().unwrap().moves);

    let mut server = Server::before_push(&scene).with_graph(true);
    land(&mut server, &scene).unwrap();
    assert_eq!(server.asked(), [&["POST /graphql"][..], &objects, &["POST /graphql"]].concat());
    let sent = String::from_utf8(server.log.last().unwrap().body.as_ref().unwrap().to_vec()).unwrap();
    assert!(sent.contains(&format!(r#""beforeOid":"{base}""#)) && sent.contains(&format!(r#""afterOid":"{head}""#)));
}

#[test]
fn a_new_branch_is_made_and_never_moved() {
    let scene = ten_files();
    for has_graph in [false, true] {
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        let tip = scene.repo.id("HEAD");
        assert_eq!(
            server.drive(Land::new(approved(&scene, "a/b%#\u{e9}", None))),
            Ok(Landing::Landed { tip, said: Vec::new() })
        );
        assert_eq!((server.refs["refs/heads/a/b%#\u{e9}"], server.main()), (tip, Some(scene.base)));
        assert_eq!(server.asked().last().unwrap(), "POST /git/refs");
    }
}

/// A trouble at any request: either the push landed once, or it did not, and the answer says which. Outside a soak, each target meets a
/// third of the troubles.
#[test]
fn whatever_fails_where_a_push_lands_once_or_not_at_all_and_says_which() {
    let scene = Scene::simple();
    scene.repo.write("a/new.txt", "new\n").commit("one");
    scene.repo.write("b.txt", "b\n").commit("two");
    let head = scene.repo.id("HEAD");
    for has_graph in [false, true] {
        for is_new in [false, true] {
            let new_server = || Server::before_push(&scene).with_graph(has_graph);
            let (branch, old) = if is_new { ("topic", None) } else { ("main", Some(scene.base)) };
            let run = |mut server: Server| {
                let answer = server.drive(Land::new(approved(&scene, branch, old)));
                (answer, server)
            };
            let requests = run(new_server()).1.log.len();
            let step = trial::times(3, 1);
            let first = (usize::from(has_graph) + usize::from(is_new)) % step;
            let troubles = (0..=requests).flat_map(|index| Trouble::ALL.map(|trouble| (index, trouble)));
            for (index, trouble) in troubles.skip(first).step_by(step) {
                let (answer, server) = run(new_server().troubled(index, trouble));
                let there = server.refs.get(&format!("refs/heads/{branch}")).copied();
                let case = format!("{trouble:?} at {index} of {:?}: {answer:?}", server.asked());
                assert!(server.moves <= 1, "{case}");
                match answer {
                    Ok(Landing::Landed { tip, .. }) => assert_eq!((tip, there), (head, Some(head)), "{case}"),
                    Ok(Landing::Conflict(_)) | Err(_) => assert_eq!(there, old, "{case}"),
                    Ok(Landing::InDoubt(_)) => assert!(there == old || there == Some(head), "{case}"),
                }
                // Nothing that a request more could clear up is left in doubt.
                let is_lasting = matches!(trouble, Trouble::Unauthorized);
                assert!(is_lasting || !matches!(answer, Ok(Landing::InDoubt(_))), "{case}");
            }
        }
    }
}

/// The same with one trouble after another, from the move on.
#[test]
fn whatever_fails_after_the_move_it_lands_once_or_not_at_all_or_is_in_doubt() {
    let scene = Scene::simple();
    scene.repo.write("new.txt", "new\n").commit("one");
    let (old, head) = (Some(scene.base), Some(scene.repo.id("HEAD")));
    for (has_graph, at) in [(false, 5), (true, 4)] {
        for first in Trouble::ALL {
            for second in Trouble::ALL {
                let server = Server::before_push(&scene).with_graph(has_graph);
                let mut server = server.troubled(at, first).troubled_from(at + 1, second);
                let answer = land(&mut server, &scene);
                let case = format!("{first:?}, then {second:?}, {:?}: {answer:?}", server.asked());
                assert!(server.moves <= 1, "{case}");
                match answer {
                    Ok(Landing::Landed { .. }) => assert_eq!(server.main(), head, "{case}"),
                    Ok(Landing::Conflict(_)) | Err(_) => assert_eq!(server.main(), old, "{case}"),
                    Ok(Landing::InDoubt(_)) => {}
                }
            }
        }
    }
}

#[test]
fn what_the_target_surely_has_is_not_sent() {
    let scene = ten_files();
    let mut server = Server::before_push(&scene);
    server.objects.extend(scene.repo.objects(&["HEAD"]).0);
    let base: Rc<dyn Objects> = Rc::new(scene.repo.objects(&["HEAD"]));
    server.drive(Land::over(approved(&scene, "main", Some(scene.base)), base)).unwrap();
    assert_landed(&server, &scene);
    assert_eq!(server.asked(), ["POST /graphql", "GET /git/ref/heads/main", "PATCH /git/refs/heads/main"]);
}

#[test]
fn a_trouble_that_passes_does_not_keep_a_push_from_landing() {
    let scene = ten_files();
    for trouble in [
        Trouble::CutBefore,
        Trouble::CutAfter,
        Trouble::FailsBefore,
        Trouble::FailsAfter,
        Trouble::WaitsAfter,
        Trouble::Limited(3),
        Trouble::LimitedUnsaid,
    ] {
        for index in 0..17 {
            let mut server = Server::before_push(&scene).troubled(index, trouble);
            assert!(matches!(land(&mut server, &scene), Ok(Landing::Landed { .. })), "{trouble:?} at {index}");
            assert_landed(&server, &scene);
        }
    }
}

#[test]
fn an_object_that_is_stored_as_another_stops_the_push() {
    let scene = ten_files();
    for index in 1..=14 {
        let mut server = Server::before_push(&scene).troubled(index, Trouble::WrongId);
        let fault = land(&mut server, &scene).unwrap_err();
        let FaultKind::WrongObject { wanted, got } = fault.kind else { panic!("{fault:?}") };
        assert_ne!(wanted, got);
        assert_eq!((server.main(), server.moves), (Some(scene.base), 0));
        assert!(server.log.iter().all(|request| !request.moves));
    }
}

#[test]
fn a_push_that_was_cut_off_can_be_repeated() {
    let scene = ten_files();
    let mut server = Server::before_push(&scene).troubled_from(9, Trouble::CutAfter);
    assert_eq!(land(&mut server, &scene).unwrap_err().kind, FaultKind::NoAnswer);
    let mut again = Server::before_push(&scene);
    again.objects = server.objects;
    land(&mut again, &scene).unwrap();
    assert_landed(&again, &scene);
}

#[test]
fn a_large_folder_goes_in_pieces_that_build_on_each_other() {
    let scene = Scene::simple();
    let names: Vec<String> = (0..120).map(|number| format!("{number:03}{}", "\u{1f980}".repeat(50))).collect();
    for name in &names {
        scene.repo.write(&format!("large/{name}"), "same\n");
    }
    scene.repo.commit("many");
    // Each entry takes 300 bytes. Making several pieces of them with git would take long.
    let blob = scene.repo.id("HEAD:large").to_string();
    let mut rows = String::new();
    let content = scene.repo.id(&format!("HEAD:large/{}", names[0]));
    for number in 0..16_000 {
        rows += &format!("100644 blob {content}\t{number:05}{}\n", "x".repeat(200));
    }
    rows += &format!("040000 tree {blob}\tinner\n");
    let tree = scene.repo.git_with(&["mktree"], rows.as_bytes());
    let tree = str::from_utf8(tree.trim_ascii()).unwrap();
    let root = scene.repo.git_with(&["mktree"], format!("040000 tree {tree}\tlarge\n").as_bytes());
    let root = str::from_utf8(root.trim_ascii()).unwrap();
    let commit = scene.repo.git(&["commit-tree", "-p", "HEAD", "-m", "large", root]);
    scene.repo.git(&["update-ref", "HEAD", str::from_utf8(commit.trim_ascii()).unwrap()]);

    let mut server = Server::before_push(&scene);
    land(&mut server, &scene).unwrap();
    assert_landed(&server, &scene);
    let trees = server.log.iter().filter(|request| request.path.ends_with("/trees"));
    let sizes: Vec<usize> = trees.map(|request| request.body.as_ref().unwrap().len()).collect();
    assert!(sizes.len() > 4 && sizes.iter().all(|size| *size <= 3 << 20), "{sizes:?}");

    // If the host knows the target's objects, it sends only changes, including removals.
    let scene = Scene::of(scene.repo);
    let index = format!("{}\n", rows.lines().skip(2).collect::<Vec<_>>().join("\n")).replacen("00002x", "new", 1);
    let tree = scene.repo.git_with(&["mktree"], index.as_bytes());
    let tree = str::from_utf8(tree.trim_ascii()).unwrap();
    let root = scene.repo.git_with(&["mktree"], format!("040000 tree {tree}\tlarge\n").as_bytes());
    let root = str::from_utf8(root.trim_ascii()).unwrap();
    let commit = scene.repo.git(&["commit-tree", "-p", "HEAD", "-m", "less", root]);
    scene.repo.git(&["update-ref", "HEAD", str::from_utf8(commit.trim_ascii()).unwrap()]);
    let mut server = Server::before_push(&scene);
    let base: Rc<dyn Objects> = Rc::new(scene.target.clone());
    server.drive(Land::over(approved(&scene, "main", Some(scene.base)), base)).unwrap();
    assert_landed(&server, &scene);
    assert!(server.log.iter().all(|request| request.body.as_ref().is_none_or(|body| body.len() < 2000)));
}

#[test]
fn a_push_that_removes_the_last_file_lands() {
    let scene = Scene::simple();
    scene.repo.remove("kept.txt").commit("nothing is left");
    let mut server = Server::before_push(&scene);
    land(&mut server, &scene).unwrap();
    assert_eq!(server.main(), Some(scene.repo.id("HEAD")));
}

#[test]
fn what_cannot_be_said_in_json_is_refused_before_anything_is_sent() {
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::simple();
    let name = std::ffi::OsStr::from_bytes(b"latin\xe9");
    std::fs::write(scene.repo.path().join(name), "x").unwrap();
    scene.repo.commit("odd");
    let mut server = Server::before_push(&scene);
    let fault = land(&mut server, &scene).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unsendable { id: scene.repo.id("HEAD^{tree}") });
    assert_eq!(server.log.len(), 0);
}

#[test]
fn an_empty_repository_needs_a_first_commit() {
    let repo = Repo::new();
    let scene = Scene { base: gix_hash::ObjectId::empty_tree(gix_hash::Kind::Sha1), target: Default::default(), repo };
    scene.repo.git(&["mktree"]);
    scene.repo.write("a", "a\n").commit("first");
    for has_graph in [false, true] {
        let mut server = Server::empty().with_graph(has_graph);
        let fault = server.drive(Land::new(approved(&scene, "main", None))).unwrap_err();
        assert_eq!(fault.kind, FaultKind::EmptyRemote);
        assert!(fault.hint.contains("first commit"), "{}", fault.hint);
    }
}

#[test]
fn an_archived_and_a_renamed_repository_are_left_as_they_are() {
    let scene = ten_files();
    for has_graph in [false, true] {
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        server.is_archived = true;
        assert_eq!(land(&mut server, &scene).unwrap_err().kind, FaultKind::Archived);
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        server.renamed = Some("octo/other");
        let to = Some("octo/other".parse().unwrap());
        assert_eq!(land(&mut server, &scene).unwrap_err().kind, FaultKind::Renamed { to });
    }
}
