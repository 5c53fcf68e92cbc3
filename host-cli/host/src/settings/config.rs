//! `gitgate.toml`: the person's settings for all sandboxes.

use std::collections::BTreeMap;

use gate::policy::PushMode;
use gate::toml as read;
use patch::sort::sort_by_key;
use serde::{Deserialize, Serialize};

use super::Speaks;
use crate::error::{ErrorKind, HostError, Result};
use crate::limits;

/// The whole file. Every key has a default. An unknown key is an error, because it may be a
/// misspelt limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// True if `--yes` may approve a push, so that nobody reviews the diff.
    #[serde(default)]
    pub unattended: bool,
    #[serde(default)]
    approval: Approval,
    #[serde(default)]
    notify: NotifySettings,
    #[serde(default)]
    tools: ToolSettings,
    #[serde(default)]
    mcp: McpSettings,
}

/// `[approval]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Approval {
    /// True if options such as `--approve` may answer where no person sits at a terminal.
    without_terminal: bool,
}

/// `[notify]`: how the person hears that something waits for them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct NotifySettings {
    /// True if the desktop shows it.
    pub desktop: bool,
    /// True if the terminal that watches rings its bell.
    pub bell: bool,
}

impl Default for NotifySettings {
    fn default() -> Self {
        NotifySettings { desktop: true, bell: true }
    }
}

/// `[tools]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ToolSettings {
    /// Of the git tools.
    pub git: GitSettings,
    /// Of the tools for tasks.
    pub tasks: TaskSettings,
}

impl ToolSettings {
    /// With every tool that there is.
    pub fn all() -> Self {
        let tasks = TaskSettings { enabled: true, ..TaskSettings::default() };
        ToolSettings { tasks, ..ToolSettings::default() }
    }
}

/// `[tools.tasks]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct TaskSettings {
    /// True if the tools for tasks are on, unless the sandbox has its own setting.
    pub enabled: bool,
    /// What the keys of a record's trailers begin with, as in `Arborist-Step` (seed 004).
    #[serde(deserialize_with = "trailer_prefix")]
    pub trailer_prefix: String,
}

impl Default for TaskSettings {
    fn default() -> Self {
        TaskSettings { enabled: false, trailer_prefix: "Arborist".to_owned() }
    }
}

impl TaskSettings {
    /// The longest prefix, in bytes.
    const MOST_PREFIX: usize = 40;

    /// Whether the key of a trailer can begin with `prefix`: letters, digits and hyphens, the first one
    /// a letter.
    pub fn is_prefix(prefix: &str) -> bool {
        let begins = prefix.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
        let may_stand = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        begins && prefix.len() <= Self::MOST_PREFIX && prefix.bytes().all(may_stand)
    }
}

/// `[tools.git]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GitSettings {
    /// True if the git tools are on.
    pub enabled: bool,
    /// Default time of a git tool in milliseconds, 100 to 600,000.
    #[serde(deserialize_with = "timeout_ms")]
    pub timeout_ms: u64,
    /// Default size of a git tool's text in bytes, 1 to 5,000,000.
    #[serde(deserialize_with = "max_bytes")]
    pub max_bytes: u64,
    /// Who may start a push, unless the sandbox has its own setting.
    pub push: PushMode,
}

/// `[mcp]`: what agents' clients are offered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpSettings {
    /// True if only tools that change nothing are offered.
    pub read_only: bool,
    /// The toolsets that are offered; empty for all.
    pub toolsets: Vec<String>,
    /// How long a call that needs the person waits for them, 0 to 3,600.
    #[serde(deserialize_with = "wait_seconds")]
    pub wait_seconds: u64,
    /// The names that clients are shown for tools and arguments.
    pub dialect: Speaks,
    /// True if results come as structures too, with their schemas. Some clients show a model only these.
    pub structured: bool,
    /// Bytes of text that a client is sent at once, 1 to 5,000,000.
    #[serde(deserialize_with = "max_bytes")]
    pub max_bytes: u64,
    /// True if a tool of another server takes the place of gitgate's of the same name (FR-GIT-MCP-03).
    pub prefer_mcp: bool,
    /// Other servers, whose tools are offered as well.
    #[serde(deserialize_with = "servers")]
    pub servers: BTreeMap<String, McpServer>,
}

/// `[mcp.servers.NAME]`: another server, which talks over its standard streams.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables of the environment that it gets besides those that every program needs.
    #[serde(default)]
    pub env: Vec<String>,
}

