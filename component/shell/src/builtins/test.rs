//! `test`, `[`, and the tests of `[[ … ]]`.

use brush_parser::ast::{BinaryPredicate as Binary, UnaryPredicate as Unary};
use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended, redirect};
use crate::io::is_endless;
use crate::state::Shell;
use crate::state::options::SET;
use crate::value::Value;
use crate::world::{Kind, Stat};

/// `[`
pub async fn bracket(call: &mut Call<'_>) -> Result<i32, Ended> {
    match call.args.pop() {
        Some(last) if last == "]" => run(call).await,
        _ => {
            call.complain_here("missing `]'").await?;
            Ok(2)
        }
    }
}

/// `test`
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let mut reader = Reader { shell: call.shell, args: &args, at: 0, depth: 0 };
    match reader.expression(args.len()) {
        Ok(holds) => Ok(i32::from(!holds)),
        Err(wrong) => {
            call.complain_here(wrong).await?;
            Ok(2)
        }
    }
}

struct Reader<'a> {
    shell: &'a Shell,
    args: &'a [BString],
    at: usize,
    depth: usize,
}

type Held = Result<bool, String>;

impl Reader<'_> {
    /// The rules of POSIX for one to four arguments, and precedence for more.
    fn expression(&mut self, count: usize) -> Held {
        self.depth += 1;
        if self.depth > 100 {
            return Err("too many nested expressions".to_owned());
        }
        let args = &self.args[self.at..self.at + count];
        let held = match args {
            [] => Ok(false),
            [one] => Ok(!one.is_empty()),
            [not, one] if not == "!" => Ok(one.is_empty()),
            [op, operand] => match unary_of(op) {
                Some(predicate) => Ok(unary(self.shell, &predicate, operand)),
                None => Err(format!("{op}: unary operator expected")),
            },
            [left, op, right] if is_binary(op) => self.binary(left, op, right),
            [not, _, _] if not == "!" => {
                self.at += 1;
                self.expression(2).map(|held| !held)
            }
            [open, one, close] if open == "(" && close == ")" => Ok(!one.is_empty()),
            [_, op, _] if unary_of(&args[0]).is_none() => Err(format!("{op}: binary operator expected")),
            [not, ..] if args.len() == 4 && not == "!" => {
                self.at += 1;
                self.expression(3).map(|held| !held)
            }
            [open, .., close] if args.len() == 4 && open == "(" && close == ")" => {
                self.at += 1;
                self.expression(2)
            }
            _ => {
                let end = self.at + count;
                let held = self.or(end)?;
                match self.at < end {
                    true => Err("too many arguments".to_owned()),
                    false => Ok(held),
                }
            }
        };
        self.depth -= 1;
        held
    }

    fn or(&mut self, end: usize) -> Held {
        let mut held = self.and(end)?;
        while self.at < end && self.args[self.at] == "-o" {
            self.at += 1;
            held |= self.and(end)?;
        }
        Ok(held)
    }

    fn and(&mut self, end: usize) -> Held {
        let mut held = self.term(end)?;
        while self.at < end && self.args[self.at] == "-a" {
            self.at += 1;
            held &= self.term(end)?;
        }
        Ok(held)
    }

    fn term(&mut self, end: usize) -> Held {
        self.depth += 1;
        if self.depth > 100 {
            return Err("too many nested expressions".to_owned());
        }
        let rest = &self.args[self.at.min(end)..end];
        let held = match rest {
            [] => return Err("argument expected".to_owned()),
            [left, op, right, ..] if is_binary(op) => {
                self.at += 3;
                self.binary(left, op, right)
            }
            [not, ..] if not == "!" => {
                self.at += 1;
                self.term(end).map(|held| !held)
            }
            [open, ..] if open == "(" => {
                self.at += 1;
                let held = self.or(end)?;
                if self.at >= end || self.args[self.at] != ")" {
                    return Err("`)' expected".to_owned());
                }
                self.at += 1;
                Ok(held)
            }
            [op, operand, ..] if unary_of(op).is_some() => {
                self.at += 2;
                Ok(unary(self.shell, &unary_of(op).expect("it is one"), operand))
            }
            [one, ..] => {
                self.at += 1;
                Ok(!one.is_empty())
            }
        };
        self.depth -= 1;
        held
    }

    fn binary(&self, left: &BString, op: &BString, right: &BString) -> Held {
        let predicate = binary_of(op).ok_or_else(|| format!("{op}: binary operator expected"))?;
        if op.starts_with(b"-") && !matches!(op.as_bytes(), b"-nt" | b"-ot" | b"-ef") {
            let number = |text: &BString| {
                text.to_str_lossy().trim().parse::<i64>().map_err(|_| format!("{text}: integer expression expected"))
            };
            return Ok(compared(&predicate, number(left)?, number(right)?));
        }
        Ok(binary(self.shell, &predicate, left, right))
    }
}

