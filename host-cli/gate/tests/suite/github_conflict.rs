//! Pushes while somebody else moves the branch, at any moment.

use gate::FaultKind as GateKind;
use gate::forge::{Fault, FaultKind, Landing};
use gate::github::Land;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::support::github::{Server, Trouble, approved};
use crate::support::packer;
use crate::support::pushing::Scene;

fn scene() -> Scene {
    let scene = Scene::simple();
    scene.repo.write("new.txt", "new\n").commit("new");
    scene
}

fn land(server: &mut Server, scene: &Scene) -> Result<Landing, Fault> {
    server.drive(Land::new(approved(scene, "main", Some(scene.base))))
}

/// Another commit on `parent`.
fn other(server: &mut Server, parent: ObjectId) -> ObjectId {
    let tree = server.commit(parent).tree;
    server.keep(Kind::Commit, packer::commit(tree, &[parent], "of somebody else"))
}

fn conflict(landing: &Landing) -> Option<ObjectId> {
    match landing {
        Landing::Conflict(fault) => match fault.kind {
            GateKind::Conflict { target_head, .. } => target_head,
            _ => panic!("{fault:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_branch_that_moved_before_any_request_is_a_conflict() {
    let scene = scene();
    for has_graph in [false, true] {
        // Requests of a push: GraphQL, blob, tree, commit, then the branch.
        for index in 0..=4 {
            let base = scene.base;
            let mut server = Server::before_push(&scene).with_graph(has_graph).before(index, move |server| {
                let id = other(server, base);
                server.set_main(id);
            });
            let landing = land(&mut server, &scene).unwrap();
            assert_eq!(conflict(&landing), server.main());
            assert_eq!(server.moves, 0);
        }
    }
}

#[test]
fn with_graphql_a_move_in_the_last_moment_is_a_conflict_even_if_it_would_be_a_fast_forward() {
    let scene = Scene::simple();
    scene.repo.write("mid.txt", "mid\n").commit("mid");
    let mid = scene.repo.id("HEAD");
    let scene = Scene::of(scene.repo);
    scene.repo.write("new.txt", "new\n").commit("new");
    // Somebody reverts the commit below the push.
    let earlier = scene.repo.id("HEAD~2");
    let mut server = Server::before_push(&scene).with_graph(true).before(4, move |server| server.set_main(earlier));
    let landing = land(&mut server, &scene).unwrap();
    assert_eq!((conflict(&landing), server.moves, scene.base), (Some(earlier), 0, mid));
}

/// The race window of REST, which does not compare: one round trip wide.
#[test]
fn without_graphql_a_branch_that_is_set_back_in_the_last_moment_moves_on_from_there() {
    let scene = Scene::simple();
    scene.repo.write("mid.txt", "mid\n").commit("mid");
    let scene = Scene::of(scene.repo);
    scene.repo.write("new.txt", "new\n").commit("new");
    let earlier = scene.repo.id("HEAD~2");
    let landing = |at| {
        let mut server = Server::before_push(&scene).before(at, move |server| server.set_main(earlier));
        (land(&mut server, &scene).unwrap(), server.main())
    };
    // Before the host reads the branch, and after.
    let (before, there) = landing(4);
    assert_eq!((conflict(&before), there), (Some(earlier), Some(earlier)));
    let head = scene.repo.id("HEAD");
    assert_eq!(landing(5), (Landing::Landed { tip: head, said: Vec::new() }, Some(head)));
}

#[test]
fn a_branch_that_is_gone_is_a_conflict_without_a_head() {
    let scene = scene();
    for has_graph in [false, true] {
        let mut server = Server::before_push(&scene).with_graph(has_graph).before(4, move |server| {
            let main = server.main().unwrap();
            server.refs.insert("refs/heads/other".to_owned(), main);
            server.refs.remove("refs/heads/main");
        });
        let landing = land(&mut server, &scene).unwrap();
        assert_eq!(conflict(&landing), None);
    }
}

#[test]
fn a_branch_that_exists_already_is_a_conflict_for_a_push_that_makes_it() {
    let scene = scene();
    for has_graph in [false, true] {
        let base = scene.base;
        let mut server = Server::before_push(&scene).with_graph(has_graph).before(4, move |server| {
            server.refs.insert("refs/heads/topic".to_owned(), base);
        });
        let landing = server.drive(Land::new(approved(&scene, "topic", None))).unwrap();
        assert_eq!(conflict(&landing), Some(base));
        assert_eq!(server.moves, 0);
    }
}

#[test]
fn a_branch_that_has_gone_on_from_the_push_has_landed() {
    let scene = scene();
    let head = scene.repo.id("HEAD");
    for has_graph in [false, true] {
        // GitHub moves the branch, the answer is lost, and somebody builds on the branch at once.
        let at = if has_graph { 4 } else { 5 };
        let mut server = Server::before_push(&scene).with_graph(has_graph).troubled(at, Trouble::CutAfter);
        server = server.before(at + 1, move |server| {
            let id = other(server, head);
            server.set_main(id);
        });
        let landing = land(&mut server, &scene).unwrap();
        assert_eq!(landing, Landing::Landed { tip: server.main().unwrap(), said: Vec::new() });
        assert_eq!(server.moves, 1);
    }
}

#[test]
fn a_lost_move_and_a_branch_elsewhere_are_in_doubt() {
    let scene = scene();
    for (has_graph, trouble) in [
        (false, Trouble::CutBefore),
        (false, Trouble::CutAfter),
        (true, Trouble::CutBefore),
        (true, Trouble::FailsAfter),
    ] {
        let (base, at) = (scene.base, if has_graph { 4 } else { 5 });
        let mut server = Server::before_push(&scene).with_graph(has_graph).troubled(at, trouble);
        server = server.before(at + 1, move |server| {
            let id = other(server, base);
            server.set_main(id);
        });
        let landing = land(&mut server, &scene).unwrap();
        assert!(matches!(landing, Landing::InDoubt(_)), "{landing:?}");
    }
}

#[test]
fn a_move_that_is_never_answered_is_in_doubt_and_sent_a_bounded_number_of_times() {
    let scene = scene();
    for trouble in [Trouble::CutBefore, Trouble::CutAfter, Trouble::FailsBefore] {
        for has_graph in [false, true] {
            let at = if has_graph { 4 } else { 5 };
            let mut server = Server::before_push(&scene).with_graph(has_graph);
            for index in (at..100).step_by(2) {
                server = server.troubled(index, trouble);
            }
            let landing = land(&mut server, &scene).unwrap();
            match trouble {
                Trouble::CutAfter => assert!(matches!(landing, Landing::Landed { .. })),
                _ => assert!(matches!(landing, Landing::InDoubt(_)), "{landing:?}"),
            }
            assert!(server.log.iter().filter(|request| request.moves).count() <= 4);
        }
    }
}

#[test]
fn a_move_after_which_nothing_can_be_read_is_in_doubt() {
    let scene = scene();
    for trouble in [Trouble::CutAfter, Trouble::FailsAfter] {
        let mut server = Server::before_push(&scene).troubled_from(5, trouble);
        let landing = land(&mut server, &scene).unwrap();
        assert!(matches!(landing, Landing::InDoubt(_)), "{landing:?}");
        assert_eq!(server.main(), Some(scene.repo.id("HEAD")));
    }
}

#[test]
fn a_rule_that_protects_the_branch_is_a_refusal_in_the_servers_words_made_safe() {
    let scene = scene();
    for has_graph in [false, true] {
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        server.is_protected = true;
        let fault = land(&mut server, &scene).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Refused);
        assert!(fault.message.contains("Required status check") && !fault.message.contains('\u{1b}'), "{fault:?}");
        assert_eq!(server.main(), Some(scene.base));
    }
}

#[test]
fn what_is_there_already_has_landed_without_a_move() {
    let scene = scene();
    let head = scene.repo.id("HEAD");
    for has_graph in [false, true] {
        let mut server = Server::before_push(&scene).with_graph(has_graph);
        server.objects.extend(scene.repo.objects(&["HEAD"]).0);
        server.set_main(head);
        assert_eq!(land(&mut server, &scene), Ok(Landing::Landed { tip: head, said: Vec::new() }));
        assert_eq!(server.moves, 0);
    }
}

#[test]
fn a_server_that_asks_to_wait_with_a_503_may_have_moved_the_branch() {
    let scene = scene();
    let mut server = Server::before_push(&scene).troubled(5, Trouble::WaitsAfter);
    assert!(matches!(land(&mut server, &scene), Ok(Landing::Landed { .. })));
    // The host reads the branch before it sends anything again.
    assert_eq!(server.asked().last().unwrap(), "GET /git/ref/heads/main");
    assert_eq!(server.moves, 1);
}

#[test]
fn where_graphql_is_closed_to_the_token_rest_moves_the_branch() {
    let scene = scene();
    let head = scene.repo.id("HEAD");
    let mut server = Server::before_push(&scene).with_graph(true);
    server.graph_is_closed = true;
    assert_eq!(land(&mut server, &scene), Ok(Landing::Landed { tip: head, said: Vec::new() }));
    let end = ["POST /graphql", "GET /git/ref/heads/main", "PATCH /git/refs/heads/main"];
    assert_eq!(server.asked()[4..], end);
    // Since GraphQL compares, the host does not ask REST to move a branch that is elsewhere.
    let mut server = Server::before_push(&scene).with_graph(true);
    server.is_protected = true;
    land(&mut server, &scene).unwrap_err();
    assert_eq!(server.asked()[4..], ["POST /graphql", "GET /git/ref/heads/main"]);
}
