//! Bars on the error stream while something long runs, if anybody looks.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::target::{Progress, Stage};

/// A bar for each stage of a long operation, one at a time.
#[derive(Debug, Default)]
pub struct Bars(Mutex<Option<(Stage, ProgressBar)>>);

impl Progress for Bars {
    fn at(&self, stage: Stage, done: u64, total: Option<u64>) {
        // A bar stays usable whatever happened to the thread that drew it.
        let mut current = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let bar = match &*current {
            Some((now, bar)) if *now == stage => bar,
            _ => {
                if let Some((_, bar)) = current.take() {
                    bar.finish_and_clear();
                }
                &current.insert((stage, bar(stage, total))).1
            }
        };
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_position(done);
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        if let Some((_, bar)) = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(stage: Stage, total: Option<u64>) -> ProgressBar {
    let what = match stage {
        Stage::Counting => "Counting objects",
        Stage::Packing => "Packing objects",
        Stage::Verifying => "Verifying the pack",
    };
    let count = if stage == Stage::Verifying { "{bytes}/{total_bytes}" } else { "{pos}/{len}" };
    let template = match total {
        Some(_) => format!("{{msg:20}} [{{bar:30}}] {count}"),
        None => "{msg:20} {pos}".to_owned(),
    };
    let bar = ProgressBar::new(total.unwrap_or_default());
    bar.set_style(ProgressStyle::with_template(&template).expect("the template is well-formed").progress_chars("=> "));
    bar.set_message(what);
    bar
}

/// Something that takes a while and cannot say how far it is. It is gone when it is dropped.
#[derive(Debug)]
pub struct Spinner(ProgressBar);

/// Shows that `what` is under way.
pub fn spinner(what: &'static str) -> Spinner {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(100));
    Spinner(bar)
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
