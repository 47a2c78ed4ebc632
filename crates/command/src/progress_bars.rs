//! Progress on stderr, as bars on a terminal or as lines. A stage of less than a second shows nothing.

use crate::args::ProgressArg;
use crate::confirmation::allows_download;
use crate::output::{self, Verbosity, says};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, WeakProgressBar};
use neurogauge::{Progress, duration};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stages shorter than this show nothing.
const SILENT: Duration = Duration::from_secs(1);
/// The time between two lines of `--progress plain`.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The last bar that was drawn. A bar appears only while this is locked.
static DRAWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

static SHOWN_AS: AtomicU8 = AtomicU8::new(ProgressArg::Bar as u8);

/// Sets the form of progress.
pub(crate) fn show_progress(shown_as: ProgressArg) {
    SHOWN_AS.store(shown_as as u8, Ordering::Relaxed);
}

/// Freezes the bar on the screen: from now on, no thread draws it again and no other bar appears.
pub(crate) fn stop_drawing() {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bar) = drawn.as_ref().and_then(WeakProgressBar::upgrade) {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // This stays locked until the process ends.
    std::mem::forget(drawn);
}

fn is_shown_as(shown_as: ProgressArg) -> bool {
    says(Verbosity::Normal) && SHOWN_AS.load(Ordering::Relaxed) == shown_as as u8
}

/// Shows one stage at a time with the remaining time, and prints notes.
#[derive(Default)]
pub(crate) struct Bars {
    current: Mutex<Option<Stage>>,
}

/// A running stage.
struct Stage {
    name: String,
    total: u64,
    /// Items that were done before this process began.
    done_before: u64,
    done: u64,
    began: Instant,
    /// The time of the last line.
    said: Instant,
    bar: Option<ProgressBar>,
}

impl Stage {
    fn begin(name: &str, total: u64, done: u64) -> Self {
        let began = Instant::now();
        Stage {
            name: name.to_owned(),
            total,
            done_before: done,
            done,
            began,
            said: began,
            bar: is_shown_as(ProgressArg::Bar).then(|| bar(name, total, done)),
        }
    }

    fn advance(&mut self, n: u64) {
        self.done += n;
        if let Some(bar) = &self.bar {
            bar.inc(n);
        }
        if is_shown_as(ProgressArg::Plain)
            && let Some(line) = self.due_line(Instant::now())
        {
            output::message(&line);
        }
    }

    /// The line to print now, if the last one is old enough.
    fn due_line(&mut self, now: Instant) -> Option<String> {
        let is_due = now.duration_since(self.said) >= BETWEEN_LINES;
        is_due.then(|| {
            self.said = now;
            self.line(now.duration_since(self.began).as_secs_f64())
        })
    }

    /// The progress after this many seconds, with the estimated remaining time.
    fn line(&self, gone_s: f64) -> String {
        let percent = (100 * self.done).checked_div(self.total).unwrap_or(100).min(100);
        let left_s =
            gone_s * self.total.saturating_sub(self.done) as f64 / (self.done - self.done_before).max(1) as f64;
        format!("{}: {percent}% of {}, {} gone, {} left", self.name, self.total, duration(gone_s), duration(left_s))
    }

    fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if says(Verbosity::Verbose) {
            output::message(&format!(
                "{}: {} of {} in {:.1} s",
                self.name,
                self.done - self.done_before,
                self.total,
                self.began.elapsed().as_secs_f64()
            ));
        }
    }
}

/// A bar that appears after the silent time; indicatif hides it if stderr is not a terminal.
fn bar(name: &str, total: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
    let later = bar.downgrade();
    std::thread::spawn(move || {
        std::thread::sleep(SILENT);
        let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = later.upgrade().filter(|bar| !bar.is_finished()) {
            *drawn = Some(later);
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.tick();
        }
    });
    // `wide_msg` is truncated to fit.
    let template = match output::width_of_messages() {
        Some(0..60) => "{wide_msg} {pos}/{len}  {eta} left",
        _ => "{msg:<28} {wide_bar} {pos}/{len}  {elapsed} gone, {eta} left",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(name.to_owned());
    bar.set_position(done);
    bar.reset_eta();
    bar
}

impl Bars {
    fn with(&self, action: impl FnOnce(&mut Option<Stage>)) {
        action(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Prints above the bar, if there is one.
    fn say(&self, print: impl FnOnce()) {
        self.with(|current| match current.as_ref().and_then(|stage| stage.bar.as_ref()) {
            Some(bar) => bar.suspend(print),
            None => print(),
        });
    }
}

impl Progress for Bars {
    fn start(&self, stage: &str, total: u64, done: u64) {
        self.with(|current| *current = Some(Stage::begin(stage, total, done)));
    }

    fn advance(&self, n: u64) {
        self.with(|current| {
            if let Some(stage) = current {
                stage.advance(n);
            }
        });
    }

    fn finish(&self) {
        self.with(|current| {
            if let Some(stage) = current.take() {
                stage.finish();
            }
        });
    }

    fn note(&self, message: &str) {
        self.say(|| output::note(message));
    }

    fn warn(&self, message: &str) {
        self.say(|| output::warning(message));
    }

    fn allows_download(&self, what: &str) -> bool {
        let mut is_allowed = false;
        self.say(|| is_allowed = allows_download(what));
        is_allowed
    }

    fn detail(&self, message: &str) {
        if says(Verbosity::Verbose) {
            self.say(|| output::message(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_counts_what_this_process_did() {
        let mut stage = Stage::begin("features", 100, 60);
        stage.done = 80;
        assert_eq!(stage.line(20.0), "features: 80% of 100, 20 s gone, 20 s left");
    }

    #[test]
    fn lines_come_ten_seconds_apart_however_many_steps_there_are() {
        let mut stage = Stage::begin("features", 1000, 0);
        let began = stage.began;
        let said: Vec<u64> = (1..=40)
            .filter(|&second| {
                stage.done += 25;
                stage.due_line(began + Duration::from_secs(second)).is_some()
            })
            .collect();
        assert_eq!(said, [10, 20, 30, 40]);
    }

    #[test]
    fn a_bar_that_is_over_within_a_second_was_never_drawn() {
        let bar = bar("features", 10, 0);
        assert!(bar.is_hidden());
        bar.finish_and_clear();
    }
}
