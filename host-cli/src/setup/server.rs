//! The command that a client starts.

use std::path::{Path, PathBuf};

use gate::id::SandboxId;
use serde_json::{Value, json};

use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::Home;

/// How a client starts the server.
#[derive(Clone, Debug)]
pub struct Server {
    /// The program, as an absolute path.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Server {
    /// This gitgate, for the sandbox `name` in `home`, or for the one of the folder that the client starts it in.
    pub fn of(home: &Home, name: Option<&SandboxId>) -> Result<Self> {
        let program = std::env::current_exe().doing("find", Path::new("gitgate"))?;
        let mut arguments = Vec::new();
        // A client that a desktop starts need not have the shell's environment.
        let default = std::env::var_os("HOME").map(|user| PathBuf::from(user).join(".local/share/gitgate"));
        if default.is_none_or(|default| default != home.root()) {
            arguments.extend(["--home".to_owned(), text(home.root())?]);
        }
        if let Some(name) = name {
            arguments.extend(["-s".to_owned(), name.to_string()]);
        }
        arguments.push("mcp".to_owned());
        Ok(Server { program: text(&program)?, arguments })
    }

    /// What connects to the `gitgate run` that serves at `socket`.
    pub fn at(socket: &Path) -> Result<Self> {
        let program = std::env::current_exe().doing("find", Path::new("gitgate"))?;
        let arguments = vec!["mcp".to_owned(), "--connect".to_owned(), text(socket)?];
        Ok(Server { program: text(&program)?, arguments })
    }

    /// Program and arguments under the names that most clients use.
    pub fn entry(&self) -> Value {
        json!({ "command": self.program, "args": self.arguments })
    }

    /// The same for clients that want to be told that it talks over its standard streams.
    pub fn stdio(&self) -> Value {
        json!({ "type": "stdio", "command": self.program, "args": self.arguments })
    }
}

fn text(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        HostError::new(ErrorKind::Usage, format!("{} is not UTF-8, and configuration files are", path.display()))
            .hint("move it to a folder with another name")
    })
}
