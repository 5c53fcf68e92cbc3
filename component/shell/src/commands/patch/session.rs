//! All patches of a text, one after the other.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use super::header::{Asked, Header, Wrong, find};
use super::hunk::{Form, Hunk, next};
use super::names::shown;
use super::options::Options;
use super::reject::{self, Manner};
use super::text::Text;
use super::tree::{Tree, failed};
use crate::exec::{Call, Ended};
use crate::io::reason;

/// What is known while patches are applied.
pub struct Session<'a, 'b> {
    pub(super) call: &'a mut Call<'b>,
    pub(super) options: Options,
    pub(super) tree: Tree,
    /// What was patched, if it goes elsewhere.
    pub(super) output: Vec<u8>,
    /// What is said about files that were removed, when all is done.
    removed: Vec<String>,
    /// Files that have rejects of these patches.
    rejects: BTreeSet<BString>,
    pub(super) failed: bool,
    /// Whether no patch was found before.
    pub(super) first: bool,
}

/// What became of the hunks of a patch.
#[derive(Default)]
pub struct Tally {
    /// How many there were.
    pub hunks: usize,
    /// How many could not be applied.
    pub failed: usize,
    /// Those, as they are written down.
    pub rejects: BString,
}

impl<'a, 'b> Session<'a, 'b> {
    /// One with these options.
    pub fn new(call: &'a mut Call<'b>, options: Options) -> Session<'a, 'b> {
        let folder = call.shell.path(options.folder.as_ref().map_or(&b"."[..], |folder| folder));
        let tree = Tree::new(folder, options.follows);
        Session {
            call,
            options,
            tree,
            output: Vec::new(),
            removed: Vec::new(),
            rejects: BTreeSet::new(),
            failed: false,
            first: true,
        }
    }

    /// Applies all patches, and gives the exit status.
    pub async fn run(mut self) -> Result<i32, Ended> {
        let text = self.opened().await?;
        let mut text = Text::new(text);
        if let Some(output) = self.options.output.clone().filter(|name| name != "-") {
            self.put(&output, Vec::new()).await?;
        }
        while let Some(header) = self.found(&mut text).await? {
            self.one(&header, &mut text).await?;
            self.first = false;
        }
        self.flush().await?;
        if self.options.verbose {
            self.say(self.removed.concat()).await?;
        }
        Ok(i32::from(self.failed))
    }

    /// The text with the patches.
    async fn opened(&mut self) -> Result<bytes::Bytes, Ended> {
        if let Some(folder) = self.options.folder.clone() {
            let path = self.call.shell.path(&folder);
            let stat = self.call.shell.base.files.stat(path.as_bstr(), true);
            let why = match stat {
                Err(error) => Some(reason(&error)),
                Ok(stat) if stat.kind != crate::world::Kind::Folder => Some("Not a directory".to_owned()),
                Ok(_) => None,
            };
            if let Some(why) = why {
                return Err(self.fatal(format!("Can't change to directory {} : {why}", shown(&folder))).await);
            }
        }
        let name = self.options.patch.clone().unwrap_or_else(|| "-".into());
        let path = if name == "-" { name.clone() } else { self.tree.path(self.call, &name) };
        match self.call.open(&path) {
            Ok(source) => {
                let all = source.all().await;
                self.call.shell.hold(all.len())?;
                Ok(all)
            }
            Err(error) => Err(self.fatal(failed("Can't open patch file", &shown(&name), &error)).await),
        }
    }

    /// The next patch.
    async fn found(&mut self, text: &mut Text) -> Result<Option<Header>, Ended> {
        if !self.first && text.is_over() {
            if self.options.verbose {
                self.say("done\n").await?;
            }
            return Ok(None);
        }
        if self.options.verbose {
            self.say("Hmm...").await?;
        }
        let Options { strip, form, binary, .. } = self.options;
        let asked = Asked { strip, form, named: self.options.file.is_none() && !self.options.posix, binary };
        let found = find(text, asked, self.call);
        self.note_cut(text).await?;
        let header = match found {
            Ok(Some(header)) => header,
            Ok(None) => return self.none(text).await,
            Err(Wrong::Fatal(message)) => return Err(self.fatal(message).await),
            Err(Wrong::Ended(ended)) => return Err(ended),
        };
        if let Some(extra) = header.prereq_extra {
            self.say(format!("Prereq: with multiple words at line {extra} of patch\n")).await?;
        }
        (text.indent, text.strips) = (header.indent, header.strips);
        Ok(Some(header))
    }

