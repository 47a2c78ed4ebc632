//! Runs work without the interpreter's lock, so that Ctrl-C works, progress is drawn, and other Python threads run.

use crate::errors::{Failure, bug};
use crate::threads::Threads;
use neurogauge::Progress;
use neurogauge::core::stopping::stop_if_asked;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often Ctrl-C is checked and the bar is drawn.
const LOOK: Duration = Duration::from_millis(50);

/// The progress of the work, written by the working thread and drawn by Python's.
#[derive(Debug, Default)]
struct Stage {
    name: String,
    total: u64,
    done: u64,
    /// Counts the stages, 0 before the first.
    number: u64,
    is_over: bool,
    notes: Vec<String>,
}

/// The working threads' side of the progress.
#[derive(Debug, Default)]
pub(crate) struct Work {
    stage: Mutex<Stage>,
    /// May weights be downloaded?
    download: bool,
}

impl Work {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Work {
    fn start(&self, name: &str, total: u64, done: u64) {
        stop_if_asked();
        let mut stage = self.stage();
        stage.name = name.to_owned();
        stage.total = total;
        stage.done = done;
        stage.number += 1;
        stage.is_over = false;
    }

    fn advance(&self, n: u64) {
        stop_if_asked();
        self.stage().done += n;
    }

    fn finish(&self) {
        self.stage().is_over = true;
    }

    fn note(&self, message: &str) {
        self.stage().notes.push(message.to_owned());
    }

    fn allows_download(&self, _what: &str) -> bool {
        self.download
    }
}

/// Draws with an object of `neurogauge/_progress.py`, if the caller gave one.
struct Bar<'a, 'py> {
    python: Option<&'a Bound<'py, PyAny>>,
    number: u64,
}

impl Bar<'_, '_> {
    fn draw(&mut self, work: &Work) -> PyResult<()> {
        let Some(python) = self.python else {
            return Ok(());
        };
        let (name, total, done, number, is_over, notes) = {
            let mut stage = work.stage();
            let notes = std::mem::take(&mut stage.notes);
            (stage.name.clone(), stage.total, stage.done, stage.number, stage.is_over, notes)
        };
        for note in notes {
            python.call_method1("note", (note,))?;
        }
        if number > self.number {
            self.number = number;
            python.call_method1("start", (name, total, done))?;
        }
        if number > 0 {
            python.call_method1("show", (done, is_over))?;
        }
        Ok(())
    }
}

/// `outcome` of each of `n` pairs, computed in parallel, as a stage of this name. If several pairs fail, the error names
/// the first in the order of the pairs.
///
/// # Errors
/// As in [`run`].
pub(crate) fn each<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (stage, n): (&str, usize),
    outcome: impl Fn(usize) -> Result<T, Failure> + Send + Sync,
) -> PyResult<Vec<T>> {
    run(py, progress, |work| {
        work.start(stage, n as u64, 0);
        let of_pair = |pair| {
            let found = outcome(pair);
            work.advance(1);
            found
        };
        let found: Vec<_> = (0..n).into_par_iter().map(of_pair).collect();
        found.into_iter().collect()
    })
}

/// Runs `work` in separate threads without the interpreter's lock, and waits for it. After Ctrl-C its threads unwind at
/// their next step. Files are written completely or not at all, so the state on disk is the same as after any
/// interruption.
///
/// # Errors
/// Errors of `work`; exceptions of Python's signal handlers (`KeyboardInterrupt`).
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Work) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let download = progress.and_then(|bars| bars.getattr("download").ok()?.is_truthy().ok());
    let state = Work {
        download: download.unwrap_or(false),
        ..Work::default()
    };
    let threads = Threads::take()?;
    let mut bar = Bar {
        python: progress,
        number: 0,
    };
    let (sender, mut receiver) = channel();
    let outcome = std::thread::scope(|scope| {
        let (state, threads) = (&state, &threads);
        scope.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| threads.work(|| work(state))));
            let _ = sender.send(done);
        });
        let mut raised = None;
        loop {
            let receiver = &mut receiver;
            match py.detach(move || receiver.recv_timeout(LOOK)) {
                Ok(done) => return (done, raised),
                Err(RecvTimeoutError::Timeout) => {
                    let looked = py.check_signals().and_then(|()| bar.draw(state));
                    if let Err(error) = looked
                        && raised.is_none()
                    {
                        raised = Some(error);
                        threads.stop();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return (Err(Box::new("the thread is gone") as Box<dyn Any + Send>), raised);
                }
            }
        }
    });
    threads.give_back();
    state.finish();
    let drawn = bar.draw(&state);
    match outcome {
        (_, Some(raised)) => Err(raised),
        (Ok(done), None) => {
            let done = done?;
            drawn?;
            Ok(done)
        }
        (Err(_), None) => Err(bug().into()),
    }
}
