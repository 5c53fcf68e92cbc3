//! The random tests. Each reads its seeds from `GITGATE_SEED` and `GITGATE_SCENES`.

use std::process::Command;

use anyhow::Result;

use crate::check;

/// Tests that take seeds.
pub struct Family {
    pub name: &'static str,
    /// The package that has them, as somebody names it who runs them again.
    package: &'static str,
    /// The test binary, as cargo selects it.
    binary: &'static [&'static str],
    /// What their names begin with or contain.
    filter: &'static str,
    /// How many seeds a run takes: as many as it gets through in about a minute.
    pub scenes: u64,
}

/// All of them.
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
        name: "faults of whole calls",
        package: "gitgate",
        binary: &["--lib"],
        filter: "driver::faults",
        scenes: 4,
    },
    Family { name: "replays", package: "tests", binary: &["--test", "suite"], filter: "replay::", scenes: 16 },
];

impl Family {
    /// The tests, from the seed `first` on.
    pub fn command(&self, first: u64) -> Result<Command> {
        let mut command = check::tests()?;
        command.args(self.binary).args(["--", self.filter]);
        command.env("GITGATE_SEED", first.to_string()).env("GITGATE_SCENES", self.scenes.to_string());
        Ok(command)
    }

    /// The same for a terminal.
    pub fn again(&self, first: u64) -> String {
        let Family { package, binary, filter, scenes, .. } = self;
        let binary = binary.join(" ");
        format!("GITGATE_SEED={first} GITGATE_SCENES={scenes} cargo test --package {package} {binary} -- {filter}")
    }
}
