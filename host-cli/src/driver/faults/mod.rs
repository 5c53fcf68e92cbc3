//! Every write, sync, rename and cut of whole calls fails in turn, with the real component and all
//! of the host: the sandbox is as it was after some whole call, its log and the target agree, and
//! nothing is lost that was answered.

mod by_git;
mod calls;
mod scene;

use self::calls::steps;
use self::scene::Scene;
use crate::sandbox::STACK;
use crate::store::chaos::{Fault, Mode};

/// Faults at every step of the runs of these seeds; gives their number.
fn try_all(usual: std::ops::Range<u64>, modes: &'static [Mode], hosts: usize) -> usize {
    let all = move || {
        let (scene, mut faults) = (Scene::new(), 0);
        for seed in trial::seeds(usual) {
            let steps = steps(seed, hosts, &scene.now());
            let whole = scene.whole(&steps, hosts, seed);
            assert!(whole.steps > 40 / hosts, "a run takes more steps than that: {}", whole.steps);
            for at in 0..whole.steps {
                for mode in modes {
                    let fault = Fault { at, mode: *mode };
                    println!("the run of seed {seed} with {fault:?}, {hosts} hosts");
                    let failed = scene.broken(&steps, hosts, seed, fault, &whole);
                    println!("failed: {:?}", failed.map(|number| steps[number].tool));
                    faults += 1;
                }
            }
        }
        println!("{faults} faults");
        faults
    };
    let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(all);
    thread.unwrap().join().unwrap()
}

// Three tests, so that they run side by side.

#[test]
fn whichever_step_of_a_call_fails_the_sandbox_its_log_and_the_target_agree() {
    let faults = try_all(0..1, &[Mode::Once, Mode::Stays], 1);
    assert!(faults >= 100 || !trial::has_usual_seeds(), "{faults} faults were tried");
}

#[test]
fn whenever_the_power_is_lost_nothing_is_lost_that_was_answered() {
    let faults = try_all(100..102, &[Mode::Power], 1);
    assert!(faults >= 100 || !trial::has_usual_seeds(), "{faults} faults were tried");
}

#[test]
fn attack_24_two_hosts_on_one_sandbox_of_which_one_fails_lose_nothing() {
    let faults = try_all(200..201, &[Mode::Once, Mode::Stays], 2);
    assert!(faults >= 50 || !trial::has_usual_seeds(), "{faults} faults were tried");
}
