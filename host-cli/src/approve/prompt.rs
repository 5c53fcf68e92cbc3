//! The prompt in a terminal: shows the push in a frame and reads a key.

use std::io::{self, BufRead, Write};

use gate::approval::{Decision, Proposal};
use gate::ledger::How;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response, Revision, revision};
use crate::screen;

/// Asks on a terminal, line by line: a letter and Enter. The end of input rejects.
#[derive(Debug)]
pub struct Prompt<R, W> {
    input: R,
    output: W,
    /// Discards input typed before the question was visible.
    discard: fn() -> io::Result<()>,
}

impl Prompt<io::StdinLock<'static>, io::Stderr> {
    /// Asks on this process's terminal.
    pub fn at_terminal() -> Self {
        let discard = || Ok(rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush)?);
        Prompt { input: io::stdin().lock(), output: io::stderr(), discard }
    }
}

/// What the prompt asks about.
trait Subject {
    /// The question, with a summary.
    fn question(&self) -> String;
    /// Every detail.
    fn whole(&self) -> String;
    /// The path, summary line and hunk headers of each file, if files can be left out.
    fn files(&self) -> Option<Vec<(String, String, Vec<String>)>> {
        None
    }
}

impl Subject for Proposal {
    fn question(&self) -> String {
        self.review().prompt_box()
    }

    fn whole(&self) -> String {
        self.review().whole()
    }

    fn files(&self) -> Option<Vec<(String, String, Vec<String>)>> {
        let review = self.review();
        let lines = review.summary();
        let files = review.files.iter().zip(lines.lines());
        Some(files.map(|(file, line)| (file.path.to_string(), line.to_owned(), file.hunks())).collect())
    }
}

