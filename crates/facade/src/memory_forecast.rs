//! A forecast of a run's peak main memory, made before the run starts.

use neurogauge_core::{NAMES_SHOWN, byte_size, first_names};
use neurogauge_formats::machine_memory;

/// Assumed memory of the program if the system does not report it, bytes.
const PROGRAM: u64 = 40_000_000;
/// Memory of any run besides its data: the parts of the program that it uses, tables and buffers, bytes. Measured.
const ANY_RUN: u64 = 28_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryForecast {
    /// The most main memory at once, bytes, without the unknown parts.
    pub bytes: u64,
    /// The part that takes most of it, if one does.
    pub most: Option<String>,
    /// Parts whose memory cannot be known before the run.
    pub unknown: Vec<String>,
}

impl MemoryForecast {
    /// The forecast in words, such as `about 1.2 GB, most of it the weights of clip_vit_l_14`.
    pub fn words(&self) -> String {
        let mut words = format!("about {}", byte_size(self.bytes));
        if let Some(most) = &self.most {
            words += &format!(", most of it {most}");
        }
        if !self.unknown.is_empty() {
            let unknown = listed(&self.unknown);
            words += &format!(", and in addition that of {unknown}, which is not known before the run");
        }
        words
    }
}

/// Lists at most [`NAMES_SHOWN`] names.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() && names.len() <= NAMES_SHOWN => {
            format!("{} and {last}", first.join(", "))
        }
        _ => first_names(names),
    }
}

/// Something that takes memory: its name in the forecast, and bytes.
pub(crate) type MemoryUse = (String, u64);

/// The contents of memory in each phase of a run.
///
/// A phase leaves little for the next one, so the peak of a run is that of its largest phase.
#[derive(Debug, Default)]
pub(crate) struct Phases {
    /// Parts that are in memory in every phase.
    kept: Vec<MemoryUse>,
    phases: Vec<Vec<MemoryUse>>,
    unknown: Vec<String>,
}

impl Phases {
    /// The memory of the program before it reads anything, plus what any run adds, bytes.
    pub(crate) fn program() -> u64 {
        machine_memory::resident().unwrap_or(PROGRAM) + ANY_RUN
    }

    pub(crate) fn keep(&mut self, name: impl Into<String>, bytes: u64) {
        self.kept.push((name.into(), bytes));
    }

    pub(crate) fn add(&mut self, phase: Vec<MemoryUse>) {
        self.phases.push(phase);
    }

    pub(crate) fn unknown(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.unknown.contains(&what) {
            self.unknown.push(what);
        }
    }

    /// The forecast, given the memory of the program.
    pub(crate) fn forecast(self, program: u64) -> MemoryForecast {
        let sum = |parts: &[MemoryUse]| parts.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let parts = [self.kept, self.phases.into_iter().max_by_key(|phase| sum(phase)).unwrap_or_default()].concat();
        let bytes = program + sum(&parts);
        let most = parts.into_iter().max_by_key(|(_, bytes)| *bytes);
        MemoryForecast {
            bytes,
            most: most.filter(|(_, most)| 2 * most >= bytes).map(|(name, _)| name),
            unknown: self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_phase_decides() {
        let mut phases = Phases::default();
        phases.keep("the results", 5_000_000);
        phases.add(vec![("the weights of a".into(), 900_000_000), ("images".into(), 95_000_000)]);
        phases.add(vec![("the similarities".into(), 800_000_000)]);
        let forecast = phases.forecast(200_000_000);
        assert_eq!(forecast.bytes, 1_200_000_000);
        assert_eq!(forecast.words(), "about 1.2 GB, most of it the weights of a");
    }

    #[test]
    fn nothing_is_most_of_many_small_things_and_the_unknown_is_named() {
        let mut phases = Phases::default();
        phases.add(vec![("images".into(), 40_000_000)]);
        for name in ["x", "y", "x"] {
            phases.unknown(name);
        }
        assert_eq!(
            phases.forecast(60_000_000).words(),
            "about 100 MB, and in addition that of x and y, which is not known before the run"
        );
        let names = ["a", "b", "c", "d", "e", "f"].map(str::to_owned);
        assert_eq!(listed(&names), "a, b, c and 3 more");
        assert_eq!(listed(&names[..1]), "a");
    }
}
