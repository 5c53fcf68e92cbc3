//! `-exec` and `-execdir`

use bstr::{BString, ByteSlice};

use super::act::State;
use super::entry::Entry;
use crate::commands::program::{self, Ran};
use crate::exec::{Call, Ended};
use crate::value::Variable;

/// Bytes of the arguments of one command, as GNU has them.
const MOST: usize = 128 * 1024;

/// A command that is run.
#[derive(Debug)]
pub struct Exec {
    /// Its name and arguments, in which `{}` stands for an entry.
    pub command: Vec<BString>,
    /// The number of the batch in which entries are collected for it, if they are.
    pub batch: Option<usize>,
    /// Whether it runs in the folder of the entry.
    pub in_folder: bool,
}

/// Entries that are collected for a command.
#[derive(Debug, Default)]
pub struct Batch {
    args: Vec<BString>,
    bytes: usize,
    /// Where the command runs, if not where find itself does.
    folder: Option<BString>,
}

impl State {
    /// Runs a command for an entry, or keeps the entry for later.
    pub(super) async fn run(&mut self, call: &mut Call<'_>, exec: &Exec, entry: &Entry) -> Result<bool, Ended> {
        let folder = exec.in_folder.then(|| folder(call, entry));
        let arg = if exec.in_folder { local(entry) } else { entry.path.clone() };
        let Some(batch) = exec.batch else {
            let command: Vec<BString> = exec.command.iter().map(|part| part.replace("{}", &arg).into()).collect();
            call.shell.hold(command.iter().map(|part| part.len()).sum())?;
            return Ok(self.launch(call, folder, command, false).await? == Some(0));
        };
        let fixed: usize = exec.command.iter().map(|part| part.len() + 1).sum();
        let waiting = &self.batches[batch];
        if waiting.folder != folder || fixed + waiting.bytes + arg.len() + 1 > MOST {
            self.run_batch(call, exec).await?;
        }
        let batch = &mut self.batches[batch];
        batch.folder = folder;
        batch.bytes += arg.len() + 1;
        batch.args.push(arg);
        Ok(true)
    }

    /// Runs a command with what was collected for it, if anything was.
    pub(super) async fn run_batch(&mut self, call: &mut Call<'_>, exec: &Exec) -> Result<(), Ended> {
        let Some(batch) = exec.batch else { return Ok(()) };
        let Batch { args, folder, .. } = std::mem::take(&mut self.batches[batch]);
        if args.is_empty() {
            return Ok(());
        }
        let command = exec.command.iter().cloned().chain(args).collect();
        if self.launch(call, folder, command, true).await? != Some(0) {
            self.status = 1;
        }
        Ok(())
    }

    /// Runs a command, and gives its status if it ended by itself.
    async fn launch(
        &mut self,
        call: &mut Call<'_>,
        folder: Option<BString>,
        mut command: Vec<BString>,
        collected: bool,
    ) -> Result<Option<i32>, Ended> {
        self.ran += 1;
        let name = command.remove(0);
        let ran = match folder {
            None => program::run(call, &name, command, None).await?,
            Some(folder) => {
                call.flush().await?;
                let mut shell = call.shell.fork();
                *shell.vars.entry("PWD") = Variable { exported: true, ..Variable::of(folder.clone()) };
                shell.folder = folder;
                let mut inner = Call::new(&mut shell, "find", Vec::new(), Vec::new());
                program::run(&mut inner, &name, command, None).await?
            }
        };
        match ran {
            Ran::Status(status) => Ok(Some(status)),
            Ran::Broken => {
                call.complain(format!("‘{name}’ terminated by signal 13")).await?;
                Ok(None)
            }
            Ran::Missing(why, _) => {
                call.complain(format!("‘{name}’: {why}")).await?;
                self.status |= i32::from(collected);
                Ok(None)
            }
        }
    }
}

/// The absolute path of the folder that an entry is in.
fn folder(call: &Call<'_>, entry: &Entry) -> BString {
    match entry.folder() {
        b"" => "/".into(),
        // What an argument names by dots alone lies where find itself is.
        folder => call.shell.path(folder),
    }
}

/// An entry as it is named in its folder.
fn local(entry: &Entry) -> BString {
    match entry.name_as_written() {
        b"/" => "/".into(),
        name => [b"./", name].concat().into(),
    }
}