impl Subject for CallRequest<'_> {
    fn question(&self) -> String {
        format!("{}: {}\n{KEYS}\n", screen::line(self.tool), self.summary)
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
const REVISE: &str = "[e]dit the push";

const HELP: &str = concat!(
    "  d  show everything that would change\n",
    "  a  approve\n",
    "  r  reject, with a reason that the agent reads\n",
    "  ?  show this help\n",
);
const HELP_REMEMBER: &str = "  A  approve, and save a rule that approves similar calls; shows the rule first\n";

const HELP_REVISE: &str = "  e  leave out files or hunks, or change the message; then asks again\n";

/// A person's answer.
enum Answer {
    Approve,
    Remember,
    Revise(Revision),
    Reject(String),
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// Writes to `output` and reads answers from `input`.
    pub fn new(input: R, output: W) -> Self {
        Prompt { input, output, discard: || Ok(()) }
    }

    fn ask(&mut self, subject: &dyn Subject, offer: Option<&Offer>) -> io::Result<Answer> {
        write!(self.output, "{}", subject.question())?;
        let files = subject.files();
        let more = more(files.is_some(), offer.is_some());
        if !more.is_empty() {
            writeln!(self.output, "{}", more.trim_start())?;
        }
        self.output.flush()?;
        // An approval must follow the question: discard pasted input and what programs typed ahead.
        (self.discard)()?;
        loop {
            let Some(key) = self.read("> ")? else { return Ok(Answer::Reject(String::new())) };
            match (key.as_str(), offer) {
                ("d" | "diff", _) => writeln!(self.output, "{}\n{KEYS}{more}", subject.whole())?,
                ("e" | "edit", _) if files.is_some() => match self.revision(files.as_deref().unwrap_or_default())? {
                    Some(revision) => return Ok(Answer::Revise(revision)),
                    None => writeln!(self.output, "{KEYS}{more}")?,
                },
                ("a" | "approve", _) => return Ok(Answer::Approve),
                ("A", Some(offer)) => {
                    if self.wants(offer)? {
                        return Ok(Answer::Remember);
                    }
                    writeln!(self.output, "{KEYS}{more}")?;
                }
                ("r" | "reject", _) => {
                    return Ok(Answer::Reject(self.read("Reason (may be empty): ")?.unwrap_or_default()));
                }
                ("?" | "help", _) => {
                    let remember = if offer.is_some() { HELP_REMEMBER } else { "" };
                    let revise = if files.is_some() { HELP_REVISE } else { "" };
                    write!(self.output, "{HELP}{revise}{remember}")?;
                }
                ("", _) => {}
                _ => writeln!(self.output, "{KEYS}{more}")?,
            }
        }
    }

    /// Asks for edits. Returns `None` if there are none.
    fn revision(&mut self, files: &[(String, String, Vec<String>)]) -> io::Result<Option<Revision>> {
        for (number, (_, line, hunks)) in (1..).zip(files) {
            writeln!(self.output, "  {number}  {line}")?;
            for (hunk, header) in (1..).zip(hunks).filter(|_| hunks.len() > 1) {
                writeln!(self.output, "     {number}.{hunk}  {header}")?;
            }
        }
        let counted: Vec<(String, usize)> = files.iter().map(|(path, _, hunks)| (path.clone(), hunks.len())).collect();
        let leave_out = loop {
            let Some(text) = self.read("Leave out (2 for a file, 1.3 for a hunk, empty for nothing): ")? else {
                return Ok(None);
            };
            match revision::read(&text, &counted) {
                Ok(leave_out) => break leave_out,
                Err(wrong) => writeln!(self.output, "{}", screen::line(&wrong))?,
            }
        };
        let mut message = String::new();
        let mut prompt = "New message, ended by a line with only a dot (a dot at once keeps the old one):\n";
        while let Some(line) = self.read(prompt)?.filter(|line| line != ".") {
            message.push_str(&line);
            message.push('\n');
            prompt = "";
        }
        let revision = Revision { leave_out, message: (!message.trim().is_empty()).then_some(message) };
        Ok((!revision.is_empty()).then_some(revision))
    }

    /// Shows the rule and asks whether to save it.
    fn wants(&mut self, offer: &Offer) -> io::Result<bool> {
        let rule: String = screen::block(&offer.rule).lines().map(|line| format!("    {line}\n")).collect();
        write!(
            self.output,
            "This approves, and adds this rule to {}:\n{rule}",
            screen::line(&offer.file.display().to_string())
        )?;
        Ok(matches!(self.read("Go ahead? [y]es [n]o ")?.as_deref(), Some("y" | "yes")))
    }

    /// Reads a line and trims it. Returns `None` at the end of input.
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

/// The further keys on offer.
fn more(can_revise: bool, can_remember: bool) -> String {
    let offered = [(can_revise, REVISE), (can_remember, REMEMBER)];
    offered.into_iter().filter(|(is_offered, _)| *is_offered).map(|(_, key)| format!("  {key}")).collect()
}

fn unreachable_terminal<T>(error: &io::Error) -> Response<T> {
    Response::Unavailable { reason: format!("cannot use the terminal: {error}"), hint: String::new() }
}

impl<R: BufRead, W: Write> Approver for Prompt<R, W> {
    fn call(&mut self, request: &CallRequest<'_>) -> Response<CallDecision> {
        match self.ask(request, request.offer) {
            Ok(Answer::Approve) => Response::Given(CallDecision::Approve),
            Ok(Answer::Remember) => Response::Remembered(CallDecision::Approve),
            Ok(Answer::Reject(reason)) => Response::Given(CallDecision::Reject(reason)),
            Ok(Answer::Revise(_)) => unreachable!("a call has no files to leave out"),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Response<PushDecision> {
        let approve = PushDecision::Decided(Decision::Approve { digest: proposal.digest() });
        match self.ask(proposal, offer) {
            Ok(Answer::Approve) => Response::Given(approve),
            Ok(Answer::Remember) => Response::Remembered(approve),
            Ok(Answer::Revise(revision)) => Response::Given(PushDecision::Revise(revision)),
            Ok(Answer::Reject(reason)) => Response::Given(PushDecision::Decided(Decision::Reject { reason })),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn how(&self) -> How {
        How::Prompt
    }

    fn tell(&mut self, message: &str) {
        // If the terminal is gone, nobody can read the note.
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

    fn ask(input: &str) -> (Response<CallDecision>, String) {
        let mut output = Vec::new();
        let word = Prompt::new(input.as_bytes(), &mut output).call(&REQUEST);
        (word, String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_approves_what_was_asked() {
        let (word, output) = ask("a\n");
        assert_eq!(word, Response::Given(CallDecision::Approve));
        assert_eq!(output, "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n> ");
    }

    #[test]
    fn d_shows_everything_and_asks_again() {
        let (word, output) = ask("d\na\n");
        assert_eq!(word, Response::Given(CallDecision::Approve));
        assert!(output.ends_with("> Files to stage:\n  a.md\n\n[d]iff  [a]pprove  [r]eject  [?]help\n> "), "{output}");
    }

    #[test]
    fn r_rejects_with_the_reason_given() {
        assert_eq!(
            ask("r\n too much at once \n").0,
            Response::Given(CallDecision::Reject("too much at once".to_owned()))
        );
        assert_eq!(ask("r\n\n").0, Response::Given(CallDecision::Reject(String::new())));
    }

    #[test]
    fn the_end_of_input_rejects() {
        assert_eq!(ask("").0, Response::Given(CallDecision::Reject(String::new())));
        assert_eq!(ask("d\n").0, Response::Given(CallDecision::Reject(String::new())));
        assert_eq!(ask("r\n").0, Response::Given(CallDecision::Reject(String::new())));
    }

    #[test]
    fn nothing_else_decides() {
        for input in ["y\n", "A\n", "yes\n", "aa\n", "\n", "approve it\n", "\u{ff}\n"] {
            let (word, output) = ask(&format!("{input}r\n\n"));
            assert_eq!(word, Response::Given(CallDecision::Reject(String::new())), "{input}");
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
        assert_eq!(word, Response::Remembered(CallDecision::Approve));
        assert_eq!(
            output,
            "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n[A]pprove and remember\n> \
             This approves, and adds this rule to /home/policy.toml:\n    [[allow]]\n    tool = \"git_stage\"\nGo ahead? [y]es [n]o "
        );
        assert_eq!(ask("A\nn\na\n").0, Response::Given(CallDecision::Approve));
        for input in ["A\n\nr\n\n", "A\nn\n", "A\n"] {
            assert_eq!(ask(input).0, Response::Given(CallDecision::Reject(String::new())), "{input}");
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
