//! The component's registry of tools, for policies that name them.

use gate::policy::{Mode, Severity};
use serde_json::Value;
use tools::approval::{self, Risk};

/// The names of all tools, which are those of the component: both are built from the same crate.
///
/// The component is not asked for them. That takes an instance of its own: a millisecond or two of
/// every call that a policy file rules on. And a policy file is checked where no component is
/// loaded, as by `gitgate policy check`: to load it may take seconds.
pub fn names() -> impl Iterator<Item = &'static str> {
    tools::REGISTRY.iter().map(|tool| tool.name)
}

/// How the component marks a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Who may call the tool. Who may start a push is decided elsewhere.
    pub mode: Mode,
    /// The call's risk and summary, if it is marked as needing approval.
    pub approval: Option<(Severity, String)>,
}

/// Looks up a call of `tool`. Returns `None` if there is no such tool.
pub fn marks(tool: &str, arguments: &Value) -> Option<Marks> {
    let annotations = &tools::registry::find(tool)?.annotations;
    let mode = if annotations.mode == approval::Mode::Both { Mode::Both } else { Mode::Manual };
    let approval = annotations.approval(arguments).map(|approval| (severity(approval.risk), approval.summary));
    Some(Marks { mode, approval })
}

fn severity(risk: Risk) -> Severity {
    match risk {
        Risk::Low => Severity::Low,
        Risk::Medium => Severity::Medium,
        Risk::High => Severity::High,
    }
}

#[cfg(test)]
mod tests {
    use crate::home::ToolSettings;
    use crate::sandbox::{Clock, Runtime, STACK, tools_of_new};

    #[test]
    fn the_component_has_the_same_tools() {
        let test = || {
            let runtime = Runtime::load(Clock::default(), || ()).unwrap();
            let tools = tools_of_new(&runtime, &ToolSettings::all()).unwrap();
            let theirs: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
            assert_eq!(theirs, super::names().collect::<Vec<_>>());
        };
        std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(test).unwrap().join().unwrap();
    }
}
