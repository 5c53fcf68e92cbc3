//! What the person's `.netrc` has (curl's documentation, "netrc").

use std::path::Path;

/// A name and a password.
pub struct Login {
    pub name: String,
    pub password: String,
}

/// What the file has for `host`, or for every host.
pub fn find(file: &Path, host: &str) -> Option<Login> {
    login(&std::fs::read_to_string(file).ok()?, host)
}

fn login(text: &str, host: &str) -> Option<Login> {
    let mut words = words(text).into_iter().peekable();
    let (mut is_here, mut name, mut password) = (false, None, None);
    while let Some(Word { text: word, .. }) = words.next() {
        // A word that begins another entry is no value: the file is broken there.
        let mut value = || words.next_if(|next| !next.begins_entry()).map(|next| next.text);
        match &*word {
            "machine" | "default" => {
                if is_here && name.is_some() && password.is_some() {
                    break;
                }
                (name, password) = (None, None);
                is_here = word == "default" || value().is_some_and(|machine| machine.eq_ignore_ascii_case(host));
            }
            "login" => name = value(),
            "password" => password = value(),
            "account" => drop(value()),
            _ => {}
        }
    }
    Some(Login { name: name.filter(|_| is_here)?, password: password? })
}

/// A word of the file.
struct Word {
    text: String,
    begins_line: bool,
}

impl Word {
    fn begins_entry(&self) -> bool {
        self.begins_line && matches!(&*self.text, "machine" | "default")
    }
}

/// The words of the file, without comments, which are whole lines, and macros. A word may be in quotes.
fn words(text: &str) -> Vec<Word> {
    let (mut all, mut in_macro) = (Vec::new(), false);
    for line in text.lines() {
        if in_macro {
            // One ends with an empty line.
            in_macro = !line.trim().is_empty();
            continue;
        }
        let mut rest = line.trim();
        let mut begins_line = true;
        if rest.starts_with('#') {
            continue;
        }
        while !rest.is_empty() {
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            if word == "macdef" {
                in_macro = true;
                break;
            }
            all.push(Word { text: word.to_owned(), begins_line: std::mem::take(&mut begins_line) });
            rest = after.trim_start();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# a comment\nmachine one.example login ada password s3cret\n\
                        macdef init\nmachine two.example login x password y\n\n\
                        machine two.example\n  login \"b o b\"\n  account z\n  password p#1\n\
                        machine none.example password alone\n\
                        default login any password other\n";

    #[test]
    fn a_host_has_its_own_login_or_the_default() {
        let of = |text, host| login(text, host).map(|login| (login.name, login.password));
        let some = |name: &str, password: &str| Some((name.to_owned(), password.to_owned()));
        assert_eq!(of(FILE, "one.example"), some("ada", "s3cret"));
        assert_eq!(of(FILE, "ONE.example"), some("ada", "s3cret"));
        assert_eq!(of(FILE, "two.example"), some("b o b", "p#1"));
        assert_eq!(of(FILE, "none.example"), some("any", "other"));
        assert_eq!(of(FILE, "three.example"), some("any", "other"));
        assert_eq!(of("machine a login x", "a"), None);
        assert_eq!(of("machine a login x password y", "b"), None);
        assert_eq!(of("", "a"), None);
    }

    #[test]
    fn attack_13_no_host_gets_the_login_of_another() {
        let of = |text, host| login(text, host).map(|login| (login.name, login.password));
        let some = |name: &str, password: &str| Some((name.to_owned(), password.to_owned()));
        let hash = "machine a login x password #abc\nmachine b login y password z\n";
        assert_eq!(of(hash, "a"), some("x", "#abc"));
        assert_eq!(of(hash, "b"), some("y", "z"));
        for broken in
            ["machine a login x password\nmachine b login y password z\n", "machine a login\nmachine b password z\n"]
        {
            assert_eq!(of(broken, "a"), None, "{broken}");
        }
        let named = "machine b account default login y password z\nmachine c login machine password default\n";
        assert_eq!(of(named, "a"), None);
        assert_eq!(of(named, "b"), some("y", "z"));
        assert_eq!(of(named, "c"), some("machine", "default"));
    }
}
