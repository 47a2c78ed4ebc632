//! The recovery paper (Nakamura et al., 2026), built on [`neurogauge::align`].
//!
//! [`PresetRequest`] has the paper's study as a configuration, [`DryRun`] lists the requirements of a study,
//! [`PaperReport`] has the tables and figures that go beyond an alignment's own, [`StimulusReport`] scores stimuli on
//! reproducible directions, and [`AlignComparison`] compares finished alignments.

mod aligned;
mod compare;
mod dry_run;
mod paper;
mod preset;
mod published;
mod region_sizes;
mod stimuli;

pub use compare::{AlignComparison, AlignComparisonRecord, PairedDifference, RunComparison};
pub use dry_run::{DryRun, ModelWeights, simulation_takes};
pub use paper::{
    ArchitectureShape, DepthProfile, Entry, FamilyObjectives, HighAccuracy, LayerScore, MatchedCase, ModelOfPaper,
    NextFold, ObjectiveScore, ObjectiveScores, OtherCurves, PairCategory, PaperRecord, PaperReport, Quartiles,
    ReferenceWeights, RegionDirections, SeedControl, SelectedPenalties,
};
pub use preset::{DEFAULT_ATLAS, MODELS, PaperModel, Preset, PresetRequest};
pub use region_sizes::RegionSizes;
pub use stimuli::{BesideCeiling, OwnRecovery, ScoredDirection, StimulusRecord, StimulusReport, UnitStimuli};
