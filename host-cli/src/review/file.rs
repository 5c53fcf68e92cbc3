//! A changed file, as a screen shows it.

use std::borrow::Cow;

use gate::review::{ListedFile, Severity};

/// A changed file.
#[derive(Debug)]
pub struct File<'a> {
    /// Git's letter for what happened to it.
    pub letter: char,
    /// Its path, escaped for a terminal.
    pub path: String,
    /// Where it was, if it moved.
    pub from: Option<String>,
    /// The commit that has it, if the difference to the target has not.
    pub commit: Option<String>,
    /// What there is to know of it.
    pub said: String,
    /// Lines added and deleted.
    pub counts: [u64; 2],
    /// The warnings about it, the gravest first.
    pub warnings: Vec<(Severity, String)>,
    /// Its patch up to the first hunk; all of it, if there are no hunks.
    pub head: Cow<'a, str>,
    /// The hunks with their headers.
    pub hunks: Vec<Cow<'a, str>>,
    /// The file of a review, if it is one.
    pub listed: Option<ListedFile<'a>>,
}

impl<'a> File<'a> {
    /// A file of a review.
    pub fn of(listed: ListedFile<'a>) -> Self {
        File {
            letter: listed.letter,
            path: listed.shown_path(),
            from: listed.shown_from(),
            commit: listed.commit.map(|commit| commit.to_hex_with_len(7).to_string()),
            said: listed.said.clone(),
            counts: listed.counts,
            warnings: listed.flags.iter().map(|flag| (flag.severity(), flag.sentence())).collect(),
            head: Cow::Borrowed(listed.head),
            hunks: listed.hunks.iter().map(|hunk| Cow::Borrowed(*hunk)).collect(),
            listed: Some(listed),
        }
    }

    /// The files in the text of a diff, which is escaped already.
    pub fn of_text(text: &'a str) -> Vec<Self> {
        let mut starts: Vec<usize> = text.match_indices("diff --git ").map(|(at, _)| at).collect();
        // Every line of a hunk has a sign before it.
        starts.retain(|at| *at == 0 || text[..*at].ends_with('\n'));
        starts.push(text.len());
        starts.windows(2).map(|ends| File::of_patch(&text[ends[0]..ends[1]])).collect()
    }

    fn of_patch(patch: &'a str) -> Self {
        let mut starts: Vec<usize> = patch.match_indices("\n@@ ").map(|(at, _)| at + 1).collect();
        let head = &patch[..starts.first().copied().unwrap_or(patch.len())];
        starts.push(patch.len());
        let hunks: Vec<&str> = starts.windows(2).map(|ends| &patch[ends[0]..ends[1]]).collect();
        let line = |lead: &str| head.lines().find_map(|line| line.strip_prefix(lead));
        let name =
            |lead: &str, side: &str| line(lead).and_then(|name| unquoted(name).strip_prefix(side).map(str::to_owned));
        let from = line("rename from ").map(str::to_owned);
        let named = line("rename to ").map(str::to_owned).or_else(|| name("+++ ", "b/")).or_else(|| name("--- ", "a/"));
        let letter = match () {
            () if from.is_some() => 'R',
            () if line("new file mode ").is_some() => 'A',
            () if line("deleted file mode ").is_some() => 'D',
            () => 'M',
        };
        let count = |sign: char| {
            hunks.iter().flat_map(|hunk| hunk.lines().skip(1)).filter(|line| line.starts_with(sign)).count()
        };
        let counts = [count('+') as u64, count('-') as u64];
        File {
            letter,
            path: named.unwrap_or_else(|| of_heading(head)),
            from,
            commit: None,
            said: format!("+{} -{}", counts[0], counts[1]),
            counts,
            warnings: Vec::new(),
            head: Cow::Borrowed(head),
            hunks: hunks.into_iter().map(Cow::Borrowed).collect(),
            listed: None,
        }
    }

    /// How many parts of it are looked at one by one: its hunks, or the change as a whole.
    pub fn units(&self) -> usize {
        self.hunks.len().max(1)
    }

    /// What is shown of a part.
    pub fn unit(&self, at: usize) -> &str {
        self.hunks.get(at).unwrap_or(&self.head)
    }

    /// The file and what happened to it, in a row.
    pub fn line(&self) -> String {
        let within = self.commit.as_ref().map_or_else(String::new, |commit| format!(" only in the commit {commit}"));
        format!("{} {} ({}){within}", self.letter, self.name(), self.said)
    }

    /// Its name in a row: where it was and is.
    pub fn name(&self) -> String {
        match &self.from {
            Some(from) => format!("{from} -> {}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether parts of it can stay in the sandbox, one by one.
    pub fn can_be_taken_apart(&self) -> bool {
        self.listed.as_ref().is_some_and(ListedFile::can_be_taken_apart)
    }

    /// Whether it can stay in the sandbox.
    pub fn can_be_left_out(&self) -> bool {
        self.listed.as_ref().is_some_and(ListedFile::can_be_left_out)
    }
}

/// A name without git's quotes, which stand only around names that need them.
fn unquoted(name: &str) -> &str {
    let name = name.strip_suffix('\t').unwrap_or(name);
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// The path in `diff --git a/x b/x`, where both sides are the same.
fn of_heading(head: &str) -> String {
    let names = head.lines().next().unwrap_or_default().trim_start_matches("diff --git ");
    let half = names.split_at_checked(names.len() / 2).map_or(names, |(first, _)| first);
    unquoted(half.trim()).trim_start_matches("a/").to_owned()
}
