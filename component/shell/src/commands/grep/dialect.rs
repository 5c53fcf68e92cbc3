//! Expressions as Rust's library reads them, so that no match has a line break, and as Perl means them.

/// What an expression becomes.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// It is Perl's: classes are ASCII's, and more stands for itself.
    pub perl: bool,
    /// Line breaks do not match.
    pub lines: bool,
}

/// Writes an expression in Rust's syntax.
pub fn written(pattern: &str, dialect: Dialect) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    let mut depth = 0_usize;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '\\' => escaped(rest, depth > 0, dialect, &mut out),
            '[' if depth == 0 || !dialect.perl => {
                depth += 1;
                opened(rest, dialect, &mut out)
            }
            '[' => {
                // Inside of a class: one of POSIX's, or itself.
                let named = rest.starts_with("[:").then(|| rest.find(":]")).flatten();
                let length = named.map_or(1, |end| end + 2);
                out.push_str(if named.is_some() { &rest[..length] } else { "\\[" });
                length
            }
            ']' if depth > 0 => {
                depth -= 1;
                out.push(']');
                1
            }
            '&' | '~' if depth > 0 && dialect.perl => {
                out.push('\\');
                out.push(char);
                1
            }
            '{' if depth == 0 && dialect.perl && !counts(rest) => {
                out.push_str("\\{");
                1
            }
            char => {
                out.push(char);
                char.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// A class begins.
fn opened(rest: &str, dialect: Dialect, out: &mut String) -> usize {
    let mut length = 1;
    out.push('[');
    if rest[length..].starts_with('^') {
        out.push_str(if dialect.lines { "^\\n" } else { "^" });
        length += 1;
    }
    if rest[length..].starts_with(']') {
        out.push_str("\\]");
        length += 1;
    }
    if rest[length..].starts_with("[:")
        && let Some(end) = rest[length..].find(":]")
    {
        out.push_str(&rest[length..length + end + 2]);
        length += end + 2;
    }
    length
}

fn escaped(rest: &str, in_class: bool, dialect: Dialect, out: &mut String) -> usize {
    let Some(char) = rest[1..].chars().next() else {
        out.push('\\');
        return 1;
    };
    let text = match (char, dialect.perl, dialect.lines) {
        ('w', true, _) => "[0-9A-Za-z_]",
        ('d', true, _) => "[0-9]",
        ('s', true, true) => "[\\t\\x0B\\x0C\\r ]",
        ('s', true, false) => "[\\t\\n\\x0B\\x0C\\r ]",
        ('S', true, _) => "[^\\t\\n\\x0B\\x0C\\r ]",
        ('W', true, true) => "[^0-9A-Za-z_\\n]",
        ('W', true, false) => "[^0-9A-Za-z_]",
        ('D', true, true) => "[^0-9\\n]",
        ('D', true, false) => "[^0-9]",
        ('h', true, _) => "[\\t ]",
        ('Z', true, _) => "\\z",
        ('e', true, _) => "\\x1B",
        ('b', true, _) if !in_class => "(?-u:\\b)",
        ('b', true, _) => "\\x08",
        ('<' | '>' | '_', true, _) => {
            out.push(char);
            return 2;
        }
        ('s', false, true) => "[\\s&&[^\\n]]",
        ('W', false, true) => "[\\W&&[^\\n]]",
        ('D', false, true) => "[\\D&&[^\\n]]",
        _ => {
            out.push('\\');
            out.push(char);
            return 1 + char.len_utf8();
        }
    };
    out.push_str(text);
    2
}

/// Whether a brace begins a count, as `{2}`, `{2,}` or `{2,3}`, or closes something that Rust knows.
fn counts(rest: &str) -> bool {
    let Some((inside, _)) = rest[1..].split_once('}') else { return false };
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !least.is_empty() && is_number(least) && is_number(most)
}

/// Whether a match may still have a line break in it.
pub fn may_break(pattern: &str) -> bool {
    const PARTS: &[&str] =
        &["\\n", "\\v", "\\x", "\\0", "\\p", "\\P", "\\H", "\\R", "\\A", "\\z", "\\Z", "[:", "\\u", "\\U", "\n"];
    const GROUPS: &[&str] = &[":", "=", "!", "<", "P", "i)", "i:"];
    PARTS.iter().any(|part| pattern.contains(part))
        || pattern.split("(?").skip(1).any(|rest| !GROUPS.iter().any(|begin| rest.starts_with(begin)))
}
