//! `tar -c` and `tar -r`

use bstr::{BString, ByteSlice};

use super::header::{BLOCK, Header, pad};
use super::member::{Shown, quoted};
use super::options::{Mode, Options, Step};
use super::read::{End, Members};
use super::{gzip, is_excluded, removed, safe};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::{Kind, Stat};

/// Blocks that are written at once.
const RECORD: usize = 20 * BLOCK;

/// An archive that grows.
struct Archive {
    out: Vec<u8>,
    path: BString,
    said: Vec<BString>,
    shown: Shown,
    status: i32,
}

/// Writes an archive.
pub async fn run(call: &mut Call<'_>, options: &Options) -> Result<i32, Ended> {
    if !options.steps.iter().any(|step| matches!(step, Step::Name(_))) && options.mode == Mode::Create {
        return call.misused("Cowardly refusing to create an empty archive", 2).await;
    }
    if options.other.is_some() {
        return super::fatal(call, "only gzip is there to compress archives".to_owned()).await;
    }
    let path = if options.file == "-" { BString::default() } else { call.shell.path(&options.file) };
    let offset = crate::commands::date::offset(call.shell);
    let mut archive =
        Archive { out: Vec::new(), path, said: Vec::new(), shown: Shown::new(offset, options.numeric), status: 0 };
    if options.mode == Mode::Append {
        match before(call, options, &archive.path) {
            Ok(bytes) => archive.out = bytes,
            Err(message) => return super::fatal(call, message).await,
        }
    }
    let mut folder = call.shell.folder.clone();
    for (place, step) in options.steps.iter().enumerate() {
        match step {
            Step::Folder(name) => {
                folder = below(&folder, name, call);
                if !call.shell.base.files.stat(folder.as_bstr(), true).is_ok_and(|stat| stat.kind == Kind::Folder) {
                    let message = format!("{name}: Cannot open: No such file or directory");
                    return super::fatal(call, message).await;
                }
            }
            Step::Name(name) => archive.operand(call, options, &folder, name, place).await?,
            Step::List(_) | Step::Excludes(_) => (),
        }
    }
    if options.excludes_nothing() {
        call.complain("The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.").await?;
        archive.status = 2;
    }
    archive.out.resize((archive.out.len() + 2 * BLOCK).next_multiple_of(RECORD), 0);
    let bytes = match options.gzip {
        true => gzip::compressed(call.shell, &archive.out, 6, None)?,
        false => archive.out,
    };
    if options.file == "-" {
        call.print(bytes).await?;
    } else {
        let wrong = |ended| match ended {
            Ended::Failed(why) => Ended::Failed(why.replacen(": ", ": Cannot open: ", 1)),
            ended => ended,
        };
        call.create(&options.file, false).map_err(wrong)?.write(&bytes).await?;
    }
    if archive.status != 0 {
        call.complain("Exiting with failure status due to previous errors").await?;
    }
    Ok(archive.status)
}

fn below(folder: &BString, name: &[u8], call: &Call<'_>) -> BString {
    call.shell.path(&if name.starts_with(b"/") { name.to_vec() } else { [&folder[..], b"/", name].concat() })
}

/// The archive that there is, up to its end.
fn before(call: &Call<'_>, options: &Options, path: &BString) -> Result<Vec<u8>, String> {
    if options.gzip {
        return Err("Cannot update compressed archives".to_owned());
    }
    let bytes = match call.shell.base.files.read(path.as_bstr()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{}: Cannot open: {}", options.file, reason(&error))),
    };
    let mut members = Members::new(&bytes);
    loop {
        match members.next() {
            Ok(_) => (),
            Err(End::Done) => return Ok(bytes[..members.at.min(bytes.len())].to_vec()),
            Err(_) => return Err("This does not look like a tar archive".to_owned()),
        }
    }
}

