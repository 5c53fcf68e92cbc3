//! The meaning of names, in few lines and independent of the crates.

/// The file that some filesystem opens for a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Meaning {
    Itself,
    /// The repository's folder.
    DotGit,
    /// The same folder, or its parent.
    Dots,
}

/// HFS+ ignores these characters, Windows takes a backslash for a slash, and NTFS drops streams, dots and spaces from the end of a name.
pub fn meaning(name: &[u8]) -> Meaning {
    let is_seen = |c: &char| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let seen: String = String::from_utf8_lossy(name).chars().filter(is_seen).collect();
    let is_dotgit = |part: &str| {
        let kept = part.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
        [".git", "git~1"].contains(&kept.to_ascii_lowercase().as_str())
    };
    if seen.split('\\').any(is_dotgit) {
        Meaning::DotGit
    } else if seen.split('\\').any(|part| part == "." || part == "..") {
        Meaning::Dots
    } else {
        Meaning::Itself
    }
}

/// Whether a file can have this name, and no filesystem takes it for another.
pub fn is_safe(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|byte| matches!(byte, 0 | b'/')) && meaning(name) == Meaning::Itself
}

/// The components of `path` from a folder without links; `None` if it leads outside.
pub fn resolved(path: &str) -> Option<Vec<&str>> {
    let mut inside = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(inside.pop()?),
            name => inside.push(name),
        }
    }
    Some(inside)
}

/// The branch names that `git check-ref-format` or a filesystem refuses.
pub fn is_branch(full: &str) -> bool {
    let Some(branch) = full.strip_prefix("refs/heads/") else { return false };
    let part_is_fine = |part: &str| {
        let lower = part.to_ascii_lowercase();
        !part.is_empty() && !part.starts_with('.') && !lower.ends_with(".lock") && part.len() <= 250
    };
    let has = |c: char| matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\') || c.is_control();
    branch.split('/').all(part_is_fine)
        && !branch.contains(has)
        && !branch.contains("..")
        && !branch.contains("@{")
        && !branch.ends_with('.')
        && !branch.starts_with('-')
        && branch != "HEAD"
}
