use super::*;
use crate::desk::scene::{self, Scene, never};
use crate::mcp::mount::Mount;
use crate::mcp::offer::{Choice, Toolsets};

/// The words of an error, which clients show, and what it is for programs.
fn told(error: ErrorData) -> (String, String) {
    let kind = error.data.expect("it has kind and hint")["kind"].as_str().expect("it is text").to_owned();
    (error.message.into_owned(), kind)
}

/// What is offered of these toolsets, or of all.
fn offer(scene: &Scene, toolsets: &[&str]) -> Offer {
    let toolsets = toolsets.iter().map(|&name| name.to_owned()).collect::<Toolsets>();
    let choice = Choice { toolsets, ..Choice::default() };
    choice.of(scene.tools.clone(), &Mount::default()).unwrap()
}

/// Lets these rules of a policy hold.
fn rule(scene: &Scene, rules: &str) {
    std::fs::write(scene.home.path().join("sandboxes/one/policy.toml"), rules).unwrap();
}

/// Makes the empty repository that a new sandbox has, and lets an agent stage.
async fn begin(scene: &Scene) {
    let import = |context: &Context, sandbox: &mut Sandbox| context.tool(sandbox, "sandbox_import", &json!({}));
    scene.run(&never(), import).await.unwrap();
    rule(scene, "[[allow]]\ntool = \"git_stage\"\n");
}

/// Stages a file with `content`, and gives the address of the commit.
async fn stage(scene: &Scene, content: &str) -> String {
    scene.call("write_file", json!({ "path": "a.md", "content": content })).await;
    let staged = scene.call("git_stage", json!({ "files": ["a.md"], "message": "Add a" })).await;
    let staged: Value = serde_json::from_str(&staged.structured).unwrap();
    format!("{COMMIT}{}", staged["commitId"].as_str().expect("it is there"))
}

async fn listed(scene: &Scene, offer: &Offer) -> Vec<String> {
    let all = list(scene, offer, &never()).await.unwrap();
    all.into_iter().map(|resource| resource.name.clone()).collect()
}

/// Which of these can be read.
async fn readable<'a>(scene: &Scene, offer: &Offer, all: &[&'a str]) -> Vec<&'a str> {
    let mut can = Vec::new();
    for &uri in all {
        if read(scene, offer, uri, &never()).await.is_ok() {
            can.push(uri);
        }
    }
    can
}

#[test]
fn a_diff_that_would_be_cut_is_an_error() {
    let scene = scene::desk();
    let offer = offer(&scene, &[]);
    scene::block_on(async {
        begin(&scene).await;
        let commit = stage(&scene, "one\n").await;
        let found = read(&scene, &offer, &commit, &never()).await.unwrap();
        let ResourceContents::TextResourceContents { text, .. } = &found.contents[0] else { panic!("it is text") };
        assert!(text.contains("+one\n"), "{text}");
        let commit = stage(&scene, &"line\n".repeat(LARGEST / 5)).await;
        let error = read(&scene, &offer, &commit, &never()).await.unwrap_err();
        let words = "the commit's diff is too large to be read at once";
        assert_eq!(told(error), (words.to_owned(), "usage".to_owned()));
    });
}

#[test]
fn who_is_offered_no_tool_for_it_reads_no_resource() {
    let scene = scene::desk();
    scene::block_on(async {
        begin(&scene).await;
        let commit = stage(&scene, "one\n").await;
        let short = format!("staged-{}", &commit[COMMIT.len()..][..8]);
        let file = format!("{FILE}a.md");
        let all = [LOG, STAGED, &commit, &file];
        for (toolsets, readable_now, listed_now, templates_now) in [
            (&[][..], &all[..], &["log", "staged", &short][..], &["file", "staged-commit"][..]),
            (&["filesystem"], &[LOG, &file], &["log"], &["file"]),
            (&["repo"], &[LOG, STAGED, &commit], &["log", "staged", &short], &["staged-commit"]),
        ] {
            let offer = offer(&scene, toolsets);
            assert_eq!(readable(&scene, &offer, &all).await, readable_now, "{toolsets:?}");
            assert_eq!(listed(&scene, &offer).await, listed_now, "{toolsets:?}");
            let names: Vec<String> = templates(&offer).into_iter().map(|template| template.name.clone()).collect();
            assert_eq!(names, templates_now, "{toolsets:?}");
        }
    });
}

#[test]
fn what_can_be_read_is_listed_where_the_status_cannot() {
    let without = scene::desk_with("[tools.git]\nenabled = false\n");
    scene::block_on(async { assert_eq!(listed(&without, &offer(&without, &[])).await, ["log"]) });
    let denied = scene::desk();
    rule(&denied, "[[deny]]\ntool = \"git_status\"\n");
    scene::block_on(async { assert_eq!(listed(&denied, &offer(&denied, &[])).await, ["log"]) });
}
