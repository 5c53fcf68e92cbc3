//! Reads git's configuration format as strictly as git's own parser: a byte that git rejects is a
//! fault. So the host checks exactly the values that git would use, and guesses nothing.

use super::Broken;

/// The most bytes of a section's name: a path is no longer.
const SECTION: usize = 4096;

/// A variable and its section.
pub(super) struct Variable<'a> {
    /// `section.` or `section.subsection.`, the section in lower case.
    pub section: &'a [u8],
    /// Whether it is the first variable after its section's head. A check that depends only on the
    /// section runs for this one: otherwise a long name with many short variables would take their
    /// product.
    pub first: bool,
    /// In lower case.
    pub key: &'a [u8],
    /// `None` if no `=` follows the key.
    pub value: Option<&'a [u8]>,
}

pub(super) type Each<'a> = dyn FnMut(&Variable<'_>) -> Result<(), Broken> + 'a;

/// Reads `text` and passes every variable to `each`. The first fault of `each` ends the reading.
pub(super) fn read(text: &[u8], each: &mut Each<'_>) -> Result<(), Broken> {
    let broken = |why: &str| {
        Broken::format(format!("{why}, so it is not valid git configuration"))
            .with_hint("find the error with `git config --list --file FILE`")
    };
    if text.contains(&0) {
        return Err(broken("holds a NUL byte"));
    }
    let mut reader = Reader { rest: text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text) };
    let (mut name, mut section, mut first) = (Vec::new(), 0, true);
    while let Some(byte) = reader.next() {
        match byte {
            b'#' | b';' => reader.skip_line(),
            _ if is_space(byte) => {}
            b'[' => {
                name = reader.section().map_err(broken)?;
                (section, first) = (name.len(), true);
                if section > SECTION {
                    return Err(broken("has a section name without an end"));
                }
            }
            _ if byte.is_ascii_alphabetic() => {
                name.truncate(section);
                name.push(byte.to_ascii_lowercase());
                let value = reader.variable(&mut name).map_err(broken)?;
                let (section, key) = name.split_at(section);
                each(&Variable { section, first, key, value: value.as_deref() })?;
                first = false;
            }
            _ => return Err(broken("has a line that is neither a section nor a variable")),
        }
    }
    Ok(())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// The next byte. A carriage return before a line feed counts as a line feed.
    fn next(&mut self) -> Option<u8> {
        if let Some(after) = self.rest.strip_prefix(b"\r") {
            self.rest = after.strip_prefix(b"\n").unwrap_or(after);
            return Some(if self.rest.len() < after.len() { b'\n' } else { b'\r' });
        }
        let (byte, after) = self.rest.split_first()?;
        self.rest = after;
        Some(*byte)
    }

    /// The next byte; a line feed at the end of the text.
    fn next_or_end(&mut self) -> u8 {
        self.next().unwrap_or(b'\n')
    }

    fn skip_line(&mut self) {
        while self.next_or_end() != b'\n' {}
    }

    /// The rest of `[section]`, `[section "subsection"]` or `[section.subsection]`, with a dot at
    /// its end.
    fn section(&mut self) -> Result<Vec<u8>, &'static str> {
        const BROKEN: &str = "has an incomplete or misnamed section";
        let mut name = Vec::new();
        loop {
            match self.next().ok_or(BROKEN)? {
                b']' => break,
                byte if is_space(byte) => {
                    let mut byte = byte;
                    while is_space(byte) {
                        if byte == b'\n' {
                            return Err(BROKEN);
                        }
                        byte = self.next_or_end();
                    }
                    if byte != b'"' {
                        return Err(BROKEN);
                    }
                    name.push(b'.');
                    self.subsection(&mut name)?;
                    if self.next() != Some(b']') {
                        return Err(BROKEN);
                    }
                    break;
                }
                byte if is_key(byte) || byte == b'.' => name.push(byte.to_ascii_lowercase()),
                _ => return Err(BROKEN),
            }
        }
        name.push(b'.');
        Ok(name)
    }

    /// The rest of a quoted subsection.
    fn subsection(&mut self, name: &mut Vec<u8>) -> Result<(), &'static str> {
        loop {
            let byte = match self.next_or_end() {
                b'"' => return Ok(()),
                b'\\' => self.next_or_end(),
                byte => byte,
            };
            if byte == b'\n' {
                return Err("has a subsection without an end");
            }
            name.push(byte);
        }
    }

    /// The rest of a variable's name, and its value.
    fn variable(&mut self, name: &mut Vec<u8>) -> Result<Option<Vec<u8>>, &'static str> {
        let mut byte = self.next_or_end();
        while is_key(byte) {
            name.push(byte.to_ascii_lowercase());
            byte = self.next_or_end();
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.next_or_end();
        }
        match byte {
            b'\n' => Ok(None),
            b'=' => self.value().map(Some),
            _ => Err("has a variable without a ="),
        }
    }

    fn value(&mut self) -> Result<Vec<u8>, &'static str> {
        // `end` is the end of the value if only spaces follow.
        let (mut value, mut end, mut quoted) = (Vec::new(), 0, false);
        loop {
            let byte = match self.next_or_end() {
                b'\n' if quoted => return Err("has a value with unclosed quotes"),
                b'\n' => break,
                b'"' => {
                    quoted = !quoted;
                    end = value.len();
                    continue;
                }
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                byte if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'\\' => match self.next_or_end() {
                    b'\n' => continue,
                    b't' => b'\t',
                    b'b' => 8,
                    b'n' => b'\n',
                    byte @ (b'\\' | b'"') => byte,
                    _ => return Err("has a value with an unknown escape"),
                },
                byte => byte,
            };
            value.push(byte);
            end = value.len();
        }
        value.truncate(end);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    /// The variables as `git config --list` prints them.
    fn listed(text: &[u8]) -> Option<String> {
        let mut out = String::new();
        let read = super::read(text, &mut |variable| {
            out += &variable.section.to_str_lossy();
            out += &variable.key.to_str_lossy();
            if let Some(value) = variable.value {
                out.push('=');
                out += &value.to_str_lossy();
            }
            out.push('\n');
            Ok(())
        });
        read.is_ok().then_some(out)
    }

    /// The oracle: `git config --list` on the same bytes.
    fn listed_by_git(folder: &std::path::Path, text: &[u8]) -> Option<String> {
        let file = folder.join("config");
        std::fs::write(&file, text).unwrap();
        let mut git = std::process::Command::new(trial::git());
        git.args(["config", "--list", "--file"]).arg(&file).current_dir(folder).env_clear();
        git.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", folder).env("LC_ALL", "C");
        let output = git.output().unwrap();
        output.status.success().then(|| output.stdout.to_str_lossy().into_owned())
    }

    #[test]
    fn it_reads_what_git_reads_and_stumbles_where_git_does() {
        let folder = tempfile::tempdir().unwrap();
        let pieces: [&[u8]; 40] = [
            b"[submodule \"a\"]\n",
            b"[a]",
            b"[a.B]\n",
            b"[a \"",
            b"x",
            b"X-1",
            b" = ",
            b"=",
            b"\n",
            b"\r\n",
            b"\r",
            b"\t",
            b" ",
            b"\"",
            b"\\",
            b"\\\"",
            b"\\n",
            b"\\t",
            b"\\\\",
            b"\\\n",
            b"# c\n",
            b"; d",
            b"]",
            b"[",
            b"..",
            b"../",
            b"-u",
            b"!x",
            b"url = ./a\n",
            b"path=\"p q\" r \n",
            b"update",
            b"\xef\xbb\xbf",
            b"\xff",
            b"1",
            b"_",
            b"y = a # b\n",
            b"y = a \\\n  b\n",
            b"[A-b \"C \\\" d\"]",
            b"z = \" s \" \n",
            b"[ \"q\"]",
        ];
        let mut random = fastrand::Rng::with_seed(8);
        let mut both = [0, 0];
        for _ in 0..600 {
            let mut text = b"[s]\n".to_vec();
            for _ in 0..random.usize(..7) {
                text.extend_from_slice(pieces[random.usize(..pieces.len())]);
            }
            let expected = listed_by_git(folder.path(), &text);
            both[usize::from(expected.is_some())] += 1;
            assert_eq!(listed(&text), expected, "{:?}", text.as_bstr());
        }
        assert!(both.iter().all(|count| *count > 100), "{both:?}");
    }

    #[test]
    fn one_variable_is_the_first_after_each_head() {
        let mut first = Vec::new();
        let text = b"[a]\nx\ny = 1\nz\n[a]\n[b]\nx\nx\n[a \"b\"] x = 2\ny\n";
        super::read(text, &mut |variable| {
            first.push(variable.first);
            Ok(())
        })
        .unwrap();
        assert_eq!(first, [true, false, false, true, false, true, false]);
    }

    #[test]
    fn a_nul_is_refused_whatever_git_makes_of_it() {
        assert_eq!(listed(b"[a]\nx = 1\0\n"), None);
    }
}