    async fn none(&mut self, text: &Text) -> Result<Option<Header>, Ended> {
        if self.options.verbose {
            let what = match self.first {
                true => "  I can't seem to find a patch in there anywhere.\n",
                false => "  Ignoring the trailing garbage.\ndone\n",
            };
            self.say(what).await?;
        }
        if self.first && !text.is_empty() {
            return Err(self.fatal("Only garbage was found in the patch input.").await);
        }
        Ok(None)
    }

    /// The next hunk of a patch.
    pub(super) async fn hunk(&mut self, text: &mut Text, form: Form) -> Result<Option<Hunk>, Ended> {
        let before = text.mark.line;
        let hunk = next(text, form);
        let units = u32::try_from(text.mark.line - before).unwrap_or(u32::MAX);
        self.call.work(units)?;
        self.note_cut(text).await?;
        match hunk {
            Ok(hunk) => Ok(hunk),
            Err(message) => Err(self.fatal(message).await),
        }
    }

    async fn note_cut(&mut self, text: &mut Text) -> Result<(), Ended> {
        for _ in 0..std::mem::take(&mut text.cut) {
            self.say("patch unexpectedly ends in middle of line\n").await?;
        }
        Ok(())
    }

    /// Says it where nothing that is patched goes.
    pub(super) async fn say(&mut self, text: impl AsRef<[u8]>) -> Result<(), Ended> {
        if self.options.output.as_ref().is_some_and(|output| output == "-") {
            self.call.say(text).await
        } else {
            self.call.print(text).await
        }
    }

    /// The end of everything, with what is done so far.
    pub(super) async fn fatal(&mut self, message: impl AsRef<str>) -> Ended {
        if let Err(ended) = self.call.say(format!("patch: **** {}\n", message.as_ref())).await {
            return ended;
        }
        if !self.options.dry {
            drop(self.tree.flush(self.call, &self.options.naming));
        }
        Ended::Status(2)
    }

    /// Makes the steps that are due.
    pub(super) async fn flush(&mut self) -> Result<(), Ended> {
        match self.tree.flush(self.call, &self.options.naming) {
            Ok(said) => {
                self.removed.extend(said);
                Ok(())
            }
            Err(message) => Err(self.fatal(message).await),
        }
    }

    pub(super) async fn put(&mut self, name: &BString, content: Vec<u8>) -> Result<(), Ended> {
        let path = self.tree.path(self.call, name);
        self.call.work(u32::try_from(content.len() / 256).unwrap_or(u32::MAX))?;
        match self.call.shell.base.files.put(path.as_bstr(), content) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fatal(failed("Can't create file", name, &error)).await),
        }
    }

    pub(super) fn manner(&self, header: &Header) -> Manner {
        let form = header.form.expect("it was found out");
        Manner { unified: self.options.reject_unified.unwrap_or(form == Form::Unified), form }
    }

    /// Adds a hunk to those that could not be applied.
    pub(super) fn reject(&self, tally: &mut Tally, header: &Header, hunk: &Hunk, shift: isize, reversed: bool) {
        let manner = self.manner(header);
        if tally.failed == 0 {
            tally.rejects = reject::heading(header, reversed, manner);
        }
        tally.failed += 1;
        tally.rejects.extend_from_slice(&reject::hunk(hunk, shift, manner));
    }

    /// Says how many hunks failed, and writes them down beside the file.
    pub(super) async fn settle(&mut self, tally: Tally, ignored: bool, name: Option<&BString>) -> Result<(), Ended> {
        let Tally { hunks, failed: count, rejects } = tally;
        if count == 0 {
            return Ok(());
        }
        self.failed = true;
        let what = if ignored { "ignored" } else { "FAILED" };
        let plural = if hunks == 1 { "" } else { "s" };
        self.say(format!("{count} out of {hunks} hunk{plural} {what}")).await?;
        let file = match (name, &self.options.reject) {
            (Some(_), Some(reject)) if reject == "-" => None,
            (Some(_), Some(reject)) => Some(reject.clone()),
            (Some(name), None) => Some([&name[..], b".rej"].concat().into()),
            (None, _) => None,
        };
        let Some(file) = file.filter(|_| !self.options.dry) else { return self.say("\n").await };
        self.say(format!(" -- saving rejects to file {}\n", shown(&file))).await?;
        let path = self.tree.path(self.call, &file);
        let mut content = Vec::new();
        if !self.rejects.insert(file.clone()) {
            content = self.call.shell.base.files.read(path.as_bstr()).unwrap_or_default().to_vec();
        }
        content.extend_from_slice(&rejects);
        self.put(&file, content).await
    }
}
