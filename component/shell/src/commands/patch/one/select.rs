//! Which file a patch is about.

use bstr::{BString, ByteSlice};

use super::State;
use crate::commands::patch::header::Header;
use crate::commands::patch::hunk::Form;
use crate::commands::patch::names::{best, is_safe, shown};
use crate::commands::patch::session::Session;
use crate::commands::patch::text::Text;
use crate::exec::Ended;
use crate::world::Stat;

/// The file that is read, and the one that is written.
pub(super) struct Chosen {
    pub(super) input: BString,
    pub(super) output: BString,
    /// What had to be read, if it was renamed or copied already.
    pub(super) source: BString,
    pub(super) already: bool,
    /// Whether it was named by whoever called.
    pub(super) given: bool,
}

impl Chosen {
    fn same(name: BString, given: bool) -> Chosen {
        Chosen { input: name.clone(), output: name.clone(), source: name, already: false, given }
    }
}

impl Session<'_, '_> {
    /// Chooses the file. None if there is none, which was said.
    pub(super) async fn chosen(
        &mut self,
        header: &Header,
        text: &mut Text,
        state: &mut State,
    ) -> Result<Option<Chosen>, Ended> {
        let given = self.options.file.clone();
        self.settle_due(header, given.as_ref()).await?;
        let found = match given {
            Some(name) => {
                let stat = self.tree.stat(self.call, &name);
                self.turned(header, &name, stat.as_ref(), state).await?;
                Some(Chosen::same(name, true))
            }
            None => match self.named(header, state).await? {
                Named::Found(chosen) => Some(chosen),
                Named::Nothing => None,
                Named::Said => return Ok(None),
            },
        };
        if !state.skips {
            self.introduce(header, text, found.is_some()).await?;
        }
        if found.is_none() {
            self.no_file().await?;
        }
        Ok(found)
    }

    /// Makes the steps that are due if the patch is about one of their files, or is not git's.
    async fn settle_due(&mut self, header: &Header, given: Option<&BString>) -> Result<(), Ended> {
        let names = header.stamps.iter().filter_map(|stamp| stamp.name.as_ref()).chain(given);
        let due = names.into_iter().any(|name| self.tree.is_due(name));
        let moves = header.rename || header.copy;
        if !header.git || due && !moves { self.flush().await } else { Ok(()) }
    }

    async fn named(&mut self, header: &Header, state: &mut State) -> Result<Named, Ended> {
        let sides = header.stamps.iter().filter_map(|stamp| stamp.name.clone());
        let mut names: Vec<BString> = sides.collect();
        if names.is_empty() || self.options.posix {
            names.extend(header.index.clone());
        }
        let there: Vec<&BString> = names.iter().filter(|name| self.tree.stat(self.call, name).is_some()).collect();
        let mut choice = match self.options.posix {
            true => there.first().map(|name| (*name).clone()),
            false => best(there.iter().copied()).cloned(),
        };
        if header.rename || header.copy {
            return self.moved(header, choice).await;
        }
        if let Some(name) = choice.as_ref().or(names.first()).cloned() {
            let stat = self.tree.stat(self.call, &name);
            let turned = self.turned(header, &name, stat.as_ref(), state).await?;
            if turned && choice.is_none() {
                choice = Some(name);
            }
        }
        if choice.is_none() && header.absent[usize::from(state.reverse)] > 0 {
            let missing: Vec<usize> = names.iter().map(|name| self.tree.missing_folders(self.call, name)).collect();
            let least = missing.iter().min().copied();
            let near = names.iter().zip(&missing).filter(|(_, missing)| Some(**missing) == least);
            choice = best(near.map(|(name, _)| name)).cloned();
        }
        match choice {
            Some(name) if !is_safe(&name) => {
                self.dangerous(&name).await?;
                Ok(Named::Nothing)
            }
            Some(name) => Ok(Named::Found(Chosen::same(name, false))),
            None => Ok(Named::Nothing),
        }
    }

    async fn dangerous(&mut self, name: &BString) -> Result<(), Ended> {
        self.say(format!("Ignoring potentially dangerous file name {}\n", shown(name))).await
    }

