//! A patch of one file.

mod ask;
mod select;

use bstr::BString;

use self::select::Chosen;
use super::header::Header;
use super::hunk::{Form, Hunk, Kind};
use super::names::shown;
use super::options::ReadOnly;
use super::place::{How, find};
use super::session::{Session, Tally};
use super::target::Target;
use super::text::Text;
use super::tree::{Output, Step, failed};
use crate::exec::Ended;
use crate::world::Kind as Entry;

/// The bits of a mode that say what a file is, and those of a link.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// How a patch is being applied.
pub struct State {
    /// Whether old and new are the other way round.
    pub reverse: bool,
    /// Whether the rest of it is only written down.
    skips: bool,
    /// Whether it is applied although it looks as if it were already.
    anyway: bool,
    /// Whether its rejects are lost.
    silent: bool,
    mismatch: bool,
}

impl Session<'_, '_> {
    /// Applies the patch whose hunks come next in the text.
    pub(super) async fn one(&mut self, header: &Header, text: &mut Text) -> Result<(), Ended> {
        let form = header.form.expect("it was found out");
        let mut state =
            State { reverse: self.options.reverse, skips: false, anyway: false, silent: false, mismatch: false };
        let chosen = self.chosen(header, text, &mut state).await?;
        let mut tally = Tally::default();
        let Some(chosen) = chosen else {
            self.failed = true;
            state.skips = true;
            self.skip(header, text, &state, &mut tally).await?;
            return self.settle(tally, true, None).await;
        };
        if form == Form::Binary && !state.skips {
            self.say(format!("File {}: git binary diffs are not supported.\n", shown(&chosen.output))).await?;
            self.failed = true;
            return Ok(());
        }
        if !state.skips && self.leads_out(&chosen).await? {
            return self.skip(header, text, &state, &mut tally).await;
        }
        let link = header.modes.iter().flatten().any(|mode| mode & KIND == LINK);
        if !state.skips && !self.fitting(&chosen, link).await? {
            state.skips = true;
        }
        let name = self.options.output.clone().unwrap_or_else(|| chosen.output.clone());
        let mut target = self.target(&chosen, link, &state).await?;
        if !state.skips {
            self.check_version(header, &target).await?;
            self.announce(header, &chosen, &name, link).await?;
        }
        let mut number = 0;
        while let Some(hunk) = self.hunk(text, form).await? {
            number += 1;
            tally.hunks = number;
            let hunk = if state.reverse { hunk.reversed() } else { hunk };
            if state.skips {
                self.ignore(header, &hunk, &state, &mut tally).await?;
            } else {
                self.apply(header, hunk, &mut target, &mut state, &mut tally).await?;
            }
        }
        self.failed |= state.skips;
        if !state.skips {
            let content = target.finish(self.call)?;
            self.finish(header, &chosen, content, &state, &mut tally, link).await?;
        }
        let reject = (!state.silent).then_some(&name);
        self.settle(tally, state.skips, reject).await
    }

    async fn skip(&mut self, header: &Header, text: &mut Text, state: &State, tally: &mut Tally) -> Result<(), Ended> {
        let form = header.form.expect("it was found out");
        while let Some(hunk) = self.hunk(text, form).await? {
            tally.hunks += 1;
            let hunk = if state.reverse { hunk.reversed() } else { hunk };
            self.ignore(header, &hunk, state, tally).await?;
        }
        Ok(())
    }

    async fn ignore(&mut self, header: &Header, hunk: &Hunk, state: &State, tally: &mut Tally) -> Result<(), Ended> {
        self.reject(tally, header, hunk, 0, state.reverse);
        if self.options.verbose {
            self.say(format!("Hunk #{} ignored at {}.\n", tally.hunks, hunk.old_first)).await?;
        }
        Ok(())
    }

    /// Whether the file would be made somewhere else, through a link. If so, says it.
    async fn leads_out(&mut self, chosen: &Chosen) -> Result<bool, Ended> {
        let out = !chosen.given && self.tree.leads_out(self.call, &chosen.output);
        if out {
            self.failed = true;
            self.say(format!("Invalid file name {} -- skipping patch\n", shown(&chosen.output))).await?;
        }
        Ok(out)
    }