impl Default for McpSettings {
    fn default() -> Self {
        // Clients give up on a call after a minute or more.
        McpSettings {
            read_only: false,
            toolsets: Vec::new(),
            wait_seconds: 30,
            dialect: Speaks::AsItsName,
            structured: false,
            max_bytes: limits::CLIENT_TEXT_BYTES,
            prefer_mcp: false,
            servers: BTreeMap::new(),
        }
    }
}

impl Default for GitSettings {
    fn default() -> Self {
        let (timeout_ms, max_bytes) = (limits::USUAL_CALL_MS, limits::USUAL_TEXT_BYTES);
        GitSettings { enabled: true, timeout_ms, max_bytes, push: PushMode::Manual }
    }
}

impl Config {
    /// Reads `text`, which stands in `place`. An empty one gives the defaults.
    pub fn parse(place: &str, text: &str) -> Result<Self> {
        read::from_str(text).map_err(|error| misread(place, text, &error))
    }

    /// Every setting with its value, in the order of the file, and whether `text` has it.
    pub fn settings(place: &str, text: &str) -> Result<Vec<Setting>> {
        let config = Config::parse(place, text)?;
        let written: toml::Table = read::from_str(text).map_err(|error| misread(place, text, &error))?;
        let all = toml::Table::try_from(config).expect("it has only string keys");
        let mut settings = Vec::new();
        list("", &all, Some(&written), &mut settings);
        sort_by_key(&mut settings, |setting| setting.name.matches('.').count());
        Ok(settings)
    }

    /// Whether a command line may decide, or call as the user, without a person at a terminal. A push
    /// that nobody has to look at needs nobody at a terminal either.
    pub fn without_terminal(&self) -> bool {
        self.approval.without_terminal || self.unattended
    }

    /// `[mcp]`
    pub fn mcp(&self) -> &McpSettings {
        &self.mcp
    }

    /// `[notify]`
    pub fn notify(&self) -> &NotifySettings {
        &self.notify
    }

    /// `[tools]`
    pub fn tools(&self) -> &ToolSettings {
        &self.tools
    }
}

/// A setting as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name, with those of the tables that it is in.
    pub name: String,
    /// Its value, as TOML.
    pub value: String,
    /// True if the person's file has it.
    pub is_set: bool,
}

fn list(before: &str, all: &toml::Table, written: Option<&toml::Table>, settings: &mut Vec<Setting>) {
    for (key, value) in all {
        let (name, written) = (format!("{before}{key}"), written.and_then(|table| table.get(key)));
        match value {
            toml::Value::Table(table) => {
                list(&format!("{name}."), table, written.and_then(toml::Value::as_table), settings);
            }
            value => settings.push(Setting { name, value: value.to_string(), is_set: written.is_some() }),
        }
    }
}

/// The error for a malformed file, with its line.
pub(super) fn misread(place: &str, text: &str, error: &read::Error) -> HostError {
    let place = match error.line(text) {
        Some(line) => format!("{place}:{line}"),
        None => place.to_owned(),
    };
    HostError::new(ErrorKind::Usage, format!("{place}: {}", error.message().replace('\n', ", ")))
        .hint("correct that line, or remove it to get the default")
}

fn timeout_ms<'de, D: serde::Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    within(value, "timeout_ms", limits::LEAST_CALL_MS, limits::CALL_MS)
}

fn max_bytes<'de, D: serde::Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    within(value, "max_bytes", 1, limits::TEXT_BYTES)
}

/// Names of tools begin with those of their servers, up to two underscores.
fn servers<'de, D: serde::Deserializer<'de>>(value: D) -> Result<BTreeMap<String, McpServer>, D::Error> {
    let servers = BTreeMap::<String, McpServer>::deserialize(value)?;
    let is_name = |name: &str| {
        !name.is_empty() && name.len() <= 32 && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '-')
    };
    match servers.keys().find(|name| !is_name(name)) {
        Some(name) => Err(serde::de::Error::custom(format!(
            "'{name}' is no name of a server: it has up to 32 letters, digits and hyphens"
        ))),
        None => Ok(servers),
    }
}

fn trailer_prefix<'de, D: serde::Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let prefix = String::deserialize(value)?;
    match TaskSettings::is_prefix(&prefix) {
        true => Ok(prefix),
        false => Err(serde::de::Error::custom(format!(
            "trailer_prefix is {prefix:?}; it must be up to {} letters, digits and hyphens, the first one a letter",
            TaskSettings::MOST_PREFIX
        ))),
    }
}

fn wait_seconds<'de, D: serde::Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    within(value, "wait_seconds", 0, limits::WAIT_SECONDS)
}

