//! The tracking refs of a target whose branches have changed.

use super::*;

fn refs(sandbox: &mut Sandbox) -> Vec<String> {
    sandbox.session.forget();
    let repo = sandbox.session.repo().unwrap();
    let refs = repo.gix.references().unwrap();
    refs.remote_branches().unwrap().map(|found| found.unwrap().name().as_bstr().to_string()).collect()
}

#[test]
fn a_branch_that_became_a_folder_of_branches_or_the_other_way_round_is_tracked_anew() {
    for (old, new) in [
        ("feat", "feat/x"),
        ("feat/x", "feat"),
        ("feat/x/y", "feat"),
        ("feat", "feat/x/y"),
        ("a|b", "a|b/<c>"),
        ("a|b/\"c\"", "a|b"),
    ] {
        for is_packed in [true, false] {
            let mut target = Target::new();
            target.branch = new;
            target.commit_file("a.md", "a\n");
            let (_, mut sandbox) = pulled(&[("b.md", "b\n")]);
            let known = format!("refs/remotes/origin/{old}");
            let main = std::fs::read_to_string(sandbox.real(".git/refs/remotes/origin/main")).unwrap();
            let log = format!("{} {} A <a@b> 0 +0000\tpull\n", "0".repeat(40), main.trim());
            sandbox.write(&format!(".git/logs/{known}"), log);
            match is_packed {
                true => {
                    let header = "# pack-refs with: peeled fully-peeled sorted \n";
                    let other = format!("{} refs/remotes/origin/other\n", main.trim());
                    sandbox.write(".git/packed-refs", format!("{header}{} {known}\n{other}", main.trim()));
                }
                false => sandbox.write(&format!(".git/{known}"), main),
            }
            let known = |name: &str| format!("refs/remotes/origin/{name}");
            let others: &[&str] = if is_packed { &["main", "other"] } else { &["main"] };
            let expected = |branch: &str| {
                let mut all: Vec<String> = others.iter().chain([&branch]).map(|name| known(name)).collect();
                all.sort();
                all
            };
            assert_eq!(refs(&mut sandbox), expected(old));
            let source = json!({ "type": "local", "path": "/project", "branch": new });
            target.serve(&mut sandbox, "git_pull", json!({ "source": source })).unwrap();
            assert_eq!(refs(&mut sandbox), expected(new), "{old} {new} {is_packed}");
            let packed = std::fs::read_to_string(sandbox.real(".git/packed-refs")).unwrap_or_default();
            assert!(!packed.contains(&format!("{}\n", known(old))), "{packed}");
            assert!(sandbox.exists(&format!(".git/logs/refs/remotes/origin/{new}")));
        }
    }
}
