use std::path::PathBuf;

use clap::{Args, Subcommand};
use gate::policy::{EXPORT, Facts, Marked, Policy, Rule, Ruling, Verdict};
use host::answer::{self, Call};
use serde_json::{Value, json};

use super::Context;
use super::call::{self, As};
use crate::approve::Scripted;
use crate::driver;
use crate::error::{ErrorKind, HostError};
use crate::home::policy;
use crate::on_disk::registry;
use crate::remote::Folders;
use crate::report::{self, Exit};
use crate::screen;

/// Show, check or explain a policy
#[derive(Debug, Args)]
pub struct PolicyCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the sandbox's base policy, protected branches and rules
    Show,
    /// Read a policy file and check its examples, without using it
    Check {
        /// Policy file
        file: PathBuf,
    },
    /// Say what the policy decides about a call, and which rule decides, without making the call
    Explain(Explain),
}

#[derive(Debug, Args)]
struct Explain {
    /// Tool
    tool: String,
    /// Arguments as a JSON object
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    /// Caller
    #[arg(long = "as", value_enum, value_name = "CALLER", default_value = "agent")]
    caller: As,
    /// Print the ruling as JSON
    #[arg(long)]
    json: bool,
}

impl PolicyCommand {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        match self.what {
            What::Show => show(&context),
            What::Check { file } => {
                let read = policy::read_file(&file)?;
                let count = read.rules.len();
                report::print(&format!("{count} {}\n", if count == 1 { "rule" } else { "rules" }))?;
                Ok(Exit::Done)
            }
            What::Explain(explain) => explain.run(&context),
        }
    }

    pub fn wants_json(&self) -> bool {
        matches!(self.what, What::Explain(Explain { json: true, .. }))
    }
}

fn show(context: &Context) -> anyhow::Result<Exit> {
    let sandbox = context.open()?;
    let policy = context.policy(&sandbox)?;
    let mut out = format!("base: {}\n", policy.base().name());
    out.push_str(&format!("protected: {}\n", screen::line(&policy.protected().patterns().join(", "))));
    let unattended = if policy.may_let_a_push_go() { "may approve a push" } else { "never approve a push" };
    out.push_str(&format!("rules {unattended} without asking\n"));
    policy.rules().iter().for_each(|rule| out.push_str(&line(rule)));
    report::print(&out)?;
    Ok(Exit::Done)
}

fn line(rule: &Rule) -> String {
    let reason = rule.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    format!("{} {}\n", rule.effect.name(), screen::line(&format!("{}{reason}", rule.name)))
}

impl Explain {
    fn run(&self, context: &Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let policy = context.policy(&sandbox)?;
        let arguments = self.with_defaults()?;
        let call = Call::new(self.tool.clone(), arguments, self.caller.into());
        let known = match &*self.tool {
            // What a push has in it counts only if the caller may push at all.
            "git_push" => Some(policy.decide(&Facts::of_call("git_push", sandbox.push_mode().of_tool(), call.caller)))
                .filter(|ruling| matches!(ruling.verdict, Verdict::Deny { .. })),
            _ => Some(self.of_call(&policy, &call, &sandbox.file.base)?),
        };
        let ruling = match known {
            // Only a running pull says which repository it concerns.
            Some(Ruling { verdict: Verdict::Allow, .. }) if self.tool == "git_pull" => None,
            known => known,
        };
        let ruling = match ruling {
            Some(ruling) => ruling,
            None => match driver::rule_on(&mut sandbox, &call, policy, &mut Scripted::default(), &*context.servers)? {
                Ok(ruling) => ruling,
                Err(reply) => return call::show(&call, &reply),
            },
        };
        report::print(&if self.json { format!("{}\n", json!(ruling)) } else { words(&ruling) })?;
        Ok(Exit::Done)
    }

    /// The arguments, and for a push that names no commit the last one, as `gitgate push` has it.
    fn with_defaults(&self) -> anyhow::Result<String> {
        let mut arguments: Value = serde_json::from_str(&self.arguments)
            .map_err(|error| HostError::new(ErrorKind::Usage, format!("the arguments are not JSON: {error}")))?;
        if let (true, Some(table)) = (self.tool == "git_push", arguments.as_object_mut()) {
            table.entry("commitId").or_insert_with(|| "HEAD".into());
        }
        Ok(arguments.to_string())
    }

    /// Decides by the tool and its arguments alone, as happens before a call runs.
    fn of_call(&self, policy: &Policy, call: &Call, base: &std::path::Path) -> anyhow::Result<Ruling> {
        let arguments: Value = serde_json::from_str(&call.arguments).expect("it was written from a value");
        let marks = registry::marks(&call.tool, &arguments).ok_or_else(|| {
            let (what, hint) = match &*call.tool {
                EXPORT => (
                    "a policy decides about an export by its content",
                    "run `gitgate export`: it names the rule that denies",
                ),
                _ => ("there is no such tool", "list the tools with `gitgate tools`"),
            };
            HostError::new(ErrorKind::Usage, what).hint(hint)
        })?;
        let target =
            answer::targets_named_by(&call.arguments, &Folders, base).first().map(|target| target.to_string().into());
        let facts = Facts { mode: marks.mode, target, ..answer::facts_of(&call.tool, &call.arguments, call.caller) };
        let ruling = policy.decide(&facts);
        let marked = marks.approval.as_ref().map(|(risk, summary)| Marked { risk: *risk, summary });
        Ok(if ruling.verdict == Verdict::Allow { policy.decide(&Facts { marked, ..facts }) } else { ruling })
    }
}

/// Formats a ruling for a person.
fn words(ruling: &Ruling) -> String {
    let mut out = match &ruling.verdict {
        Verdict::Allow => "allow\n".to_owned(),
        Verdict::Ask { severity, reasons } => {
            format!(
                "ask ({})\n{}",
                severity.name(),
                reasons.iter().map(|reason| format!("  {}\n", screen::line(reason))).collect::<String>()
            )
        }
        Verdict::Deny { reason, .. } => format!("deny\n  {}\n", screen::line(reason)),
    };
    out.push_str(&format!("decided by: {}\n", screen::line(&ruling.by.to_string())));
    for rule in &ruling.overruled {
        out.push_str(&format!("overruled: the rule {} would allow it\n", screen::line(&rule.to_string())));
    }
    out
}
