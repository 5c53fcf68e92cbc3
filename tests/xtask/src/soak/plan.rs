//! The duration and the seed of a soak.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::date;

/// Seeds reserved for each day: more than a day of runs takes.
const SEEDS_A_DAY: u64 = 1_000_000;
/// The default duration of a run.
const MINUTES: u64 = 60;

/// The arguments of the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// Rough duration of the run. Builds and checks that run once come first, random tests take the rest.
    pub minutes: u64,
    /// The first seed of every family.
    pub seed: u64,
}

impl Plan {
    /// Parses `--minutes N` and `--seed S`. The default seed follows from the date, so each day tries other seeds.
    pub fn parse(arguments: &[&str]) -> Result<Plan> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        Plan::on_day(arguments, now / 86_400)
    }

    fn on_day(arguments: &[&str], days: u64) -> Result<Plan> {
        let (year, month, day) = date::civil(days);
        let mut plan = Plan { minutes: MINUTES, seed: (year * 10_000 + month * 100 + day) * SEEDS_A_DAY };
        for pair in arguments.chunks(2) {
            let [option, value] = pair else { bail!("{} takes a number", pair[0]) };
            let number = value.parse().with_context(|| format!("{option} takes a number, not {value}"))?;
            match *option {
                "--minutes" => plan.minutes = number,
                "--seed" => plan.seed = number,
                _ => bail!("unknown option: {option}; there are --minutes and --seed"),
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;

    #[test]
    fn the_day_chooses_the_seed_unless_somebody_does() {
        let plan = |arguments: &[&str]| Plan::on_day(arguments, 20_777);
        assert_eq!(plan(&[]).unwrap(), Plan { minutes: 60, seed: 20_261_120_000_000 });
        assert_eq!(plan(&["--seed", "7", "--minutes", "1"]).unwrap(), Plan { minutes: 1, seed: 7 });
        for wrong in [&["--seed"][..], &["--seed", "x"], &["--hours", "1"]] {
            assert!(plan(wrong).is_err(), "{wrong:?}");
        }
    }
}
