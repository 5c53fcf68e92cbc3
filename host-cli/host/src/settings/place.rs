//! A repository as named in a worker file and in `sandbox.toml`, in the syntax of a tool's target.

use gate::forge::Forge;
use serde::de::{Error, IntoDeserializer};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::target::spelling::{of_tool_word, tool_word, tool_words};
use gate::target::TargetKind;

/// Where a repository is. A relative path starts from the folder where `new` ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A repository with a working tree.
    Local {
        /// Its folder.
        path: String,
        /// Default: the branch that is checked out there.
        branch: Option<String>,
    },
    /// A bare repository.
    LocalBare {
        /// Its folder.
        path: String,
        /// Default: the branch that its HEAD names.
        branch: Option<String>,
    },
    /// A repository on a forge's server.
    Server {
        /// Whose server.
        forge: Forge,
        /// Which repository there.
        repo: String,
        /// Default: the default branch.
        branch: Option<String>,
    },
}

/// Files that a new sandbox gets from another repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoPull {
    /// A file or folder there.
    pub path: String,
    /// Where.
    pub source: Place,
}

/// `type`, then `path` or `repo`, then `branch` if there is one.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, location, branch) = self.parts();
        let mut fields = serializer.serialize_struct("Place", 2 + usize::from(branch.is_some()))?;
        fields.serialize_field("type", tool_word(kind))?;
        fields.serialize_field(field(kind), location)?;
        match branch {
            Some(branch) => fields.serialize_field("branch", branch)?,
            None => fields.skip_field("branch")?,
        }
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let word: String = take(&mut fields, "type")?;
        let kind = of_tool_word(&word).filter(|kind| tool_words().any(|known| known == tool_word(*kind)));
        let kind = kind.ok_or_else(|| {
            let known: Vec<String> = tool_words().map(|word| format!("`{word}`")).collect();
            D::Error::custom(format!("unknown variant `{word}`, expected one of {}", known.join(", ")))
        })?;
        let branch = if fields.contains_key("branch") { take(&mut fields, "branch")? } else { None };
        let location: Result<String, D::Error> = take(&mut fields, field(kind));
        if let Some((unknown, _)) = fields.iter().next() {
            let expected = field(kind);
            return Err(D::Error::custom(format!("unknown field `{unknown}`, expected `{expected}` or `branch`")));
        }
        let location = location?;
        Ok(match kind {
            TargetKind::Local => Place::Local { path: location, branch },
            TargetKind::Bare => Place::LocalBare { path: location, branch },
            TargetKind::Server(forge) => Place::Server { forge, repo: location, branch },
        })
    }
}

/// The name of the field that says which repository it is.
fn field(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Local | TargetKind::Bare => "path",
        TargetKind::Server(_) => "repo",
    }
}

fn take<'de, T: Deserialize<'de>, E: Error>(fields: &mut Map<String, Value>, name: &'static str) -> Result<T, E> {
    let value = fields.remove(name).ok_or_else(|| E::missing_field(name))?;
    T::deserialize(value.into_deserializer()).map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_place_is_an_error() {
        for (text, error) in [
            (r#"{"path":"/a"}"#, "missing field `type`"),
            (r#"{"type":"ftp","path":"/a"}"#, "unknown variant `ftp`, expected one of `local`, `local-bare`, `github`"),
            (
                r#"{"type":"git","repo":"https://h/x"}"#,
                "unknown variant `git`, expected one of `local`, `local-bare`, `github`",
            ),
            (r#"{"type":"github"}"#, "missing field `repo`"),
            (r#"{"type":"local","path":"/a","x":1}"#, "unknown field `x`, expected `path` or `branch`"),
            (r#"{"type":"github","repo":1}"#, "invalid type: integer `1`, expected a string"),
        ] {
            assert_eq!(serde_json::from_str::<Place>(text).unwrap_err().to_string(), error);
        }
    }
}
