//! GitHub's limits: how long an exchange waits, and when it gives up.

use std::rc::Rc;
use std::time::Duration;

use gate::forge::{Exchange, Fault, FaultKind, Headers, Landing, Poll, Response, Wanted};
use gate::github::{Fetch, Land, Refs, Tags};
use gate::objects::Nothing;
use gate::pack::{Origin, PackLimits, verify};

use crate::support::Repo;
use crate::support::github::{Server, Trouble, approved, repository};
use crate::support::pushing::Scene;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("first");
    repo
}

fn refs(mut server: Server) -> (Result<(), Fault>, Server) {
    (server.drive(Refs::new(repository())).map(drop), server)
}

#[test]
fn it_waits_as_long_as_it_is_told() {
    let (answer, server) = refs(Server::of(&repo()).troubled(1, Trouble::Limited(77)));
    assert_eq!((answer, server.waited), (Ok(()), Duration::from_secs(77)));
    assert_eq!(server.asked()[1], server.asked()[2]);
}

#[test]
fn it_waits_a_minute_and_then_longer_if_it_is_told_nothing() {
    let troubled = (1..4).fold(Server::of(&repo()), |server, index| server.troubled(index, Trouble::LimitedUnsaid));
    let (answer, server) = refs(troubled);
    assert_eq!((answer, server.waited), (Ok(()), Duration::from_secs(60 + 120 + 240)));
}

#[test]
fn it_waits_for_the_reset_by_the_servers_own_clock() {
    let mut exchange = Refs::new(repository());
    assert!(matches!(exchange.poll(None), Ok(Poll::Send(_))));
    let headers = Headers {
        x_ratelimit_remaining: Some("0".to_owned()),
        x_ratelimit_reset: Some("784111800".to_owned()),
        date: Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
        ..Headers::default()
    };
    let limited = Response { status: 403, headers, ..Response::default() };
    assert_eq!(exchange.poll(Some(Ok(limited))), Ok(Poll::Sleep(Duration::from_secs(24))));
    assert!(matches!(exchange.poll(None), Ok(Poll::Send(_))));
}

#[test]
fn it_gives_up_after_a_bounded_number_of_tries() {
    for (trouble, seconds) in [(Trouble::Limited(10), Some(10)), (Trouble::LimitedUnsaid, None)] {
        let (answer, server) = refs(Server::of(&repo()).troubled_from(0, trouble));
        assert_eq!(answer.unwrap_err().kind, FaultKind::Limited { seconds });
        assert!(server.log.len() <= 6 && server.waited <= Duration::from_secs(3600));
    }
}

#[test]
fn it_does_not_wait_for_hours() {
    for seconds in [3600, u64::MAX] {
        let (answer, server) = refs(Server::of(&repo()).troubled(0, Trouble::Limited(seconds)));
        assert_eq!(answer.unwrap_err().kind, FaultKind::Limited { seconds: Some(seconds) });
        assert_eq!(server.waited, Duration::ZERO);
    }
}

#[test]
fn a_limit_at_any_request_of_a_push_only_delays_it() {
    let scene = Scene::simple();
    scene.repo.write("new.txt", "new\n").commit("new");
    for has_graph in [false, true] {
        for index in 0..6 {
            let mut server = Server::before_push(&scene).with_graph(has_graph).troubled(index, Trouble::Limited(5));
            let landing = server.drive(Land::new(approved(&scene, "main", Some(scene.base))));
            assert!(matches!(landing, Ok(Landing::Landed { .. })), "{landing:?}");
            assert_eq!(server.moves, 1);
        }
    }
}

#[test]
fn a_limit_that_lasts_leaves_the_branch_as_it_was() {
    let scene = Scene::simple();
    scene.repo.write("new.txt", "new\n").commit("new");
    for index in 1..6 {
        let mut server = Server::before_push(&scene).troubled_from(index, Trouble::Limited(3600));
        let fault = server.drive(Land::new(approved(&scene, "main", Some(scene.base)))).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Limited { seconds: Some(3600) });
        assert_eq!(server.main(), Some(scene.base));
    }
}

