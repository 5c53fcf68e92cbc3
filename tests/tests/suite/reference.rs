//! The reference of the tools in `component/tools/README.md`.

use tests::built::workspace;
use tests::cli::Cli;
use tests::reference;

#[test]
fn the_reference_lists_the_tools_as_they_are() {
    let path = workspace().join("component/tools/README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let cli = Cli::default();
    cli.configure("[tools.tasks]\nenabled = true\n");
    let tools = cli.run(&["tools", "--json"]).ok().json();
    let with_reference = reference::put_names(&reference::put(&readme, &tools), &tools);
    if std::env::var_os("GITGATE_ACCEPT").is_some() {
        std::fs::write(&path, &with_reference).unwrap();
    }
    assert!(
        readme == with_reference,
        "GITGATE_ACCEPT=1 cargo test --workspace --test suite -- reference writes it anew"
    );
}