fn is_binary(op: &BString) -> bool {
    binary_of(op).is_some()
}

fn unary_of(op: &BString) -> Option<Unary> {
    Some(match op.as_bytes() {
        b"-a" | b"-e" => Unary::FileExists,
        b"-b" => Unary::FileExistsAndIsBlockSpecialFile,
        b"-c" => Unary::FileExistsAndIsCharSpecialFile,
        b"-d" => Unary::FileExistsAndIsDir,
        b"-f" => Unary::FileExistsAndIsRegularFile,
        b"-g" => Unary::FileExistsAndIsSetgid,
        b"-h" | b"-L" => Unary::FileExistsAndIsSymlink,
        b"-k" => Unary::FileExistsAndHasStickyBit,
        b"-p" => Unary::FileExistsAndIsFifo,
        b"-r" => Unary::FileExistsAndIsReadable,
        b"-s" => Unary::FileExistsAndIsNotZeroLength,
        b"-t" => Unary::FdIsOpenTerminal,
        b"-u" => Unary::FileExistsAndIsSetuid,
        b"-w" => Unary::FileExistsAndIsWritable,
        b"-x" => Unary::FileExistsAndIsExecutable,
        b"-G" => Unary::FileExistsAndOwnedByEffectiveGroupId,
        b"-N" => Unary::FileExistsAndModifiedSinceLastRead,
        b"-O" => Unary::FileExistsAndOwnedByEffectiveUserId,
        b"-S" => Unary::FileExistsAndIsSocket,
        b"-o" => Unary::ShellOptionEnabled,
        b"-v" => Unary::ShellVariableIsSetAndAssigned,
        b"-R" => Unary::ShellVariableIsSetAndNameRef,
        b"-z" => Unary::StringHasZeroLength,
        b"-n" => Unary::StringHasNonZeroLength,
        _ => return None,
    })
}

fn binary_of(op: &BString) -> Option<Binary> {
    Some(match op.as_bytes() {
        b"=" | b"==" => Binary::StringExactlyMatchesString,
        b"!=" => Binary::StringDoesNotExactlyMatchString,
        b"<" => Binary::LeftSortsBeforeRight,
        b">" => Binary::LeftSortsAfterRight,
        b"-nt" => Binary::LeftFileIsNewerOrExistsWhenRightDoesNot,
        b"-ot" => Binary::LeftFileIsOlderOrDoesNotExistWhenRightDoes,
        b"-ef" => Binary::FilesReferToSameDeviceAndInodeNumbers,
        b"-eq" => Binary::ArithmeticEqualTo,
        b"-ne" => Binary::ArithmeticNotEqualTo,
        b"-lt" => Binary::ArithmeticLessThan,
        b"-le" => Binary::ArithmeticLessThanOrEqualTo,
        b"-gt" => Binary::ArithmeticGreaterThan,
        b"-ge" => Binary::ArithmeticGreaterThanOrEqualTo,
        _ => return None,
    })
}

fn stat(shell: &Shell, name: &[u8], follow: bool) -> Option<Stat> {
    if name.is_empty() {
        return None;
    }
    let path = shell.path(name);
    let trails = name.ends_with(b"/");
    let stat = shell.base.files.stat(path.as_bstr(), follow || trails).ok()?;
    (!trails || stat.kind == Kind::Folder).then_some(stat)
}

