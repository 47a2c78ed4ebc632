//! The processor time of reading, regardless of other work on the machine.

use crate::prelude::*;
use std::time::Instant;

/// The processor time of this thread, if the system reports it; otherwise the time since the first call.
pub(crate) fn processor_time() -> Duration {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = said.split(' ').next().and_then(|first| first.parse().ok());
    spent.map_or_else(|| FIRST.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// The time of `larger` relative to that of `smaller`, which should take at least some milliseconds: the least of three
/// trials, since other processes may disturb one.
pub(crate) fn growth(smaller: impl Fn(), larger: impl Fn()) -> f64 {
    let cost = |work: &dyn Fn()| {
        let start = processor_time();
        work();
        // The system counts in steps of up to ten milliseconds.
        (processor_time() - start).as_secs_f64().max(0.01)
    };
    (0..3).map(|_| cost(&larger) / cost(&smaller)).fold(f64::INFINITY, f64::min)
}
