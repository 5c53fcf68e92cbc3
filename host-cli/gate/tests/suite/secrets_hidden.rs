//! Secrets that a text does not contain directly: in Base64, in hex, in pieces, and keys without the lines that identify them.

use crate::support::planted::{base64, fill};
use fastrand::Rng;
use gate::secrets::scan;

fn found(content: &[u8]) -> Vec<(&'static str, usize)> {
    scan(content).iter().map(|finding| (finding.rule, finding.line)).collect()
}

fn standard(content: &[u8]) -> String {
    let text = base64(content).replace('-', "+").replace('_', "/");
    let padding = "=".repeat((4 - text.len() % 4) % 4);
    text + &padding
}

fn hex(content: &[u8]) -> String {
    content.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn wrapped(text: &str, columns: usize, indent: &str) -> String {
    let lines = text.as_bytes().chunks(columns).map(|line| format!("{indent}{}\n", str::from_utf8(line).unwrap()));
    lines.collect()
}

#[test]
fn tokens_in_base64_and_hex_are_found_in_the_line_of_the_run() {
    let mut random = Rng::with_seed(1);
    for number in 0..60 {
        let before = ["", "user:", "# what to use\n\nurl = \"x\"\n\ttoken: ", "<?xml version='1.0'?>\n"][number % 4];
        let plain = fill(&format!("{before}glpat-<a:20> and more"), &mut random);
        let plain = &plain.as_bytes()[..plain.len() - number % 3];
        let (standard, url, hex) = (standard(plain), base64(plain), hex(plain));
        for text in [
            format!("\ndata:\n  conf: {standard}\n"),
            format!("\n\nconf = \"{url}\""),
            format!("\n\ndata:text/plain;base64,{standard}\n"),
            format!("\n\n?state_{url}&x=1\n"),
            format!("\n\nX'{hex}'\n"),
            format!("\n\n0x{}\n", hex.to_uppercase()),
            format!("\n\nid-{hex}-1\n"),
        ] {
            assert_eq!(found(text.as_bytes()), [("gitlab-pat", 3)], "{text}");
        }
    }
}

#[test]
fn base64_is_read_over_the_ends_of_lines_and_as_utf_16() {
    let mut random = Rng::with_seed(2);
    let plain = fill("#!/bin/sh\nset -e\nexport A=<a:60>\nlogin glpat-<a:20> # <a:120>\n", &mut random);
    let text = standard(plain.as_bytes());
    for columns in [60, 64, 76] {
        for [indent, after] in [["", ""], ["  ", "other: x\n"], ["\t\t", "}\n"]] {
            let text = format!("conf: |\n{}{after}", wrapped(&text, columns, indent));
            assert_eq!(found(text.as_bytes()), [("gitlab-pat", 2)], "{text}");
            assert_eq!(found(text.replace('\n', "\r\n").as_bytes()), [("gitlab-pat", 2)], "{text}");
        }
    }
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(found(format!("powershell -enc {}\n", standard(&wide)).as_bytes()), [("gitlab-pat", 1)]);
}

#[test]
fn what_is_found_already_or_says_nothing_in_base64_is_not_found_again() {
    let mut random = Rng::with_seed(3);
    let token = fill("glpat-<a:20>", &mut random);
    for (text, expected) in [
        // Only one level, and no secret that only its name makes one.
        (standard(standard(token.as_bytes()).as_bytes()), vec![]),
        (standard(fill("{\"password\": \"<a:20>\"}", &mut random).as_bytes()), vec![]),
        (fill("<6:400> <h:400> <b:200>\nsrc/secrets/rules/messaging/and/more", &mut random), vec![]),
        // One form inside another.
        (
            format!(
                "eyJhbGciOiJIUzI1NiJ9.{}.{}",
                base64(format!("{{\"a\":\"{token}\"}}").as_bytes()),
                base64(&[7; 32])
            ),
            vec!["jwt"],
        ),
    ] {
        let rules: Vec<_> = found(text.as_bytes()).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, expected, "{text}");
    }
}

