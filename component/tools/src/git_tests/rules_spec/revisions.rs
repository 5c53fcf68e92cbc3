//! The objects that revisions name (gitrevisions).

use super::Findings;
use super::history::Scene;

/// A rule, a revision, and the objects that it names in the repository below. A caret marks excluded ones.
type Row = (&'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // Names.
    ("HEAD is the commit that is checked out", "HEAD", "last"),
    ("so is an at sign", "@", "last"),
    ("a branch is its latest commit", "main", "last"),
    ("a branch may have a slash in its name", "topic/x", "one"),
    ("a tag without a message is what it names", "light", "one"),
    ("a tag with a message is an object of its own", "v1", "v1"),
    ("a tag comes before a branch of its name", "twice", "one"),
    ("heads/ says that a branch is meant", "heads/twice", "two"),
    ("tags/ says that a tag is meant", "tags/v1", "v1"),
    ("a full name is always that ref", "refs/heads/twice", "two"),
    ("a remote's branch", "origin/main", "merge"),
    ("remotes/ may stand before it", "remotes/origin/main", "merge"),
    ("a remote is its main branch", "origin", "merge"),
    ("other refs of the repository's folder", "ORIG_HEAD", "two"),
    ("a name that does not exist", "nothing", ""),
    ("names are not looked for below refs/heads only by their end", "x", ""),
    ("an id may be short", "%one7", "one"),
    ("but not this short", "%one3", ""),
    ("an id in upper case", "%ONE", "one"),
    ("what git describe prints ends in an id", "v1-2-g%one7", "one"),
    ("whatever stands before the g", "any-g%one7", "one"),
    // Parents.
    ("a caret is the first parent", "main^", "merge"),
    ("and so is the first one", "main^1", "merge"),
    ("the second parent", "main^^2", "side"),
    ("a third one that there is none of", "main^^3", ""),
    ("zero is the commit", "main^0", "last"),
    ("and of a tag the commit that it names", "v1^0", "two"),
    ("a tilde is the first parent", "main~", "merge"),
    ("a number of times", "main~2", "two"),
    ("none at all", "main~0", "last"),
    ("before the first commit there is nothing", "main~4", ""),
    ("steps follow each other", "main~1^2~1", "first side"),
    ("an at sign takes steps, too", "@~3", "one"),
    ("a tag takes steps as its commit does", "v1~1", "one"),
    ("a tree has no parents", "main^{tree}^", ""),
    // Kinds.
    ("the tree of a commit", "main^{tree}", "root"),
    ("a tag's commit", "v1^{commit}", "two"),
    ("whatever a tag of a tag names in the end", "v2^{}", "two"),
    ("a commit is what it names", "main^{}", "last"),
    ("a tag itself", "v1^{tag}", "v1"),
    ("a commit is no tag", "main^{tag}", ""),
    ("an object of any kind", "v1^{object}", "v1"),
    ("a blob is no commit", "main:a^{commit}", ""),
    ("there is no such kind", "main^{thing}", ""),
    ("a tree is itself", "main^{tree}^{tree}", "root"),
    // Paths.
    ("a colon and a path in a tree", "main:a", "a two"),
    ("in an older one", "main~3:a", "a one"),
    ("a path may be a folder", "main:d", "d"),
    ("and below it", "main:d/b", "b"),
    ("no path is the whole tree", "main:", "root"),
    ("in a tree that is named", "main^{tree}:d/b", "b"),
    ("a path that does not exist", "main:nothing", ""),
    ("a dot and a slash are the working folder", "main:./a", "a two"),
    ("a colon alone is the index", ":a", "a three"),
    ("its stage may be said", ":0:a", "a three"),
    ("a stage that the path has not", ":2:a", ""),
    ("a stage of a path with a conflict", ":2:c", "a one"),
    ("and the other side's", ":3:c", "a two"),
    ("such a path has no stage 0", ":c", ""),
    ("the index has no folders", ":d", ""),
    // Former values of HEAD and branches.
    ("where a branch was before", "main@{1}", "merge"),
    ("where it is", "main@{0}", "last"),
    ("where the present branch was", "@{1}", "merge"),
    ("where HEAD was, on any branch", "HEAD@{1}", "side"),
    ("longer ago than is known", "main@{99}", ""),
    ("the branch that was checked out before", "@{-1}", "side"),
    ("the one before that", "@{-2}", "last"),
    ("longer ago than is known", "@{-99}", ""),
    ("steps from there", "@{-1}~1", "first side"),
    ("the branch that a branch follows", "main@{upstream}", "merge"),
    ("in short, and of the present branch", "@{u}", "merge"),
    ("in upper case, too", "@{U}", "merge"),
    ("where it would be pushed to", "@{push}", "merge"),
    ("a branch that follows nothing", "side@{u}", ""),
    ("where it was at a time", "main@{2026-06-01}", "last"),
    ("as people say it", "main@{yesterday}", "last"),
    ("with dots instead of spaces", "main@{2.days.ago}", "last"),
    ("now", "main@{now}", "last"),
    ("before all that is known it is the oldest", "main@{2020-01-01}", "one"),
    ("a branch has no branch before it", "main@{-1}", ""),
    // Messages.
    ("the latest commit with such words", ":/first", "one"),
    ("anywhere in its message", ":/body", "two"),
    ("words are a pattern", ":/^fir.t", "one"),
    ("from a commit, too", "main^{/Merge s.de}", "merge"),
    ("of the extended kind", ":/fir(st|ing)", "one"),
    ("a message is one text and not lines", ":/^body", ""),
    ("the latest one that can be reached", "main^{/side}", "merge"),
    ("an exclamation mark is written twice", "main^{/!!}", "last"),
    ("one and a hyphen are the others", "main^{/!-a}", "merge"),
    ("other marks after one are kept for later", ":/!x", ""),
    ("words that no message has", ":/nobody says this", ""),
    // Several at once.
    ("two dots are what the second has and the first has not", "side..main", "last ^side"),
    ("without the first one it is HEAD", "..side", "side ^last"),
    ("without the second one, too", "side..", "last ^side"),
    ("three dots are what one of them has", "side...heads/twice", "two side ^one"),
    ("a caret in front leaves out", "^side", "^side"),
    ("all parents", "merge-tag^@", "two side"),
    ("a commit without its parents", "merge-tag^!", "merge ^two ^side"),
    ("without its first parent", "merge-tag^-", "merge ^two"),
    ("without its second one", "merge-tag^-2", "merge ^side"),
    ("without a third one that there is none of", "merge-tag^-3", ""),
    ("two dots of a commit and itself", "main..main", "last ^last"),
    ("the first commit without its parents", "light^!", "one"),
    ("without the parent that it has not", "light^-", ""),
    // Names that are not revisions.
    ("two dots alone are a path", "..", ""),
    ("three dots alone are both ends at HEAD", "...", "last last ^last"),
    ("numbers beyond all bounds", "main~99999999999", ""),
    ("parents beyond all bounds", "main^99999999999", ""),
    (
        "a whole id need not be there",
        "0123456789012345678901234567890123456789",
        "0123456789012345678901234567890123456789",
    ),
    ("but then no path is in it", "0123456789012345678901234567890123456789:a", ""),
    ("a step back in a path that leads out", "main:../a", ""),
    ("a path does not begin with a slash", "main:/a", ""),
    ("a folder may end in one", "main:d/", "d"),
    ("a file may not", "main:a/", ""),
    ("there is no fourth stage", ":4:a", ""),
    ("one at sign is HEAD, two are nothing", "@@", ""),
    ("an empty pair of braces", "main@{}", ""),
    ("kinds in upper case", "main^{TREE}", ""),
    ("braces that are not closed", "main^{tree", ""),
    ("a step that is none", "main^x", ""),
    ("spaces", "main ", ""),
    ("two carets and a range", "^side..main", ""),
];

