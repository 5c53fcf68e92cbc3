//! An agent behind a wall, with git alone: the lines for bubblewrap of `host-cli/GIT.md`, to the letter.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::json;
use tests::built::workspace;

use super::git_clients::waiting;
use super::scene::{Served, scene};

const AGENT: &str = r#"
set -e
exec 2>&1
git clone -q "$GATE" work
cd work
git config user.name Agent
git config user.email agent@example.org
git config push.pushOption wait
echo one > notes.md
git add .
git commit -qm 'Add notes'
if git push; then echo 'it was not rejected'; exit 1; fi
git fetch -q origin 'refs/gate/verdicts/*:refs/gate/verdicts/*'
git show "refs/gate/verdicts/$(git rev-parse HEAD)" | grep 'Say what of'
echo 'of today' > notes.md
git commit -qa --amend --no-edit
git push
echo "pushed $(git rev-parse HEAD)"
ls /home /root /etc 2>/dev/null && exit 1
socat -u /dev/null TCP:$OUTSIDE,connect-timeout=2 2>/dev/null && exit 1
env | grep -c TOKEN && exit 1
echo 'nothing else is there'
"#;

/// The agent and what it runs in. All of it ends when this is dropped.
struct Walled {
    child: Child,
    words: BufReader<ChildStdout>,
    said: String,
}

impl Walled {
    /// Starts the lines, with the server's port and the sandbox's name.
    fn start(served: &Served, agent: &str, folder: &std::path::Path) -> Walled {
        let page = std::fs::read_to_string(workspace().join("host-cli/GIT.md")).unwrap();
        let (_, section) = page.split_once("\n## bubblewrap\n").expect("it has the section");
        let lines = section.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("```")).expect("it has lines").0;
        let (_, port) = served.address.rsplit_once(':').unwrap();
        let lines = lines.replace("8420", port).replace("/git/fix", "/git/default");
        std::fs::write(folder.join("agent.sh"), AGENT.replace("$OUTSIDE", &served.address.replace(port, "1"))).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", &lines]).current_dir(folder).env("AGENT", agent).env("GITHUB_TOKEN", "secret");
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let words = BufReader::new(child.stdout.take().unwrap());
        Walled { child, words, said: String::new() }
    }

    /// Reads until it has said this once more.
    fn says(&mut self, text: &str) {
        let before = self.said.matches(text).count();
        while self.said.matches(text).count() == before {
            assert_ne!(self.words.read_line(&mut self.said).unwrap(), 0, "{}", self.said);
        }
    }
}

impl Drop for Walled {
    fn drop(&mut self) {
        // What carries the connection runs on until then.
        let group = Pid::from_raw(i32::try_from(self.child.id()).expect("process ids fit"));
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

#[test]
fn an_agent_behind_a_wall_does_the_main_job_with_git_alone() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let folder = cli.work().join("wall");
    std::fs::create_dir(&folder).unwrap();
    let mut walled = Walled::start(&served, &agent, &folder);
    walled.says("for the reviewer");
    let (place, _) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say what of" })).0, 422);
    walled.says("for the reviewer");
    let (place, digest) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0, 200);
    walled.says("pushed ");
    let pushed = walled.said.lines().last().unwrap().strip_prefix("pushed ").unwrap().to_owned();
    assert_eq!(repo.id("main"), pushed, "what was approved has its id");
    walled.says("nothing else is there");
    // The wall is down when the agent ends: the shell's last command was the agent's.
    assert!(walled.child.wait().unwrap().success(), "{}", walled.said);
    assert_eq!(repo.git(&["show", "main:notes.md"]), "of today");
}
