//! Progress on stderr, drawn only where stderr is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use neurogauge::Progress;
use std::sync::{Mutex, PoisonError};

/// Draws one bar per stage with the time that is left, and prints notes above it.
#[derive(Default)]
pub(crate) struct Bars {
    current: Mutex<Option<ProgressBar>>,
}

impl Bars {
    fn with(&self, action: impl FnOnce(&mut Option<ProgressBar>)) {
        action(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bars {
    fn start(&self, stage: &str, total: u64, done: u64) {
        // indicatif hides bars by itself where stderr is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let template = "{msg:<28} {wide_bar} {pos}/{len}  {elapsed} gone, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        bar.set_position(done);
        bar.reset_eta();
        self.with(|current| *current = Some(bar));
    }

    fn advance(&self, n: u64) {
        self.with(|current| {
            if let Some(bar) = current {
                bar.inc(n);
            }
        });
    }

    fn finish(&self) {
        self.with(|current| {
            if let Some(bar) = current.take() {
                bar.finish_and_clear();
            }
        });
    }

    fn note(&self, message: &str) {
        self.with(|current| match current {
            Some(bar) => bar.suspend(|| crate::output::message(&format!("note: {message}"))),
            None => crate::output::message(&format!("note: {message}")),
        });
    }
}
