//! The progress of a run's shards, read from its folder alone.

use crate::done::most_common_number;
use crate::finished::is_finished;
use crate::shard::{ShardRecord, folder, name, plan_of, record};
use crate::slurm;
use neurogauge::core::counted;
use neurogauge::formats::Problem;
use neurogauge::formats::folder_lock::{FolderLock, LOCK_FILE};
use neurogauge::{Error, Shard};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;

/// Number of lines that are shown from the log of a stopped shard.
const LOG_LINES: usize = 5;

/// The progress of a shard.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ShardState {
    Done {
        /// The time that it took, s.
        wall_s: f64,
    },
    /// It is done, except for failed items.
    ItemsFailed {
        /// The time that it took, s.
        wall_s: f64,
        /// Role and stem of each item, with the reason.
        items: Vec<String>,
    },
    /// A process is working on it.
    Running { holder: String },
    /// It was begun, but no process is working on it.
    Failed {
        /// The last lines of its log.
        log: Vec<String>,
    },
    /// It was not begun.
    Waiting,
}

/// The progress of all shards of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Did `neurogauge cluster finish` write the results?
    pub finished: bool,
    /// The shards by position; empty if the run was finished without shards.
    pub shards: Vec<ShardState>,
    /// The estimated time for the rest in seconds, assuming the current number of workers and the duration of finished
    /// shards. `None` if no shard is running or finished.
    pub left_s: Option<f64>,
}

impl Status {
    /// Inspects the folder of a run with `of` shards; by default, the number from `cluster slurm` or the most frequent
    /// one among the shards.
    ///
    /// # Errors
    /// The plan cannot be read; [`Error::Usage`] if the number of shards is unknown.
    pub fn of(run: &Path, of: Option<NonZeroUsize>) -> Result<Status, Error> {
        if !run.is_dir() {
            return Err(Problem::not_found("a folder that `neurogauge cluster plan` wrote").at(run).into());
        }
        let plan = plan_of(run)?;
        let finished = is_finished(run, &plan);
        let known = of.or_else(|| slurm::shards_of(run));
        let shards: Vec<ShardState> = match known.or_else(|| most_common_number(run)) {
            Some(of) => (0..of.get()).map(|index| state(run, Shard { index, of }, &plan)).collect(),
            None if finished => Vec::new(),
            None => {
                return Err(Error::Usage(format!(
                    "{}: nothing says into how many shards it is divided; say so with --shards N",
                    run.display()
                )));
            }
        };
        let left_s = left(&shards).filter(|_| !finished);
        Ok(Status {
            finished,
            shards,
            left_s,
        })
    }
}

fn state(run: &Path, shard: Shard, plan: &str) -> ShardState {
    let own = folder(run).join(name(shard));
    let log = folder(run).join(format!("{}.log", name(shard)));
    let locked = own.join(LOCK_FILE).exists().then(|| FolderLock::exclusive(&own));
    let problem = locked.and_then(Result::err).map(|error| error.problem);
    let perhaps = match problem {
        Some(Problem::Locked { holder }) => return ShardState::Running { holder },
        Some(Problem::PerhapsLocked { holder, .. }) => Some(holder),
        _ => None,
    };
    match (record(run, shard, plan), perhaps) {
        (Some(ShardRecord { failed, wall_s, .. }), _) if failed.is_empty() => ShardState::Done { wall_s },
        (Some(ShardRecord { failed, wall_s, .. }), _) => {
            let items = failed.iter().map(|item| format!("{} {:?}: {}", item.role, item.stem, item.reason));
            let items = Vec::from_iter(items.collect::<BTreeSet<String>>());
            ShardState::ItemsFailed { wall_s, items }
        }
        (None, Some(holder)) => ShardState::Running { holder },
        (None, None) if own.exists() || log.exists() => ShardState::Failed { log: last_lines(&log) },
        (None, None) => ShardState::Waiting,
    }
}

/// The last lines of a log; empty if there is no log.
fn last_lines(log: &Path) -> Vec<String> {
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().rev().filter(|l| !l.trim().is_empty()).take(LOG_LINES).collect();
    lines.reverse();
    lines.into_iter().map(str::to_owned).collect()
}

