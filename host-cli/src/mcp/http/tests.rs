use super::*;

#[test]
fn a_session_outlasts_its_longest_call() {
    let idle = sessions().session_config.keep_alive.unwrap();
    let (wait, call) = (Duration::from_secs(limits::WAIT_SECONDS), Duration::from_millis(limits::CALL_MS));
    assert!(idle > call + wait + call, "{idle:?}");
}