impl Archive {
    /// Writes an operand, with all that is in it.
    async fn operand(
        &mut self,
        call: &mut Call<'_>,
        options: &Options,
        folder: &BString,
        name: &BString,
        place: usize,
    ) -> Result<(), Ended> {
        let trimmed = BString::from(match name.trim_end_with(|char| char == '/') {
            b"" => &name[..name.len().min(1)],
            trimmed => trimmed,
        });
        let mut waiting = vec![trimmed];
        while let Some(name) = waiting.pop() {
            call.work(1)?;
            if is_excluded(options, &name, place) {
                continue;
            }
            let path = below(folder, &name, call);
            if path == self.path {
                call.complain(format!("{name}: file is the archive; not dumped")).await?;
                continue;
            }
            let stat = match call.shell.base.files.stat(path.as_bstr(), options.follows) {
                Ok(stat) => stat,
                Err(error) => {
                    call.complain(format!("{name}: Cannot stat: {}", reason(&error))).await?;
                    self.status = 2;
                    continue;
                }
            };
            self.member(call, options, &name, &path, &stat).await?;
            if stat.kind == Kind::Folder && !options.shallow {
                let listed = call.shell.base.files.list(path.as_bstr()).unwrap_or_default();
                let front: &[u8] = if name.ends_with(b"/") { b"" } else { b"/" };
                waiting.extend(
                    listed.iter().rev().map(|(entry, _)| BString::from([&name[..], front, &entry[..]].concat())),
                );
            }
        }
        Ok(())
    }

    async fn member(
        &mut self,
        call: &mut Call<'_>,
        options: &Options,
        name: &BString,
        path: &BString,
        stat: &Stat,
    ) -> Result<(), Ended> {
        let (kept, front) = safe(name);
        removed(call, &mut self.said, front, "member names").await?;
        let mut stored = BString::from(if kept.is_empty() { b"." } else { kept });
        if stat.kind == Kind::Folder && !stored.ends_with(b"/") {
            stored.push(b'/');
        }
        let files = &call.shell.base.files;
        let (mut content, mut link) = (bytes::Bytes::new(), BString::default());
        let read = match stat.kind {
            Kind::File => files.read(path.as_bstr()).map(|bytes| content = bytes),
            Kind::Link => files.world().and_then(|world| world.read_link(path.as_bstr())).map(|target| link = target),
            Kind::Folder => Ok(()),
        };
        if let Err(error) = read {
            call.complain(format!("{name}: Cannot open: {}", reason(&error))).await?;
            self.status = 2;
            return Ok(());
        }
        let (user, user_number) = owner(options.owner.as_ref());
        let (group, group_number) = owner(options.group.as_ref());
        let header = Header {
            name: stored,
            mode: match stat.kind {
                Kind::Link => 0o777,
                Kind::Folder => 0o755,
                Kind::File => (if stat.executable { 0o755 } else { 0o644 }) & if stat.writable { 0o777 } else { 0o555 },
            },
            user,
            group,
            user_number,
            group_number,
            size: content.len() as u64,
            modified: options
                .time
                .unwrap_or_else(|| i64::try_from(stat.modified.div_euclid(1_000_000_000)).unwrap_or(0)),
            kind: match stat.kind {
                Kind::File => b'0',
                Kind::Link => b'2',
                Kind::Folder => b'5',
            },
            link,
        };
        self.out.extend(header.written());
        self.out.extend_from_slice(&content);
        pad(&mut self.out);
        call.shell.hold(self.out.len())?;
        call.work(u32::try_from(content.len() / 1024).unwrap_or(u32::MAX))?;
        self.tell(call, options, name, &header).await
    }

    async fn tell(
        &mut self,
        call: &mut Call<'_>,
        options: &Options,
        name: &BString,
        header: &Header,
    ) -> Result<(), Ended> {
        let mut line = match options.verbose {
            0 => return Ok(()),
            1 => {
                let mut shown = quoted(name);
                if header.kind == b'5' && !shown.ends_with(b"/") {
                    shown.push(b'/');
                }
                shown
            }
            _ => self.shown.line(header),
        };
        line.push(b'\n');
        if options.file == "-" { call.say(line).await } else { call.print(line).await }
    }
}

/// The name and the number of an owner: `name`, `number` or `name:number`.
fn owner(given: Option<&BString>) -> (BString, u64) {
    let number = |text: &[u8]| text.to_str().ok().and_then(|text| text.parse().ok());
    let Some(given) = given else { return ("agent".into(), 1000) };
    if let Some((name, digits)) = given.split_once_str(":") {
        return (name.into(), number(digits).unwrap_or(1000));
    }
    match (number(given), &given[..]) {
        (Some(0), _) | (_, b"root") => ("root".into(), 0),
        (Some(number), _) => (BString::default(), number),
        (None, name) => (name.into(), 1000),
    }
}
