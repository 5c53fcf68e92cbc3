//! Which names clients are shown.

use dialect::Dialect;
use serde::{Deserialize, Serialize};

/// The names that clients are shown for tools and arguments: `auto`, `gitgate` or a dialect's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Speaks {
    /// Those of the dialect that a client's name tells (`auto`).
    AsItsName,
    /// These, whatever the client; the sandbox's own (`gitgate`) if `None`.
    Always(Option<Dialect>),
}

impl Speaks {
    const AUTO: &str = "auto";
    const OWN: &str = "gitgate";
}

impl TryFrom<String> for Speaks {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            Self::AUTO => Ok(Speaks::AsItsName),
            Self::OWN => Ok(Speaks::Always(None)),
            _ => Dialect::from_name(&name).map(|dialect| Speaks::Always(Some(dialect))).ok_or_else(|| {
                let all: Vec<&str> = Dialect::all().map(Dialect::name).collect();
                format!("'{name}' is no dialect: it is {}, {} or one of {}", Self::AUTO, Self::OWN, all.join(", "))
            }),
        }
    }
}

impl From<Speaks> for String {
    fn from(speaks: Speaks) -> String {
        match speaks {
            Speaks::AsItsName => Speaks::AUTO.to_owned(),
            Speaks::Always(dialect) => dialect.map_or(Speaks::OWN, Dialect::name).to_owned(),
        }
    }
}
