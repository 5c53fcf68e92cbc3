//! Which moments are tried.

use fastrand::Rng;

/// The moments from 0 to `count` that are tried: all if `GITGATE_KILL_ALL` is set or there are few, else about `most`, spread evenly, with a
/// shift that `GITGATE_SEED` chooses.
pub fn sample(count: usize, most: usize) -> Vec<usize> {
    if std::env::var_os("GITGATE_KILL_ALL").is_some() || count <= most {
        return (0..count).collect();
    }
    let seed = std::env::var("GITGATE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let step = count.div_ceil(most);
    (Rng::with_seed(seed).usize(0..step)..count).step_by(step).collect()
}

#[test]
fn a_sample_is_spread_over_all_moments() {
    assert_eq!(sample(3, 40), [0, 1, 2]);
    let some = sample(400, 40);
    assert_eq!(some.len(), 40);
    assert!(some.windows(2).all(|pair| pair[1] - pair[0] == 10) && some[39] >= 390);
}
