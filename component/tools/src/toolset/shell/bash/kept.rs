//! What a script leaves to the next one: the working folder and the exported variables. They are in the repository's own folder, so an undo
//! takes them back with everything else.

use serde::{Deserialize, Serialize};
use shell::Kept;

use crate::error::ToolError;
use crate::paths::Zones;
use crate::platform::{self, Kind};
use crate::session::Session;

/// Where it is, below the repository's own folder.
const FILE: &str = "gitgate/shell";

/// The variables that the first script begins with.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("HOME", "/workspace"),
    ("LANG", "C.UTF-8"),
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("SHELL", "/bin/bash"),
    ("TERM", "dumb"),
    ("USER", "agent"),
];

#[derive(Deserialize, Serialize)]
struct Stored {
    folder: String,
    env: Vec<(String, String)>,
}

/// What the last script left, or what the first one begins with.
pub fn load(zones: &Zones) -> Result<Kept, ToolError> {
    let file = zones.workspace().real().join(".git").join(FILE);
    let stored = match platform::read(&file) {
        Ok(content) => serde_json::from_slice(&content).ok(),
        Err(_) => None,
    };
    let mut stored = stored.unwrap_or_else(|| Stored {
        folder: "/workspace".to_owned(),
        env: ENVIRONMENT.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
    });
    if zones.folder("cwd", &stored.folder).is_err() {
        "/workspace".clone_into(&mut stored.folder);
    }
    let env = stored.env.into_iter().map(|(name, text)| (name, text.into())).collect();
    Ok(Kept { folder: stored.folder.into(), env })
}

/// Keeps what is another than before. Without a repository there is no place for it.
pub fn store(session: &Session, before: &Kept, now: &Kept) -> Result<(), ToolError> {
    // `PWD` and its like follow from the folder.
    let lasting = |kept: &Kept| -> Vec<(String, String)> {
        let own = kept.env.iter().filter(|(name, _)| !matches!(name.as_str(), "PWD" | "SHLVL" | "_"));
        own.map(|(name, text)| (name.clone(), text.to_string())).collect()
    };
    let env = lasting(now);
    let git = session.zones.workspace().real().join(".git");
    let is_there = platform::stat(&git).is_ok_and(|stat| stat.kind == Kind::Folder);
    if !is_there || (now.folder == before.folder && env == lasting(before)) {
        return Ok(());
    }
    let stored = Stored { folder: now.folder.to_string(), env };
    let text = serde_json::to_vec(&stored).expect("it has only texts");
    let file = git.join(FILE);
    let written = platform::create_dir_all(&git.join("gitgate")).and_then(|()| platform::put_file(&file, text, None));
    written.map_err(|error| ToolError::io(".git/gitgate/shell", &error))
}
