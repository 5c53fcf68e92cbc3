//! Random versions of one path, and a possible outcome.

use fastrand::Rng;

use crate::text::{Text, binary};
use crate::tree::{EXECUTABLE, Entry, FILE, SUBMODULE, SYMLINK, Tree};

/// A path in some parents, and its outcome.
pub struct Case {
    pub parents: Vec<Option<Entry>>,
    pub outcome: Option<Entry>,
}

/// Name endings that have an attribute.
const ENDINGS: &[&str] = &["", "", "", "", "", ".rs", ".text", ".bin"];
const NAMES: &[&str] = &["f", "f", "with space", "quote\"", "tab\t", "é", "new\nline", "a/b/c", "-dash", "{x => y}"];

/// The attributes of these names, as lines of an attributes file.
pub const ATTRIBUTES: &str = "*.rs diff=rust\n*.text diff\n*.bin -diff\n";

/// This many cases, each at its own path: the trees of the parents and of the outcome.
pub fn trees(random: &mut Rng, cases: usize, parents: usize) -> (Vec<Tree>, Tree) {
    let (mut trees, mut outcomes) = (vec![Tree::new(); parents], Tree::new());
    for number in 0..cases {
        let name = format!("{number}/{}{}", random.choice(NAMES).unwrap(), random.choice(ENDINGS).unwrap());
        let case = Case::random(random, parents);
        for (tree, entry) in trees.iter_mut().zip(case.parents).chain([(&mut outcomes, case.outcome)]) {
            if let Some(entry) = entry {
                tree.insert(name.clone().into_bytes(), entry);
            }
        }
    }
    (trees, outcomes)
}

impl Case {
    /// A case with `parents` parents, usually all texts.
    pub fn random(random: &mut Rng, parents: usize) -> Self {
        let most_lines = *random.choice(&[0, 3, 8, 8, 20, 20, 20, 60]).unwrap();
        let base = Text::random(random, most_lines);
        let texts: Vec<Text> = (0..parents)
            .map(|_| {
                let edits = *random.choice(&[0, 1, 1, 2, 3, 5, 12]).unwrap();
                base.edited(random, edits)
            })
            .collect();
        let mode = if random.usize(..20) == 0 { EXECUTABLE } else { FILE };
        let mut case = Self { parents: Vec::new(), outcome: Some((mode, outcome(random, &base, &texts))) };
        case.parents = texts.iter().map(|text| Some((mode, text.bytes()))).collect();
        for _ in 0..random.usize(..2) {
            case.disturb(random);
        }
        case
    }

    /// Replaces some versions by something binary or missing, or by a copy of another version.
    fn disturb(&mut self, random: &mut Rng) {
        let other = random.choice(&self.parents).unwrap().clone();
        let at = random.usize(..=self.parents.len());
        let side = self.parents.get_mut(at).unwrap_or(&mut self.outcome);
        *side = match random.usize(..16) {
            0 | 1 => None,
            2 => Some((FILE, binary(random))),
            3 => Some((SYMLINK, b"elsewhere".to_vec())),
            4 => Some((SUBMODULE, (0..40).map(|_| *random.choice(b"0123456789abcdef").unwrap()).collect())),
            5 | 6 => side.take().map(|(mode, content)| (if mode == FILE { EXECUTABLE } else { FILE }, content)),
            7 => Some((FILE, Vec::new())),
            8 => side.take().map(|(_, content)| (FILE, with_late_nul(random, content))),
            9 => Some((FILE, Text::random(random, 300).bytes())),
            _ => other,
        };
    }
}

/// A text with a NUL too late to make it binary.
fn with_late_nul(random: &mut Rng, content: Vec<u8>) -> Vec<u8> {
    let late = [&b"late\0NUL\n"[..], b"\0\r\n", b"late\0\r", b"a\r\0\n"];
    [&b"x\n".repeat(4000 + random.usize(..2)), *random.choice(&late).unwrap(), &content].concat()
}

/// A version that someone could have made of `texts`, which derive from `base`.
fn outcome(random: &mut Rng, base: &Text, texts: &[Text]) -> Vec<u8> {
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let some = random.choice(texts).unwrap();
    match random.usize(..10) {
        0 => base.bytes(),
        1 => some.edited(random, 1).bytes(),
        2 => some.edited(random, 4).bytes(),
        3 => base.edited(random, 3).bytes(),
        4 => Text::random(random, 10).bytes(),
        5 => {
            // Conflict markers.
            let mut bytes = b"<<<<<<< ours\n".to_vec();
            bytes.extend(texts.iter().map(Text::bytes).collect::<Vec<_>>().join(&b"=======\n"[..]));
            bytes.extend_from_slice(b">>>>>>> theirs\n");
            bytes
        }
        _ => {
            // Pieces of all texts, one after the other.
            let versions: Vec<_> = texts.iter().map(|text| lines(&text.bytes())).collect();
            let longest = versions.iter().map(Vec::len).max().unwrap_or_default();
            let mut at = 0;
            let mut bytes = Vec::new();
            while at < longest {
                let to = at + 1 + random.usize(..8);
                let version = random.choice(&versions).unwrap();
                bytes.extend(version.iter().take(to).skip(at).flatten());
                at = to;
            }
            bytes
        }
    }
}
