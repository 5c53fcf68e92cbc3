//! `tee`

use super::arguments::{Flag, Reading, flag, maybe, read};
use crate::exec::{Call, Ended};
use crate::io::Unwritten;

const FLAGS: &[Flag] =
    &[flag('a', "append"), flag('i', "ignore-interrupts"), flag('p', ""), maybe('p', "output-error")];

/// Prints what it reads, and writes it to files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let (mut status, mut files) = (0, Vec::new());
    for name in &given.operands {
        match call.create(name, given.has('a')) {
            Ok(sink) => files.push((name, sink)),
            Err(Ended::Failed(message)) => {
                call.complain(message).await?;
                status = 1;
            }
            Err(ended) => return Err(ended),
        }
    }
    let source = call.stdin.clone();
    let mut prints = true;
    while let Some(part) = source.streamed().await {
        call.work(1)?;
        if prints {
            call.print(&part).await?;
            match call.flush().await {
                // With -p it goes on for its files.
                Err(Ended::Broken) if given.has('p') => prints = false,
                done => done?,
            }
        }
        let mut failed = None;
        for (at, (_, sink)) in files.iter().enumerate() {
            match sink.write(&part).await {
                Ok(()) => (),
                Err(Unwritten::Failed(why)) => failed = Some((at, why)),
                Err(Unwritten::Broken) if given.has('p') => (),
                Err(unwritten) => return Err(unwritten.into()),
            }
        }
        if let Some((at, why)) = failed {
            let (name, _) = files.remove(at);
            call.complain(format!("{name}: {why}")).await?;
            status = 1;
        }
        let held = call.shell.base.files.held();
        call.shell.hold(held)?;
    }
    Ok(status)
}
