//! The line that a person types, with its history.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Editor, Helper};

use super::Open;
use super::completing::Completing;
use crate::command::Context;
use crate::error::{Doing, HostError, Result};
use crate::report;
use crate::store::disk;

/// Lines that are kept.
const KEPT: usize = 2000;

/// What a person has typed.
pub enum Typed {
    /// A script, whole.
    Command(String),
    /// An empty line, or one that was given up.
    Nothing,
    /// They leave.
    End,
}

/// Reads lines.
pub struct Line {
    editor: Editor<Typing, FileHistory>,
    /// The lines of all sandboxes, the person's alone to read.
    history: PathBuf,
}

impl Line {
    /// Begins, with what was typed before.
    pub fn new(context: &Context, open: Rc<RefCell<Open>>) -> Result<Self> {
        let config = Config::builder()
            .history_ignore_space(true)
            .max_history_size(KEPT)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(broken)?
            .completion_type(rustyline::CompletionType::List)
            .tab_stop(8)
            .build();
        let mut editor = Editor::with_config(config).map_err(broken)?;
        editor.set_helper(Some(Typing(Completing::new(open))));
        let history = context.home.shell_history();
        // It is made before anything is written to it, so that nobody else can read it for a moment.
        let made = disk::private(std::fs::File::options().append(true).create(true)).open(&history);
        made.doing("write to", &history)?;
        if let Err(error) = editor.load_history(&history) {
            report::note(&format!("what was typed before is not there: {error}"));
        }
        Ok(Line { editor, history })
    }

    /// Reads one script, of one line or several.
    pub fn read(&mut self, prompt: &str) -> Result<Typed> {
        match self.editor.readline(prompt) {
            Ok(text) if matches!(text.trim(), "exit" | "logout") => Ok(Typed::End),
            Ok(text) if text.trim().is_empty() => Ok(Typed::Nothing),
            // The sandbox has no terminal to clear.
            Ok(text) if text.trim() == "clear" => {
                self.editor.clear_screen().map_err(broken)?;
                Ok(Typed::Nothing)
            }
            Ok(text) => {
                let added = self.editor.add_history_entry(&text).map_err(broken)?;
                if added && let Err(error) = self.editor.append_history(&self.history) {
                    report::note(&format!("this line is not kept: {error}"));
                }
                Ok(Typed::Command(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Nothing),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(broken(error)),
        }
    }
}

fn broken(error: ReadlineError) -> HostError {
    HostError::new(crate::error::ErrorKind::Storage, format!("cannot read from the terminal: {error}"))
}

/// What happens while a person types.
struct Typing(Completing);

impl Helper for Typing {}
impl Highlighter for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Validator for Typing {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match shell::is_unfinished(&format!("{}\n", typed.input())) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl rustyline::completion::Completer for Typing {
    type Candidate = rustyline::completion::Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Self::Candidate>)> {
        Ok(self.0.complete(line, position))
    }
}
