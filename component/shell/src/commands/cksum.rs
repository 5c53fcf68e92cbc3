//! `cksum`: POSIX's CRC, or another checksum

use bstr::BString;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::input::Input;
use super::sums::{Kind, sum, written};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[valued('a', "algorithm"), flag('T', "tag"), flag('U', "untagged"), flag('z', "zero")];

/// What each byte does to the CRC.
const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000_0000 == 0 { crc << 1 } else { (crc << 1) ^ 0x04c1_1db7 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

fn next(crc: u32, byte: u8) -> u32 {
    (crc << 8) ^ TABLE[usize::from((crc >> 24) as u8 ^ byte)]
}

/// Prints the checksum and the size of files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let kind = match given.value('a').map_or(&b"crc"[..], |name| name) {
        b"crc" => None,
        b"md5" => Some(Kind::Md5),
        b"sha1" => Some(Kind::Sha1),
        b"sha224" => Some(Kind::Sha224),
        b"sha256" => Some(Kind::Sha256),
        b"sha384" => Some(Kind::Sha384),
        b"sha512" => Some(Kind::Sha512),
        name => {
            let name = BString::from(name);
            return call.misused(format!("invalid argument ‘{name}’ for ‘--algorithm’"), 1).await;
        }
    };
    let (tagged, zero) = (given.last(&['T', 'U']) != Some('U'), given.has('z'));
    let named = !given.operands.is_empty();
    let names = if named { given.operands } else { vec![BString::from("-")] };
    let mut status = 0;
    for name in names {
        let Some(kind) = kind else {
            status |= crc(call, &name, named, zero).await?;
            continue;
        };
        match sum(call, kind, &name).await? {
            Some(sum) => call.print(written(kind, tagged, false, zero, &sum, &name)).await?,
            None => status = 1,
        }
    }
    Ok(status)
}

async fn crc(call: &mut Call<'_>, name: &BString, named: bool, zero: bool) -> Result<i32, Ended> {
    let mut input = Input::new(vec![name.clone()]);
    let (mut crc, mut length) = (0_u32, 0_u64);
    while let Some(part) = input.some(call).await? {
        for part in part.chunks(1 << 16) {
            call.work(u32::try_from(part.len() / 256).unwrap_or(u32::MAX))?;
            crc = part.iter().fold(crc, |crc, byte| next(crc, *byte));
            length += part.len() as u64;
        }
    }
    if input.status != 0 {
        return Ok(1);
    }
    let mut left = length;
    while left > 0 {
        crc = next(crc, left as u8);
        left >>= 8;
    }
    call.print(format!("{} {length}", !crc)).await?;
    if named {
        call.print([b" ", &name[..]].concat()).await?;
    }
    call.print(if zero { "\0" } else { "\n" }).await?;
    Ok(0)
}
