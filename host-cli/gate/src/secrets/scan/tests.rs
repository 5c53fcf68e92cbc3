//! What a scan costs where somebody wants it to cost much.

use super::each;

/// How many bytes are looked at again in a text of this length.
fn again(unit: &str, length: usize) -> usize {
    let text = unit.repeat(length / unit.len()) + "\n";
    each(text.as_bytes(), true, &mut |_| {})
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
    ] {
        let [short, long] = [again(unit, 1 << 16), again(unit, 1 << 19)];
        // Eight times as long: squares would be 64 times as much. The last window is cut short.
        assert!(long <= short * 9, "{unit:?}: {short}, {long}");
    }
}
