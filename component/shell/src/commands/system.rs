//! `uname`, `arch`, `whoami`, `id`, `groups`, `hostname`, `nproc`, `tty` and `sync`: the same everywhere, since there is no machine.

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended};

const USER: &str = "agent";
const NUMBER: &str = "1000";
const HOST: &str = "sandbox";

/// What `uname` can print, in its order.
const NAMES: &[(char, &str)] = &[
    ('s', "Linux"),
    ('n', HOST),
    ('r', "6.1.0"),
    ('v', "#1 SMP"),
    ('m', "x86_64"),
    ('p', "unknown"),
    ('i', "unknown"),
    ('o', "GNU/Linux"),
];

const UNAME: &[Flag] = &[
    flag('a', "all"),
    flag('s', "kernel-name"),
    flag('s', "sysname"),
    flag('n', "nodename"),
    flag('r', "kernel-release"),
    flag('r', "release"),
    flag('v', "kernel-version"),
    flag('m', "machine"),
    flag('p', "processor"),
    flag('i', "hardware-platform"),
    flag('o', "operating-system"),
];

async fn nothing_else(call: &mut Call<'_>, flags: &'static [Flag]) -> Result<super::arguments::Given, Ended> {
    let given = read(call, Reading { flags, status: 1, stops: false }).await?;
    if let Some(extra) = given.operands.first() {
        let status = call.misused(format!("extra operand ‘{extra}’"), 1).await?;
        return Err(Ended::Status(status));
    }
    Ok(given)
}

/// Prints what system this is.
pub async fn uname(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = nothing_else(call, UNAME).await?;
    let all = given.has('a');
    let wanted = |(letter, text): &&(char, &str)| match all {
        true => *text != "unknown",
        false => given.has(*letter) || (given.flags.is_empty() && *letter == 's'),
    };
    let names: Vec<&str> = NAMES.iter().filter(wanted).map(|(_, text)| *text).collect();
    call.line(names.join(" ")).await?;
    Ok(0)
}

/// Prints the kind of machine.
pub async fn arch(call: &mut Call<'_>) -> Result<i32, Ended> {
    nothing_else(call, &[]).await?;
    call.line("x86_64").await?;
    Ok(0)
}

/// Prints the user's name.
pub async fn whoami(call: &mut Call<'_>) -> Result<i32, Ended> {
    nothing_else(call, &[]).await?;
    call.line(USER).await?;
    Ok(0)
}

const ID: &[Flag] = &[
    flag('a', ""),
    flag('g', "group"),
    flag('G', "groups"),
    flag('n', "name"),
    flag('r', "real"),
    flag('u', "user"),
    flag('z', "zero"),
];

/// Prints who the user is.
pub async fn id(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: ID, status: 1, stops: false }).await?;
    if let Some(other) = given.operands.iter().find(|name| *name != USER && *name != NUMBER) {
        return Err(Ended::Failed(format!("‘{other}’: no such user")));
    }
    let kinds = ['g', 'G', 'u'].iter().filter(|kind| given.has(**kind)).count();
    if kinds > 1 {
        return Err(Ended::Failed("cannot print \"only\" of more than one choice".to_owned()));
    }
    if kinds == 0 {
        if given.has('n') || given.has('r') {
            return Err(Ended::Failed("cannot print only names or real IDs in default format".to_owned()));
        }
        call.line(format!("uid={NUMBER}({USER}) gid={NUMBER}({USER}) groups={NUMBER}({USER})")).await?;
        return Ok(0);
    }
    call.print(if given.has('n') { USER } else { NUMBER }).await?;
    call.print(if given.has('z') { "\0" } else { "\n" }).await?;
    Ok(0)
}

/// Prints the user's groups.
pub async fn groups(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    if let Some(other) = given.operands.iter().find(|name| *name != USER) {
        return Err(Ended::Failed(format!("‘{other}’: no such user")));
    }
    match given.operands.is_empty() {
        true => call.line(USER).await?,
        false => call.line(format!("{USER} : {USER}")).await?,
    }
    Ok(0)
}

const HOSTNAME: &[Flag] =
    &[flag('s', "short"), flag('f', "fqdn"), flag('f', "long"), flag('d', "domain"), flag('i', "ip-address")];

/// Prints the name of the host.
pub async fn hostname(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: HOSTNAME, status: 1, stops: false }).await?;
    if !given.operands.is_empty() {
        return Err(Ended::Failed("you must be root to change the host name".to_owned()));
    }
    match given.last(&['s', 'f', 'd', 'i']) {
        Some('d') => call.line("").await?,
        Some('i') => call.line("127.0.0.1").await?,
        _ => call.line(HOST).await?,
    }
    Ok(0)
}

const NPROC: &[Flag] = &[flag('a', "all"), valued('i', "ignore")];

/// Prints how many processors there are.
pub async fn nproc(call: &mut Call<'_>) -> Result<i32, Ended> {
    nothing_else(call, NPROC).await?;
    call.line("1").await?;
    Ok(0)
}

const TTY: &[Flag] = &[flag('s', "silent"), flag('s', "quiet")];

/// Says that nobody sits there.
pub async fn tty(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: TTY, status: 2, stops: false }).await?;
    if !given.has('s') {
        call.line("not a tty").await?;
    }
    Ok(1)
}

const SYNC: &[Flag] = &[flag('d', "data"), flag('f', "file-system")];

/// Does nothing: files are written as soon as anybody looks.
pub async fn sync(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: SYNC, status: 1, stops: false }).await?;
    let mut status = 0;
    for name in given.operands {
        if let Err(error) = call.open(&name) {
            call.complain(format!("error opening ‘{name}’: {}", crate::io::reason(&error))).await?;
            status = 1;
        }
    }
    Ok(status)
}
