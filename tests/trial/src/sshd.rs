//! A real ssh server: OpenSSH's `sshd`, which the client starts for each connection, and which ends with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Keys, and the configuration of both sides.
#[derive(Clone, Debug)]
pub struct Sshd {
    folder: PathBuf,
    user: String,
}

impl Sshd {
    /// A server in `folder`, which must not exist. Who signs in runs `command` in a shell, which finds what they asked for in
    /// `SSH_ORIGINAL_COMMAND`. The server takes git's word for the version of its protocol only if it `hears` it.
    ///
    /// # Panics
    ///
    /// If OpenSSH is not there, or the folder cannot be written.
    pub fn new(folder: &Path, command: &str, hears: bool) -> Self {
        std::fs::create_dir(folder).expect("the folder is new");
        // The package makes it at the next start of the machine. Only root needs it.
        let _ = std::fs::create_dir_all("/run/sshd");
        let sshd = Sshd { folder: folder.to_owned(), user: user() };
        let [host, own] = ["host", "own"].map(|name| sshd.key(name));
        let quoted = command.replace('"', "\\\"");
        sshd.write("authorized_keys", &format!("command=\"{quoted}\" {own}"));
        sshd.write("known_hosts", &format!("example.org {host}"));
        let at = |name: &str| folder.join(name).display().to_string();
        sshd.write(
            "sshd_config",
            &format!(
                "HostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\n\
                 PasswordAuthentication no\nPermitUserEnvironment no\n{}",
                at("host"),
                at("authorized_keys"),
                if hears { "AcceptEnv GIT_PROTOCOL\n" } else { "" },
            ),
        );
        sshd.write(
            "ssh_config",
            &format!(
                "Host *\nIdentityFile {}\nIdentitiesOnly yes\nUserKnownHostsFile {}\nGlobalKnownHostsFile /dev/null\n\
                 ProxyCommand /usr/sbin/sshd -i -E {} -f {}\n",
                at("own"),
                at("known_hosts"),
                at("log"),
                at("sshd_config"),
            ),
        );
        sshd
    }

    /// The command that git is told to use, in a shell's words.
    pub fn command(&self) -> String {
        format!("ssh -F '{}'", self.folder.join("ssh_config").display())
    }

    /// The server, and who signs in there.
    pub fn host(&self) -> String {
        format!("{}@example.org", self.user)
    }

    /// Forgets the server's key, so that the client does not know whom it speaks with.
    ///
    /// # Panics
    ///
    /// If the folder cannot be written.
    pub fn is_unknown(&self) {
        self.write("known_hosts", "");
    }

    fn key(&self, name: &str) -> String {
        let file = self.folder.join(name);
        let mut keygen = Command::new("ssh-keygen");
        keygen.args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]).arg(&file).stdin(Stdio::null());
        assert!(keygen.status().expect("OpenSSH is there").success(), "a key is made");
        std::fs::read_to_string(file.with_extension("pub")).expect("the key was made just now")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("the folder is writable");
    }
}

fn user() -> String {
    let said = Command::new("id").arg("-un").output().expect("id can be run");
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}
