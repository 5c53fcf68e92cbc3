use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::report::{self, Exit};

/// Print a shell's completions for gitgate
///
/// Put them where your shell looks: for bash in ~/.local/share/bash-completion/completions/gitgate,
/// for zsh as _gitgate into a folder of $fpath, for fish in ~/.config/fish/completions/gitgate.fish.
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell
    #[arg(value_enum)]
    shell: Known,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

impl Completions {
    pub fn run(self) -> anyhow::Result<Exit> {
        let shell = match self.shell {
            Known::Bash => Shell::Bash,
            Known::Zsh => Shell::Zsh,
            Known::Fish => Shell::Fish,
        };
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "gitgate", &mut script);
        report::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
