//! What a sandbox is called that nobody has named.

use gate::id::SandboxId;

/// The name for a sandbox that is made from `folder`: that of the folder, as far as a sandbox can have it, and with a number if another
/// sandbox has it.
pub fn of_folder(folder: &str, is_taken: impl Fn(&SandboxId) -> bool) -> SandboxId {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let text: String = folder.chars().map(|c| if allowed(c) { c } else { '-' }).collect();
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let text: String = text.chars().take(LONGEST).collect();
    let base = if text.parse::<SandboxId>().is_ok() { text } else { "sandbox".to_owned() };
    let numbered = |number: u32| if number == 1 { base.clone() } else { format!("{base}-{number}") };
    let mut names = (1..).map(|number| numbered(number).parse().expect("a name is one with a number, too"));
    names.find(|name| !is_taken(name)).expect("there are more numbers than sandboxes")
}

/// Characters of a name that is made, so that a number still fits.
const LONGEST: usize = 56;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_is_called_like_its_folder() {
        let name = |folder: &str| of_folder(folder, |name| name.as_str() == "taken").to_string();
        assert_eq!(name("project"), "project");
        assert_eq!(name("taken"), "taken-2");
        assert_eq!(name(".dotfiles"), "dotfiles");
        assert_eq!(name("my project (1)"), "my-project--1-");
        for odd in ["", "...", "con", "\u{e9}\u{e9}"] {
            assert_eq!(name(odd), "sandbox", "{odd}");
        }
        assert_eq!(name(&"x".repeat(300)).len(), LONGEST);
    }
}
