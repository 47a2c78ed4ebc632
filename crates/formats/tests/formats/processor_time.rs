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

/// That `larger` takes less than `limit` times as long as `smaller`, which should take at least some milliseconds: in one
/// of three trials, since other processes may disturb one.
pub(crate) fn grows_less(limit: f64, smaller: impl Fn(), larger: impl Fn()) {
    let cost = |work: &dyn Fn()| {
        let start = processor_time();
        work();
        // The system counts in steps of up to ten milliseconds.
        (processor_time() - start).as_secs_f64().max(0.01)
    };
    let mut trials = (0..3).map(|_| cost(&larger) / cost(&smaller));
    assert!(trials.any(|growth| growth < limit), "more than {limit} times in three trials");
}
