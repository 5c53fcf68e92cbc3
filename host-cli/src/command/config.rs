use std::fs;
use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};

use super::Context;
use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::{self, Config, Identity, Setting};
use crate::report::{self, Exit};
use crate::screen;
use crate::store::disk::{self, RealDisk};
use crate::terminal::Terminal;

/// Show your settings, and where each value comes from
///
/// They are in gitgate.toml in gitgate's home folder, and hold for all sandboxes.
#[derive(Debug, Args)]
pub struct ConfigCommand {
    /// Edit the file in $VISUAL, $EDITOR or vi; a file with errors changes nothing
    #[arg(long)]
    edit: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Set who commits in the sandbox, from now on
    Identity {
        /// Author of commits
        #[arg(value_name = "\"NAME <EMAIL>\"", value_parser = identity)]
        identity: Identity,
    },
}

fn identity(text: &str) -> std::result::Result<Identity, String> {
    text.parse().map_err(|error: HostError| format!("{}: {}", error.message, screen::hint::words(&error.hint)))
}

/// What an editor shows where there is no file yet.
const TEMPLATE: &str = "\
# unattended = false          # whether --yes, or a rule, may let a push go that nobody looks at

# [approval]
# without_terminal = false    # whether --approve, --yes, --reject and --as user hold without a terminal

# [notify]
# desktop = true              # whether the desktop shows that an agent's call waits for you
# bell = true                 # whether `gitgate watch` rings the terminal's bell then

# [tools.git]
# enabled = true              # whether there are git tools at all
# timeout_ms = 30000          # time of a git tool, 100 to 600,000
# max_bytes = 200000          # size of a git tool's text, 1 to 5,000,000
# push = \"manual\"             # \"assisted\": an agent may propose a push, which you approve or not
";

impl ConfigCommand {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        if let Some(What::Identity { identity }) = self.what {
            context.ensure_person("set who commits")?;
            let context = context.chosen(Some("Set who commits in"))?;
            let said = screen::line(&format!("Commits in {} are by {identity}", context.name));
            context.open()?.set_identity(identity)?;
            report::print(&format!("{said}\n"))?;
            return Ok(Exit::Done);
        }
        if self.edit {
            edit(&context)?;
        }
        let path = context.home.config_file();
        let settings = home::config::settings(&path)?;
        let width = settings.iter().map(|Setting { name, value, .. }| name.len() + value.len()).max().unwrap_or(0);
        let mut out = format!("{}\n", screen::line(&path.display().to_string()));
        for Setting { name, value, is_set } in &settings {
            let gap = " ".repeat(width - name.len() - value.len());
            let from = if *is_set { "gitgate.toml" } else { "default" };
            out.push_str(&format!("  {name} = {}{gap}    {from}\n", screen::line(value)));
        }
        report::print(&out)?;
        Ok(Exit::Done)
    }
}

/// Whether `file` has been written since `other` was.
fn newer(file: &Path, other: &Path) -> bool {
    let written = |file: &Path| fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
    written(file).is_some_and(|file| written(other).is_none_or(|other| file > other))
}

fn text_of(file: &Path) -> Result<Option<String>> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        text => text.map(Some).doing("read", file),
    }
}

/// Lets the person edit the file. It stays as it is if their text has errors.
fn edit(context: &Context) -> anyhow::Result<()> {
    let mut terminal = Terminal::open().ok_or_else(|| {
        HostError::new(ErrorKind::Usage, "an editor needs a terminal").hint("edit the file that `gitgate config` names")
    })?;
    let path = context.home.config_file();
    if let Some(home) = path.parent() {
        disk::private_folder(home).doing("make", home)?;
    }
    // A link stays one: the file that it leads to is replaced.
    let path = path.canonicalize().unwrap_or(path);
    let rejected = path.with_extension("toml.rejected");
    let text = match newer(&rejected, &path) {
        true => text_of(&rejected)?,
        false => text_of(&path)?,
    };
    let edited = terminal.edit(text.as_deref().unwrap_or(TEMPLATE), "gitgate.toml").doing("edit", &path)?;
    if let Err(wrong) = Config::parse(&path.display().to_string(), &edited) {
        fs::write(&rejected, edited).doing("write", &rejected)?;
        let hint = format!("nothing has changed; your text is in {}, and --edit goes on with it", rejected.display());
        return Err(wrong.hint(hint).into());
    }
    disk::replace(&RealDisk, &path, |file| file.write_all(edited.as_bytes())).doing("write", &path)?;
    // It is there only after a text with errors.
    let _ = fs::remove_file(&rejected);
    Ok(())
}
