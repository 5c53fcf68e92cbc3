//! What is pulled and pushed arrives as it is.

use gate::ledger::PushResult;
use serde_json::json;

use super::scene::{Scene, begun, deep, id, push_to, small, there};
use crate::sandbox::Sandbox;
use crate::support::Repo;
use crate::support::github::Server;

/// Paths, modes and ids of all files of a branch of the server.
fn files(scene: &Scene, branch: &str) -> Vec<String> {
    let server = scene.server.borrow();
    let tree = server.commit(server.refs[&format!("refs/heads/{branch}")]).tree;
    let entries = server.entries(tree, "", true).into_iter().filter(|entry| entry["type"] != "tree");
    entries.map(|entry| format!("{} {}", entry["mode"].as_str().unwrap(), entry["path"].as_str().unwrap())).collect()
}

fn write(scene: &Scene, sandbox: &mut Sandbox, path: &str, content: &str) {
    scene.agent(sandbox, "write_file", json!({ "path": path, "content": content }));
}

fn stage(scene: &Scene, sandbox: &mut Sandbox, files: &[&str], message: &str) -> serde_json::Value {
    scene.agent(sandbox, "git_stage", json!({ "files": files, "message": message }))["commitSha"].clone()
}

fn read(scene: &Scene, sandbox: &mut Sandbox, path: &str) -> String {
    let read = scene.agent(sandbox, "read_file", json!({ "path": path }));
    read["content"].as_str().unwrap().to_owned()
}

#[test]
fn a_push_lands_as_approved_on_the_branch_that_was_pulled_and_on_a_new_one() {
    deep(|| {
        for has_graph in [false, true] {
            let scene = Scene::new(small().with_graph(has_graph), &["github:octo/hello"]);
            let old = scene.main();
            let sandbox = &mut scene.open();
            let pulled = scene.agent(sandbox, "git_pull", json!({ "source": there() }));
            assert_eq!((&pulled["branch"], id(&pulled["commitSha"])), (&json!("main"), old));
            let branches = scene.agent(sandbox, "git_branches", json!({ "target": there() }));
            assert_eq!(branches["branches"], json!(["main"]));
            write(&scene, sandbox, "a.md", "one\n");
            let one = stage(&scene, sandbox, &["a.md"], "One");
            let pushed = scene.user(sandbox, "git_push", push_to("main"));
            assert_eq!((&pushed["status"], &pushed["commitSha"]), (&json!("success"), &one));
            assert_eq!(scene.main(), id(&one));
            write(&scene, sandbox, "b.md", "two\n");
            let two = stage(&scene, sandbox, &["b.md"], "Two");
            let pushed = scene.user(sandbox, "git_push", push_to("topic/new"));
            assert_eq!((&pushed["status"], &pushed["branch"]), (&json!("success"), &json!("topic/new")));
            assert_eq!((scene.main(), scene.server.borrow().refs["refs/heads/topic/new"]), (id(&one), id(&two)));
            assert_eq!(scene.staged(sandbox), Vec::<String>::new());
            let landed: Vec<_> =
                scene.pushes().into_iter().map(|(intent, result)| (intent.old, intent.new, result.unwrap())).collect();
            let expected = [(Some(old), id(&one), PushResult::Landed), (None, id(&two), PushResult::Landed)];
            assert_eq!(landed, expected);
        }
    });
}

