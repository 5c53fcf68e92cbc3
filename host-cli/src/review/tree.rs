//! The files in their folders, as rows.

use std::collections::HashSet;

use super::file::File;

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Where the push goes, its commits and warnings.
    Overview,
    /// A folder, or several of which each has nothing but the next.
    Folder {
        depth: usize,
        /// Its name in the row above it.
        name: String,
        /// Its whole path.
        path: String,
        /// Whether its files are not shown.
        is_closed: bool,
        files: Vec<usize>,
    },
    /// A file.
    File { depth: usize, name: String, file: usize },
}

impl Node {
    /// The files that it stands for.
    pub fn files(&self) -> Vec<usize> {
        match self {
            Node::Overview => Vec::new(),
            Node::Folder { files, .. } => files.clone(),
            Node::File { file, .. } => vec![*file],
        }
    }
}

/// The rows of these files. Those in a folder among `closed` are not shown, and only those whose name has all words of `filter`.
pub fn nodes(files: &[File<'_>], closed: &HashSet<String>, filter: &str, has_overview: bool) -> Vec<Node> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let is_wanted = |file: &File<'_>| {
        let name = file.name().to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut paths: Vec<(Vec<&str>, usize)> = Vec::new();
    for (at, file) in files.iter().enumerate().filter(|(_, file)| is_wanted(file)) {
        paths.push((file.path.split('/').collect(), at));
    }
    let mut nodes = Vec::new();
    if has_overview {
        nodes.push(Node::Overview);
    }
    folder(&paths, 0, 0, closed, &mut nodes);
    nodes
}

/// Adds the rows of a folder, whose path has `level` parts.
fn folder(paths: &[(Vec<&str>, usize)], level: usize, depth: usize, closed: &HashSet<String>, nodes: &mut Vec<Node>) {
    let mut at = 0;
    while at < paths.len() {
        let (parts, file) = &paths[at];
        if parts.len() == level + 1 {
            nodes.push(Node::File { depth, name: parts[level].to_owned(), file: *file });
            at += 1;
            continue;
        }
        // Files of a review are sorted by path, so those of a folder stand together.
        let inside =
            paths[at..].iter().take_while(|(other, _)| other.len() > level + 1 && other[level] == parts[level]);
        let inside = &paths[at..at + inside.count()];
        let mut end = level + 1;
        let shared = |end: usize| inside.iter().all(|(other, _)| other.len() > end + 1 && other[end] == parts[end]);
        while parts.len() > end + 1 && shared(end) {
            end += 1;
        }
        let path = parts[..end].join("/");
        let is_closed = closed.contains(&path);
        let files = inside.iter().map(|(_, file)| *file).collect();
        nodes.push(Node::Folder { depth, name: parts[level..end].join("/"), path, is_closed, files });
        if !is_closed {
            folder(inside, end, depth + 1, closed, nodes);
        }
        at += inside.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> String {
        paths.iter().map(|path| format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n")).collect()
    }

    fn shown(paths: &[&str], closed: &[&str], filter: &str) -> Vec<String> {
        let text = files(paths);
        let closed = closed.iter().map(|path| (*path).to_owned()).collect();
        let rows = nodes(&File::of_text(&text), &closed, filter, false).into_iter().map(|node| match node {
            Node::Overview => "overview".to_owned(),
            Node::Folder { depth, name, files, .. } => format!("{}{name}/ {}", " ".repeat(depth), files.len()),
            Node::File { depth, name, .. } => format!("{}{name}", " ".repeat(depth)),
        });
        rows.collect()
    }

    const PATHS: [&str; 4] = ["a/b/c.rs", "a/b/d.rs", "a/e.rs", "z.md"];

    #[test]
    fn files_stand_in_their_folders() {
        assert_eq!(shown(&PATHS, &[], ""), ["a/ 3", " b/ 2", "  c.rs", "  d.rs", " e.rs", "z.md"]);
        assert_eq!(shown(&["a/b/c/d.rs"], &[], ""), ["a/b/c/ 1", " d.rs"], "folders with one folder are one row");
        assert_eq!(shown(&PATHS, &["a/b"], ""), ["a/ 3", " b/ 2", " e.rs", "z.md"]);
    }

    #[test]
    fn a_filter_leaves_the_files_that_have_all_its_words() {
        assert_eq!(shown(&PATHS, &[], "B RS"), ["a/b/ 2", " c.rs", " d.rs"]);
        assert_eq!(shown(&PATHS, &[], "nothing"), [""; 0]);
    }
}
