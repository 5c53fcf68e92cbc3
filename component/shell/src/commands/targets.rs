//! Where the operands of `cp`, `mv`, `ln` and `install` go.

use bstr::{BString, ByteSlice};

use super::entries::{below, is_folder, last, quoted, stat};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

/// An operand, and the name that it gets.
#[derive(Clone, Debug)]
pub struct Pair {
    /// What there is.
    pub from: BString,
    /// What there is going to be.
    pub to: BString,
}

/// How the last operand is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The folder that everything goes into, if it was named by an option.
    pub into: Option<&'a BString>,
    /// Whether the last operand is the new name, even if it is a folder.
    pub exact: bool,
    /// Whether the last operand may be a link to a folder.
    pub follows: bool,
}

/// What an entry is called in a folder.
pub fn inside(folder: &[u8], from: &[u8]) -> BString {
    match last(from) {
        b".." | b"/" => folder.into(),
        name => below(folder, name),
    }
}

/// Pairs the operands with their new names. What is wrong is said.
pub async fn pairs(call: &mut Call<'_>, mut operands: Vec<BString>, reading: Reading<'_>) -> Result<Vec<Pair>, Ended> {
    let into_folder = |operands: Vec<BString>, folder: &[u8]| {
        let pair = |from: BString| Pair { to: inside(folder, &from), from };
        operands.into_iter().map(pair).collect()
    };
    let first = match operands.first() {
        Some(first) => quoted(first),
        None => return misused(call, "missing file operand".to_owned()).await,
    };
    if let Some(folder) = reading.into {
        if reading.exact {
            return wrong(call, "cannot combine --target-directory (-t) and --no-target-directory (-T)".to_owned())
                .await;
        }
        return match why_no_folder(call.shell, folder) {
            None => Ok(into_folder(operands, folder)),
            Some(why) => wrong(call, format!("target directory {}: {why}", quoted(folder))).await,
        };
    }
    let to = match operands.pop() {
        Some(to) if !operands.is_empty() => to,
        _ => return misused(call, format!("missing destination file operand after {first}")).await,
    };
    if reading.exact && operands.len() > 1 {
        let extra = operands.get(2).unwrap_or(&to);
        return misused(call, format!("extra operand {}", quoted(extra))).await;
    }
    if !reading.exact && goes_into(call.shell, &to, reading.follows) {
        return Ok(into_folder(operands, &to));
    }
    match <[BString; 1]>::try_from(operands) {
        Ok([from]) => Ok(vec![Pair { from, to }]),
        Err(_) => {
            let why = why_no_folder(call.shell, &to).unwrap_or_else(|| "Not a directory".to_owned());
            wrong(call, format!("target {}: {why}", quoted(&to))).await
        }
    }
}

fn goes_into(shell: &Shell, to: &[u8], follows: bool) -> bool {
    is_folder(shell, to) && (follows || stat(shell, to, false).is_ok_and(|stat| stat.kind == Kind::Folder))
}

fn why_no_folder(shell: &Shell, name: &[u8]) -> Option<String> {
    match stat(shell, name, true) {
        Ok(stat) if stat.kind == Kind::Folder => None,
        Ok(_) => Some("Not a directory".to_owned()),
        Err(error) => Some(reason(&error)),
    }
}

async fn misused<T>(call: &mut Call<'_>, message: String) -> Result<T, Ended> {
    let status = call.misused(message, 1).await?;
    Err(Ended::Status(status))
}

async fn wrong<T>(call: &mut Call<'_>, message: String) -> Result<T, Ended> {
    call.complain(message).await?;
    Err(Ended::Status(1))
}

/// Whether a new name ends with a slash, and there is no such folder.
pub fn trails(shell: &Shell, name: &[u8]) -> bool {
    name.ends_with_str("/") && !is_folder(shell, name)
}