fn left(shards: &[ShardState]) -> Option<f64> {
    let took: Vec<f64> = shards
        .iter()
        .filter_map(|state| match state {
            ShardState::Done { wall_s } | ShardState::ItemsFailed { wall_s, .. } => Some(*wall_s),
            _ => None,
        })
        .collect();
    let count = |of: fn(&ShardState) -> bool| shards.iter().filter(|state| of(state)).count() as f64;
    let running = count(|state| matches!(state, ShardState::Running { .. }));
    let waiting = count(|state| matches!(state, ShardState::Waiting));
    let mean = took.iter().sum::<f64>() / took.len() as f64;
    // Running shards are half done, on average.
    (running > 0.0 && !took.is_empty()).then(|| mean * (waiting / running + 0.5))
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.finished {
            return writeln!(f, "finished: the results are written");
        }
        let of = self.shards.len();
        let count = |of: fn(&ShardState) -> bool| self.shards.iter().filter(|state| of(state)).count();
        let done = count(|state| matches!(state, ShardState::Done { .. }));
        let partly = count(|state| matches!(state, ShardState::ItemsFailed { .. }));
        let running = count(|state| matches!(state, ShardState::Running { .. }));
        let failed = count(|state| matches!(state, ShardState::Failed { .. }));
        let waiting = of - done - partly - running - failed;
        let partly = match partly {
            0 => String::new(),
            n => format!(", {n} done except items that failed"),
        };
        writeln!(
            f,
            "{}: {done} done{partly}, {running} running, {failed} failed, {waiting} waiting",
            counted(of, "shard")
        )?;
        if let Some(left_s) = self.left_s {
            writeln!(f, "about {} left, if as many go on", duration(left_s))?;
        }
        for (index, state) in self.shards.iter().enumerate() {
            let shard = format!("{index}/{of}");
            match state {
                ShardState::Running { holder } => writeln!(f, "{shard} running: {holder}")?,
                ShardState::ItemsFailed { items, .. } => {
                    writeln!(f, "{shard} done except {}", items.join(", "))?;
                }
                ShardState::Failed { log } if log.is_empty() => {
                    writeln!(f, "{shard} failed, without a log in the folder of the run")?;
                }
                ShardState::Failed { log } => {
                    writeln!(f, "{shard} failed; its log ends:")?;
                    log.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
                }
                ShardState::Done { .. } | ShardState::Waiting => {}
            }
        }
        Ok(())
    }
}

/// A time in words, to about two digits.
fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use neurogauge::ShardDone;

    fn shard(index: usize) -> Shard {
        Shard {
            index,
            of: 4.try_into().unwrap(),
        }
    }

    #[test]
    fn every_state_is_read_from_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path();
        std::fs::write(run.join("plan.json"), "a plan").unwrap();
        assert!(Status::of(run, None).unwrap_err().to_string().contains("--shards"));
        crate::work(run, shard(0), || Ok(ShardDone::default())).unwrap();
        let _held = FolderLock::exclusive(&folder(run).join(name(shard(1)))).unwrap();
        let log: String = (0..9).map(|n| format!("line {n}\n\n")).collect();
        std::fs::write(folder(run).join("2-of-4.log"), log).unwrap();
        let status = Status::of(run, None).unwrap();
        let states = &status.shards[..];
        assert!(
            matches!(
                states,
                [ShardState::Done { .. }, ShardState::Running { .. }, ShardState::Failed { .. }, ShardState::Waiting]
            ),
            "{states:?}"
        );
        let text = status.to_string();
        for part in [
            "4 shards: 1 done, 1 running, 1 failed, 1 waiting\n",
            "about 0 s left",
            &format!("1/4 running: process {}", std::process::id()),
            "2/4 failed; its log ends:\n    line 4\n    line 5",
            "    line 8\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("line 3"), "{text}");
    }

    #[test]
    fn a_finished_run_says_so_until_something_else_is_planned() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path();
        std::fs::write(run.join("plan.json"), "a plan").unwrap();
        crate::set_finished(run).unwrap();
        let text = |of| Status::of(run, of).unwrap().to_string();
        assert_eq!(text(None), "finished: the results are written\n");
        crate::work(run, shard(0), || Ok(ShardDone::default())).unwrap();
        assert_eq!(text(None), "finished: the results are written\n");
        assert_eq!(Status::of(run, None).unwrap().shards.len(), 4);
        std::fs::write(run.join("plan.json"), "another plan").unwrap();
        assert!(!Status::of(run, Some(shard(0).of)).unwrap().finished);
    }

    #[test]
    fn the_time_left_is_that_of_the_shards_that_nobody_has_begun() {
        let done = |wall_s| ShardState::Done { wall_s };
        let running = || ShardState::Running { holder: String::new() };
        let list = [done(10.0), done(30.0), running(), running(), ShardState::Waiting, ShardState::Waiting];
        assert_eq!(left(&list), Some(20.0 * 1.5));
        assert_eq!(left(&list[..2]), None);
        assert_eq!(left(&list[2..]), None);
        assert_eq!(duration(59.6), "60 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(9000.0), "2.5 h");
    }
}