#[test]
fn what_gets_no_answer_is_asked_again_a_few_times() {
    let (answer, server) = refs(Server::of(&repo()).troubled_from(0, Trouble::CutBefore));
    assert_eq!(answer.unwrap_err().kind, FaultKind::NoAnswer);
    assert_eq!((server.log.len(), server.waited), (4, Duration::from_secs(1 + 2 + 4)));
}

#[test]
fn an_answer_that_is_not_given_counts_as_lost() {
    let mut exchange = Refs::new(repository());
    assert!(matches!(exchange.poll(None), Ok(Poll::Send(_))));
    assert_eq!(exchange.poll(None), Ok(Poll::Sleep(Duration::from_secs(1))));
}

#[test]
fn attack_15_what_the_server_says_is_cut_and_made_safe() {
    let mut exchange = Refs::new(repository());
    exchange.poll(None).unwrap();
    let message = format!("\u{1b}]0;pwned\u{7}\n\u{202e}{}", "x".repeat(10_000));
    let body = serde_json::to_vec(&serde_json::json!({"message": message, "errors": ["\u{1b}[2J"]})).unwrap();
    let fault =
        exchange.poll(Some(Ok(Response { status: 418, body: body.into(), ..Response::default() }))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Remote { status: 418 });
    assert!(fault.message.len() < 500 && !fault.message.contains(['\u{1b}', '\n', '\u{7}', '\u{202e}']), "{fault}");
}

#[test]
fn attack_21_json_without_end_is_a_fault() {
    for body in ["[".repeat(1 << 20), "{\"full_name\":".to_owned(), "\0".to_owned(), String::new()] {
        let mut exchange = Refs::new(repository());
        exchange.poll(None).unwrap();
        let response = Response { status: 200, body: body.into_bytes().into(), ..Response::default() };
        assert_eq!(exchange.poll(Some(Ok(response))).unwrap_err().kind, FaultKind::Malformed);
    }
}

/// Thousands of answers with changed, missing and doubled pieces: every exchange ends, and a push
/// still lands once or not at all.
#[test]
fn attack_21_no_answer_makes_an_exchange_panic_or_go_on_for_ever() {
    let scene = Scene::simple();
    scene.repo.write("dir/new.txt", "new\n").commit("new");
    scene.repo.git(&["tag", "-a", "-m", "a tag", "v1"]);
    let (base, head) = (scene.base, scene.repo.id("HEAD"));
    let everything = scene.repo.objects(&["HEAD", "v1"]).0;
    for seed in 0..trial::times(100, 400) {
        let garbling = |has_graph| {
            let mut server = Server::before_push(&scene).with_graph(has_graph);
            server.garbles = Some(fastrand::Rng::with_seed(seed));
            server
        };
        let mut server = garbling(seed % 2 == 0);
        match server.drive(Land::new(approved(&scene, "main", Some(base)))) {
            Ok(Landing::Landed { tip, .. }) => assert_eq!((tip, server.main()), (head, Some(head))),
            Ok(Landing::Conflict(_)) | Err(_) => assert_eq!(server.main(), Some(base)),
            Ok(Landing::InDoubt(_)) => {}
        }
        assert!(server.moves <= 1);

        let mut server = garbling(false);
        server.objects = everything.clone();
        server.set_main(head);
        server.refs.insert("refs/tags/v1".to_owned(), scene.repo.id("v1"));
        drop(server.drive(Refs::new(repository())));
        let wanted = |have| Wanted {
            want: head,
            tips: vec![head],
            have,
            shallow: Vec::new(),
            depth: None,
            blobs: true,
            known: Rc::new(Nothing),
            limits: PackLimits::import(),
        };
        for have in [vec![], vec![base]] {
            if let Ok(fetched) = server.drive(Fetch::new(repository(), wanted(have))) {
                verify(fetched.pack, &PackLimits::import(), Origin::Supplied).unwrap();
            }
        }
        let tags = Tags::new(repository(), vec![scene.repo.id("v1")], Rc::new(Nothing), PackLimits::import());
        drop(server.drive(tags));
    }
}
