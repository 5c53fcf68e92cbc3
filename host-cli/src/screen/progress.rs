//! Shows the progress of long operations on the error stream, if it is a terminal. Short operations
//! show nothing.

use std::borrow::Cow;
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::remote::{Progress, Stage};
use crate::report;

/// How long an operation runs before it shows progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar for each stage of a long operation, one at a time.
#[derive(Debug)]
pub struct Bars {
    since: Instant,
    patience: Duration,
    target: fn() -> ProgressDrawTarget,
    current: Mutex<Option<(Stage, ProgressBar)>>,
}

impl Default for Bars {
    fn default() -> Self {
        Bars::new(PATIENCE, target)
    }
}

/// The error stream, unless another program has it.
fn target() -> ProgressDrawTarget {
    if report::is_quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}

impl Bars {
    fn new(patience: Duration, target: fn() -> ProgressDrawTarget) -> Self {
        Bars { since: Instant::now(), patience, target, current: Mutex::default() }
    }
}

impl Progress for Bars {
    fn at(&self, stage: Stage, done: u64, total: Option<u64>) {
        if self.since.elapsed() < self.patience {
            return;
        }
        // A bar stays usable even if the thread that drew it panicked.
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = match &*current {
            Some((now, bar)) if *now == stage => bar,
            _ => {
                if let Some((_, bar)) = current.take() {
                    bar.finish_and_clear();
                }
                &current.insert((stage, bar(stage, total, (self.target)()))).1
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
        if let Some((_, bar)) = self.current.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(stage: Stage, total: Option<u64>, target: ProgressDrawTarget) -> ProgressBar {
    let what = match stage {
        Stage::Counting => "Counting objects",
        Stage::Packing => "Packing objects",
        Stage::Verifying => "Verifying the pack",
        Stage::Writing => "Writing files",
        Stage::Updating => "Updating files",
    };
    let count = if stage == Stage::Verifying { "{bytes}/{total_bytes}" } else { "{pos}/{len}" };
    let template = match total {
        Some(_) => format!("{{msg:20}} [{{bar:30}}] {count}"),
        None => "{msg:20} {pos}".to_owned(),
    };
    let bar = ProgressBar::with_draw_target(total, target);
    bar.set_style(ProgressStyle::with_template(&template).expect("the template is well-formed").progress_chars("== "));
    bar.set_message(what);
    bar
}

/// Shows activity for an operation without a known length, until it is dropped.
#[derive(Debug)]
pub struct Spinner(Option<(mpsc::Sender<()>, JoinHandle<()>)>);

/// Starts a spinner labelled `what`.
pub fn spinner(what: impl Into<Cow<'static, str>>) -> Spinner {
    if stderr().is_terminal() && !report::is_quiet() { spin(what, PATIENCE, target()) } else { Spinner(None) }
}

fn spin(what: impl Into<Cow<'static, str>>, patience: Duration, target: ProgressDrawTarget) -> Spinner {
    let what = what.into();
    let (going_on, over) = mpsc::channel::<()>();
    let draw = move || {
        if over.recv_timeout(patience) != Err(mpsc::RecvTimeoutError::Timeout) {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, target).with_message(what);
        bar.set_style(ProgressStyle::default_spinner());
        while over.recv_timeout(Duration::from_millis(100)) == Err(mpsc::RecvTimeoutError::Timeout) {
            bar.tick();
        }
        bar.finish_and_clear();
    };
    // Without a thread there is no spinner, but the operation goes on.
    Spinner(thread::Builder::new().name("spinner".to_owned()).spawn(draw).ok().map(|thread| (going_on, thread)))
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((going_on, thread)) = self.0.take() {
            drop(going_on);
            // Even if the thread panicked, the operation is over.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use indicatif::TermLike;

    use super::*;

    /// A terminal that passes on what is written to it.
    #[derive(Debug)]
    struct Screen(mpsc::Sender<String>);

    impl Screen {
        fn target(self) -> ProgressDrawTarget {
            ProgressDrawTarget::term_like(Box::new(self))
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.send(text.to_owned()).map_err(io::Error::other)
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_takes_a_while_is_shown_until_it_is_over() {
        let (screen, shown) = mpsc::channel();
        let spinner = spin("Running git_stage", Duration::ZERO, Screen(screen).target());
        let first = shown.iter().find(|text| !text.is_empty()).unwrap();
        assert!(first.contains("Running git_stage"), "{first}");
        drop(spinner);
        shown.iter().for_each(drop);
    }

    #[test]
    fn what_is_soon_over_shows_nothing() {
        let (screen, shown) = mpsc::channel();
        drop(spin("Running git_status", Duration::MAX, Screen(screen).target()));
        assert_eq!(shown.iter().count(), 0);

        let bars = Bars::new(Duration::MAX, ProgressDrawTarget::hidden);
        bars.at(Stage::Writing, 1, Some(10));
        assert!(bars.current.lock().unwrap().is_none());
    }

    #[test]
    fn each_stage_has_a_bar_of_its_own() {
        let (screen, shown) = mpsc::channel();
        let bars = Bars::new(Duration::ZERO, ProgressDrawTarget::hidden);
        bars.at(Stage::Writing, 3, Some(10));
        bars.at(Stage::Writing, 4, Some(10));
        let at = |bars: &Bars| {
            let current = bars.current.lock().unwrap();
            let (stage, bar) = current.as_ref().unwrap();
            (*stage, bar.position(), bar.length())
        };
        assert_eq!(at(&bars), (Stage::Writing, 4, Some(10)));
        bars.at(Stage::Updating, 1, Some(10));
        assert_eq!(at(&bars), (Stage::Updating, 1, Some(10)));

        bar(Stage::Updating, Some(10), Screen(screen).target()).set_position(7);
        let text: String = shown.iter().collect();
        assert!(text.contains("Updating files") && text.contains("] 7/10"), "{text}");
    }
}
