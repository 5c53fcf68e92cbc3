use super::*;

fn shown(mailmap: &str, name: &str, email: &str) -> String {
    let mailmap = Mailmap::parse(mailmap.as_bytes());
    let (name, email) = mailmap.map(name.into(), email.into());
    format!("{name} <{email}>")
}

#[test]
fn a_line_has_one_of_four_forms() {
    assert_eq!(shown("New <a@x>\n", "Old", "a@x"), "New <a@x>");
    assert_eq!(shown("<new@x> <a@x>\n", "Old", "a@x"), "Old <new@x>");
    assert_eq!(shown("New <new@x> <a@x>\n", "Old", "a@x"), "New <new@x>");
    assert_eq!(shown("New <new@x> Old <a@x>\n", "Old", "a@x"), "New <new@x>");
    assert_eq!(shown("New <new@x> Old <a@x>\n", "Other", "a@x"), "Other <a@x>");
}

#[test]
fn names_and_addresses_are_compared_without_regard_to_case() {
    assert_eq!(shown("New <N@x> oLD <A@X>\n", "Old", "a@x"), "New <N@x>");
    assert_eq!(shown("New <N@x> \u{c9} <A@X>\n", "\u{e9}", "a@x"), "\u{e9} <a@x>");
}

#[test]
fn later_lines_override_what_they_say_and_no_more() {
    assert_eq!(shown("One <a@x>\n<new@x> <a@x>\nTwo <a@x>\n", "Old", "a@x"), "Two <new@x>");
    assert_eq!(shown("One <one@x> Old <a@x>\n<two@x> Old <a@x>\n", "Old", "a@x"), "Old <two@x>");
}

#[test]
fn other_lines_are_left_out() {
    assert_eq!(shown("# New <a@x>\nNew\n<>\nNew <a@x\n", "Old", "a@x"), "Old <a@x>");
    assert_eq!(shown("", "Old", "a@x"), "Old <a@x>");
    assert_eq!(shown("New <new@x> <>\n", "Old", ""), "New <new@x>");
}

#[cfg(not(target_os = "wasi"))]
mod git {
    use super::*;
    use crate::testing::Sandbox;
    use fastrand::Rng;

    const NAMES: &[&str] = &["", " ", "A", "a", "B b", "b B", "\u{e9}", "A>", " \tx\u{b}", "#", "A#", "\u{c}", "<"];
    const EMAILS: &[&str] = &["", "a@x", "A@X", "b@y", "b@y ", " b@y", "a", "a@x@y", "#", "a<x", "\u{e9}@x"];
    const PIECES: &[&str] = &["<", ">", " ", "#", "\r", "\t", "\0", "\n", "\n", "x"];

    fn choice(random: &mut Rng, from: &[&str]) -> String {
        random.choice(from).expect("it is not empty").to_string()
    }

    /// A file with some lines, most of them in a valid form.
    fn mailmap(random: &mut Rng) -> String {
        let mut text = String::new();
        for _ in 0..random.usize(..7) {
            for _ in 0..random.usize(1..4) {
                let (name, email) = (choice(random, NAMES), choice(random, EMAILS));
                text.push_str(&format!("{name}{}<{email}>", if random.bool() { " " } else { "" }));
                if random.usize(..12) == 0 {
                    text.push_str(&choice(random, PIECES));
                }
            }
            if random.usize(..20) == 0 {
                text.push_str(&" ".repeat(random.usize(985..1030)));
                text.push_str("X <a@x>");
            }
            text.push_str(if random.usize(..8) == 0 { "\r\n" } else { "\n" });
        }
        if random.usize(..4) == 0 {
            text.pop();
        }
        text
    }

    /// Creates a commit for every person, and returns the people.
    fn people(sandbox: &mut Sandbox) -> Vec<(Vec<u8>, Vec<u8>)> {
        let tree = sandbox.git(&["write-tree"]);
        let mut parent = String::new();
        for name in ["A", "a", "B b", "\u{e9}", "A#", "x"] {
            for email in EMAILS.iter().filter(|email| !email.contains('<')) {
                let committer = "C <c@z> 1767225600 +0000";
                let person = format!("{name} <{email}> 1767225600 +0000");
                sandbox.write("commit", format!("tree {tree}{parent}author {person}\ncommitter {committer}\n\nm\n"));
                let id = sandbox.git(&["hash-object", "-t", "commit", "-w", "--literally", "commit"]);
                parent = format!("parent {id}");
                sandbox.git(&["update-ref", "HEAD", id.trim()]);
            }
        }
        log(sandbox, "%an%x00%ae%x00")
    }

    fn log(sandbox: &mut Sandbox, format: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
        let text = sandbox.git_output(&["log", &format!("--format={format}")]).stdout;
        let fields: Vec<&[u8]> = text.split(|byte| *byte == 0).collect();
        let pairs = fields.chunks_exact(2);
        pairs.map(|pair| (pair[0].trim_start_with(|char| char == '\n').to_vec(), pair[1].to_vec())).collect()
    }

    #[test]
    fn people_are_shown_as_git_shows_them() {
        let mut sandbox = Sandbox::with_repository();
        let people = people(&mut sandbox);
        assert!(people.len() > 50);
        for seed in 0..150 {
            let text = mailmap(&mut Rng::with_seed(seed));
            sandbox.write(MAILMAP, &text);
            let repo = sandbox.session.repo().unwrap();
            let ours = Mailmap::of(&repo).unwrap();
            let expected = log(&mut sandbox, "%aN%x00%aE%x00");
            for ((name, email), expected) in people.iter().zip(expected) {
                let (shown_name, shown_email) = ours.map(name.as_bstr(), email.as_bstr());
                let found = (shown_name.to_vec(), shown_email.to_vec());
                assert_eq!(found, expected, "seed {seed}: {name:?} {email:?} in {text:?}");
            }
        }
    }

    #[test]
    fn a_link_a_folder_or_nothing_is_empty_and_a_large_file_is_refused() {
        let mut sandbox = Sandbox::with_repository();
        let read = |sandbox: &mut Sandbox| Mailmap::of(&sandbox.session.repo().unwrap());
        assert!(read(&mut sandbox).unwrap().addresses.entries().is_empty());
        sandbox.write("other", "New <a@x>\n");
        sandbox.symlink("other", MAILMAP);
        assert!(read(&mut sandbox).unwrap().addresses.entries().is_empty());
        std::fs::remove_file(sandbox.real(MAILMAP)).unwrap();
        sandbox.mkdir(MAILMAP);
        assert!(read(&mut sandbox).unwrap().addresses.entries().is_empty());
        std::fs::remove_dir(sandbox.real(MAILMAP)).unwrap();
        sandbox.write(MAILMAP, vec![b'\n'; MAX_BYTES as usize + 1]);
        assert_eq!(read(&mut sandbox).unwrap_err().message, "File too large: .mailmap");
    }
}
