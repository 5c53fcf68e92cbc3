//! A repository as named in a worker file and in `sandbox.toml`, in the syntax of a tool's target.

use std::fmt;

use gate::forge::Forge;
use gate::target::TargetKind;
use serde::de::{Error, IntoDeserializer, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::target::spelling::{of_tool_word, tool_word, tool_words};

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
        deserializer.deserialize_map(OfFields)
    }
}

struct OfFields;

impl<'de> Visitor<'de> for OfFields {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("internally tagged enum Place")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Place, A::Error> {
        let (mut kind, mut fields) = (None, Map::new());
        while let Some(name) = map.next_key::<String>()? {
            let is_new = match name.as_str() {
                // Where it stands, so that an error says that place.
                "type" => kind.replace(map.next_value::<Type>()?).is_none(),
                _ => fields.insert(name.clone(), map.next_value()?).is_none(),
            };
            if !is_new {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
        }
        let Type(kind) = kind.ok_or_else(|| A::Error::missing_field("type"))?;
        let known = field(kind);
        if let Some(unknown) = fields.keys().find(|name| *name != known && *name != "branch") {
            return Err(A::Error::custom(format!("unknown field `{unknown}`, expected `{known}` or `branch`")));
        }
        let location = take(&mut fields, known)?;
        let branch = if fields.contains_key("branch") { take(&mut fields, "branch")? } else { None };
        Ok(match kind {
            TargetKind::Local => Place::Local { path: location, branch },
            TargetKind::Bare => Place::LocalBare { path: location, branch },
            TargetKind::Server(forge) => Place::Server { forge, repo: location, branch },
        })
    }
}

/// The kind that a `type` names.
struct Type(TargetKind);

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(OfWord)
    }
}

struct OfWord;

impl Visitor<'_> for OfWord {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Type, E> {
        let kind = of_tool_word(word).filter(|kind| tool_words().any(|known| known == tool_word(*kind)));
        kind.map(Type).ok_or_else(|| {
            let known: Vec<String> = tool_words().map(|word| format!("`{word}`")).collect();
            E::custom(format!("unknown variant `{word}`, expected one of {}", known.join(", ")))
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
            (
                r#"{"type":"ftp","path":"/a"}"#,
                "unknown variant `ftp`, expected one of `local`, `local-bare`, `github`, `git`",
            ),
            (r#"{"type":"github"}"#, "missing field `repo`"),
            (r#"{"type":"local","path":"/a","x":1}"#, "unknown field `x`, expected `path` or `branch`"),
            (r#"{"type":"github","repo":1}"#, "invalid type: integer `1`, expected a string"),
        ] {
            let said = serde_json::from_str::<Place>(text).unwrap_err().to_string();
            assert!(said.starts_with(error), "{said}");
        }
    }
}
