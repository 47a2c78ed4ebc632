//! The Natural Scenes Dataset's own files: the experiment's design, regions, and responses.

mod design;
mod files;
mod numbers;
mod regions;
mod sessions;
mod stimulus_info;
mod trials;
mod volume_betas;

pub use design::{ExperimentDesign, TRIALS_PER_SESSION, synthetic_order};
pub use files::{NsdExperiment, NsdFiles, NsdSpace, subject_name};
pub use regions::Regions;
pub use stimulus_info::{StimulusInfo, stimulus_info};
pub use trials::{NsdTrial, NsdTrials};
pub use volume_betas::VolumeBetas;