    /// The files of a patch that renames or copies.
    async fn moved(&mut self, header: &Header, choice: Option<BString>) -> Result<Named, Ended> {
        let reverse = self.options.reverse;
        let name = |side: usize| header.stamps[side].name.clone();
        let (source, target) = (name(usize::from(reverse)), name(usize::from(!reverse)));
        let mut safe = true;
        for name in [&source, &target].into_iter().flatten().filter(|_| choice.is_some()) {
            if !is_safe(name) {
                self.dangerous(name).await?;
                safe = false;
            }
        }
        let (Some(source), Some(target), Some(_), true) = (source, target, choice, safe) else {
            let what = if header.rename { "rename" } else { "copy" };
            self.say(format!("Cannot {what} file without two valid file names\n")).await?;
            return Ok(Named::Said);
        };
        if header.copy && reverse {
            return Ok(Named::Found(Chosen::same(target, false)));
        }
        let already = self.tree.stat(self.call, &source).is_none();
        let input = if already { target.clone() } else { source.clone() };
        Ok(Named::Found(Chosen { input, output: target, source, already, given: false }))
    }

    /// Whether the patch looks as if it were applied already, from whether the file is there.
    async fn turned(
        &mut self,
        header: &Header,
        name: &BString,
        stat: Option<&Stat>,
        state: &mut State,
    ) -> Result<bool, Ended> {
        let (missing, empty) = (stat.is_none(), stat.is_none_or(|stat| stat.size == 0));
        let absent = |other: bool| header.absent[usize::from(state.reverse ^ missing ^ other)];
        // Files that are empty are made and removed as well.
        if empty && absent(false) == 1 && absent(true) == 2 {
            return Ok(false);
        }
        let side = usize::from(state.reverse ^ empty);
        let looks = u8::from(!empty) < header.absent[side];
        if looks {
            let when = if state.reverse { ", when reversed," } else { "" };
            let (does, is) = match (missing, empty) {
                (true, _) => ("delete", "does not exist"),
                (_, true) => ("empty out", "is already empty"),
                _ => ("create", "already exists"),
            };
            let why = format!("The next patch{when} would {does} the file {},\nwhich {is}!", shown(name));
            if self.reverses(state, Some(why)).await? {
                state.reverse = !state.reverse;
            }
            state.silent = state.skips;
        }
        Ok(looks)
    }

    /// Says what stands before the patch, if somebody wants to know.
    async fn introduce(&mut self, header: &Header, text: &Text, found: bool) -> Result<(), Ended> {
        if self.options.verbose {
            self.say(header.looks(self.first)).await?;
        }
        if found && !self.options.verbose {
            return self.stripping(header).await;
        }
        self.stripping(header).await?;
        if !found && !self.options.silent {
            let line = header.line;
            self.say(format!("can't find file to patch at input line {line}\n")).await?;
            let advice = match self.options.strip {
                _ if header.form == Some(Form::Normal) => "",
                None => "Perhaps you should have used the -p or --strip option?\n",
                Some(_) => "Perhaps you used the wrong -p or --strip option?\n",
            };
            self.say(advice).await?;
        }
        let before = text.between(header.begins, header.body.at);
        if before.is_empty() {
            return Ok(());
        }
        let rule = "-".repeat(26);
        self.say(format!("The text leading up to this was:\n{rule}\n")).await?;
        for line in before.lines() {
            self.call.work(1)?;
            let line = if header.strips { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
            self.say([b"|", line, b"\n"].concat()).await?;
        }
        self.say(format!("{rule}\n")).await
    }

    async fn stripping(&mut self, header: &Header) -> Result<(), Ended> {
        if self.options.silent {
            return Ok(());
        }
        if header.indent > 0 {
            let plural = if header.indent == 1 { "" } else { "s" };
            self.say(format!("(Patch is indented {} space{plural}.)\n", header.indent)).await?;
        }
        if header.strips {
            self.say("(Stripping trailing CRs from patch; use --binary to disable.)\n").await?;
        }
        Ok(())
    }

    async fn no_file(&mut self) -> Result<(), Ended> {
        if self.options.force || self.options.batch {
            return self.say("No file to patch.  Skipping patch.\n").await;
        }
        self.say("File to patch: \nSkip this patch? [y] \n").await?;
        if self.options.silent { Ok(()) } else { self.say("Skipping patch.\n").await }
    }
}

enum Named {
    Found(Chosen),
    Nothing,
    Said,
}
