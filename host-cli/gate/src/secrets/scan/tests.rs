//! The cost of a scan of adversarial texts.

use super::Names;
use crate::secrets::in_text;

/// The number of bytes read again in a text of this length.
fn again(unit: &str, length: usize) -> usize {
    let text = unit.repeat(length / unit.len()) + "\n";
    in_text(text.as_bytes(), Names::Seen, &mut |_| {})
}

#[test]
fn attack_21_one_line_of_keywords_takes_work_in_proportion_to_its_length() {
    for unit in [
        "token=",
        "password='",
        "ghp_",
        "-glpat-",
        "://",
        "://a:",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "eyJ.",
        "machine ",
        "aws_secret=aws_token:",
        "AKIA",
        ":AA",
        "basic ",
        "{\"d\"",
        "secret_token_key_",
        "--token ",
        "-u a:",
        "xoxb-1",
        "sk-",
        "postgres://x:y",
        "token \t",
        "AZDO",
        "AGE-SECRET-KEY-1",
        "tokens=[\"\",",
        "tokens={\"a\":\"",
        "password: |\n",
        "variable \"token\" {",
        "IBAAKBgQ",
        ":*:a:",
        " -ua:",
        "Pz8_",
        "QUJD",
        "TWV0aG9k\n",
        "\"\" + ",
        "\"a\" \"b\" ",
        "'a', ",
        "join('a', 'b') ",
        "\" \\\n",
        "`..",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.",
        "MIIBOgIBADAFBgMrZW8E",
        "3031323334353637",
        "0x30313233343536373839303132333435363738393031-",
    ] {
        let [short, long] = [again(unit, 1 << 16), again(unit, 1 << 19)];
        // Eight times as long. Quadratic work would be 64 times as much. The last window is cut
        // short.
        assert!(long <= short * 9, "{unit:?}: {short}, {long}");
    }
}
