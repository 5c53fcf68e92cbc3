//! The question that a person answers at a terminal, with one key and Enter.

use std::io;

use gate::approval::{Decision, Proposal};
use gate::ledger::How;
use gate::review::{KEYS, Screen, in_rows, one_row, quoted};

use super::hunk::Hunk;
use super::walk::{self, File};
use super::{After, Approver, CallDecision, CallRequest, Offer, PushDecision, Response, Revision, Talk};
use crate::screen;

/// Asks a person. Only `a`, `A` and `r`, or their words, decide; the end of input leaves everything as
/// it is.
#[derive(Debug)]
pub struct Prompt<T> {
    talk: T,
}

/// What the prompt asks about.
trait Subject {
    /// The question, with a summary.
    fn question(&self, screen: &Screen) -> String;
    /// Every detail.
    fn whole(&self) -> String;
    /// Every warning, the most severe first, if there is any.
    fn warnings(&self) -> String {
        String::new()
    }
    /// The files, and the message of the last commit, if they can be edited.
    fn edited(&self) -> Option<(Vec<File>, String)> {
        None
    }
}

impl Subject for Proposal {
    fn question(&self, screen: &Screen) -> String {
        self.review().prompt_box(screen)
    }

    fn whole(&self) -> String {
        self.review().whole()
    }

    fn warnings(&self) -> String {
        self.review().warnings()
    }

    fn edited(&self) -> Option<(Vec<File>, String)> {
        let review = self.review();
        let summary = review.summary();
        let files = review.files.iter().zip(summary.lines()).map(|(file, line)| {
            let (head, hunks) = file.parts();
            let hunks = hunks.into_iter().filter_map(Hunk::read).collect();
            let shown = file.shown_path();
            let summary = one_row(&line.replacen(&shown, &quoted(&shown), 1), SUMMARY);
            File { path: file.path.to_string(), summary, head: head.to_owned(), hunks }
        });
        let message = review.commits.last().map_or_else(String::new, |commit| commit.message.clone());
        Some((files.collect(), message))
    }
}

impl Subject for CallRequest {
    fn question(&self, screen: &Screen) -> String {
        let summary = in_rows(usize::MAX, &format!("{}: ", screen::line(&self.tool)), &self.summary, screen.columns);
        let rows: Vec<&str> = summary.lines().collect();
        let shown = rows[..rows.len().min(ROWS)].join("\n");
        let more = match rows.len().saturating_sub(ROWS) {
            0 => String::new(),
            more => format!("\n… and {more} more rows, which d shows"),
        };
        format!("{shown}{more}\n{KEYS}\n")
    }

    fn whole(&self) -> String {
        if self.detail.is_empty() { format!("{}\n", self.summary) } else { self.detail.clone() }
    }
}

/// Rows of a call in the question about it; all of it is a key away.
const ROWS: usize = 6;
/// Columns of a file's name and what happened to it, in the question about it.
const SUMMARY: usize = 50;

/// A key on offer: its name, and what it does.
type Key = (&'static str, &'static str);

const DIFF: Key = ("[d]iff", "d  show everything that would change");
const APPROVE: Key = ("[a]pprove", "a  approve");
const REJECT: Key = ("[r]eject", "r  reject, with a reason that the agent reads");
const WARNINGS: Key = ("[w]arnings", "w  list every warning");
const EDIT: Key = ("[e]dit", "e  go through the hunks and leave some out, then be asked again");
const MESSAGE: Key = ("[m]essage", "m  change the last commit's message in your editor, then be asked again");
const REMEMBER: Key =
    ("[A]pprove and remember", "A  approve, and save a rule that approves similar calls; shows the rule first");
const LATER: Key = ("[q] later", "q  leave without a decision, as Ctrl-D and Ctrl-C do; `gitgate review` asks again");
const HELP: Key = ("[?]help", "?  show this help");

/// A person's answer.
enum Answer {
    Approve,
    Remember,
    Revise(Revision),
    Reject(String),
    Later,
}

impl<T: Talk> Prompt<T> {
    /// Asks where `talk` reaches a person.
    pub fn new(talk: T) -> Self {
        Prompt { talk }
    }

