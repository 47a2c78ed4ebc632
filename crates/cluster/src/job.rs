//! The communication of a scheduler and a shard: exit codes, a signal, a number of processors.

use neurogauge::Error;
#[cfg(unix)]
use signal_hook::consts::signal::{SIGHUP, SIGTERM};

/// The exit code of a shard that was stopped before it was done: `EX_TEMPFAIL`, "try again".
pub const INTERRUPTED: i32 = 75;

/// The exit code of a finished shard with failed items.
const ITEMS_FAILED: u8 = 4;

/// The exit code if the plan's inputs, models or settings have changed.
const WRONG_PLAN: u8 = 5;

/// The exit code of a command that failed with this error.
///
/// ```
/// let error = neurogauge::Error::Usage("no such option".into());
/// assert_eq!(neurogauge_cluster::exit_code(&error), 2);
/// ```
pub fn exit_code(error: &Error) -> u8 {
    match error {
        Error::FailedInShard { .. } => ITEMS_FAILED,
        Error::PlanChanged { .. } => WRONG_PLAN,
        _ => error.fault().exit_code(),
    }
}

/// The exit code that shells report after SIGHUP.
#[cfg(unix)]
const HUNG_UP: i32 = 129;

/// Calls `act` in a separate thread once the process is told to end (SIGTERM) or its terminal is closed (SIGHUP, unless
/// the process was started to survive that, e.g. by `nohup`). Its argument is the exit code after a hang-up. Has no
/// effect on systems other than Unix.
pub fn on_sigterm(act: impl FnOnce(Option<i32>) + Send + 'static) {
    #[cfg(unix)]
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals_to_end()) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                act((signal == SIGHUP).then_some(HUNG_UP));
            }
        });
    }
    #[cfg(not(unix))]
    drop(act);
}

#[cfg(unix)]
fn signals_to_end() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    match ignores(&status, SIGHUP) {
        Some(false) => vec![SIGTERM, SIGHUP],
        _ => vec![SIGTERM],
    }
}

/// Does the process with this `/proc/self/status` ignore a signal? `None` if unknown.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> Option<bool> {
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask >> (signal - 1) & 1 == 1)
}

/// The processors that SLURM assigns to this job (`SLURM_CPUS_PER_TASK`, which may not be enforced), but no more than
/// the system allows (affinity and cgroup quotas). `None` outside such a job, or if `RAYON_NUM_THREADS` sets the number
/// of threads.
pub fn threads_of_job() -> Option<usize> {
    let variable = |name: &str| std::env::var(name).ok();
    let n_usable = std::thread::available_parallelism().map_or(1, usize::from);
    threads(&variable, n_usable)
}

fn threads(variable: &dyn Fn(&str) -> Option<String>, n_usable: usize) -> Option<usize> {
    let number = |name: &str| -> Option<usize> { variable(name)?.trim().parse().ok().filter(|&number| number > 0) };
    if number("RAYON_NUM_THREADS").is_some() {
        return None;
    }
    Some(number("SLURM_CPUS_PER_TASK")?.min(n_usable))
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn a_job_has_the_processors_that_it_was_given_and_that_are_there() {
        let of = |slurm: &'static str, rayon: &'static str, n_usable| {
            let variable = move |name: &str| match name {
                "SLURM_CPUS_PER_TASK" => Some(slurm.to_owned()),
                _ => Some(rayon.to_owned()).filter(|text| !text.is_empty()),
            };
            threads(&variable, n_usable)
        };
        assert_eq!(of("3", "", 8), Some(3));
        assert_eq!(of("16", "", 8), Some(8));
        assert_eq!(of("3", "2", 8), None);
        assert_eq!(of("many", "", 8), None);
        assert_eq!(of("0", "", 8), None);
        assert_eq!(threads(&|_| None, 8), None);
    }
}