    /// Whether the file is what a patch can be applied to. If not, says so.
    async fn fitting(&mut self, chosen: &Chosen, link: bool) -> Result<bool, Ended> {
        let name = shown(&chosen.input);
        let Some(stat) = self.tree.stat(self.call, &chosen.input) else { return Ok(true) };
        let wanted = if link { Entry::Link } else { Entry::File };
        if stat.kind != wanted {
            let what = if link { "symbolic link" } else { "regular file" };
            self.say(format!("File {name} is not a {what} -- refusing to patch\n")).await?;
            return Ok(false);
        }
        if stat.kind == Entry::File && !stat.writable && self.options.read_only != ReadOnly::Ignore {
            let fails = self.options.read_only == ReadOnly::Fail;
            let what = if fails { "refusing to patch" } else { "trying to patch anyway" };
            self.say(format!("File {name} is read-only; {what}\n")).await?;
            return Ok(!fails);
        }
        Ok(true)
    }

    async fn target(&mut self, chosen: &Chosen, link: bool, state: &State) -> Result<Target, Ended> {
        if state.skips || self.tree.stat(self.call, &chosen.input).is_none() {
            return Ok(Target::new(bytes::Bytes::new()));
        }
        match self.tree.read(self.call, &chosen.input, link) {
            Ok(content) => {
                self.call.shell.hold(content.len())?;
                Ok(Target::new(content))
            }
            Err(error) => Err(self.fatal(failed("Can't open file", &chosen.input, &error)).await),
        }
    }

    async fn announce(&mut self, header: &Header, chosen: &Chosen, name: &BString, link: bool) -> Result<(), Ended> {
        if self.options.silent {
            return Ok(());
        }
        let does = if self.options.dry { "checking" } else { "patching" };
        let what = if link { "symbolic link" } else { "file" };
        let mut line = format!("{does} {what} {}", shown(name));
        let already = chosen.already;
        if chosen.input != *name || already {
            let how = match (header.rename, header.copy && !self.options.reverse) {
                (true, _) => "renamed",
                (_, true) => "copied",
                _ => "read",
            };
            let from = if already { &chosen.source } else { &chosen.input };
            line.push_str(&format!(" ({}{how} from {from})", if already { "already " } else { "" }));
        }
        line.push('\n');
        self.say(line).await?;
        if self.options.verbose {
            self.say("Using Plan A...\n").await?;
        }
        Ok(())
    }

    /// Applies a hunk where it fits.
    async fn apply(
        &mut self,
        header: &Header,
        mut hunk: Hunk,
        target: &mut Target,
        state: &mut State,
        tally: &mut Tally,
    ) -> Result<(), Ended> {
        let most = self.options.fuzz.min(hunk.prefix().max(hunk.suffix()));
        let (mut place, mut fuzz) = (None, 0);
        while fuzz <= most && place.is_none() && !state.skips {
            let how = How { fuzz, loose: self.options.loose };
            let made = hunk.count(Kind::Insert) == 0 && header.absent[usize::from(state.reverse)] == 2;
            // A file that is to be made, and is there, is no place for it.
            place = if made && target.count() > 0 { None } else { find(target, &hunk, how, self.call)? };
            let asks =
                tally.hunks == 1 && !self.options.force && !state.anyway && state.reverse == self.options.reverse;
            if place.is_none() && asks {
                let other = hunk.clone().reversed();
                let drift = target.drift;
                place = find(target, &other, how, self.call)?;
                if place.is_some() {
                    if self.reverses(state, None).await? {
                        hunk = other;
                        state.reverse = !state.reverse;
                        state.mismatch = true;
                    } else {
                        target.drift = drift;
                        place = None;
                        if !state.skips {
                            state.anyway = true;
                            continue;
                        }
                    }
                }
            }
            if place.is_none() {
                fuzz += 1;
            }
        }
        if state.skips {
            return self.ignore(header, &hunk, state, tally).await;
        }
        let grown = target.grown;
        let at = place.unwrap_or_else(|| usize::try_from(hunk_place(&hunk, 0)).unwrap_or(1));
        let shown_at = hunk_place_at(at, grown);
        let changed = match place {
            Some(place) => self.changed(target, &hunk, place).await?,
            None => false,
        };
        if changed {
            state.mismatch |= fuzz > 0 || target.drift != 0;
            return self.succeeded(tally.hunks, shown_at, fuzz, target.drift).await;
        }
        let number = tally.hunks;
        self.reject(tally, header, &hunk, grown, state.reverse);
        if self.options.silent {
            return Ok(());
        }
        let endings = if mixed(target, &hunk, at) { " (different line endings)" } else { "" };
        self.say(format!("Hunk #{number} FAILED at {shown_at}{endings}.\n")).await
    }

    async fn changed(&mut self, target: &mut Target, hunk: &Hunk, place: usize) -> Result<bool, Ended> {
        let changed = target.change(hunk, place, self.call)?;
        if !changed {
            self.say("misordered hunks! output would be garbled\n").await?;
        }
        Ok(changed)
    }