    fn ask(&mut self, subject: &dyn Subject, offer: Option<&Offer>) -> io::Result<Answer> {
        let warnings = subject.warnings();
        let edited = subject.edited();
        let more = [
            (!warnings.is_empty(), WARNINGS),
            (edited.is_some(), EDIT),
            (edited.is_some(), MESSAGE),
            (offer.is_some(), REMEMBER),
            (true, LATER),
        ];
        let more: Vec<Key> = more.into_iter().filter(|(is_offered, _)| *is_offered).map(|(_, key)| key).collect();
        let names = more.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("  ");
        self.put(subject, &names)?;
        // An approval must follow the question: what was pasted or typed ahead is none.
        self.talk.forget_typed()?;
        loop {
            let Some(key) = self.talk.ask("> ")? else { return Ok(Answer::Later) };
            match (key.as_str(), offer, &edited) {
                ("d" | "diff", ..) => self.page(&subject.whole(), subject, &names)?,
                ("w" | "warnings", ..) if !warnings.is_empty() => self.page(&warnings, subject, &names)?,
                ("e" | "edit", _, Some((files, _))) => {
                    let leave_out = walk::walk(&mut self.talk, files)?.unwrap_or_default();
                    if !leave_out.is_empty() {
                        return Ok(Answer::Revise(Revision { leave_out, message: None }));
                    }
                    self.talk.say("Nothing is left out.\n")?;
                    // A key too many for the hunks is no answer to the push.
                    self.talk.forget_typed()?;
                }
                ("m" | "message", _, Some((_, message))) => match self.message(message)? {
                    Some(revision) => return Ok(Answer::Revise(revision)),
                    None => {
                        self.talk.say("The message stays as it is.\n")?;
                        self.talk.forget_typed()?;
                    }
                },
                ("a" | "approve", ..) => return Ok(Answer::Approve),
                ("A", Some(offer), _) => {
                    if self.wants(offer)? {
                        return Ok(Answer::Remember);
                    }
                }
                ("r" | "reject", ..) => match self.talk.ask("Reason (may be empty): ")? {
                    Some(reason) => return Ok(Answer::Reject(reason)),
                    None => return Ok(Answer::Later),
                },
                ("q" | "quit", ..) => return Ok(Answer::Later),
                ("", ..) => {}
                ("?" | "help", ..) => {
                    let lines = [DIFF, APPROVE, REJECT].iter().chain(&more).chain([&HELP]);
                    let help: String = lines.map(|(_, line)| format!("  {line}\n")).collect();
                    self.talk.say(&help)?;
                }
                _ => self.talk.say(&format!("{KEYS}  {names}\n"))?,
            }
        }
    }

    /// Puts the question, with the keys on offer.
    fn put(&mut self, subject: &dyn Subject, keys: &str) -> io::Result<()> {
        let question = subject.question(&self.talk.screen());
        self.talk.say(&format!("{question}{keys}\n"))
    }

    /// Shows a long text, and the question again if the text may have pushed it off the screen.
    fn page(&mut self, text: &str, subject: &dyn Subject, keys: &str) -> io::Result<()> {
        match self.talk.page(text) {
            Ok(After::Former) => {}
            Ok(After::Text) => self.put(subject, keys)?,
            // The pager, and not the terminal, has failed.
            Err(error) => self.talk.say(&format!("{}\n", screen::line(&error.to_string())))?,
        }
        self.talk.forget_typed()
    }

    /// Lets the person edit the message. `None` if it is the same then, or empty.
    fn message(&mut self, message: &str) -> io::Result<Option<Revision>> {
        let edited = match self.talk.edit(message, "COMMIT_EDITMSG") {
            Ok(edited) => edited,
            // The editor, and not the terminal, has failed.
            Err(error) => {
                self.talk.say(&format!("{}\n", screen::line(&error.to_string())))?;
                return Ok(None);
            }
        };
        let differs = edited.trim() != message.trim() && !edited.trim().is_empty();
        Ok(differs.then(|| Revision { leave_out: Vec::new(), message: Some(edited) }))
    }

    /// Shows the rule and asks whether to save it.
    fn wants(&mut self, offer: &Offer) -> io::Result<bool> {
        let rule: String = screen::block(&offer.rule).lines().map(|line| format!("    {line}\n")).collect();
        let file = screen::line(&offer.place);
        self.talk.say(&format!("This approves, and adds this rule to {file}:\n{rule}"))?;
        Ok(matches!(self.talk.ask("Go ahead? [y]es [n]o ")?.as_deref(), Some("y" | "yes")))
    }
}

fn later<D>() -> Response<D> {
    Response::Unavailable {
        reason: "you left without a decision".to_owned(),
        hint: "run the command again to decide, or `gitgate review` for what an agent asked".to_owned(),
    }
}

fn unreachable_terminal<D>(error: &io::Error) -> Response<D> {
    Response::Unavailable { reason: format!("cannot use the terminal: {error}"), hint: String::new() }
}

