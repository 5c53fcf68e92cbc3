//! Which repositories a call names.

use host::answer::targets_named_by;

use crate::remote::Folders;

#[test]
fn attack_22_a_call_goes_only_where_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        gix::init(folder.path().join(name)).unwrap();
    }
    let named = |arguments: &str| -> Vec<String> {
        let named = targets_named_by(arguments, &Folders, folder.path()).into_iter();
        named.map(|target| target.location().rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(named(r#"{"source": {"type": "local", "path": "a", "branch": "x"}, "paths": ["b"]}"#), ["a"]);
    assert_eq!(named(r#"{"commitId": "1", "target": {"type": "local", "path": "b"}}"#), ["b"]);
    for arguments in ["{}", "no JSON", r#"{"source": {"type": "local", "path": "c"}}"#, r#"{"path": "a"}"#] {
        assert_eq!(named(arguments), Vec::<String>::new(), "{arguments}");
    }
}
