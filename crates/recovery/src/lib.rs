//! The recovery paper (Nakamura et al., 2026), built on [`neurogauge::align`].
//!
//! [`PresetRequest`] has the paper's study as a configuration, [`dry_run()`] lists the requirements of a study,
//! [`PaperReport`] has the tables and figures that go beyond an alignment's own, [`StimulusReport`] scores stimuli on
//! reproducible directions, and [`AlignComparison`] compares finished alignments.

mod aligned;
mod compare;
mod dry_run;
mod paper;
mod preset;
mod scores;
mod shown;

pub use dry_run::{dry_run, simulation_takes};
pub use preset::{DEFAULT_ATLAS, Preset, PresetRequest};
pub use shown::{AlignComparison, PaperReport, Shown, ShownRecord, StimulusReport};