impl<T: Talk> Approver for Prompt<T> {
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision> {
        match self.ask(request, request.offer.as_ref()) {
            Ok(Answer::Approve) => Response::Given(CallDecision::Approve),
            Ok(Answer::Remember) => Response::Remembered(CallDecision::Approve),
            Ok(Answer::Reject(reason)) => Response::Given(CallDecision::Reject(reason)),
            Ok(Answer::Later) => later(),
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
            Ok(Answer::Later) => later(),
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn takes_time(&self) -> bool {
        true
    }

    fn shows(&self) -> bool {
        true
    }

    fn how(&self) -> How {
        How::Prompt
    }

    fn tell(&mut self, message: &str) {
        // If the terminal is gone, nobody can read the note.
        let _ = self.talk.say(&format!("note: {}\n", screen::block(message)));
    }
}

#[cfg(test)]
mod tests {
    use gate::policy::Severity;

    use super::*;
    use crate::approve::talk::Played;

    fn request() -> CallRequest {
        CallRequest {
            tool: "git_stage".to_owned(),
            severity: Severity::Medium,
            summary: "Stage 1 file(s): a.md".to_owned(),
            detail: "Files to stage:\n  a.md\n".to_owned(),
            reasons: Vec::new(),
            offer: None,
        }
    }

    fn ask(input: &str) -> (Response<CallDecision>, String) {
        let mut prompt = Prompt::new(Played::new(input));
        (prompt.call(&request()), prompt.talk.shown)
    }

    fn rejected(reason: &str) -> Response<CallDecision> {
        Response::Given(CallDecision::Reject(reason.to_owned()))
    }

    #[test]
    fn a_approves_what_was_asked() {
        let (word, output) = ask("a\n");
        assert_eq!(word, Response::Given(CallDecision::Approve));
        assert_eq!(output, "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n[q] later\n> ");
    }

    #[test]
    fn attack_15_a_question_that_is_cut_says_how_much_is_left_out() {
        let ask = |length: usize| {
            let mut prompt = Prompt::new(Played::new("q\n"));
            prompt.call(&CallRequest { summary: "x".repeat(length), ..request() });
            prompt.talk.shown
        };
        assert!(!ask(400).contains("which d shows"), "{}", ask(400));
        let cut = ask(6000);
        assert!(cut.contains(" more rows, which d shows\n[d]iff"), "{cut}");
        assert_eq!(cut.lines().filter(|line| line.contains("xxx")).count(), ROWS);
    }

    #[test]
    fn d_shows_everything_and_asks_again() {
        let (word, output) = ask("d\na\n");
        assert_eq!(word, Response::Given(CallDecision::Approve));
        assert!(output.contains("> Files to stage:\n  a.md\ngit_stage: "), "{output}");
        assert!(output.ends_with("[?]help\n[q] later\n> "), "the question stands at the end again: {output}");
    }

    #[test]
    fn r_rejects_with_the_reason_given() {
        assert_eq!(ask("r\n too much at once \n").0, rejected("too much at once"));
        assert_eq!(ask("r\n\n").0, rejected(""));
    }

    #[test]
    fn q_and_the_end_of_input_decide_nothing() {
        for input in ["q\n", "", "d\n", "r\n", "?\nq\n"] {
            assert_eq!(ask(input).0, later(), "{input}");
        }
    }

    #[test]
    fn nothing_else_decides() {
        for input in ["y\n", "A\n", "yes\n", "aa\n", "\n", "approve it\n", "\u{fffd}\n", "e\n", "m\n", "w\n"] {
            let (word, output) = ask(&format!("{input}r\n\n"));
            assert_eq!(word, rejected(""), "{input}");
            assert!(!output.contains("[A]"), "what is not offered is not shown");
        }
    }

    #[test]
    fn a_rule_is_remembered_only_after_it_was_shown() {
        let offer = Offer { rule: "[[allow]]\ntool = \"git_stage\"\n".to_owned(), place: "/home/policy.toml".into() };
        let ask = |input: &str| {
            let mut prompt = Prompt::new(Played::new(input));
            (prompt.call(&CallRequest { offer: Some(offer.clone()), ..request() }), prompt.talk.shown)
        };
        let (word, output) = ask("A\ny\n");
        assert_eq!(word, Response::Remembered(CallDecision::Approve));
        assert_eq!(
            output,
            "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n[A]pprove and remember  [q] later\n> \
             This approves, and adds this rule to /home/policy.toml:\n    [[allow]]\n    tool = \"git_stage\"\nGo ahead? [y]es [n]o "
        );
        assert_eq!(ask("A\nn\na\n").0, Response::Given(CallDecision::Approve));
        for input in ["A\n\nq\n", "A\nn\n", "A\n"] {
            assert_eq!(ask(input).0, later(), "{input}");
        }
        assert!(ask("?\n").1.contains("  A  "));
    }

    #[test]
    fn help_names_every_key() {
        let (_, output) = ask("?\n");
        for key in ["  d  ", "  a  ", "  r  ", "  q  ", "  ?  "] {
            assert!(output.contains(key), "{output}");
        }
        assert!(output.contains("Ctrl-D and Ctrl-C"), "{output}");
    }
}
