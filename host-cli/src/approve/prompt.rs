//! The question that a person answers at a terminal, with one key and Enter.

use std::io;

use gate::approval::{Decision, Proposal};
use gate::ledger::How;
use gate::review::{KEYS, quoted};
use host::review::Notes;

use super::full;
use super::offered::{APPROVE, CHANGES, DIFF, EDIT, HELP, Key, LATER, MESSAGE, REJECT, REMEMBER, WARNINGS, why_not};
use super::subject::Subject;
use super::walk;
use super::{After, Approver, CallDecision, CallRequest, Offer, PushDecision, Response, Revision, Talk};
use crate::review::Outcome;
use crate::screen;

/// Asks a person. Only `a`, `A` and `r`, or their words, decide; the end of input leaves everything as
/// it is.
#[derive(Debug)]
pub struct Prompt<T> {
    talk: T,
    /// The branch that the person has named, who need not name it again.
    named: Option<String>,
    /// The sandbox that the question is about, if the person has to be told.
    sandbox: Option<String>,
}

/// A person's answer.
enum Answer {
    Approve,
    Remember,
    Revise(Revision),
    Reject(String),
    AskChanges(String),
    Later,
    /// Everything in full screen first.
    Look,
}

impl<T: Talk> Prompt<T> {
    /// Asks where `talk` reaches a person.
    pub fn new(talk: T) -> Self {
        Prompt { talk, named: None, sandbox: None }
    }

    /// The same, with the name of the sandbox above each question, if there is one to be told.
    #[must_use]
    pub fn about(self, sandbox: Option<String>) -> Self {
        Prompt { sandbox, ..self }
    }

    /// The same, where the person has named this branch already.
    #[must_use]
    pub fn to(self, named: Option<String>) -> Self {
        Prompt { named, ..self }
    }

