//! Permissions as `chmod` reads them.

/// A change of permissions.
#[derive(Clone, Debug)]
pub enum Change {
    /// To a number.
    Number(u32),
    /// In clauses.
    Clauses(Vec<Clause>),
}

/// `u+x` and its like.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// The bits of those that it is for.
    who: u32,
    /// Whether it says for whom it is.
    names: bool,
    sign: u8,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// Bits, for everybody, and whether executable ones are so for all.
    Bits { bits: u32, x_if_any: bool },
    /// Those of one class, by where they are.
    Same(u32),
}

/// The bits that nobody gets who is not named.
const MASK: u32 = 0o022;

impl Change {
    /// Reads one.
    pub fn read(text: &[u8]) -> Option<Change> {
        if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
            let text = std::str::from_utf8(text).ok()?;
            return u32::from_str_radix(text, 8).ok().filter(|number| *number <= 0o7777).map(Change::Number);
        }
        let mut clauses = Vec::new();
        for part in text.split(|byte| *byte == b',') {
            clauses.extend(clause(part)?);
        }
        Some(Change::Clauses(clauses))
    }

    /// The permissions after it.
    pub fn apply(&self, mode: u32, is_folder: bool) -> u32 {
        let clauses = match self {
            Change::Number(number) => return *number,
            Change::Clauses(clauses) => clauses,
        };
        clauses.iter().fold(mode, |mode, clause| {
            let bits = match clause.what {
                What::Bits { bits, x_if_any } => {
                    let adds = x_if_any && (is_folder || mode & 0o111 != 0);
                    bits | if adds { 0o111 } else { 0 }
                }
                What::Same(shift) => (mode >> shift & 7) * 0o111,
            };
            let bits = bits & clause.who & if clause.names { 0o777 } else { !MASK };
            match clause.sign {
                b'+' => mode | bits,
                b'-' => mode & !bits,
                _ => mode & !clause.who | bits,
            }
        })
    }
}

fn clause(text: &[u8]) -> Option<Vec<Clause>> {
    let end = text.iter().position(|byte| b"+-=".contains(byte))?;
    let mut who = 0;
    for letter in &text[..end] {
        who |= match letter {
            b'u' => 0o700,
            b'g' => 0o070,
            b'o' => 0o007,
            b'a' => 0o777,
            _ => return None,
        };
    }
    let names = who != 0;
    let who = if names { who } else { 0o777 };
    let mut clauses = Vec::new();
    let mut rest = &text[end..];
    while let Some((sign, behind)) = rest.split_first() {
        let end = behind.iter().position(|byte| b"+-=".contains(byte)).unwrap_or(behind.len());
        clauses.push(Clause { who, names, sign: *sign, what: what(&behind[..end])? });
        rest = &behind[end..];
    }
    Some(clauses)
}

fn what(letters: &[u8]) -> Option<What> {
    match letters {
        b"u" => return Some(What::Same(6)),
        b"g" => return Some(What::Same(3)),
        b"o" => return Some(What::Same(0)),
        _ => (),
    }
    let (mut bits, mut x_if_any) = (0, false);
    for letter in letters {
        match letter {
            b'r' => bits |= 0o444,
            b'w' => bits |= 0o222,
            b'x' => bits |= 0o111,
            b'X' => x_if_any = true,
            // There are no such bits.
            b's' | b't' => (),
            _ => return None,
        }
    }
    Some(What::Bits { bits, x_if_any })
}