#[test]
fn deletions_modes_links_and_binary_files_arrive_as_they_are() {
    deep(|| {
        let repo = begun();
        repo.write("old/a", "a\n")
            .write("old/b", "b\n")
            .write("run.sh", "#!/bin/sh\n")
            .write("bin", [0, 159, 146, 150]);
        std::os::unix::fs::symlink("README.md", repo.path().join("link")).unwrap();
        repo.commit("Files");
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({ "source": there() }));
        scene.agent(sandbox, "delete_file", json!({ "path": "old/a" }));
        scene.agent(sandbox, "move_file", json!({ "from": "link", "to": "deep/er/link" }));
        scene.agent(sandbox, "write_file", json!({ "path": "run.sh", "content": "#!/bin/sh\n", "executable": true }));
        let binary = json!({ "path": "bin", "content": "AP/+AA==", "encoding": "base64" });
        scene.agent(sandbox, "write_file", binary);
        write(&scene, sandbox, "n\u{f6}tes \"1\".md", "one\n");
        let all = ["old/a", "link", "deep", "run.sh", "bin", "n\u{f6}tes \"1\".md"];
        let staged = stage(&scene, sandbox, &all, "All sorts");
        scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(scene.main(), id(&staged));
        assert_eq!(
            files(&scene, "main"),
            [
                "100644 README.md",
                "100644 bin",
                "120000 deep/er/link",
                "100644 n\u{f6}tes \"1\".md",
                "100644 old/b",
                "100755 run.sh"
            ]
        );
    });
}

#[test]
fn a_push_of_ten_files_takes_few_round_trips_more_than_it_has_blobs_and_trees() {
    deep(|| {
        for has_graph in [false, true] {
            let scene = Scene::new(small().with_graph(has_graph), &["github:octo/hello"]);
            let sandbox = &mut scene.open();
            scene.agent(sandbox, "git_pull", json!({ "source": there() }));
            (0..10).for_each(|n| write(&scene, sandbox, &format!("new/{n}.md"), &format!("{n}\n")));
            stage(&scene, sandbox, &["new"], "Ten files");
            scene.user(sandbox, "git_push", push_to("main"));
            let asked = scene.server.borrow().asked();
            let approved = asked.iter().position(|asked| asked == "POST /graphql").unwrap();
            let landing = asked.len() - approved;
            let (blobs, trees) = (10, 2);
            assert!(landing <= blobs + trees + 4, "{:#?}", &asked[approved..]);
        }
    });
}

#[test]
fn new_commits_of_others_come_in_below_the_staged_ones() {
    deep(|| {
        let repo = begun();
        let scene = Scene::with_work(Server::of(&repo));
        repo.write("b.md", "theirs\n").commit("Theirs");
        scene.publish(&repo, "refs/heads/main");
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({}));
        assert_eq!((read(&scene, sandbox, "a.md"), read(&scene, sandbox, "b.md")), ("one\n".into(), "theirs\n".into()));
        assert_eq!(scene.staged(sandbox), ["One"]);
        scene.user(sandbox, "git_push", json!({ "commitId": "HEAD" }));
        assert_eq!(scene.server.borrow().commit(scene.main()).parents, [repo.id("main")]);
        assert_eq!(files(&scene, "main"), ["100644 README.md", "100644 a.md", "100644 b.md"]);
    });
}

/// Gives `repo` all that the server has, and checks out its branch there.
fn bring_back(scene: &Scene, repo: &Repo, branch: &str) {
    let server = scene.server.borrow();
    for (kind, content) in server.objects.values() {
        repo.git_with(&["hash-object", "-w", "-t", &kind.to_string(), "--stdin"], content);
    }
    let tip = server.refs[&format!("refs/heads/{branch}")].to_string();
    repo.git(&["checkout", "-q", "-B", branch, &tip]);
}

#[test]
fn what_others_build_on_a_push_comes_in() {
    deep(|| {
        for arguments in [json!({ "source": there() }), json!({ "source": there(), "paths": ["README.md"] })] {
            let repo = begun();
            let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
            let sandbox = &mut scene.open();
            scene.agent(sandbox, "git_pull", arguments);
            write(&scene, sandbox, "a.md", "one\n");
            stage(&scene, sandbox, &["a.md"], "One");
            scene.user(sandbox, "git_push", push_to("main"));
            bring_back(&scene, &repo, "main");
            repo.write("a.md", "theirs\n").commit("Theirs");
            scene.publish(&repo, "refs/heads/main");
            write(&scene, sandbox, "b.md", "two\n");
            stage(&scene, sandbox, &["b.md"], "Two");
            let from = scene.sent();
            scene.agent(sandbox, "git_pull", json!({}));
            let asked = scene.sent() - from;
            assert!(asked <= 8, "{:#?}", scene.server.borrow().asked().split_off(from));
            assert_eq!(read(&scene, sandbox, "a.md"), "theirs\n");
            let from = scene.sent();
            scene.user(sandbox, "git_push", push_to("main"));
            let asked = scene.server.borrow().asked().split_off(from);
            assert!(asked.len() <= 10, "{asked:#?}");
            assert_eq!(files(&scene, "main"), ["100644 README.md", "100644 a.md", "100644 b.md"]);
        }
    });
}

