//! A script of random calls. What comes of a seed is always the same.

use fastrand::Rng;
use serde_json::{Value, json};

use super::play::Player;
use super::{SCRIPT, import, runtime};

/// The script of `calls` random steps, as it was played.
pub fn transcript(seed: u64, calls: usize) -> Value {
    let mut script: Value = serde_json::from_str(SCRIPT).unwrap();
    script["steps"] = json!([]);
    let import = import();
    let player = Player::new(&script, &import, runtime(), false);
    let mut sandbox = player.create();
    let mut rng = Rng::with_seed(seed);
    let (mut steps, mut played, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..calls {
        let step = match at {
            0 => json!({ "do": "call", "as": "user", "tool": "sandbox_import", "imports": true }),
            _ => step(&mut rng, &ids),
        };
        let came = player.look(&step, &mut sandbox);
        ids.extend(commits(&came));
        steps.push(step);
        played.push(came);
    }
    let kept = player.kept();
    drop(sandbox);
    script["steps"] = steps.into();
    super::transcript(script, &import, &[("lived", &(played.into(), kept))])
}

/// Mostly a call, and what else a host does now and then.
fn step(rng: &mut Rng, ids: &[String]) -> Value {
    match rng.u32(0..100) {
        0 => json!({ "do": "reopen" }),
        1 => json!({ "do": "compact" }),
        2 => json!({ "do": "waiting" }),
        3 => json!({ "do": "fsck" }),
        4 => json!({ "do": "pass", "minutes": rng.u32(1..90) }),
        _ => {
            let (tool, text) = trial::arguments::random(rng, ids);
            let caller = *rng.choice(&["agent", "user"]).expect("there are two");
            let answer = match rng.u32(0..8) {
                0 => json!({ "said": "reject", "reason": "not like this" }),
                1 => json!({ "said": "nobody" }),
                _ => json!({ "said": "approve" }),
            };
            json!({ "do": "call", "as": caller, "tool": tool, "text": text, "always": answer })
        }
    }
}

/// The commits that are named in what came of a step.
fn commits(came: &Value) -> Vec<String> {
    let text = came["turns"].to_string();
    let words = text.split(|c: char| !c.is_ascii_hexdigit());
    words.filter(|word| word.len() == 40).take(3).map(str::to_owned).collect()
}