/// Revisions that gix reads differently, with its result. This list should become empty.
const DIFFERENT: &[(&str, &str)] = &[
    // gix takes paths as written, except for a slash at the end.
    ("main:./a", ""),
    ("main:a/", "a two"),
    // gix searches for a literal text instead of a pattern.
    (":/^fir.t", ""),
    (":/fir(st|ing)", ""),
    ("main^{/Merge s.de}", ""),
    ("..", "last ^last"),
    // gix names only existing objects.
    ("0123456789012345678901234567890123456789", ""),
];

#[test]
fn rules_of_revisions() {
    assert!(ROWS.len() >= 60);
    let mut scene = Scene::new();
    let mut findings = Findings::default();
    let one = scene.ids["one"].clone();
    for (rule, revision, expected) in ROWS {
        let written = revision.replace("%one7", &one[..7]).replace("%one3", &one[..3]);
        let written = written.replace("%ONE", &one.to_ascii_uppercase());
        let row = format!("{rule}: {revision:?}");
        findings.compare("git", &row, scene.of_git(&written).as_str(), expected);
        let different = DIFFERENT.iter().find(|(different, _)| different == revision);
        let expected = different.map_or(*expected, |(_, ours)| ours);
        findings.compare("gix", &row, scene.of_gix(&written).as_str(), expected);
    }
    findings.assert_none();
}
