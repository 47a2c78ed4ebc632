//! A flag that stops long work before its end.
//!
//! A caller that starts work in its own threads (the Python package, which must react to Ctrl-C) gives each of them a
//! flag to [`watch`]. Long loops call [`stop_if_asked`] between steps; once the flag is set, it unwinds their thread
//! with [`Stopped`], which the caller catches. If no flag is watched, as in the command line, nothing happens. So
//! computations need no parameter for it and cannot depend on it: each is either completed or abandoned.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The payload that unwinds a thread that was asked to stop. It is not a panic: nothing is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// From now on, this thread stops once `flag` is true.
pub fn watch(flag: Arc<AtomicBool>) {
    FLAG.set(Some(flag));
}

/// Unwinds this thread if it was asked to stop.
///
/// ```
/// use neurogauge_core::stopping::{Stopped, stop_if_asked, watch};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// let flag = Arc::new(AtomicBool::new(false));
/// let watched = Arc::clone(&flag);
/// let work = std::thread::spawn(move || {
///     watch(watched);
///     loop {
///         stop_if_asked();
///     }
/// });
/// flag.store(true, Ordering::Relaxed);
/// assert!(work.join().unwrap_err().is::<Stopped>());
/// stop_if_asked(); // this thread watches no flag
/// ```
pub fn stop_if_asked() {
    let is_asked = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if is_asked {
        resume_unwind(Box::new(Stopped));
    }
}