    fn ask(&mut self, subject: &dyn Subject, offer: Option<&Offer>) -> io::Result<Answer> {
        let warnings = subject.warnings();
        let edited = subject.edited();
        let more = [
            (!warnings.is_empty(), WARNINGS),
            (edited.is_some(), CHANGES),
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
            let Some(key) = self.talk.press("> ")? else { return Ok(Answer::Later) };
            match (key.as_str(), offer, &edited) {
                ("d" | "diff", ..) if edited.is_some() && self.talk.full_screen().is_some() => return Ok(Answer::Look),
                ("d" | "diff", ..) => self.page(&subject.whole(), subject, &names)?,
                ("w" | "warnings", ..) if !warnings.is_empty() => self.page(&warnings, subject, &names)?,
                ("e" | "edit", _, Some((files, _))) => {
                    let leave_out = walk::walk(&mut self.talk, files)?.unwrap_or_default();
                    if !leave_out.is_empty() {
                        return Ok(Answer::Revise(Revision { leave_out, ..Revision::default() }));
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
                ("a" | "approve", ..) => match self.means(subject.protected())? {
                    Some(true) => return Ok(Answer::Approve),
                    Some(false) => {}
                    None => return Ok(Answer::Later),
                },
                ("A", Some(offer), _) => {
                    if self.wants(offer)? {
                        return Ok(Answer::Remember);
                    }
                }
                ("r" | "reject", ..) => match self.talk.ask("Reason (may be empty): ")? {
                    Some(reason) => return Ok(Answer::Reject(reason)),
                    None => return Ok(Answer::Later),
                },
                ("R", _, Some(_)) => match self.talk.ask("What is to change (may be empty if you have commented): ")? {
                    Some(reason) => return Ok(Answer::AskChanges(reason)),
                    None => return Ok(Answer::Later),
                },
                ("q" | "quit", ..) => return Ok(Answer::Later),
                ("", ..) => {}
                ("?" | "help", ..) => {
                    let lines = [DIFF, APPROVE, REJECT].iter().chain(&more).chain([&HELP]);
                    let help: String = lines.map(|(_, line)| format!("  {line}\n")).collect();
                    self.talk.say(&help)?;
                }
                (key, ..) => {
                    self.talk.say(&format!("{}\n{KEYS}  {names}\n", why_not(key)))?;
                    // The rest of a word is no answer either.
                    self.talk.forget_typed()?;
                }
            }
        }
    }

    /// Asks about a push: in its frame where there is little to see, else in full screen.
    fn decide(&mut self, proposal: &Proposal, offer: Option<&Offer>, notes: &Notes<'_>) -> io::Result<Answer> {
        let rows = self.talk.screen().rows;
        let mut is_large = proposal.review().is_longer_than(rows);
        loop {
            if !is_large {
                match self.ask(proposal, offer)? {
                    Answer::Look => {}
                    Answer::AskChanges(reason) => match notes.ensure_asked(&reason) {
                        Ok(()) => return Ok(Answer::AskChanges(reason)),
                        Err(error) => {
                            let hint = screen::hint::words(&error.hint);
                            self.talk.say(&format!("{}: {hint}\n", screen::line(&error.message)))?;
                            continue;
                        }
                    },
                    answer => return Ok(answer),
                }
            }
            let sandbox = self.sandbox.clone();
            let Some(terminal) = self.talk.full_screen() else {
                is_large = false;
                continue;
            };
            return Ok(match full::show(terminal, proposal, offer, sandbox.as_deref(), notes)? {
                // Back to the question, if it was asked before.
                Outcome::Left if !is_large => continue,
                Outcome::Left => Answer::Later,
                Outcome::Approve => Answer::Approve,
                Outcome::Remember => Answer::Remember,
                Outcome::Reject(reason) => Answer::Reject(reason),
                Outcome::AskChanges(reason) => Answer::AskChanges(reason),
                Outcome::Revise(revision) => Answer::Revise(revision),
            });
        }
    }

    /// Puts the question, with the keys on offer.
    fn put(&mut self, subject: &dyn Subject, keys: &str) -> io::Result<()> {
        let mut screen = self.talk.screen();
        let heading = self.sandbox.as_ref().map_or_else(String::new, |name| format!("Sandbox: {name}\n"));
        screen.rows = screen.rows.saturating_sub(heading.lines().count());
        let question = subject.question(&screen);
        self.talk.say(&format!("{heading}{question}{keys}\n"))
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
        Ok(differs.then(|| Revision { message: Some(edited), ..Revision::default() }))
    }

    /// Asks for the name of the protected branch, if it is one that the person has not named. `None` at the end of input.
    fn means(&mut self, protected: Option<&str>) -> io::Result<Option<bool>> {
        let Some(branch) = protected.filter(|branch| self.named.as_deref() != Some(branch)) else {
            return Ok(Some(true));
        };
        let shown = quoted(branch);
        let typed = self.talk.ask(&format!("{shown} is a protected branch. Type its name to push to it: "))?;
        let Some(typed) = typed else { return Ok(None) };
        if typed == branch {
            return Ok(Some(true));
        }
        self.talk.say("That is not its name, so nothing is approved.\n")?;
        self.talk.forget_typed()?;
        Ok(Some(false))
    }

    /// Shows the rule and asks whether to save it.
    fn wants(&mut self, offer: &Offer) -> io::Result<bool> {
        let rule: String = screen::block(&offer.rule).lines().map(|line| format!("    {line}\n")).collect();
        let file = screen::line(&offer.place);
        self.talk.say(&format!("This approves, and adds this rule to {file}:\n{rule}"))?;
        Ok(matches!(self.talk.press("Go ahead? [y]es [n]o ")?.as_deref(), Some("y" | "yes")))
    }
}

/// How to come back depends on who made the call, which whoever prints this knows.
fn later<D>() -> Response<D> {
    Response::Unavailable { reason: "you left without a decision".to_owned(), hint: String::new() }
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
            Ok(Answer::Revise(_) | Answer::AskChanges(_) | Answer::Look) => {
                unreachable!("only a push is edited, commented on and looked at in full screen")
            }
            Err(error) => unreachable_terminal(&error),
        }
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision> {
        let approve = PushDecision::Decided(Decision::Approve { digest: proposal.digest() });
        match self.decide(proposal, offer, notes) {
            Ok(Answer::Approve) => Response::Given(approve),
            Ok(Answer::Remember) => Response::Remembered(approve),
            Ok(Answer::Revise(revision)) => Response::Given(PushDecision::Revise(revision)),
            Ok(Answer::Reject(reason)) => Response::Given(PushDecision::Decided(Decision::Reject { reason })),
            Ok(Answer::AskChanges(reason)) => Response::Given(PushDecision::AskChanges { reason }),
            Ok(Answer::Later | Answer::Look) => later(),
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
    use crate::approve::subject::ROWS;
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
            "git_stage: Stage 1 file(s): a.md\n[d]iff  [a]pprove  [r]eject  [?]help\n[A]lways  [q] later\n> \
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
