//! Shows a person at their desktop that something waits for them.
//!
//! What is shown may come from an agent. So it is an argument of the system's own program, never a
//! part of a script, and holds nothing that a desktop would obey.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gate::review::one_row;

use crate::home::NotifySettings;
use crate::screen;

/// The time from one notification to the next. A flood of calls is one message.
const PAUSE: Duration = Duration::from_secs(10);
/// Columns of a text.
const COLUMNS: usize = 160;
/// What rings a terminal's bell.
pub const BELL: &str = "\x07";

/// The program, and its arguments before the two texts.
const PROGRAM: (&str, &[&str]) = if cfg!(target_os = "macos") {
    const SCRIPT: &str = "on run texts\n  display notification (item 2 of texts) with title (item 1 of texts)\nend run";
    ("osascript", &["-e", SCRIPT])
} else {
    ("notify-send", &["--app-name=gitgate", "--"])
};

/// What it needs to find the desktop. Tokens are not among them.
const VARIABLES: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];

static DESKTOP: LazyLock<Desktop> = LazyLock::new(|| Desktop::of(std::env::var_os("PATH").as_deref()));

/// Shows that `what` waits for the person in `sandbox`, if `settings` want it and nothing was shown
/// just now. Waits for nothing, and only logs what fails: the call waits in any case.
pub fn waits(settings: &NotifySettings, sandbox: &str, what: &str) {
    if settings.desktop {
        // The program ends by itself, and nobody has to wait for it.
        drop(DESKTOP.show(sandbox, what, Instant::now()));
    }
}

/// The desktop of the person, as far as it can be reached.
struct Desktop {
    program: Option<PathBuf>,
    last: Mutex<Option<Instant>>,
}

impl Desktop {
    /// With the program in `path`. Only absolute folders count: any other is where the person
    /// happens to be, and what an agent wrote may be there.
    fn of(path: Option<&OsStr>) -> Self {
        let folders = path.map(|path| std::env::split_paths(path).collect::<Vec<_>>()).unwrap_or_default();
        let files = folders.iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(PROGRAM.0));
        Desktop { program: files.into_iter().find(|file| is_program(file)), last: Mutex::new(None) }
    }

    /// Shows it, and returns who waits for the program to end. `None` if nothing is shown.
    fn show(&self, sandbox: &str, what: &str, now: Instant) -> Option<JoinHandle<()>> {
        let program = self.program.as_ref()?;
        {
            let mut last = self.last.lock().expect("nothing panics while it is held");
            if last.is_some_and(|last| now < last + PAUSE) {
                return None;
            }
            *last = Some(now);
        }
        tracing::debug!("running {}", program.display());
        let shown = run(program, &[&format!("gitgate: {} waits for you", plain(sandbox)), &plain(what)]);
        shown.inspect_err(|error| tracing::debug!("cannot run {}: {error}", program.display())).ok()
    }
}

fn run(program: &Path, texts: &[&str; 2]) -> std::io::Result<JoinHandle<()>> {
    let variables = VARIABLES.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    let variables: Vec<(&str, OsString)> = variables.collect();
    let mut command = Command::new(program);
    command.args(PROGRAM.1).args(texts).env_clear().envs(variables).current_dir("/");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // A child that nobody waits for would stay in the process table for as long as a server runs.
    thread::Builder::new().name("notify".to_owned()).spawn(move || match child.wait() {
        Ok(status) if status.success() => {}
        Ok(status) => tracing::debug!("{} ended with {status}", PROGRAM.0),
        Err(error) => tracing::debug!("cannot wait for {}: {error}", PROGRAM.0),
    })
}

fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// A text in one row. Desktops read `<` and `>` as the markup of links and images.
fn plain(text: &str) -> String {
    one_row(&screen::line(text), COLUMNS).replace('<', "‹").replace('>', "›")
}

#[cfg(all(test, not(target_os = "macos")))]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A desktop whose program writes its arguments and variables next to itself. A shell writes it,
    /// because a child of another test could still hold open what this process has written, and it
    /// could not be run then.
    fn desktop(end: &str) -> (TempDir, Desktop) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(PROGRAM.0);
        let script = format!(r#"printf '%s\n' "$@" >> "${{0%/*}}/said"; export -p > "${{0%/*}}/variables"; {end}"#);
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod +x "$2""#;
        assert!(Command::new("sh").args(["-c", write, "sh", &script]).arg(&file).status().unwrap().success());
        let desktop = Desktop::of(Some(folder.path().as_os_str()));
        (folder, desktop)
    }

    fn said(folder: &TempDir) -> String {
        fs::read_to_string(folder.path().join("said")).unwrap_or_default()
    }

    #[test]
    fn the_systems_program_shows_what_waits() {
        let (folder, desktop) = desktop("exit 0");
        desktop.show("work", "git_push to local:/project", Instant::now()).unwrap().join().unwrap();
        assert_eq!(said(&folder), "--app-name=gitgate\n--\ngitgate: work waits for you\ngit_push to local:/project\n");
        let variables = fs::read_to_string(folder.path().join("variables")).unwrap();
        assert!(!variables.contains("CARGO"), "little of the environment is passed on: {variables}");
    }

    #[test]
    fn attack_15_what_an_agent_wrote_is_one_plain_short_row() {
        let (folder, desktop) = desktop("exit 0");
        let evil = format!("$(touch x)`id`\x1b[2J\n<a href=\"x\">\u{202e}{}", "long ".repeat(100));
        desktop.show("--urgency=critical", &evil, Instant::now()).unwrap().join().unwrap();
        let said = said(&folder);
        let rows: Vec<&str> = said.lines().collect();
        assert_eq!(rows[2], "gitgate: --urgency=critical waits for you");
        assert!(rows[3].starts_with("$(touch x)`id`\\x1b[2J\\n‹a href=\"x\"›‹U+202E›long long"), "{said}");
        assert!(rows[3].ends_with('…') && rows[3].chars().count() <= COLUMNS, "{said}");
        assert_eq!(rows.len(), 4);
    }

    #[test]
    fn a_flood_is_shown_once_in_ten_seconds() {
        let (folder, desktop) = desktop("exit 0");
        let begin = Instant::now();
        for (seconds, is_shown) in [(0, true), (1, false), (9, false), (10, true), (19, false), (21, true)] {
            let shown = desktop.show("work", &format!("{seconds}"), begin + Duration::from_secs(seconds));
            assert_eq!(shown.is_some(), is_shown, "after {seconds} s");
            shown.into_iter().for_each(|shown| shown.join().unwrap());
        }
        assert_eq!(
            said(&folder).lines().filter(|line| line.parse::<u8>().is_ok()).collect::<Vec<_>>(),
            ["0", "10", "21"]
        );
    }

    #[test]
    fn what_fails_fails_nothing_else() {
        let (folder, desktop) = desktop("exit 1");
        desktop.show("work", "fails", Instant::now()).unwrap().join().unwrap();
        fs::remove_file(folder.path().join(PROGRAM.0)).unwrap();
        assert!(desktop.show("work", "gone", Instant::now() + PAUSE).is_none());
        for path in [None, Some(""), Some("."), Some("/nonexistent")] {
            let desktop = Desktop::of(path.map(OsStr::new));
            assert!(desktop.show("work", "no program", Instant::now()).is_none(), "{path:?}");
        }
    }

    #[test]
    fn who_wants_no_notification_has_none() {
        // The one of this process, which nobody may have used before.
        waits(&NotifySettings { desktop: false, bell: true }, "work", "git_push");
        assert!(DESKTOP.last.lock().unwrap().is_none());
    }
}
