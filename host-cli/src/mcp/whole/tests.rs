use super::*;
use crate::desk::scene;

/// A file of which each page is a line, and what becomes of it before its second page is read, in
/// one reading after the other.
struct Lines {
    now: &'static str,
    edits: Vec<&'static str>,
    /// How often it has changed, unless nothing tells.
    mark: Option<u64>,
}

impl Lines {
    fn read(now: &'static str, edits: &[&'static str], is_marked: bool) -> anyhow::Result<Content> {
        let edits = edits.iter().rev().copied().collect();
        settled(&mut Lines { now, edits, mark: is_marked.then_some(0) }, "a.md")
    }
}

impl Pages for Lines {
    fn mark(&mut self) -> anyhow::Result<Option<Mark>> {
        Ok(self.mark.map(|length| Mark { generation: 0, length }))
    }

    fn page(&mut self, offset: u64) -> anyhow::Result<Page> {
        if offset == 2
            && let Some(edit) = self.edits.pop()
        {
            self.now = edit;
            self.mark = self.mark.map(|mark| mark + 1);
        }
        let lines: Vec<&str> = self.now.split_inclusive('\n').collect();
        let at = usize::try_from(offset)? - 1;
        anyhow::ensure!(at < lines.len(), "past the end");
        Ok(Page {
            content: lines[at].to_owned(),
            encoding: Encoding::Utf8,
            size: self.now.len(),
            next_offset: (at + 1 < lines.len()).then_some(offset + 1),
        })
    }
}

#[test]
fn a_file_that_is_edited_between_two_pages_is_read_anew() {
    for is_marked in [true, false] {
        let read = Lines::read("old 1\nold 2\n", &["new 1\nnew 2\n"], is_marked).unwrap();
        assert_eq!(read, Content::Text("new 1\nnew 2\n".to_owned()), "marked: {is_marked}");
    }
    let read = Lines::read("old 1\nold 2\n", &["new\n"], true).unwrap();
    assert_eq!(read, Content::Text("new\n".to_owned()), "it has no second page any more");
}

#[test]
fn a_file_that_never_rests_is_an_error() {
    for is_marked in [true, false] {
        let read = Lines::read("a\nb\n", &["c\nd\n", "e\nf\n", "g\nh\n"], is_marked);
        let error = read.unwrap_err().downcast::<HostError>().unwrap();
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Busy, "a.md changes while it is read"));
    }
}

/// What a file is read as that has these bytes, where a page has at most 1000 of them.
fn read_back(bytes: &[u8]) -> anyhow::Result<Content> {
    let scene = scene::desk_with("[tools.git]\nmax_bytes = 1000\n");
    let content = STANDARD.encode(bytes);
    scene::block_on(async {
        let never = scene::never();
        let arguments = json!({ "path": "a", "content": content, "encoding": "base64" });
        scene.call("write_file", arguments).await;
        scene.desk.run(&never, |context, sandbox| read(context, sandbox, "/workspace/a")).await
    })
}

#[track_caller]
fn assert_too_large(read: anyhow::Result<Content>) {
    let error = read.unwrap_err().downcast::<HostError>().unwrap();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Usage, "/workspace/a is too large to be read at once")
    );
}

#[test]
fn all_pages_of_text_and_of_other_bytes_are_read() {
    let text = "é is a letter\n".repeat(500);
    assert_eq!(read_back(text.as_bytes()).unwrap(), Content::Text(text));
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    assert_eq!(read_back(&bytes).unwrap(), Content::Blob(STANDARD.encode(&bytes)));
    assert_eq!(read_back(b"").unwrap(), Content::Text(String::new()));
}

#[test]
fn a_line_that_no_page_holds_makes_a_file_too_large() {
    assert_too_large(read_back(format!("a\n{}\nb\n", "x".repeat(2000)).as_bytes()));
    assert_too_large(read_back(&[0xff; 2000]));
}

#[test]
fn a_file_of_more_than_what_is_read_at_once_is_too_large() {
    assert_too_large(read_back("line\n".repeat(LARGEST / 5 + 1).as_bytes()));
}
