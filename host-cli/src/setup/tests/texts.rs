//! How the edited texts look.

use crate::setup::change::Change;
use crate::setup::{json, markdown, toml};

fn json_with(text: &str, changes: &[Change]) -> String {
    json::apply(text, changes).unwrap().0
}

#[test]
fn json_keeps_its_indentation_line_ends_and_trailing_commas() {
    let set = [Change::set(&["a", "new"], true)];
    assert_eq!(
        json_with("{\n\t\"a\": {\n\t\t\"b\": 1,\n\t},\n}\n", &set),
        "{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"new\": true,\n\t},\n}\n"
    );
    assert_eq!(
        json_with("{\r\n    \"a\": {}\r\n}\r\n", &set),
        "{\r\n    \"a\": {\r\n        \"new\": true\r\n    }\r\n}\r\n"
    );
    assert_eq!(json_with("// empty\n", &set), "// empty\n{\n  \"a\": {\n    \"new\": true\n  }\n}\n");
}

#[test]
fn a_json_text_that_has_everything_is_not_laid_out_anew() {
    for text in
        ["{\"a\":{\"b\":\"c\"},\"l\":[\"x\",\"y\"]}", "{\"l\" : [ \"y\", /* z */ \"x\" , ], \"a\" : {\"b\":\"c\",},}"]
    {
        let changes = [Change::set(&["a", "b"], "c"), Change::add(&["l"], &["x"])];
        assert_eq!(json::apply(text, &changes).unwrap(), (text.to_owned(), Vec::new()));
    }
}

#[test]
fn toml_keeps_inline_tables_and_line_ends() {
    let set = [Change::set(&["features", "shell_tool"], false)];
    let with = |text: &str| toml::apply(text, &set).unwrap().0;
    assert_eq!(with("features = { web = true }\n"), "features = { web = true , shell_tool = false }\n");
    assert_eq!(with("features.web = true\r\n"), "features.web = true\r\nfeatures.shell_tool = false\r\n");
    assert_eq!(with("[features]\nshell_tool=false"), "[features]\nshell_tool=false");
}

#[test]
fn a_section_stands_behind_a_blank_line_and_is_replaced_in_its_place() {
    let (text, taken) = markdown::apply("# A\n", "one\n").unwrap();
    assert!(text.starts_with("# A\n\n<!-- gitgate: begin"), "{text}");
    assert_eq!(markdown::revert(&text, &taken.unwrap()).unwrap(), "# A\n");
    let more = format!("{text}\n# B\n");
    let (replaced, taken) = markdown::apply(&more, "two\n").unwrap();
    assert_eq!(replaced, more.replace("\none\n", "\ntwo\n"));
    assert_eq!(markdown::revert(&replaced, &taken.unwrap()).unwrap(), more);
    assert_eq!(markdown::apply(&replaced, "two\n").unwrap(), (replaced, None));
}