#[test]
fn a_branch_that_others_have_merged_comes_back_with_the_merge() {
    deep(|| {
        // The last commit of the push is merged, or the one before it.
        for merged in ["topic", "topic~1"] {
            let repo = begun();
            let scene = Scene::with_work(Server::of(&repo));
            let sandbox = &mut scene.open();
            write(&scene, sandbox, "b.md", "two\n");
            stage(&scene, sandbox, &["b.md"], "Two");
            scene.user(sandbox, "git_push", push_to("topic"));
            bring_back(&scene, &repo, "topic");
            repo.git(&["checkout", "-q", "main"]);
            repo.write("c.md", "theirs\n").commit("Theirs");
            repo.git(&["merge", "-q", "--no-ff", "-m", "Merge", merged]);
            scene.publish(&repo, "refs/heads/main");
            scene.agent(sandbox, "git_pull", json!({ "source": there() }));
            assert_eq!(read(&scene, sandbox, "c.md"), "theirs\n", "{merged}");
            let log = scene.agent(sandbox, "git_log", json!({ "oneline": true })).to_string();
            assert!(["Merge", "Theirs", "One", "Begin"].iter().all(|subject| log.contains(subject)), "{log}");
            write(&scene, sandbox, "d.md", "four\n");
            let last = stage(&scene, sandbox, &["d.md"], "Four");
            scene.user(sandbox, "git_push", push_to("main"));
            assert_eq!(scene.main(), id(&last));
        }
    });
}

#[test]
fn a_shallow_sandbox_pulls_and_pushes() {
    deep(|| {
        let repo = begun();
        repo.write("b.md", "two\n").commit("Second");
        repo.write("b.md", "three\n").commit("Third");
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({ "source": there(), "depth": 1 }));
        let log = scene.agent(sandbox, "git_log", json!({ "oneline": true }));
        assert!(log.to_string().contains("Third") && !log.to_string().contains("Second"), "{log}");
        write(&scene, sandbox, "b.md", "four\n");
        let staged = stage(&scene, sandbox, &["b.md"], "Four");
        scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(scene.main(), id(&staged));
    });
}

#[test]
fn a_shallow_sandbox_stays_so_whatever_its_branch_becomes() {
    deep(|| {
        let repo = begun();
        repo.write("b.md", "two\n").commit("Second");
        repo.write("b.md", "three\n").commit("Third");
        for depth in [1, 2] {
            let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
            let sandbox = &mut scene.open();
            scene.agent(sandbox, "git_pull", json!({ "source": there(), "depth": depth }));
            write(&scene, sandbox, "a.md", "ours\n");
            stage(&scene, sandbox, &["a.md"], "Ours");
            // A line from below the boundary comes in.
            repo.git(&["checkout", "-q", "-B", "side", "main~2"]);
            repo.write("d.md", "side\n").commit("Side");
            repo.git(&["checkout", "-q", "-B", "merged", "main"]);
            repo.git(&["merge", "-q", "-m", "Merge", "side"]);
            scene.server.borrow_mut().objects.extend(repo.objects(&["merged"]).0);
            scene.server.borrow_mut().set_main(repo.id("merged"));
            scene.agent(sandbox, "git_pull", json!({}));
            assert_eq!(
                (read(&scene, sandbox, "a.md"), read(&scene, sandbox, "d.md")),
                ("ours\n".into(), "side\n".into())
            );
            scene.agent(sandbox, "git_log", json!({}));
            scene.user(sandbox, "git_push", push_to("main"));
            assert_eq!(scene.server.borrow().commit(scene.main()).parents, [repo.id("merged")]);
            scene.agent(&mut scene.open(), "git_pull", json!({}));
        }
    });
}