    async fn succeeded(&mut self, number: usize, at: isize, fuzz: usize, drift: isize) -> Result<(), Ended> {
        let told = self.options.verbose || !self.options.silent && (fuzz > 0 || drift != 0);
        if !told {
            return Ok(());
        }
        let mut line = format!("Hunk #{number} succeeded at {at}");
        if fuzz > 0 {
            line.push_str(&format!(" with fuzz {fuzz}"));
        }
        if drift != 0 {
            line.push_str(&format!(" (offset {drift} line{})", if drift == 1 { "" } else { "s" }));
        }
        line.push_str(".\n");
        self.say(line).await
    }

    /// Puts what a file has become where it belongs.
    async fn finish(
        &mut self,
        header: &Header,
        chosen: &Chosen,
        content: BString,
        state: &State,
        tally: &mut Tally,
        link: bool,
    ) -> Result<(), Ended> {
        if let Some(output) = self.options.output.clone() {
            return self.finish_elsewhere(&output, content).await;
        }
        let misfits = state.mismatch || tally.failed > 0;
        let backup = self.options.backups || self.options.mismatch_backups && misfits;
        let absent = header.absent[usize::from(!state.reverse)] == 2;
        if content.is_empty() && (self.options.removes_empty || absent && !self.options.posix || link) {
            if !self.options.dry {
                self.tree.push(Step::Remove(chosen.output.clone(), backup));
            }
        } else {
            if absent && !content.is_empty() && (self.options.removes_empty || !self.options.posix) {
                self.failed = true;
                if !self.options.silent {
                    let name = shown(&chosen.output);
                    self.say(format!("Not deleting file {name} as content differs from patch\n")).await?;
                }
            }
            if !self.options.dry {
                let executable = self.executable(header, chosen, state);
                let unchanged = tally.failed == tally.hunks && tally.failed > 0;
                if unchanged && executable.is_none() && chosen.input == chosen.output {
                    return self.keep(&chosen.output, backup).await;
                }
                let name = chosen.output.clone();
                self.tree.push(Step::Write(Output { name, content, link, executable, backup }));
            }
        }
        let moves = header.rename && !chosen.already && chosen.input != chosen.output;
        if moves && !self.options.dry {
            self.tree.push(Step::Remove(chosen.input.clone(), backup));
        }
        if header.git { Ok(()) } else { self.flush().await }
    }

    /// Keeps a file that stays as it is.
    async fn keep(&mut self, name: &BString, backup: bool) -> Result<(), Ended> {
        if !backup {
            return Ok(());
        }
        if let Err(message) = self.tree.keep(self.call, name, &self.options.naming) {
            return Err(self.fatal(message).await);
        }
        if self.tree.stat(self.call, name).is_none() {
            return Err(self.fatal(format!("Can't reopen file {} : No such file or directory", shown(name))).await);
        }
        Ok(())
    }

    async fn finish_elsewhere(&mut self, output: &BString, content: BString) -> Result<(), Ended> {
        if output == "-" {
            return self.call.print(content).await;
        }
        self.output.extend_from_slice(&content);
        self.call.shell.hold(self.output.len())?;
        let all = self.output.clone();
        self.put(output, all).await
    }

    /// Whether the file can be executed afterwards, if the patch or another file says so.
    fn executable(&self, header: &Header, chosen: &Chosen, state: &State) -> Option<bool> {
        let [old, new] = if state.reverse { [header.modes[1], header.modes[0]] } else { header.modes };
        let before = self.tree.stat(self.call, &chosen.input);
        match new.filter(|_| old != new || before.is_none()) {
            Some(mode) => Some(mode & 0o100 != 0),
            None if chosen.input != chosen.output => before.map(|stat| stat.executable),
            None => None,
        }
    }
}

fn hunk_place(hunk: &Hunk, drift: isize) -> isize {
    isize::try_from(hunk.old_first).unwrap_or(isize::MAX / 2) + drift
}

fn hunk_place_at(place: usize, grown: isize) -> isize {
    isize::try_from(place).unwrap_or(isize::MAX / 2) + grown
}

/// Whether the hunk's lines end otherwise than the file's.
fn mixed(target: &Target, hunk: &Hunk, place: usize) -> bool {
    let returns = |line: &[u8]| line.ends_with(b"\r\n");
    let Some(line) = target.line(place.min(target.count())) else { return false };
    hunk.old().first().is_some_and(|first| returns(first) != returns(line))
}
