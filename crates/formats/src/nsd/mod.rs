//! The Natural Scenes Dataset's own files about who saw what and when.

mod design;
mod numbers;
mod stimulus_info;
mod volume_betas;

pub use design::{ExperimentDesign, TRIALS_PER_SESSION, synthetic_order};
pub use stimulus_info::{StimulusInfo, stimulus_info};
pub use volume_betas::VolumeBetas;
