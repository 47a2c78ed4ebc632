//! The threads of a call.

use crate::errors::{Failure, internal};
use neurogauge::core::stopping::watch;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Threads that stop together. Each call has its own, so that stopping one call does not stop another.
pub(crate) struct Threads {
    pool: ThreadPool,
    stop: Arc<AtomicBool>,
}

/// All threads of a process.
struct Crew {
    /// The process that the threads belong to: a forked process has the memory of its parent's threads, but not the
    /// threads.
    process: u32,
    /// Threads that wait for the next call.
    idle: Vec<Threads>,
    /// Number of sets of threads, busy or idle.
    n_sets: usize,
    /// Number of threads in the first set: `RAYON_NUM_THREADS`, or one per processor.
    n_full: usize,
}

static CREW: Mutex<Crew> = Mutex::new(Crew {
    process: 0,
    idle: Vec::new(),
    n_sets: 0,
    n_full: 0,
});

/// The threads of this process.
fn crew() -> MutexGuard<'static, Crew> {
    let mut crew = CREW.lock().unwrap_or_else(PoisonError::into_inner);
    if crew.process != process::id() {
        // Dropping the parent's threads would signal threads that do not exist here.
        std::mem::take(&mut crew.idle).into_iter().for_each(std::mem::forget);
        crew.process = process::id();
        crew.n_sets = 0;
    }
    crew
}

impl Threads {
    /// The largest set of idle threads, or a new one. Simultaneous calls share the processors: the second set has half
    /// as many threads as the first, the third a third.
    pub(crate) fn take() -> Result<Threads, Failure> {
        let mut crew = crew();
        let sizes = crew.idle.iter().map(|idle| idle.pool.current_num_threads());
        let largest = sizes.enumerate().max_by_key(|&(_, size)| size);
        if let Some((place, _)) = largest {
            let threads = crew.idle.swap_remove(place);
            threads.stop.store(false, Ordering::Relaxed);
            return Ok(threads);
        }
        let n_threads = match crew.n_sets {
            // Lets the library decide.
            0 => 0,
            n_others => (crew.n_full / (n_others + 1)).max(1),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let pool = ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .start_handler(move |_| watch(Arc::clone(&flag)))
            .build()
            .map_err(|error| internal(&format!("cannot start threads: {error}")))?;
        crew.n_sets += 1;
        if crew.n_sets == 1 {
            crew.n_full = pool.current_num_threads();
        }
        Ok(Threads { pool, stop })
    }

    /// Runs `work` in these threads.
    pub(crate) fn work<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Makes the threads unwind at their next step.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Keeps the threads, which must be idle, for another call.
    pub(crate) fn give_back(self) {
        crew().idle.push(self);
    }
}