/// Whether a test of one operand holds.
pub fn unary(shell: &Shell, predicate: &Unary, operand: &BString) -> bool {
    let file = |holds: fn(&Stat) -> bool| {
        redirect::is_device(shell, &shell.path(operand)) && holds(&device())
            || stat(shell, operand, true).is_some_and(|stat| holds(&stat))
    };
    match predicate {
        Unary::FileExists => file(|_| true),
        Unary::FileExistsAndIsDir => file(|stat| stat.kind == Kind::Folder),
        Unary::FileExistsAndIsRegularFile => stat(shell, operand, true).is_some_and(|stat| stat.kind == Kind::File),
        Unary::FileExistsAndIsSymlink => stat(shell, operand, false).is_some_and(|stat| stat.kind == Kind::Link),
        Unary::FileExistsAndIsReadable
        | Unary::FileExistsAndOwnedByEffectiveGroupId
        | Unary::FileExistsAndOwnedByEffectiveUserId => file(|_| true),
        Unary::FileExistsAndIsWritable => file(|stat| stat.writable),
        Unary::FileExistsAndIsExecutable => file(|stat| stat.executable || stat.kind == Kind::Folder),
        Unary::FileExistsAndIsNotZeroLength => file(|stat| stat.size > 0 || stat.kind == Kind::Folder),
        Unary::FileExistsAndIsCharSpecialFile => operand == "/dev/null" || is_endless(operand),
        Unary::FileExistsAndIsBlockSpecialFile
        | Unary::FileExistsAndIsFifo
        | Unary::FileExistsAndIsSocket
        | Unary::FileExistsAndIsSetgid
        | Unary::FileExistsAndIsSetuid
        | Unary::FileExistsAndHasStickyBit
        | Unary::FileExistsAndModifiedSinceLastRead
        | Unary::FdIsOpenTerminal => false,
        Unary::ShellOptionEnabled => {
            let mut options = shell.options;
            SET.iter().any(|(name, _, field)| operand == name && *field(&mut options))
        }
        Unary::ShellVariableIsSetAndAssigned => is_set(shell, &operand.to_str_lossy()),
        Unary::ShellVariableIsSetAndNameRef => {
            shell.vars.itself(&operand.to_str_lossy()).is_some_and(|variable| variable.reference)
        }
        Unary::StringHasZeroLength => operand.is_empty(),
        Unary::StringHasNonZeroLength => !operand.is_empty(),
    }
}

fn device() -> Stat {
    Stat { kind: Kind::Link, size: 0, executable: false, writable: true, modified: 0, inode: 0 }
}

fn is_set(shell: &Shell, name: &str) -> bool {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, key)) => match shell.vars.get(name).and_then(|variable| variable.value.as_ref()) {
            Some(Value::Map(map)) => map.get(key.trim_matches(['"', '\'']).as_bytes()).is_some(),
            Some(Value::List(list)) if matches!(key, "@" | "*") => !list.is_empty(),
            Some(Value::List(list)) => key.parse().is_ok_and(|key: i64| {
                let key = if key < 0 { list.last_key_value().map_or(0, |(last, _)| last + 1) + key } else { key };
                list.contains_key(&key)
            }),
            Some(Value::Text(_)) => key == "0",
            None => false,
        },
        None => match name.parse::<usize>() {
            Ok(0) => true,
            Ok(at) => at <= shell.args.len(),
            Err(_) => shell.text(name).is_some(),
        },
    }
}

/// Whether a test of two operands holds.
pub fn binary(shell: &Shell, predicate: &Binary, left: &BString, right: &BString) -> bool {
    match predicate {
        Binary::StringExactlyMatchesString => left == right,
        Binary::StringDoesNotExactlyMatchString => left != right,
        Binary::LeftSortsBeforeRight => left < right,
        Binary::LeftSortsAfterRight => left > right,
        Binary::FilesReferToSameDeviceAndInodeNumbers => match (stat(shell, left, true), stat(shell, right, true)) {
            (Some(left), Some(right)) => left.inode == right.inode,
            _ => false,
        },
        Binary::LeftFileIsNewerOrExistsWhenRightDoesNot => match (stat(shell, left, true), stat(shell, right, true)) {
            (Some(left), Some(right)) => left.modified > right.modified,
            (Some(_), None) => true,
            _ => false,
        },
        Binary::LeftFileIsOlderOrDoesNotExistWhenRightDoes => {
            match (stat(shell, left, true), stat(shell, right, true)) {
                (Some(left), Some(right)) => left.modified < right.modified,
                (None, Some(_)) => true,
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether a comparison of numbers holds.
pub fn compared(predicate: &Binary, left: i64, right: i64) -> bool {
    match predicate {
        Binary::ArithmeticEqualTo => left == right,
        Binary::ArithmeticNotEqualTo => left != right,
        Binary::ArithmeticLessThan => left < right,
        Binary::ArithmeticLessThanOrEqualTo => left <= right,
        Binary::ArithmeticGreaterThan => left > right,
        Binary::ArithmeticGreaterThanOrEqualTo => left >= right,
        _ => false,
    }
}
