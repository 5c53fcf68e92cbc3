//! `base64` and `base32`

use super::arguments::{Flag, Reading, flag, read, valued};
use super::input::{Input, number};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[flag('d', "decode"), flag('i', "ignore-garbage"), valued('w', "wrap")];

/// How bytes are written as text.
#[derive(Clone, Copy, Debug)]
struct Code {
    alphabet: &'static [u8],
    /// Bytes of a group.
    bytes: usize,
    /// Letters of a group.
    letters: usize,
    /// Bits of a letter.
    bits: usize,
}

const BASE64: Code = Code {
    alphabet: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    bytes: 3,
    letters: 4,
    bits: 6,
};

const BASE32: Code = Code { alphabet: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bytes: 5, letters: 8, bits: 5 };

/// `base64`
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    with(call, BASE64).await
}

/// `base32`
pub async fn base32(call: &mut Call<'_>) -> Result<i32, Ended> {
    with(call, BASE32).await
}

async fn with(call: &mut Call<'_>, code: Code) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if let Some(extra) = given.operands.get(1) {
        return call.misused(format!("extra operand ‘{extra}’"), 1).await;
    }
    let mut width = 76;
    if let Some(text) = given.value('w') {
        match number(text) {
            Some(number) => width = usize::try_from(number).unwrap_or(0),
            None => return Err(Ended::Failed(format!("invalid wrap size: ‘{text}’"))),
        }
    }
    let input = Input::new(given.operands.clone());
    match given.has('d') {
        true => decode(call, code, input, given.has('i')).await,
        false => encode(call, code, input, width).await,
    }
}

async fn encode(call: &mut Call<'_>, code: Code, mut input: Input, width: usize) -> Result<i32, Ended> {
    let mut column = 0;
    loop {
        let part = input.take(call, code.bytes * 1024).await?;
        if part.is_empty() {
            break;
        }
        call.work(16)?;
        let letters: Vec<u8> = part.chunks(code.bytes).flat_map(|group| code.written(group)).collect();
        let mut rest = &letters[..];
        while width > 0 && !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(width - column));
            call.print(now).await?;
            column += now.len();
            rest = later;
            if column == width {
                call.print("\n").await?;
                column = 0;
            }
        }
        call.print(rest).await?;
    }
    if column > 0 {
        call.print("\n").await?;
    }
    Ok(input.status)
}

async fn decode(call: &mut Call<'_>, code: Code, mut input: Input, ignores: bool) -> Result<i32, Ended> {
    let mut group = Vec::new();
    while let Some(part) = input.some(call).await? {
        call.work(u32::try_from(part.len() / 256).unwrap_or(u32::MAX))?;
        for byte in part {
            if byte == b'\n' || (ignores && byte != b'=' && !code.alphabet.contains(&byte)) {
                continue;
            }
            group.push(byte);
            if group.len() == code.letters {
                let (bytes, fine) = code.read(&group);
                call.print(bytes).await?;
                if !fine {
                    return Err(Ended::Failed("invalid input".to_owned()));
                }
                group.clear();
            }
        }
    }
    if !group.is_empty() {
        call.print(code.read(&group).0).await?;
        return Err(Ended::Failed("invalid input".to_owned()));
    }
    Ok(input.status)
}

impl Code {
    /// The letters of a group of bytes, which may be short.
    fn written(self, group: &[u8]) -> Vec<u8> {
        let mut value = 0_u64;
        for at in 0..self.bytes {
            value = value << 8 | u64::from(group.get(at).copied().unwrap_or(0));
        }
        let used = (group.len() * 8).div_ceil(self.bits);
        let letter = |at: usize| {
            let shift = (self.letters - 1 - at) * self.bits;
            self.alphabet[(value >> shift) as usize & (self.alphabet.len() - 1)]
        };
        (0..self.letters).map(|at| if at < used { letter(at) } else { b'=' }).collect()
    }

    /// The bytes of a group of letters, and whether it is a whole and right one.
    fn read(self, group: &[u8]) -> (Vec<u8>, bool) {
        let used = group.iter().position(|byte| *byte == b'=').unwrap_or(group.len());
        let (mut value, mut valid) = (0_u64, 0);
        for byte in &group[..used] {
            let Some(at) = self.alphabet.iter().position(|letter| letter == byte) else { break };
            value = value << self.bits | at as u64;
            valid += 1;
        }
        let bits = valid * self.bits;
        let bytes = bits / 8;
        value <<= 64 - bits.max(1);
        let out = value.to_be_bytes()[..bytes].to_vec();
        let padded = group.len() == self.letters && group[used..].iter().all(|byte| *byte == b'=');
        let fits = bytes > 0 && (bytes * 8).div_ceil(self.bits) == used;
        (out, padded && valid == used && fits)
    }
}
