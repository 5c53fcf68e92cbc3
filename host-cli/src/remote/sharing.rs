//! Who besides the owner may use new files in a git folder: `core.sharedRepository`.

use super::{TargetError, TargetErrorKind};

/// The permissions of a repository's own files and folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sharing {
    /// As the umask says.
    #[default]
    Umask,
    /// These bits in addition.
    AtLeast(u32),
    /// These bits whatever the umask says.
    Exactly(u32),
}

const GROUP: Sharing = Sharing::AtLeast(0o660);
const EVERYBODY: Sharing = Sharing::AtLeast(0o664);

/// New files in a folder with this bit get the folder's group. Where they do so anyhow, the bit is
/// not for users to set.
const SET_GROUP: u32 = if cfg!(any(target_vendor = "apple", target_os = "freebsd")) { 0 } else { 0o2000 };

impl Sharing {
    /// Reads the configuration. Like git, refuses an octal number that removes the owner's own
    /// rights.
    pub(super) fn of(config: &gix::config::File) -> Result<Self, TargetError> {
        let key = "core.sharedRepository";
        let Some(value) = config.string(key) else {
            // A key without a value means true.
            return Ok(if config.boolean(key).is_ok_and(|on| on == Some(true)) { GROUP } else { Sharing::Umask });
        };
        let text = value.to_string();
        match text.as_str() {
            "umask" => return Ok(Sharing::Umask),
            "group" => return Ok(GROUP),
            "all" | "world" | "everybody" => return Ok(EVERYBODY),
            _ => {}
        }
        match u32::from_str_radix(&text, 8) {
            Ok(0) => Ok(Sharing::Umask),
            Ok(1) => Ok(GROUP),
            Ok(2) => Ok(EVERYBODY),
            Ok(mode) if mode & 0o600 == 0o600 => Ok(Sharing::Exactly(mode & 0o666)),
            Err(_) if config.boolean(key).is_ok_and(|on| on == Some(true)) => Ok(GROUP),
            Err(_) if config.boolean(key).is_ok() => Ok(Sharing::Umask),
            _ => Err(TargetError::new(
                TargetErrorKind::Unsupported,
                format!("its configuration has an invalid {key}: `{text}`"),
            )
            .hint(
                "set it there with `git config core.sharedRepository`: umask, group, all or an octal mode like 0660",
            )),
        }
    }

    /// The permissions for a file created with these.
    pub(super) fn of_file(self, mode: u32) -> u32 {
        let (Sharing::AtLeast(bits) | Sharing::Exactly(bits)) = self else {
            return mode;
        };
        let writable = if mode & 0o200 == 0 { bits & !0o222 } else { bits };
        let executable = if mode & 0o100 == 0 { 0 } else { (writable & 0o444) >> 2 };
        let kept = if matches!(self, Sharing::Exactly(_)) { mode & !0o777 } else { mode };
        kept | writable | executable
    }

    /// The permissions for a folder created with these.
    pub(super) fn of_folder(self, mode: u32) -> u32 {
        if self == Sharing::Umask {
            return mode;
        }
        let mode = self.of_file(mode);
        let mode = mode | (mode & 0o444) >> 2;
        if mode & 0o060 == 0 { mode } else { mode | SET_GROUP }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Sharing, TargetError> {
        Sharing::of(&gix::config::File::try_from(format!("[core]\n{line}\n").as_str()).unwrap())
    }

    #[test]
    fn every_way_to_write_it_is_understood() {
        for (line, sharing) in [
            ("", Sharing::Umask),
            ("sharedRepository", GROUP),
            ("sharedRepository = false", Sharing::Umask),
            ("sharedRepository = true", GROUP),
            ("sharedRepository = 0", Sharing::Umask),
            ("sharedRepository = 1", GROUP),
            ("sharedRepository = group", GROUP),
            ("sharedRepository = 2", EVERYBODY),
            ("sharedRepository = world", EVERYBODY),
            ("sharedRepository = 0640", Sharing::Exactly(0o640)),
            ("sharedRepository = 0777", Sharing::Exactly(0o666)),
        ] {
            assert_eq!(of(line).unwrap(), sharing, "{line}");
        }
        for line in ["sharedRepository = 0444", "sharedRepository = everyone"] {
            assert!(of(line).unwrap_err().hint.is_some(), "{line}");
        }
    }
}
