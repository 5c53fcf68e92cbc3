//! The prompt in a terminal: the push in its frame, and a key for what to do about it.

use std::io::{self, BufRead, Write};

use gate::approval::{Decision, Proposal};

use super::{Approver, CallDecision, CallRequest, Offer, Word};
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
const REMEMBER: &str = "[A]pprove and remember";

const HELP: &str = concat!(
    "  d  show everything that would change\n",
    "  a  approve\n",
    "  r  reject, with a reason that the agent reads\n",
    "  ?  show this help\n",
);
const HELP_REMEMBER: &str =
    "  A  approve, and write a rule, which is shown first, so that you are not asked about the like again\n";

/// What a person has answered.
enum Answer {
    Approve,
    Remember,
    Reject(String),
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// A prompt that writes to `output` and reads answers from `input`.
    pub fn new(input: R, output: W) -> Self {
        Prompt { input, output, discard: || Ok(()) }
    }

    fn ask(&mut self, shown: &dyn Shown, offer: Option<&Offer>) -> io::Result<Answer> {
        write!(self.output, "{}", shown.question())?;
        if offer.is_some() {
            writeln!(self.output, "{REMEMBER}")?;
        }
        self.output.flush()?;
        // An approval counts for what was seen: not what a paste, or a program that writes to the terminal, has typed ahead.
        (self.discard)()?;
        loop {
            let Some(key) = self.read("> ")? else { return Ok(Answer::Reject(String::new())) };
            match (key.as_str(), offer) {
                ("d" | "diff", _) => self.keys(&format!("{}\n", shown.whole()), offer)?,
                ("a" | "approve", _) => return Ok(Answer::Approve),
                ("A", Some(offer)) => {
                    if self.wants(offer)? {
                        return Ok(Answer::Remember);
                    }
                    self.keys("", Some(offer))?;
                }
                ("r" | "reject", _) => {
                    return Ok(Answer::Reject(self.read("Reason (may be empty): ")?.unwrap_or_default()));
                }
                ("?" | "help", _) => {
                    write!(self.output, "{HELP}{}", if offer.is_some() { HELP_REMEMBER } else { "" })?;
                }
                ("", _) => {}
                _ => self.keys("", offer)?,
            }
        }
    }

    /// Says what can be pressed, behind some text.
    fn keys(&mut self, text: &str, offer: Option<&Offer>) -> io::Result<()> {
        let more = offer.map_or_else(String::new, |_| format!("  {REMEMBER}"));
        writeln!(self.output, "{text}{KEYS}{more}")
    }

    /// Shows the rule and asks whether it is wanted.
    fn wants(&mut self, offer: &Offer) -> io::Result<bool> {
        let rule: String = screen::block(&offer.rule).lines().map(|line| format!("    {line}\n")).collect();
        write!(self.output, "This approves, and adds to {}:\n{rule}", screen::line(&offer.file.display().to_string()))?;
        Ok(matches!(self.read("Go ahead? [y]es [n]o ")?.as_deref(), Some("y" | "yes")))
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
        match self.ask(request, request.offer) {
            Ok(Answer::Approve) => Word::Given(CallDecision::Approve),
            Ok(Answer::Remember) => Word::Remembered(CallDecision::Approve),
            Ok(Answer::Reject(reason)) => Word::Given(CallDecision::Reject(reason)),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Word<Decision> {
        let approve = Decision::Approve { digest: proposal.digest() };
        match self.ask(proposal, offer) {
            Ok(Answer::Approve) => Word::Given(approve),
            Ok(Answer::Remember) => Word::Remembered(approve),
            Ok(Answer::Reject(reason)) => Word::Given(Decision::Reject { reason }),
            Err(error) => unreachable_terminal(&error),
        }
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
        offer: None,
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
    fn a_rule_is_remembered_only_after_it_was_shown() {
        let offer = Offer { rule: "[[allow]]\ntool = \"git_stage\"\n".to_owned(), file: "/home/policy.toml".into() };
        let ask = |input: &str| {
            let mut output = Vec::new();
            let request = CallRequest { offer: Some(&offer), ..REQUEST };
            let word = Prompt::new(input.as_bytes(), &mut output).call(&request);
            (word, String::from_utf8(output).unwrap())
        };
        let (word, output) = ask("A\ny\n");
        assert_eq!(word, Word::Remembered(CallDecision::Approve));
        assert_eq!(
            output,
            "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n[A]pprove and remember\n> \
             This approves, and adds to /home/policy.toml:\n    [[allow]]\n    tool = \"git_stage\"\nGo ahead? [y]es [n]o "
        );
        assert_eq!(ask("A\nn\na\n").0, Word::Given(CallDecision::Approve));
        for input in ["A\n\nr\n\n", "A\nn\n", "A\n"] {
            assert_eq!(ask(input).0, Word::Given(CallDecision::Reject(String::new())), "{input}");
        }
        assert!(ask("?\n").1.contains("  A  "));
    }

    #[test]
    fn help_names_every_key() {
        let (_, output) = ask("?\n");
        for key in ["  d  ", "  a  ", "  r  ", "  ?  "] {
            assert!(output.contains(key), "{output}");
        }
    }
}
