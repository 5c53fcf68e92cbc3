use super::*;
use crate::mcp::scene::{self, Scene, never};

/// The words of an error, which clients show, and what it is for programs.
fn told(error: ErrorData) -> (String, String) {
    let kind = error.data.expect("it has kind and hint")["kind"].as_str().expect("it is text").to_owned();
    (error.message.into_owned(), kind)
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

#[test]
fn a_diff_that_would_be_cut_is_an_error() {
    let scene = scene::desk();
    scene::block_on(async {
        begin(&scene).await;
        let commit = stage(&scene, "one\n").await;
        let found = read(&scene, &commit, &never()).await.unwrap();
        let ResourceContents::TextResourceContents { text, .. } = &found.contents[0] else { panic!("it is text") };
        assert!(text.contains("+one\n"), "{text}");
        let commit = stage(&scene, &"line\n".repeat(LARGEST / 5)).await;
        let error = read(&scene, &commit, &never()).await.unwrap_err();
        let words = "the commit's diff is too large to be read at once";
        assert_eq!(told(error), (words.to_owned(), "usage".to_owned()));
    });
}
