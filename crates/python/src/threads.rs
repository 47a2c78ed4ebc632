//! The threads of a call.

use crate::errors::{Failure, internal};
use neurogauge::core::stopping::watch;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads that stop together. A call takes some for itself alone, so that stopping it stops no other.
pub(crate) struct Threads {
    pool: ThreadPool,
    stop: Arc<AtomicBool>,
    /// A process that was forked has the memory of its parent's threads and not the threads.
    of_process: u32,
}

/// Threads that wait for the next call.
static IDLE: Mutex<Vec<Threads>> = Mutex::new(Vec::new());

impl Threads {
    /// Idle threads, or new ones: as many as `RAYON_NUM_THREADS` says, else one for each processor.
    ///
    /// # Errors
    /// Where the system gives no threads.
    pub(crate) fn take() -> Result<Threads, Failure> {
        while let Some(threads) = idle().pop() {
            if threads.of_process == process::id() {
                threads.stop.store(false, Ordering::Relaxed);
                return Ok(threads);
            }
            // To end it would be to tell threads that are not there.
            std::mem::forget(threads);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let pool = ThreadPoolBuilder::new()
            .start_handler(move |_| watch(Arc::clone(&flag)))
            .build();
        Ok(Threads {
            pool: pool.map_err(|error| internal(&format!("cannot start threads: {error}")))?,
            stop,
            of_process: process::id(),
        })
    }

    /// Does `work` in these threads.
    pub(crate) fn work<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Unwinds the threads at their next step.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Keeps the threads, which have nothing to do any more, for another call.
    pub(crate) fn give_back(self) {
        idle().push(self);
    }
}

fn idle() -> std::sync::MutexGuard<'static, Vec<Threads>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
