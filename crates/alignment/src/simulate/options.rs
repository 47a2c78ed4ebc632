//! The options of a simulation.

use neurogauge_core::Seed;
use serde::{Deserialize, Serialize};

/// The options of a simulation.
///
/// The response of a voxel in a trial is the sum, over latent dimensions, of the stimulus' value times the voxel's
/// weight, plus the trial's noise. All subjects share the latent dimensions; each unit has separate weights. Everything
/// is normal with variance 1 before scaling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulationOptions {
    pub n_stimuli: usize,
    pub n_subjects: usize,
    /// The regions of each subject.
    pub regions: Vec<SimulatedRegion>,
    /// Strength (standard deviation of the weights) of each latent dimension that subjects share.
    pub shared: Vec<f64>,
    /// Strength of each private latent dimension of a subject, in all its regions.
    pub private: Vec<f64>,
    /// Standard deviation of the noise of a trial in each voxel.
    pub noise: f64,
    /// Strength of each dimension of noise that the voxels of a unit share within a trial.
    pub shared_noise: Vec<f64>,
    /// Possible numbers of repeats; one is drawn for each stimulus and subject.
    pub repeats: Vec<usize>,
    /// Number of sessions, each with its own gain and offset.
    pub n_sessions: usize,
    pub seed: Seed,
}

impl Default for SimulationOptions {
    /// The size of NSD's shared images: 515 stimuli, eight subjects, fourteen regions with 307 to 1117 voxels.
    fn default() -> Self {
        let rois = ["V1v", "V1d", "V2v", "V2d", "V3v", "V3d", "hV4"];
        let sizes = [("lh", [620, 804, 571, 643, 455, 502, 1117]), ("rh", [589, 760, 614, 595, 307, 541, 934])];
        let regions = sizes.iter().flat_map(|(hemisphere, sizes)| {
            rois.iter().zip(sizes).map(|(roi, &n_voxels)| SimulatedRegion {
                hemisphere: (*hemisphere).to_owned(),
                roi: (*roi).to_owned(),
                n_voxels,
            })
        });
        SimulationOptions {
            n_stimuli: 515,
            n_subjects: 8,
            regions: regions.collect(),
            shared: vec![1.0, 0.7, 0.5, 0.35, 0.25, 0.18],
            private: vec![0.3],
            noise: 1.5,
            shared_noise: vec![0.5],
            repeats: vec![3],
            n_sessions: 10,
            seed: Seed::default(),
        }
    }
}

/// One region of one hemisphere of every simulated subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedRegion {
    pub hemisphere: String,
    pub roi: String,
    pub n_voxels: usize,
}
