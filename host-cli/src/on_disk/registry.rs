//! What the tools are, for whoever writes rules about them: the registry that is also in the component.

use gate::policy::{Mode, Severity};
use serde_json::Value;
use tools::approval::{self, Risk};

/// The names of all tools.
pub fn names() -> impl Iterator<Item = &'static str> {
    tools::REGISTRY.iter().map(|tool| tool.name)
}

/// What the tables say of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Who may call the tool, but for who may begin a push.
    pub mode: Mode,
    /// How grave the call is and what it does, if it is marked as needing approval.
    pub approval: Option<(Severity, String)>,
}

/// What the tables say of a call of `tool`; nothing if there is no such tool.
pub fn marks(tool: &str, arguments: &Value) -> Option<Marks> {
    let row = approval::row(tool)?;
    let mode = if row.mode == approval::Mode::Both { Mode::Both } else { Mode::Manual };
    let approval = row.approval(arguments).map(|approval| (severity(approval.risk), approval.summary));
    Some(Marks { mode, approval })
}

fn severity(risk: Risk) -> Severity {
    match risk {
        Risk::Low => Severity::Low,
        Risk::Medium => Severity::Medium,
        Risk::High => Severity::High,
    }
}
