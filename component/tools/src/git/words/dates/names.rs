//! Names in dates: months, weekdays, numbers and zones.

/// Full names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Days of the week. They end in `s` because git compares prefixes, and so accepts both Friday and Fridays.
pub const WEEKDAYS: [&str; 7] = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];

/// Numbers, from one to ten.
pub const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Named zones, in hours ahead of UTC. The first match wins.
const ZONES: &[(&str, i32)] = &[
    ("IDLW", -12),
    ("NT", -11),
    ("CAT", -10),
    ("HST", -10),
    ("HDT", -9),
    ("YST", -9),
    ("YDT", -8),
    ("PST", -8),
    ("PDT", -7),
    ("MST", -7),
    ("MDT", -6),
    ("CST", -6),
    ("CDT", -5),
    ("EST", -5),
    ("EDT", -4),
    ("AST", -3),
    ("ADT", -2),
    ("WAT", -1),
    ("GMT", 0),
    ("UTC", 0),
    ("Z", 0),
    ("WET", 0),
    ("BST", 1),
    ("CET", 1),
    ("MET", 1),
    ("MEWT", 1),
    ("MEST", 2),
    ("CEST", 2),
    ("MESZ", 2),
    ("FWT", 1),
    ("FST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("WAST", 7),
    ("WADT", 8),
    ("CCT", 8),
    ("JST", 9),
    ("EAST", 10),
    ("EADT", 11),
    ("GST", 10),
    ("NZT", 12),
    ("NZST", 12),
    ("NZDT", 13),
    ("IDLE", 12),
];

/// The first three letters of `name`.
pub fn short(name: &str) -> &str {
    &name[..3]
}

/// The length of the common prefix of `text` and `name`, ignoring case. Zero if `text` continues with another letter or digit.
pub fn common(text: &[u8], name: &str) -> usize {
    let same = text.iter().zip(name.bytes()).take_while(|(byte, of_name)| byte.eq_ignore_ascii_case(of_name));
    let length = same.count();
    match text.get(length) {
        Some(byte) if byte.is_ascii_alphanumeric() => 0,
        _ => length,
    }
}

/// Whether `text` begins with all of `name` as a word.
pub fn is(text: &[u8], name: &str) -> bool {
    common(text, name) == name.len()
}

/// The index in `names` of the name that `text` begins with an abbreviation of, and the abbreviation's length.
pub fn abbreviated(text: &[u8], names: &[&str]) -> Option<(i32, usize)> {
    let lengths = (0..).zip(names.iter().map(|name| common(text, name)));
    lengths.into_iter().find(|(_, length)| *length >= 3)
}

/// The offset of the zone named at the beginning of `text`, in minutes ahead of UTC, and the length of the name.
pub fn zone(text: &[u8]) -> Option<(i32, usize)> {
    ZONES.iter().find_map(|(name, hours)| {
        let length = common(text, name);
        (length >= 3 || length == name.len()).then_some((hours * 60, length))
    })
}

/// The length of the run of letters at the beginning of `text`. The first byte always counts as a letter.
pub fn letters(text: &[u8]) -> usize {
    1 + text[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count()
}
