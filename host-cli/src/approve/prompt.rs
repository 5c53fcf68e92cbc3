//! The prompt in a terminal: the push in its frame, and a key for what to do about it.

use std::io::{self, BufRead, Write};

use gate::approval::{Decision, Proposal};
use gate::ledger::How;

use super::{Approver, CallDecision, CallRequest, Word};
use crate::screen;

/// Asks on a terminal, line by line: a letter and Enter. The end of input rejects.
#[derive(Debug)]
pub struct Prompt<R, W> {
    input: R,
    output: W,
    /// Throws away what was typed before the question could be read.
    discard: fn() -> io::Result<()>,
}

impl Prompt<io::StdinLock<'static>, io::Stderr> {
    /// A prompt for whoever sits at the terminal of this process.
    pub fn at_terminal() -> Self {
        let discard = || Ok(rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush)?);
        Prompt { input: io::stdin().lock(), output: io::stderr(), discard }
    }
}

/// What a person can read before they decide.
trait Shown {
    /// What is asked about.
    fn question(&self) -> String;
    /// All of it.
    fn whole(&self) -> String;
}

impl Shown for Proposal {
    fn question(&self) -> String {
        self.review().prompt_box()
    }

    fn whole(&self) -> String {
        self.review().whole()
    }
}

impl Shown for CallRequest<'_> {
    fn question(&self) -> String {
        format!("{}: {}\n{KEYS}\n", self.tool, self.summary)
    }

    fn whole(&self) -> String {
        match self.detail {
            "" => format!("{}\n", self.summary),
            detail => detail.to_owned(),
        }
    }
}

const KEYS: &str = "[d]iff  [a]pprove  [r]eject  [?]help";

const HELP: &str = concat!(
    "  d  show everything that would change\n",
    "  a  approve\n",
    "  r  reject, with a reason that the agent reads\n",
    "  ?  show this help\n",
);

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// A prompt that writes to `output` and reads answers from `input`.
    pub fn new(input: R, output: W) -> Self {
        Prompt { input, output, discard: || Ok(()) }
    }

    /// `None` approves; a reason rejects.
    fn ask(&mut self, shown: &dyn Shown) -> io::Result<Option<String>> {
        write!(self.output, "{}", shown.question())?;
        self.output.flush()?;
        // An approval counts for what was seen: not what a paste, or a program that writes to the terminal, has typed ahead.
        (self.discard)()?;
        loop {
            let Some(key) = self.read("> ")? else { return Ok(Some(String::new())) };
            match key.as_str() {
                "d" | "diff" => writeln!(self.output, "{}\n{KEYS}", shown.whole())?,
                "a" | "approve" => return Ok(None),
                "r" | "reject" => return Ok(Some(self.read("Reason (may be empty): ")?.unwrap_or_default())),
                "?" | "help" => write!(self.output, "{HELP}")?,
                "" => {}
                _ => writeln!(self.output, "{KEYS}")?,
            }
        }
    }

    /// A line without the white space around it; `None` at the end of input.
    fn read(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

fn unreachable_terminal<T>(error: &io::Error) -> Word<T> {
    Word::Nobody { reason: format!("the terminal cannot be used: {error}"), hint: String::new() }
}

impl<R: BufRead, W: Write> Approver for Prompt<R, W> {
    fn call(&mut self, request: &CallRequest<'_>) -> Word<CallDecision> {
        match self.ask(request) {
            Ok(None) => Word::Given(CallDecision::Approve),
            Ok(Some(reason)) => Word::Given(CallDecision::Reject(reason)),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn push(&mut self, proposal: &Proposal) -> Word<Decision> {
        match self.ask(proposal) {
            Ok(None) => Word::Given(Decision::Approve { digest: proposal.digest() }),
            Ok(Some(reason)) => Word::Given(Decision::Reject { reason }),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn how(&self) -> How {
        How::Prompt
    }

    fn tell(&mut self, message: &str) {
        // A terminal that is gone has nobody to tell.
        let _ = writeln!(self.output, "note: {}", screen::block(message));
    }
}

#[cfg(test)]
mod tests {
    use gate::policy::Severity;

    use super::*;

    const REQUEST: CallRequest<'_> = CallRequest {
        tool: "git_stage",
        severity: Severity::Medium,
        summary: "Stage 1 file(s): a.md",
        detail: "Files to stage:\n  a.md\n",
    };

    fn ask(input: &str) -> (Word<CallDecision>, String) {
        let mut output = Vec::new();
        let word = Prompt::new(input.as_bytes(), &mut output).call(&REQUEST);
        (word, String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_approves_what_was_asked() {
        let (word, output) = ask("a\n");
        assert_eq!(word, Word::Given(CallDecision::Approve));
        assert_eq!(output, "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n> ");
    }

    #[test]
    fn d_shows_everything_and_asks_again() {
        let (word, output) = ask("d\na\n");
        assert_eq!(word, Word::Given(CallDecision::Approve));
        assert!(output.ends_with("> Files to stage:\n  a.md\n\n[d]iff  [a]pprove  [r]eject  [?]help\n> "), "{output}");
    }

    #[test]
    fn r_rejects_with_the_reason_given() {
        assert_eq!(ask("r\n too much at once \n").0, Word::Given(CallDecision::Reject("too much at once".to_owned())));
        assert_eq!(ask("r\n\n").0, Word::Given(CallDecision::Reject(String::new())));
    }

    #[test]
    fn the_end_of_input_rejects() {
        assert_eq!(ask("").0, Word::Given(CallDecision::Reject(String::new())));
        assert_eq!(ask("d\n").0, Word::Given(CallDecision::Reject(String::new())));
        assert_eq!(ask("r\n").0, Word::Given(CallDecision::Reject(String::new())));
    }

    #[test]
    fn nothing_else_decides() {
        for input in ["y\n", "A\n", "yes\n", "aa\n", "\n", "approve it\n", "\u{ff}\n"] {
            let (word, output) = ask(&format!("{input}r\n\n"));
            assert_eq!(word, Word::Given(CallDecision::Reject(String::new())), "{input}");
            assert!(!output.contains("[A]"), "what is not offered is not shown");
        }
    }

    #[test]
    fn help_names_every_key() {
        let (_, output) = ask("?\n");
        for key in ["  d  ", "  a  ", "  r  ", "  ?  "] {
            assert!(output.contains(key), "{output}");
        }
    }
}
