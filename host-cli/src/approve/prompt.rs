//! The prompt in a terminal: the push in its frame, and a key for what to do about it.

use std::io::{self, BufRead, Write};

use gate::approval::{Decision, Proposal};
use gate::ledger::How;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Revision, Word, revision};
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
    /// The files, each with its line and the headers of its hunks, if they can be left out.
    fn files(&self) -> Option<Vec<(String, String, Vec<String>)>> {
        None
    }
}

impl Shown for Proposal {
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

impl Shown for CallRequest<'_> {
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
const REVISE: &str = "[e]dit what is pushed";

const HELP: &str = concat!(
    "  d  show everything that would change\n",
    "  a  approve\n",
    "  r  reject, with a reason that the agent reads\n",
    "  ?  show this help\n",
);
const HELP_REMEMBER: &str =
    "  A  approve, and write a rule, which is shown first, so that you are not asked about the like again\n";

const HELP_REVISE: &str =
    "  e  leave files or hunks out, which stay in the sandbox, or write another message; then you are asked again\n";

/// What a person has answered.
enum Answer {
    Approve,
    Remember,
    Revise(Revision),
    Reject(String),
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// A prompt that writes to `output` and reads answers from `input`.
    pub fn new(input: R, output: W) -> Self {
        Prompt { input, output, discard: || Ok(()) }
    }

    fn ask(&mut self, shown: &dyn Shown, offer: Option<&Offer>) -> io::Result<Answer> {
        write!(self.output, "{}", shown.question())?;
        let files = shown.files();
        let more = more(files.is_some(), offer.is_some());
        if !more.is_empty() {
            writeln!(self.output, "{}", more.trim_start())?;
        }
        self.output.flush()?;
        // An approval counts for what was seen: not what a paste, or a program that writes to the terminal, has typed ahead.
        (self.discard)()?;
        loop {
            let Some(key) = self.read("> ")? else { return Ok(Answer::Reject(String::new())) };
            match (key.as_str(), offer) {
                ("d" | "diff", _) => writeln!(self.output, "{}\n{KEYS}{more}", shown.whole())?,
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

    /// Asks what is to be different; nothing if nothing is.
    fn revision(&mut self, files: &[(String, String, Vec<String>)]) -> io::Result<Option<Revision>> {
        for (number, (_, line, hunks)) in (1..).zip(files) {
            writeln!(self.output, "  {number}  {line}")?;
            for (hunk, header) in (1..).zip(hunks).filter(|_| hunks.len() > 1) {
                writeln!(self.output, "     {number}.{hunk}  {header}")?;
            }
        }
        let counted: Vec<(String, usize)> = files.iter().map(|(path, _, hunks)| (path.clone(), hunks.len())).collect();
        let leave_out = loop {
            let Some(text) = self.read("Leave out (such as 2, or 1.3 for a hunk; empty for nothing): ")? else {
                return Ok(None);
            };
            match revision::read(&text, &counted) {
                Ok(leave_out) => break leave_out,
                Err(wrong) => writeln!(self.output, "{}", screen::line(&wrong))?,
            }
        };
        let mut message = String::new();
        let mut prompt = "New message, ended by a line with a dot (a dot alone keeps the old one):\n";
        while let Some(line) = self.read(prompt)?.filter(|line| line != ".") {
            message.push_str(&line);
            message.push('\n');
            prompt = "";
        }
        let revision = Revision { leave_out, message: (!message.trim().is_empty()).then_some(message) };
        Ok((!revision.is_empty()).then_some(revision))
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

/// What else can be pressed.
fn more(can_revise: bool, can_remember: bool) -> String {
    let offered = [(can_revise, REVISE), (can_remember, REMEMBER)];
    offered.into_iter().filter(|(is_offered, _)| *is_offered).map(|(_, key)| format!("  {key}")).collect()
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
            Ok(Answer::Revise(_)) => unreachable!("a call has no files that could be left out"),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Word<PushDecision> {
        let approve = PushDecision::Decided(Decision::Approve { digest: proposal.digest() });
        match self.ask(proposal, offer) {
            Ok(Answer::Approve) => Word::Given(approve),
            Ok(Answer::Remember) => Word::Remembered(approve),
            Ok(Answer::Revise(revision)) => Word::Given(PushDecision::Revise(revision)),
            Ok(Answer::Reject(reason)) => Word::Given(PushDecision::Decided(Decision::Reject { reason })),
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