#[test]
fn literals_that_stand_next_to_each_other_or_are_added_are_one() {
    let mut random = Rng::with_seed(4);
    for (number, [first, between, last]) in [
        ["\"", "\" + \"", "\""],
        ["'", "' + '", "'"],
        ["'", "'+\"", "\""],
        ["\"", "\" \"", "\""],
        ["'", "' '", "'"],
        ["'", "''", "'"],
        ["\"", "\" . '", "'"],
        ["\"", "\" .. \"", "\""],
        ["\"", "\" <> \"", "\""],
        ["\"", "\" ++ \"", "\""],
        ["\"", "\" & \"", "\""],
        ["'", "' || '", "'"],
        ["`", "` + `", "`"],
        ["f\"", "\"\n    f\"", "\""],
        ["\"", "\" +\n    \"", "\""],
        ["\"", "\"\r\n\t+ \"", "\""],
        ["\"", "\" \\\n  \"", "\""],
        ["\"", "\" + \\\n  \"", "\""],
        ["[\"", "\", \"", "\"].join('')"],
        ["''.join(['", "', '", "'])"],
        ["concat!(\"", "\", \"", "\")"],
        ["implode('', ['", "', '", "'])"],
    ]
    .into_iter()
    .enumerate()
    {
        for cut in [4, 6, 12, 20] {
            let token = fill("glpat-<a:20>", &mut random);
            let [one, two] = [&token[..cut], &token[cut..]];
            let text = format!("# one\nx = f({first}{one}{between}{two}{last})\n");
            // A file may have other literals before and after.
            let text = if number % 2 == 0 { text } else { format!("# \"a\" + \"b\"\n{}y = 'c' + 'd'\n", &text[6..]) };
            assert_eq!(found(text.as_bytes()), [("gitlab-pat", 2)], "{text}");
            if first.ends_with('\'') && last.starts_with('"') || first.ends_with('"') && last.starts_with('\'') {
                continue;
            }
            let (two, three) = two.split_at(3);
            let text = format!("x = {first}{one}{between}{two}{between}{three}{last};\n");
            assert_eq!(found(text.as_bytes()), [("gitlab-pat", 1)], "{text}");
        }
    }
}

#[test]
fn literals_with_anything_else_between_them_are_not_one() {
    let token = fill("glpat-<a:20>", &mut Rng::with_seed(5));
    let (one, two) = token.split_at(8);
    for text in [
        format!("x = \"{one}\" + y + \"{two}\"\n"),
        format!("[\"{one}\", \"{two}\"]\n"),
        format!("{{\"{one}\": \"{two}\"}}\n"),
        format!("x = \"{one}\"; y = \"{two}\"\n"),
        format!("x = \"{one}\" - \"{two}\"\n"),
    ] {
        assert_eq!(found(text.as_bytes()), [], "{text}");
    }
    // If one of them contains it whole, it is reported once.
    assert_eq!(found(format!("x = \"a\" + \"{token}\" + \"b\"\n").as_bytes()), [("gitlab-pat", 1)]);
    assert_eq!(found(format!("x = \"{token}\" + \"b\"\n").as_bytes()), [("gitlab-pat", 1)]);
}

/// In OpenSSH's format: its magic, no cipher, kdf or options, one key, then the key.
fn openssh(random: &mut Rng) -> Vec<u8> {
    let mut key =
        b"openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01\0\0\0\x33\0\0\0\x0bssh-ed25519\0\0\0 "
            .to_vec();
    key.extend((0..199).map(|_| random.u8(..)));
    key
}

#[test]
fn keys_of_openssh_are_found_without_what_stands_around_them() {
    let mut random = Rng::with_seed(6);
    let text = standard(&openssh(&mut random));
    for (text, line) in [
        (format!("key: {text}\n"), 1),
        (format!("key: |\n{}", wrapped(&text, 70, "  ")), 2),
        (wrapped(&text, 64, ""), 1),
        (format!("a\nKEY=\"{}\"\n", wrapped(&text, 70, "").replace('\n', "\\n")), 2),
    ] {
        assert_eq!(found(text.as_bytes()), [("private-key-bare", line)], "{text}");
    }
    assert_eq!(found(&openssh(&mut random)), [("private-key-openssh", 1)]);
}

#[test]
fn what_is_a_store_of_keys_is_one_in_base64() {
    let mut random = Rng::with_seed(7);
    let body: Vec<u8> = (0..300).map(|_| random.u8(..)).collect();
    // PKCS #8, encrypted by PKCS #5, and a key of another algorithm.
    let encrypted =
        [
            &[
                0x30, 0x82, 1, 0x3f, 0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13, 5, 0, 4, 0x82, 1,
                0x2c,
            ][..],
            &body,
        ]
        .concat();
    let other =
        [&[0x30, 0x82, 1, 0x3a, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 4, 0x82, 1, 0x2c][..], &body].concat();
    let begin = [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 1];
    let store = [&begin[..], &[0, 0, 0, 1, 0, 1, b'k'], &body].concat();
    let trusted = [&begin[..], &[0, 0, 0, 2, 0, 2, b'c', b'a'], &[0; 8], &[0, 1, b'X', 0, 0, 1, 44], &body].concat();
    for (content, expected) in [
        (&encrypted, Some("private-key-der")),
        (&other, Some("private-key-der")),
        (&store, Some("java-keystore")),
        (&trusted, None),
        (&body, None),
    ] {
        let text = standard(content);
        for text in [format!("\nkey: {text}\n"), format!("\n{}", wrapped(&text, 64, "  "))] {
            let expected: Vec<_> = expected.into_iter().map(|rule| (rule, 2)).collect();
            assert_eq!(found(text.as_bytes()), expected, "{text}");
        }
    }
}
