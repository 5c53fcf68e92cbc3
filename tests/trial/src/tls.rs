//! TLS before a server, with a certificate of an authority that nobody knows.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// A process that takes TLS off, and passes on what comes. It ends with this.
#[derive(Debug)]
pub struct Tls {
    child: Child,
    /// Closing this ends the process.
    input: Option<ChildStdin>,
    port: u16,
    authority: PathBuf,
}

impl Tls {
    /// TLS before the server at `port` of loopback. Keys are made in `folder`, which must not exist.
    ///
    /// # Panics
    ///
    /// If OpenSSL or node is not there, or the folder cannot be written.
    pub fn before(port: u16, folder: &Path) -> Self {
        std::fs::create_dir(folder).expect("the folder is new");
        let of = |name: &str| folder.join(name);
        let certificate = |name: &str, more: &[&str]| {
            let mut openssl = Command::new("openssl");
            openssl.args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ]);
            openssl.args(["-subj", &format!("/CN={name}")]).arg("-keyout").arg(of(&format!("{name}.key")));
            openssl.arg("-out").arg(of(&format!("{name}.pem"))).args(more).stderr(Stdio::null());
            assert!(openssl.status().expect("OpenSSL is there").success(), "a certificate is made");
        };
        certificate("authority", &[]);
        let [authority, key] = ["authority.pem", "authority.key"].map(|name| of(name).display().to_string());
        let names = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"];
        certificate("server", &[&["-CA", &authority, "-CAkey", &key][..], &names].concat());
        let script = of("tls.mjs");
        std::fs::write(&script, include_str!("tls.mjs")).expect("the folder is writable");
        let mut node = Command::new("node");
        node.arg(script).arg(of("server.key")).arg(of("server.pem")).arg(port.to_string());
        let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node is there");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
        said.read_line(&mut line).expect("it says its port");
        let port = line.trim().parse().unwrap_or_else(|_| panic!("tls.mjs says {line:?}"));
        Tls { input: child.stdin.take(), child, port, authority: of("authority.pem") }
    }

    /// Where it listens, as the beginning of an address.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The certificate of the authority.
    pub fn authority(&self) -> &Path {
        &self.authority
    }
}

impl Drop for Tls {
    fn drop(&mut self) {
        self.input.take();
        // It has nothing to save.
        let _ = self.child.wait();
    }
}
