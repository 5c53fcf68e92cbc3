//! Rust source as tokens: names, `::` and single characters. Comments, string literals and
//! lifetimes are skipped.

/// The tokens of `text`.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        let name = rest.find(|c: char| !is_in_name(c)).unwrap_or(rest.len());
        let length = match name {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            name => name,
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

/// Whether `token` is a name or a keyword.
pub fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| is_in_name(c) && !c.is_ascii_digit())
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the text to skip at the beginning of `text`.
fn skipped(text: &str) -> usize {
    let until = |start: usize, end: &str| text[start..].find(end).map_or(text.len(), |at| start + at + end.len());
    if text.starts_with("//") {
        return until(2, "\n");
    }
    if text.starts_with("/*") {
        return until(2, "*/");
    }
    let prefix = text.find(|c| c != 'b' && c != 'c' && c != 'r').unwrap_or(text.len());
    let hashes = text[prefix..].bytes().take_while(|byte| *byte == b'#').count();
    if prefix <= 2 && text[prefix + hashes..].starts_with('"') {
        let start = prefix + hashes + 1;
        if text[..prefix].ends_with('r') {
            return until(start, &format!("\"{}", "#".repeat(hashes)));
        }
        if hashes == 0 {
            return start + quoted(&text[start..], b'"');
        }
    }
    match text.strip_prefix("b'").or_else(|| text.strip_prefix('\'')) {
        Some(inside) if is_character(inside) => text.len() - inside.len() + quoted(inside, b'\''),
        Some(inside) => text.len() - inside.len() + inside.find(|c| !is_in_name(c)).unwrap_or(inside.len()),
        None => text.chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8),
    }
}

/// Whether a character literal, and not a lifetime, follows a single quote.
fn is_character(inside: &str) -> bool {
    inside.starts_with('\\') || inside.chars().nth(1) == Some('\'')
}

/// The length of `text` up to and including the first `end` without a backslash before it.
fn quoted(text: &str, end: u8) -> usize {
    let mut is_escaped = false;
    let ends = |byte: u8| {
        let ends = byte == end && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    };
    text.bytes().position(ends).map_or(text.len(), |at| at + 1)
}

#[test]
fn what_is_not_code_is_left_out() {
    let text = r##"let x = a::b("use c::d; \" e::f"); // g::h
        /* i::j */ r#"k "l"::m"# b'\'' '"' 'n' &'o p"##;
    assert_eq!(tokens(text), ["let", "x", "=", "a", "::", "b", "(", ")", ";", "&", "p"]);
}
