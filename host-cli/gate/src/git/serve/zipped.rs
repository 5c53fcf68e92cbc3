//! A request that a client has compressed: git does so with long lists of what it has.

use zlib_rs::{Inflate, InflateFlush, Status};

use super::line::Unfit;

/// The window of zlib, and the bit by which it expects the header of gzip.
const GZIP: u8 = 15 + 16;

/// The body of `zipped`, which has at most so many bytes.
///
/// # Errors
/// If it is no gzip file, or has more.
pub fn unzipped(zipped: &[u8], most: usize) -> Result<Vec<u8>, Unfit> {
    let damaged = || Unfit::new("the request says that it is compressed with gzip, and is not");
    let (mut inflate, mut out, mut chunk) = (Inflate::new(true, GZIP), Vec::new(), vec![0; 1 << 16]);
    loop {
        let (read, written) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress(&zipped[read as usize..], &mut chunk, InflateFlush::NoFlush);
        let status = status.map_err(|_| damaged())?;
        let count = (inflate.total_out() - written) as usize;
        out.extend_from_slice(&chunk[..count]);
        if out.len() > most {
            return Err(Unfit::new(format!("the request inflates to more than {} MiB", most >> 20)));
        }
        match status {
            Status::StreamEnd if inflate.total_in() as usize == zipped.len() => return Ok(out),
            Status::Ok if count > 0 || inflate.total_in() > read => {}
            _ => return Err(damaged()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    fn zip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = Command::new("gzip").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = gzip.stdin.take().unwrap();
        let bytes = bytes.to_vec();
        let writing = std::thread::spawn(move || stdin.write_all(&bytes));
        let output = gzip.wait_with_output().unwrap();
        writing.join().unwrap().unwrap();
        output.stdout
    }

    #[test]
    fn a_request_is_inflated_up_to_its_bound() {
        let body = b"0032have".repeat(100_000);
        assert_eq!(unzipped(&zip(&body), body.len()).unwrap(), body);
        assert_eq!(unzipped(&zip(b""), 0).unwrap(), b"");
    }

    #[test]
    fn attack_08_a_bomb_and_what_is_not_compressed_are_refused() {
        let bomb = zip(&vec![0; 50 << 20]);
        assert!(unzipped(&bomb, 1 << 20).unwrap_err().0.contains("more than 1 MiB"));
        let whole = zip(b"whole");
        for damaged in [&b"0000"[..], b"", &whole[..whole.len() - 3], &[&whole[..], b"x"].concat()] {
            assert!(unzipped(damaged, 1 << 20).unwrap_err().0.contains("and is not"), "{damaged:?}");
        }
    }
}
