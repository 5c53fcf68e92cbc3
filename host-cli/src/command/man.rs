use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::error::{Doing, ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::screen;

/// Print the manual page of gitgate, or write the pages of all commands
///
/// `gitgate man | man -l -` shows the page. To install all of them, name a folder where man looks,
/// such as ~/.local/share/man/man1.
#[derive(Debug, Args)]
pub struct Man {
    /// Folder to write the pages of all commands to; it is made if it is not there
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub fn run(self) -> anyhow::Result<Exit> {
        let pages = pages(Cli::command());
        let Some(folder) = self.folder else {
            let (_, page) = pages.first().expect("the command itself has a page");
            report::print(page)?;
            return Ok(Exit::Done);
        };
        let name = folder.to_string_lossy();
        if Cli::command().get_subcommands().any(|command| command.get_name() == name) && !folder.exists() {
            let what = format!("{name} is a command, and this takes a folder for the pages of all commands");
            let hint = format!("`gitgate help {name}` says what it does; ./{name} is a folder");
            return Err(HostError::new(ErrorKind::Usage, what).hint(hint).into());
        }
        fs::create_dir_all(&folder).doing("make", &folder)?;
        for (name, page) in &pages {
            let path = folder.join(name);
            fs::write(&path, page).doing("write", &path)?;
        }
        let count = pages.len();
        report::print(&format!("Wrote {count} pages to {}\n", screen::line(&folder.display().to_string())))?;
        Ok(Exit::Done)
    }
}

/// The pages of `command` and of all below it, with the names of their files.
fn pages(mut command: clap::Command) -> Vec<(String, String)> {
    command.build();
    let mut pages = Vec::new();
    add(command, &mut pages);
    pages
}

fn add(command: clap::Command, pages: &mut Vec<(String, String)>) {
    let below: Vec<clap::Command> =
        command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help").cloned().collect();
    // The date of the build would make each build another.
    let version = format!("gitgate {}", env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command).source(version).manual("gitgate");
    let mut text = Vec::new();
    page.render(&mut text).expect("memory can be written to");
    pages.push((page.get_filename(), String::from_utf8(text).expect("it is made of text")));
    below.into_iter().for_each(|below| add(below, pages));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of all commands, as a person types them.
    fn commands(command: &clap::Command, before: &str) -> Vec<(String, String)> {
        let name = format!("{before}{}", command.get_name());
        let about = command.get_about().expect("every command says what it does").to_string();
        let own = command.get_subcommands().filter(|below| below.get_name() != "help");
        let below = own.flat_map(|below| commands(below, &format!("{name}-")));
        let below: Vec<_> = below.collect();
        [(name, about)].into_iter().chain(below).collect()
    }

    #[test]
    fn every_command_has_a_page_that_says_what_it_does() {
        let (pages, commands) = (pages(Cli::command()), commands(&Cli::command(), ""));
        assert!(commands.len() > 20, "{commands:?}");
        assert_eq!(pages.len(), commands.len());
        for ((file, page), (name, about)) in pages.iter().zip(&commands) {
            assert_eq!(*file, format!("{name}.1"));
            let plain = page.replace("\\-", "-").replace("\\*(Aq", "'");
            assert!(plain.contains(&format!("{name} - {about}")), "{name}: {page}");
            for heading in [".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS"] {
                assert!(page.contains(heading), "{name} lacks {heading}: {page}");
            }
        }
    }

    #[test]
    fn the_pages_are_written_into_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let man1 = folder.path().join("man/man1");
        for _ in 0..2 {
            Man { folder: Some(man1.clone()) }.run().unwrap();
        }
        let mut written: Vec<_> = fs::read_dir(&man1).unwrap().map(|entry| entry.unwrap()).collect();
        written.sort_by_key(fs::DirEntry::file_name);
        assert_eq!(written.len(), pages(Cli::command()).len());
        assert!(written.iter().all(|entry| entry.metadata().unwrap().len() > 0));
        assert_eq!(written[0].file_name(), "gitgate-call.1");
    }
}
