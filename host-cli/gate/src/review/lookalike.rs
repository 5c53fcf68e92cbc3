//! Names in one folder that a person, or a filesystem, takes for each other.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice, ByteVec};
use gix_hash::ObjectId;
use unicode_normalization::UnicodeNormalization;

use super::{diff, flags::Flag};
use crate::{error::Fault, format::tree::Mode, objects::Objects, text};

/// For every added path, the names beside it and beside its folders that look the same.
pub(super) fn find<'a>(
    objects: &dyn Objects,
    tree: ObjectId,
    added: impl Iterator<Item = &'a BStr>,
) -> Result<Vec<Flag>, Fault> {
    let mut folders = Folders { objects, read: HashMap::new() };
    let (mut flags, mut done) = (Vec::new(), HashSet::new());
    for path in added {
        let (mut folder, mut at) = (Some(tree), BString::default());
        for name in path.split_str("/") {
            let Some(id) = folder else { break };
            let parent = at.clone();
            if !at.is_empty() {
                at.push(b'/');
            }
            at.push_str(name);
            let listing = folders.read(id)?;
            if done.insert(at.clone()) {
                let twins = listing.by_look.get(&look(name)).map_or(&[][..], Vec::as_slice);
                flags.extend(
                    twins
                        .iter()
                        .filter(|twin| *twin != name)
                        .map(|twin| Flag::LookAlike { path: text::name(&at), twin: text::name(&join(&parent, twin)) }),
                );
            }
            folder = listing.folders.get(name.as_bstr()).copied();
        }
    }
    Ok(flags)
}

fn join(folder: &BString, name: &BString) -> BString {
    let mut path = folder.clone();
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

struct Listing {
    by_look: HashMap<String, Vec<BString>>,
    folders: HashMap<BString, ObjectId>,
}

struct Folders<'a> {
    objects: &'a dyn Objects,
    read: HashMap<ObjectId, Listing>,
}

impl Folders<'_> {
    fn read(&mut self, id: ObjectId) -> Result<&Listing, Fault> {
        if !self.read.contains_key(&id) {
            let mut listing = Listing { by_look: HashMap::new(), folders: HashMap::new() };
            for (name, mode, id) in diff::entries(self.objects, Some(id))? {
                listing.by_look.entry(look(&name)).or_default().push(name.clone());
                if mode == Mode::Tree {
                    listing.folders.insert(name, id);
                }
            }
            self.read.insert(id, listing);
        }
        Ok(&self.read[&id])
    }
}

/// What is left of a name when case, invisible characters, compatibility forms, and the letters of other
/// scripts that look like Latin ones make no difference.
fn look(name: &[u8]) -> String {
    let visible = name.to_str_lossy();
    let visible: String =
        visible.chars().filter(|char| !text::has_hidden(char.encode_utf8(&mut [0; 4]).as_bytes())).collect();
    visible.nfkc().flat_map(char::to_lowercase).map(latin).collect::<String>().trim_end_matches(['.', ' ']).to_owned()
}

fn latin(char: char) -> char {
    match char {
        'а' | 'α' => 'a',
        'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ҽ' => 'e',
        'ɡ' => 'g',
        'һ' => 'h',
        'і' | 'ι' | 'ı' | '1' | '|' | 'l' | 'ӏ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'η' => 'n',
        'о' | 'ο' | 'օ' | '0' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ѡ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ᴢ' => 'z',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::look;

    #[test]
    fn attack_18_names_that_look_the_same_have_the_same_look() {
        for (a, b) in [
            ("readme.md", "README.md"),
            ("config", "сonfig"),
            ("a.txt", "a\u{200b}.txt"),
            ("login", "1ogin"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("ａ.txt", "a.txt"),
            ("a", "a."),
        ] {
            assert_eq!(look(a.as_bytes()), look(b.as_bytes()), "{a} {b}");
        }
        assert_ne!(look(b"caf\xc3\xa9"), look(b"cafe"));
        assert_ne!(look(b"a.txt"), look(b"b.txt"));
    }
}