fn within<'de, D: serde::Deserializer<'de>>(value: D, name: &str, least: u64, most: u64) -> Result<u64, D::Error> {
    let number = i64::deserialize(value)?;
    u64::try_from(number)
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| serde::de::Error::custom(format!("{name} is {number}; it must be between {least} and {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_says_whether_it_is_a_default() {
        let set = |text: &str| {
            let settings = Config::settings("gitgate.toml", text).unwrap().into_iter();
            settings.map(|Setting { name, value, is_set }| (name, value, is_set)).collect::<Vec<_>>()
        };
        let settings = set("[tools.git]\ntimeout_ms = 500\n");
        assert_eq!(settings.len(), 17);
        assert!(settings.contains(&("tools.git.timeout_ms".to_owned(), "500".to_owned(), true)));
        assert!(settings.contains(&("approval.without_terminal".to_owned(), "false".to_owned(), false)));
        assert!(settings.contains(&("tools.git.push".to_owned(), "\"manual\"".to_owned(), false)));
        assert_eq!(settings[0].0, "unattended");
    }

    fn read(text: &str) -> Result<Config> {
        Config::parse("/gitgate.toml", text)
    }

    #[test]
    fn an_empty_file_is_the_defaults() {
        assert_eq!(read("").unwrap(), Config::default());
        let config = read("").unwrap();
        assert!(!config.unattended);
        let git = GitSettings { enabled: true, timeout_ms: 30_000, max_bytes: 200_000, push: PushMode::Manual };
        assert_eq!(config.tools().git, git);
        assert_eq!(config.tools().tasks, TaskSettings { enabled: false, trailer_prefix: "Arborist".to_owned() });
    }

    #[test]
    fn what_the_file_says_counts() {
        let text = "unattended = true\n[notify]\nbell = false\n[tools.git]\nenabled = false\ntimeout_ms = 100\nmax_bytes = 5000000\npush = \"assisted\"\n";
        let config = read(text).unwrap();
        assert!(config.unattended);
        assert_eq!(config.notify(), &NotifySettings { desktop: true, bell: false });
        let git = GitSettings { enabled: false, timeout_ms: 100, max_bytes: 5_000_000, push: PushMode::Assisted };
        assert_eq!(config.tools().git, git);
        let tasks = read("[tools.tasks]\nenabled = true\ntrailer_prefix = \"X-1\"\n").unwrap().tools().tasks.clone();
        assert_eq!(tasks, TaskSettings { enabled: true, trailer_prefix: "X-1".to_owned() });
    }

    #[test]
    fn a_server_has_a_name_that_names_of_tools_can_begin_with() {
        let config = read("[mcp.servers.issues-2]\ncommand = \"x\"\nenv = [\"TOKEN\"]\n").unwrap();
        let server = McpServer { command: "x".to_owned(), args: Vec::new(), env: vec!["TOKEN".to_owned()] };
        assert_eq!(config.mcp().servers["issues-2"], server);
        for name in ["a__b", "\"\"", "\"a b\"", "\"é\""] {
            let error = read(&format!("[mcp.servers.{name}]\ncommand = \"x\"\n")).unwrap_err();
            assert!(error.message.contains("is no name of a server"), "{error:?}");
        }
    }

    #[test]
    fn an_error_names_the_file_the_line_and_the_reason() {
        let message = |text| read(text).unwrap_err().message;
        assert_eq!(
            message("unattended = false\n[tools.git]\ntimeout_ms = 99\n"),
            "/gitgate.toml:3: timeout_ms is 99; it must be between 100 and 600000"
        );
        assert_eq!(
            message("[tools.git]\nmax_bytes = 5000001"),
            "/gitgate.toml:2: max_bytes is 5000001; it must be between 1 and 5000000"
        );
        assert_eq!(
            message("[tools.git]\nmax_bytes = -1"),
            "/gitgate.toml:2: max_bytes is -1; it must be between 1 and 5000000"
        );
        assert_eq!(
            message("unattend = true"),
            "/gitgate.toml:1: unknown field `unattend`, expected one of `unattended`, `approval`, `notify`, `tools`, `mcp`"
        );
        assert_eq!(
            message("[tools.git]\npush = \"agent\""),
            "/gitgate.toml:2: unknown variant `agent`, expected `manual` or `assisted`"
        );
        assert_eq!(
            message("[tools.tasks]\ntrailer_prefix = \"a b\""),
            "/gitgate.toml:2: trailer_prefix is \"a b\"; it must be up to 40 letters, digits and hyphens, the first one a letter"
        );
        assert_eq!(message("\nunattended = 1"), "/gitgate.toml:2: invalid type: integer `1`, expected a boolean");
        assert!(message("unattended = ").starts_with("/gitgate.toml:1: "));
    }
}
