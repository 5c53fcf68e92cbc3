//! Checks that the component's small `encoding_rs` reads and writes the same as the real one, for the encodings that it has.

/// A label for each single-byte encoding, UTF-8 and UTF-16.
const LABELS: &[&str] = &[
    "utf-8",
    "unicode-1-1-utf-8",
    "utf-16le",
    "utf-16",
    "utf-16be",
    "866",
    "l2",
    "latin3",
    "iso-ir-110",
    "cyrillic",
    "ecma-114",
    "greek8",
    "visual",
    "logical",
    "l6",
    "iso-8859-11",
    "iso8859-13",
    "iso-8859-14",
    "l9",
    "iso-8859-16",
    "koi8",
    "koi8-ru",
    "mac",
    "tis-620",
    "cp1250",
    "x-cp1251",
    "us-ascii",
    " Latin1\t",
    "WINDOWS-1253",
    "iso-8859-9",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "x-mac-ukrainian",
];

/// Each byte once and twice, whole characters of several bytes, and invalid sequences.
fn texts() -> Vec<Vec<u8>> {
    let pairs = (0..=u8::MAX).flat_map(|byte| [vec![byte], vec![byte, byte], vec![0xd8, byte, byte, 0xdc]]);
    let all = (0..=u8::MAX).collect();
    let more = ["\u{feff}aé€😀\u{2028}", "", "plain"].map(|text| text.as_bytes().to_vec());
    let wide = "\u{feff}aé😀".encode_utf16().collect::<Vec<_>>();
    let le = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let be = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    pairs.chain([all, le, be]).chain(more).collect()
}

#[test]
fn bytes_are_read_as_the_real_crate_reads_them() {
    for label in LABELS {
        let ours = encoding_rs::Encoding::for_label(label.as_bytes()).expect(label);
        let real = encodings::Encoding::for_label(label.as_bytes()).expect(label);
        assert_eq!(ours.name(), real.name(), "{label}");
        for text in texts() {
            let read = ours.decode_without_bom_handling_and_without_replacement(&text);
            assert_eq!(read, real.decode_without_bom_handling_and_without_replacement(&text), "{label}: {text:x?}");
            let mut buffer = vec![0; text.len() * 3];
            let mut decoder = ours.new_decoder_with_bom_removal();
            assert!(
                decoder.max_utf8_buffer_length_without_replacement(text.len()).is_some_and(|most| most <= buffer.len())
            );
            let (result, _, written) = decoder.decode_to_utf8_without_replacement(&text, &mut buffer, true);
            let mut expected = vec![0; text.len() * 3 + 10];
            let mut decoder = real.new_decoder_with_bom_removal();
            let (wanted, _, length) = decoder.decode_to_utf8_without_replacement(&text, &mut expected, true);
            let is_whole = wanted == encodings::DecoderResult::InputEmpty;
            assert_eq!(result == encoding_rs::DecoderResult::InputEmpty, is_whole, "{label}: {text:x?}");
            if is_whole {
                assert_eq!(buffer[..written], expected[..length], "{label}: {text:x?}");
            }
        }
    }
}

#[test]
fn texts_are_written_as_the_real_crate_writes_them() {
    let texts = ["", "plain", "aé€ж\u{5d0}\u{e01}", "\u{fffd}", "😀 and 中", "\u{80}\u{9f}\u{a0}"];
    for label in LABELS {
        let ours = encoding_rs::Encoding::for_label(label.as_bytes()).expect(label);
        let real = encodings::Encoding::for_label(label.as_bytes()).expect(label);
        for text in texts {
            let (bytes, named, has_references) = ours.encode(text);
            let (expected, wanted, had_references) = real.encode(text);
            assert_eq!((bytes, named.name()), (expected, wanted.name()), "{label}: {text}");
            assert_eq!(has_references, had_references, "{label}: {text}");
            let mut buffer = vec![0; text.len()];
            let (result, _, written) = ours.new_encoder().encode_from_utf8_without_replacement(text, &mut buffer, true);
            assert_eq!(result == encoding_rs::EncoderResult::InputEmpty, !had_references, "{label}: {text}");
            if !had_references {
                assert_eq!(buffer[..written], ours.encode(text).0[..], "{label}: {text}");
            }
        }
    }
}

#[test]
fn an_east_asian_encoding_is_not_known() {
    for label in ["shift_jis", "euc-jp", "iso-2022-jp", "big5", "gbk", "gb18030", "euc-kr"] {
        assert!(encodings::Encoding::for_label(label.as_bytes()).is_some(), "{label}");
        assert!(encoding_rs::Encoding::for_label(label.as_bytes()).is_none(), "{label}");
    }
}

#[test]
fn latin_1_is_the_character_of_each_byte() {
    use encoding_rs::mem;
    for bytes in texts() {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(mem::decode_latin1(&bytes), text);
        // Converts back, and into buffers that are too small.
        let mut back = vec![0; text.len()];
        assert_eq!(mem::utf8_latin1_up_to(text.as_bytes()), text.len());
        assert_eq!(mem::convert_utf8_to_latin1_lossy(text.as_bytes(), &mut back), bytes.len());
        assert_eq!(back[..bytes.len()], bytes);
        for room in 0..text.len().min(9) {
            let mut part = vec![0; room];
            let (read, written) = mem::convert_latin1_to_utf8_partial(&bytes, &mut part);
            let fits: String = text.chars().take(read).collect();
            assert_eq!(part[..written], *fits.as_bytes());
            assert!(text.chars().nth(read).is_some_and(|next| written + next.len_utf8() > room), "{bytes:x?}: {room}");
        }
        let mut whole = vec![0; text.len()];
        assert_eq!(mem::convert_latin1_to_utf8_partial(&bytes, &mut whole), (bytes.len(), text.len()));
    }
}

#[test]
fn what_latin_1_does_not_have_ends_it() {
    for (bytes, end) in [
        (&b"ab"[..], 2),
        ("a\u{ff}\u{100}b".as_bytes(), 3),
        ("\u{20ac}".as_bytes(), 0),
        (b"a\xc3", 1),
        (b"\xc3\xa9\xff", 2),
        (b"", 0),
    ] {
        assert_eq!(encoding_rs::mem::utf8_latin1_up_to(bytes), end, "{bytes:x?}");
    }
}
