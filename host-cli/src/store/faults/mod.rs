//! Every write, sync, rename and cut of whole calls fails in turn: the sandbox is as it was after some whole call, and nothing is lost that
//! was answered as done.
//!
//! What is tried here is the store, all of it, below the component: a stand-in leaves records that are no more than numbers, and a host
//! drives the two in the order in which `sandbox::running` and `answer::landing` do. That those keep the order, with the real component, is
//! tried in `answer::faults`.

pub(crate) mod chaos;
mod host;
mod numbers;

use std::cell::RefCell;
use std::path::Path;

use self::chaos::{Chaos, Fault, Mode, Random};
use self::host::{Call, Host, World};

/// Calls of one run.
const CALLS: usize = 12;

/// A run: so many calls, each kind among them, in any order.
fn calls(random: &mut Random) -> Vec<Call> {
    let mut kinds = Call::EVERY.to_vec();
    kinds.extend((kinds.len()..CALLS).map(|_| Call::EVERY[random.below(Call::EVERY.len())]));
    random.shuffle(&mut kinds);
    kinds
}

/// Plays the run that `seed` names on a new sandbox, whose disk fails as `fault` says. Gives the steps that the disk has taken.
fn play(seed: u64, fault: Option<Fault>, hosts: usize) -> usize {
    let folder = folder();
    let place = folder.path().join("sandbox");
    for name in ["attachments", "pending", "waiting"] {
        std::fs::create_dir_all(place.join(name)).unwrap();
    }
    let mut random = Random::new(seed);
    let world = RefCell::new(World::default());
    let chaos = Chaos::new(folder.path().join("aside"), fault, seed);
    let mut all = vec![Host::create(&place, chaos.clone(), &world)];
    all.extend((1..hosts).map(|n| {
        let sound = Chaos::new(folder.path().join(format!("aside-{n}")), None, seed);
        Host::open(&place, sound, &world)
    }));
    // Without power, there is no next call.
    let is_dead = fault.is_some_and(|fault| fault.mode == Mode::Power);
    for (number, call) in (1..).zip(calls(&mut random)) {
        let host = random.below(all.len());
        let done = all[host].call(number, call, &mut random);
        assert!(done.is_ok() || fault.is_some(), "nothing fails by itself: {done:?}");
        if done.is_err() && is_dead {
            break;
        }
    }
    drop(all);
    if is_dead {
        chaos.lose_power(&place);
    }
    is_sound(&place, folder.path(), &world, &mut random);
    chaos.steps()
}

/// A folder in memory, where there is such a thing: nothing here is to outlive the test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A new process finds everything whole, and can go on.
fn is_sound(place: &Path, aside: &Path, world: &RefCell<World>, random: &mut Random) {
    let sound = |name: &str| Chaos::new(aside.join(name), None, 0);
    let mut host = Host::open(place, sound("first"), world);
    host.open_again().expect("the sandbox opens");
    host.agrees();
    for (number, call) in [(1000, Call::Pull), (1001, Call::Push), (1002, Call::EVERY[random.below(Call::EVERY.len())])]
    {
        host.call(number, call, random).expect("it can be worked on");
    }
    let mut again = Host::open(place, sound("second"), world);
    again.open_again().expect("the sandbox opens again");
    again.agrees();
    assert_eq!(again.leftovers(), 0, "what a failed write has left is removed");
}

/// Faults at every step of the runs of these seeds; gives their number.
fn try_all(usual: std::ops::Range<u64>, modes: &[Mode], hosts: usize) -> usize {
    let mut faults = 0;
    for seed in trial::seeds(usual) {
        let steps = play(seed, None, hosts);
        assert!(steps > 12 / hosts, "a run takes more steps than that: {steps}");
        for at in 0..steps {
            for mode in modes {
                let fault = Fault { at, mode: *mode };
                let tried = std::panic::catch_unwind(|| play(seed, Some(fault), hosts));
                assert!(tried.is_ok(), "the run of seed {seed} fails with {fault:?}, {hosts} hosts");
                faults += 1;
            }
        }
    }
    println!("{faults} faults");
    faults
}

// Three tests, so that they run side by side.

#[test]
fn whichever_step_fails_once_the_sandbox_is_as_after_a_whole_call() {
    let faults = try_all(0..8, &[Mode::Once, Mode::Stays], 1);
    assert!(faults >= 1_250 || !trial::has_usual_seeds(), "{faults} faults were tried");
}

#[test]
fn whenever_the_power_is_lost_nothing_is_lost_that_was_answered() {
    let faults = try_all(100..116, &[Mode::Power], 1);
    assert!(faults >= 1_250 || !trial::has_usual_seeds(), "{faults} faults were tried");
}

#[test]
fn attack_24_two_hosts_on_one_sandbox_of_which_one_fails_lose_nothing() {
    let faults = try_all(200..208, &[Mode::Once, Mode::Stays], 2);
    assert!(faults >= 650 || !trial::has_usual_seeds(), "{faults} faults were tried");
}
