//! The random tests. Each reads its seeds from `GITGATE_SEED` and `GITGATE_SCENES`.

use std::process::Command;

use anyhow::Result;

use crate::check;

/// A group of tests that take seeds.
pub struct Family {
    pub name: &'static str,
    /// The package of the tests, as in a command that runs them again.
    package: &'static str,
    /// The test binary, as in cargo's arguments.
    binary: &'static [&'static str],
    /// The filter on the names of the tests.
    filter: &'static str,
    /// The number of seeds in a run, which takes about a minute.
    pub scenes: u64,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "random sequences of changing calls",
        package: "tools",
        binary: &["--lib"],
        filter: "oracle::changing",
        scenes: 200,
    },
    Family {
        name: "reading calls",
        package: "tools",
        binary: &["--lib"],
        filter: "oracle::reading::every",
        scenes: 200,
    },
    Family {
        name: "logs, shows, blames, stages and pulls",
        package: "tools",
        binary: &["--lib"],
        filter: "oracle::",
        scenes: 24,
    },
    Family { name: "dates and patterns", package: "tools", binary: &["--lib"], filter: "tests::random_", scenes: 12 },
    Family {
        name: "diffs, merges of texts and of trees",
        package: "patch",
        binary: &["--test", "oracle"],
        filter: "",
        scenes: 16,
    },
    Family {
        name: "generated scripts",
        package: "shell",
        binary: &["--test", "oracle"],
        filter: "at_random",
        scenes: 2000,
    },
    Family {
        name: "faults of whole calls",
        package: "gitgate",
        binary: &["--lib"],
        filter: "driver::faults",
        scenes: 4,
    },
    Family { name: "replays", package: "tests", binary: &["--test", "suite"], filter: "replay::", scenes: 16 },
];

impl Family {
    /// The command that runs the tests, beginning with the seed `first`.
    pub fn command(&self, first: u64) -> Result<Command> {
        let mut command = check::tests()?;
        command.args(self.binary).args(["--", self.filter]);
        command.env("GITGATE_SEED", first.to_string()).env("GITGATE_SCENES", self.scenes.to_string());
        Ok(command)
    }

    /// The same command for a terminal.
    pub fn again(&self, first: u64) -> String {
        let Family { package, binary, filter, scenes, .. } = self;
        let binary = binary.join(" ");
        format!("GITGATE_SEED={first} GITGATE_SCENES={scenes} cargo test --package {package} {binary} -- {filter}")
    }
}