#[test]
fn a_sparse_sandbox_fetches_what_it_needs_and_pushes() {
    deep(|| {
        let repo = begun();
        repo.write("src/a.rs", "a\n").write("src/b.rs", "b\n").write("docs/c.md", "c\n").commit("Files");
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({ "source": there(), "paths": ["src/a.rs"] }));
        let blobs = |from: usize| {
            scene.server.borrow().asked()[from..].iter().filter(|asked| asked.starts_with("GET /git/blobs/")).count()
        };
        assert_eq!(blobs(0), 1);
        write(&scene, sandbox, "src/a.rs", "changed\n");
        let staged = stage(&scene, sandbox, &["src/a.rs"], "Change");
        scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(scene.main(), id(&staged));
        assert_eq!(blobs(0), 1, "{:#?}", scene.server.borrow().asked());
        let from = scene.sent();
        let shown = scene.agent(sandbox, "git_show", json!({ "commit": "HEAD:docs/c.md" }));
        assert_eq!(shown["blob"]["size"], 2);
        assert_eq!(blobs(from), 1, "{:#?}", scene.server.borrow().asked());
        assert_eq!(
            files(&scene, "main"),
            ["100644 README.md", "100644 docs/c.md", "100644 src/a.rs", "100644 src/b.rs"]
        );
    });
}

#[test]
fn tags_of_every_kind_are_no_obstacle() {
    deep(|| {
        let repo = begun();
        repo.git(&["tag", "light"]);
        repo.git(&["tag", "-a", "-m", "one", "v1"]);
        repo.git(&["tag", "-a", "-m", "of a tag", "v2", "v1"]);
        repo.git(&["tag", "-a", "-m", "of a tree", "v3", "HEAD^{tree}"]);
        repo.git(&["tag", "blob", "HEAD:README.md"]);
        repo.git(&["checkout", "-q", "--orphan", "apart"]);
        repo.write("elsewhere.md", "far\n").commit("Apart");
        repo.git(&["tag", "-a", "-m", "apart", "v4"]);
        repo.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        for tag in ["light", "v1", "v2", "v3", "v4", "blob", "of-a-tree"] {
            scene.publish(&repo, &format!("refs/tags/{tag}"));
        }
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({ "source": there() }));
        write(&scene, sandbox, "a.md", "one\n");
        let staged = stage(&scene, sandbox, &["a.md"], "One");
        scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(scene.main(), id(&staged));
    });
}

#[test]
fn a_push_asks_for_nothing_that_is_on_other_branches() {
    deep(|| {
        let repo = begun();
        for n in 0..20 {
            repo.git(&["checkout", "-q", "-b", &format!("b{n}"), "main"]);
            repo.write("b.md", format!("{n}\n")).commit("Theirs");
        }
        let scene = Scene::with_work(Server::of(&repo));
        (0..20).for_each(|n| scene.publish(&repo, &format!("refs/heads/b{n}")));
        let from = scene.sent();
        scene.user(&mut scene.open(), "git_push", push_to("main"));
        let asked = &scene.server.borrow().asked()[from..];
        assert!(asked.len() <= 10, "{asked:#?}");
    });
}

#[test]
fn what_an_undo_takes_away_is_fetched_again() {
    deep(|| {
        let repo = begun();
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        for round in 0..3 {
            scene.agent(sandbox, "git_pull", json!({ "source": there() }));
            assert_eq!(read(&scene, sandbox, "README.md"), "# Project\n", "round {round}");
            scene.agent(sandbox, "sandbox_undo", json!({}));
        }
        repo.write("README.md", "# Changed\n").commit("Change");
        scene.publish(&repo, "refs/heads/main");
        scene.agent(sandbox, "git_pull", json!({ "source": there() }));
        assert_eq!(read(&scene, sandbox, "README.md"), "# Changed\n");
    });
}
