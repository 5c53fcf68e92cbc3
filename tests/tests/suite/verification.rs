//! The requirement's verification cases: each is a test with the case's identifier in its name.

use crate::layers_text::sources;

/// The families, with their numbers of cases.
const CASES: &[(&str, u32)] = &[
    ("status", 2),
    ("diff", 4),
    ("restore", 3),
    ("add", 3),
    ("commit", 3),
    ("log", 3),
    ("branch", 4),
    ("checkout", 4),
    ("stash", 4),
    ("show", 2),
    ("blame", 3),
    ("err", 5),
    ("sec", 10),
    ("common", 4),
    ("edge", 22),
    ("timeout", 4),
    ("int", 8),
];

/// The names of all tests that run by default.
fn tests() -> Vec<String> {
    let mut tests = Vec::new();
    for (_, text) in sources() {
        let (mut is_test, mut is_ignored) = (false, false);
        for line in text.lines().map(str::trim) {
            is_test |= line == "#[test]";
            is_ignored |= line.starts_with("#[ignore");
            if let Some(name) = line.strip_prefix("fn ") {
                if is_test && !is_ignored {
                    tests.push(name.split('(').next().expect("there is a first part").to_owned());
                }
                (is_test, is_ignored) = (false, false);
            }
        }
    }
    tests
}

#[test]
fn none_of_the_88_verification_cases_is_missing() {
    let cases: Vec<String> =
        CASES.iter().flat_map(|(family, count)| (1..=*count).map(move |n| format!("t_git_{family}_{n:02}_"))).collect();
    assert_eq!(cases.len(), 88);
    let tests = tests();
    let missing: Vec<&String> = cases.iter().filter(|case| !tests.iter().any(|test| test.starts_with(*case))).collect();
    assert_eq!(missing, [] as [&String; 0]);
}

#[test]
fn no_test_has_the_identifier_of_a_case_that_there_is_not() {
    let is_wrong = |test: &String| {
        let mut parts = test.strip_prefix("t_git_").into_iter().flat_map(|rest| rest.split('_'));
        let family = parts.next().and_then(|family| CASES.iter().find(|(known, _)| *known == family));
        let number = parts.next().and_then(|number| number.parse().ok());
        family.zip(number).is_some_and(|((_, count), number)| !(1..=*count).contains(&number))
    };
    let wrong: Vec<String> = tests().into_iter().filter(is_wrong).collect();
    assert_eq!(wrong, [] as [String; 0]);
}
