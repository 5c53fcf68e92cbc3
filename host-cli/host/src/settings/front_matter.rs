//! Finds the YAML between two lines `---` at the beginning of a file.

pub use yaml::{Entry, Node, Value, Wrong};

/// Parses the front matter of `text` and ignores what follows it.
pub fn parse(text: &str) -> Result<Node, Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line));
    let first = first.ok_or_else(|| Wrong::at(1, "the file has no front matter: it must begin with a line `---`"))?;
    let mut inner = 0;
    for line in lines {
        if is_fence(line) {
            return yaml::parse(&text[first.len()..first.len() + inner], 1);
        }
        inner += line.len();
    }
    Err(Wrong::at(text.lines().count(), "the front matter does not end with a line `---`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let wrong = parse(text).expect_err(text);
        format!("{}: {}", wrong.line, wrong.what)
    }

    #[test]
    fn what_stands_between_the_lines_is_read_with_its_place_in_the_file() {
        let text = |line, text: &str| Node { line, value: Value::Text(text.to_owned()) };
        let entry = |key: &str, line, node| Entry { key: key.to_owned(), line, node };
        let read = parse("---\r\na: 1 # one\nb: 2\n---\nb: [\n").unwrap();
        assert_eq!(read.value, Value::Map(vec![entry("a", 2, text(2, "1")), entry("b", 3, text(3, "2"))]));
        assert_eq!(parse("---\n---\n").unwrap().value, Value::Nothing);
        assert_eq!(parse("\u{feff}--- \n# nothing\n---").unwrap().value, Value::Nothing);
    }

    #[test]
    fn what_is_no_front_matter_is_an_error_with_its_line() {
        assert_eq!(wrong(""), "1: the file has no front matter: it must begin with a line `---`");
        assert_eq!(wrong("name: x\n---\n"), "1: the file has no front matter: it must begin with a line `---`");
        assert_eq!(wrong("---\nname: x\n"), "2: the front matter does not end with a line `---`");
        assert_eq!(wrong("---\na: 1\nb: 2\na: 3\n---\n"), "4: the key `a` appears twice");
        assert_eq!(wrong("---\na: &x 1\n---\n"), "2: anchors are not supported");
    }
}
