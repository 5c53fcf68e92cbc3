use gate::forge::Forge;

use super::*;

/// 2026-11-20T10:00:00Z, seen from elsewhere.
const NOW: Moment = Moment { nanos: 1_795_168_800_999_999_999, utc_offset: 3600 };

fn read(text: &str) -> Result<Worker> {
    Worker::parse("/worker.md", text.as_bytes(), NOW)
}

fn wrong(front_matter: &str) -> String {
    let error = read(&format!("---\n{front_matter}\n---\n")).expect_err(front_matter);
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(!error.hint.is_empty());
    error.message
}

#[test]
fn everything_that_a_worker_file_can_say_is_read() {
    let text = "---\nname: report-writer\ndescription: Writes analysis reports\n\ntoolsets:\n  filesystem: {}\n  git:\n    mode: assisted\n    \
        default_target:\n      type: local\n      path: .\n      branch: \"worker-{timestamp}\"  # filled in\n    auto_pull:\n      \
        - path: templates/\n        source:\n          type: local-bare\n          path: ../a #b.git\n      - path: docs\n        \
        source: {type: github, repo: ada/docs, branch: main}\n---\n\nYou write reports.\n\n---\nnot: [front matter\n";
    let worker = read(text).unwrap();
    assert_eq!(
        worker,
        Worker {
            name: Some("report-writer".to_owned()),
            push: Some(PushMode::Assisted),
            tasks: None,
            default_target: Some(Place::Local {
                path: ".".to_owned(),
                branch: Some("worker-20261120T100000Z".to_owned())
            }),
            auto_pull: vec![
                AutoPull {
                    path: "templates/".to_owned(),
                    // As YAML has it, ` #` begins a comment.
                    source: Place::LocalBare { path: "../a".to_owned(), branch: None },
                },
                AutoPull {
                    path: "docs".to_owned(),
                    source: Place::Server {
                        forge: Forge::Github,
                        repo: "ada/docs".to_owned(),
                        branch: Some("main".to_owned())
                    },
                },
            ],
        }
    );
}

#[test]
fn a_worker_file_need_not_say_anything() {
    for text in ["---\n---\n", "---\ntoolsets:\n---\n", "---\ntoolsets:\n  git:\n  filesystem:\n---\n"] {
        assert_eq!(read(text).unwrap(), Worker::default());
    }
}

#[test]
fn a_key_that_is_not_known_is_named_with_its_line_and_those_that_are() {
    assert_eq!(wrong("nam: x"), "/worker.md:2: unknown key `nam`; known keys are name, description, toolsets");
    assert_eq!(
        wrong("toolsets:\n  shell: {}"),
        "/worker.md:3: unknown key `shell`; known keys are filesystem, git, tasks"
    );
    assert_eq!(
        wrong("toolsets:\n  filesystem:\n    root: /"),
        "/worker.md:4: unknown key `root`; this map takes no keys"
    );
    assert_eq!(
        wrong("toolsets:\n  git:\n    target: x"),
        "/worker.md:4: unknown key `target`; known keys are default_target, auto_pull, mode"
    );
    assert_eq!(
        wrong("toolsets:\n  git:\n    default_target:\n      type: local\n      pth: ."),
        "/worker.md:6: unknown key `pth`; known keys are type, path, repo, branch"
    );
}

#[test]
fn what_makes_no_sense_is_an_error_with_its_line() {
    let target = |fields: &str| wrong(&format!("toolsets:\n  git:\n    default_target: {fields}"));
    for (message, expected) in [
        (wrong("- a"), "2: expected a map of keys and values"),
        (wrong("name: [a]"), "2: `name` must be one line of text"),
        (wrong("name: \"a\\nb\""), "2: `name` must be one line of text"),
        (wrong("name:"), "2: `name` must be one line of text"),
        (wrong("toolsets:\n  git:\n    mode: automatic"), "4: `mode` must be manual or assisted, not `automatic`"),
        (wrong("toolsets:\n  git:\n    auto_pull: x"), "4: `auto_pull` must be a list"),
        (wrong("toolsets:\n  git:\n    auto_pull:\n      - path: a"), "5: an entry of `auto_pull` needs a `source`"),
        (target("{path: .}"), "4: a target needs a `type`: local, local-bare, github or git"),
        (target("{type: ftp, path: x}"), "4: `ftp` is not a target type: use local, local-bare, github or git"),
        (target("{type: local, repo: a/b}"), "4: a target of type local needs a `path` and takes no `repo`"),
        (target("{type: github, path: x}"), "4: a target of type github needs a `repo` and takes no `path`"),
        (target("{type: local, path: ''}"), "4: `path` must be one line of text"),
        (
            target("{type: local, path: ., branch: 'w-{date}'}"),
            "4: unknown placeholder `{date}` in a branch name: use {timestamp}",
        ),
        (target("{type: local, path: ., branch: 'w-{timestamp'}"), "4: `w-{timestamp` has a `{` without a `}`"),
    ] {
        assert_eq!(message, format!("/worker.md:{expected}"));
    }
    for bad in ["a..b", "-x", "a b", "a.lock", "{timestamp}.."] {
        let message = target(&format!("{{type: local, path: ., branch: '{bad}'}}"));
        assert!(message.starts_with("/worker.md:4: the ref 'refs/heads/"), "{message}");
    }
}

#[test]
fn a_file_that_cannot_be_one_is_an_error() {
    let message = |bytes: &[u8]| Worker::parse("none.md", bytes, NOW).unwrap_err().message;
    assert!(message(b"---\nname: \xff\n---\n").ends_with("none.md:2: it is not UTF-8"));
    let long = vec![b' '; usize::try_from(limits::WORKER_FILE_BYTES).unwrap() + 1];
    assert!(message(&long).ends_with("none.md: a worker file may have at most 1 MiB"));
}

#[test]
fn the_tools_for_tasks_are_on_where_a_worker_names_them() {
    let tasks = |text: &str| {
        Worker::parse("/worker.md", format!("---\n{text}\n---\n").as_bytes(), NOW).map(|worker| worker.tasks)
    };
    assert_eq!(tasks("toolsets:\n  git: {}").unwrap(), None);
    let on = |trailer_prefix| Some(TaskChoice { enabled: true, trailer_prefix });
    assert_eq!(tasks("toolsets:\n  tasks: {}").unwrap(), on(None));
    assert_eq!(tasks("toolsets:\n  tasks:\n    trailer_prefix: My-Run").unwrap(), on(Some("My-Run".to_owned())));
    let error = tasks("toolsets:\n  tasks:\n    trailer_prefix: 1x").unwrap_err();
    assert_eq!(
        error.message,
        "/worker.md:4: `trailer_prefix` must be letters, digits and hyphens, the first one a letter"
    );
}
