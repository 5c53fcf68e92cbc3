use super::*;
use crate::git::store::index;
use crate::testing::Sandbox;

#[test]
fn line_endings_become_git_s_as_attributes_say() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write(".gitattributes", "f diff\n*.rs text eol=lf\n*.txt -text\n");
    sandbox.write("a/g.rs", "one\r\ntwo\n");
    let repo = sandbox.session.repo().unwrap();
    let index = index::load(&mut sandbox.session.caches.index, &repo).unwrap();
    let deadline = Deadline::after(|| 0, u64::MAX);
    let attributes = Attributes::of(&repo, index, &deadline);
    assert_eq!(attributes.read_file("a/g.rs".into()).unwrap(), b"one\ntwo\n");
    let crlf = b"one\r\n";
    assert_eq!(*attributes.to_git("a/x.txt".into(), crlf).unwrap(), *crlf);
    assert_eq!(*attributes.to_git("plain".into(), crlf).unwrap(), *crlf);
}

#[test]
fn the_diff_attribute_says_what_is_text() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write(".gitattributes", "t diff\nb -diff\nm binary\n*.py diff=python\nx diff=unknown\n");
    let repo = sandbox.session.repo().unwrap();
    let index = index::load(&mut sandbox.session.caches.index, &repo).unwrap();
    let deadline = Deadline::after(|| 0, u64::MAX);
    let attributes = Attributes::of(&repo, index, &deadline);
    let kind = |path: &str| attributes.diff_kind(path.into()).unwrap();
    assert_eq!(kind("t"), DiffKind::Text);
    assert_eq!(kind("sub/b"), DiffKind::Binary);
    assert_eq!(kind("m"), DiffKind::Binary);
    assert_eq!(kind("other"), DiffKind::Auto);
    assert_eq!(kind("a.py"), DiffKind::Named(function::Driver::Python));
    assert_eq!(kind("x"), DiffKind::Auto);
}
