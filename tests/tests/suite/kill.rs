//! Kills the command line at any moment of a push: at each system call in turn that changes a file. After the next start of gitgate, the
//! target is before the push or after it, never between; the sandbox opens; and the person's own files are unchanged.

mod cut_off;
mod moment;
mod on_disk;
mod scene;
mod syscalls;
mod trace;

use nix::sys::signal::Signal;

use self::scene::Scene;

/// The number of moments to test where a process may not be traced.
const BLIND: usize = 1000;

// Two tests, so that two moments run in parallel.

#[test]
fn killed_at_every_even_moment_a_push_is_before_or_after_and_never_between() {
    killed_at_every_other_moment(0);
}

#[test]
fn killed_at_every_odd_moment_a_push_is_before_or_after_and_never_between() {
    killed_at_every_other_moment(1);
}

#[test]
fn killed_while_it_pushes_from_a_directory_a_push_is_before_or_after() {
    killed_at_moments(&Scene::on_disk(), 0, 5);
}

fn killed_at_every_other_moment(first: usize) {
    killed_at_moments(&Scene::new(), first, 2);
}

fn killed_at_moments(scene: &Scene, first: usize, step: usize) {
    scene.restore();
    let moments = match trace::run(scene.cli.command(&scene.push()), None) {
        Some(run) => run.changes.len(),
        None => return killed_blindly(scene, first, step),
    };
    assert!(moments > 30, "a push writes more than that: {moments}");
    for at in (first..moments).step_by(step) {
        scene.restore();
        let run =
            trace::run(scene.cli.command(&scene.push()), Some((at, Signal::SIGKILL))).expect("it was traced before");
        assert!(run.killed || run.changes.len() <= at, "it was to be killed at change {at}: {run:?}");
        let last = run.changes.last().expect("a push writes");
        let when = format!("at change {at} of {moments}, before {last}");
        scene.is_before_or_after(&when, &scene.start(&when, next(at)));
        // That takes four more processes.
        if (at / step).is_multiple_of(trial::times(3, 1)) {
            scene.goes_on(&when);
        }
    }
}

/// Any command, in this sandbox or another, may be the first after moment `n`.
fn next(n: usize) -> &'static [&'static str] {
    [&["status"][..], &["ls"]][n / 2 % 2]
}

/// Where a process may not be traced, kill it at moments spread over the time of a push.
fn killed_blindly(scene: &Scene, first: usize, step: usize) {
    let began = std::time::Instant::now();
    scene.cli.run(&scene.push()).ok();
    let whole = began.elapsed();
    for n in (first..BLIND).step_by(step) {
        scene.restore();
        let moment = whole.mul_f64(n as f64 / BLIND as f64);
        trace::run_blindly(scene.cli.command(&scene.push()), moment, Signal::SIGKILL);
        scene.is_whole(&format!("after {moment:?}"), next(n));
    }
}
