//! `evaluations/<model>/`, the folder that SEED's official code writes.
//!
//! ```text
//! gt_detection_results/preds/<stem>.json      detections, mmdetection's form
//! recon_detection_results/preds/<stem>.json
//! intermediate_results/gt_captions.npy        pickled dictionaries: image file name -> caption
//! intermediate_results/recon_captions.npy
//! intermediate_results/obj_f1.npy             one value per pair, three different orders
//! intermediate_results/effnet.npy             (correlation distance, not similarity)
//! intermediate_results/cap_sim.npy
//! ```
//!
//! The arrays have no names, and their orders differ: `obj_f1.npy` follows the stems of the reconstructions' detections
//! as numbers; `effnet.npy` follows the image file names, including the ending, as text; `cap_sim.npy` follows the
//! names that both caption files share, as text. For the names 1.png, 2.png, 10.png, the second value belongs to 2 in
//! the first array and to 10 in the others. Here each value gets its stem from the order of its array.

mod export;
mod names;
mod open;
mod order;

pub use export::{OfficialExport, export};

use crate::detections::DetectionSource;
use neurogauge_core::{Captions, Finding};

/// The folders of detections: of the stimuli, and of the reconstructions.
pub const PREDS: [&str; 2] = ["gt_detection_results/preds", "recon_detection_results/preds"];
/// Captions of the stimuli.
pub const GT_CAPTIONS: &str = "intermediate_results/gt_captions.npy";
/// Captions of the reconstructions.
pub const RECON_CAPTIONS: &str = "intermediate_results/recon_captions.npy";
/// Object F1 of each pair.
pub const OBJECT_F1: &str = "intermediate_results/obj_f1.npy";
/// EffNet distance of each pair.
pub const EFFNET: &str = "intermediate_results/effnet.npy";
/// Caption similarity of each pair.
pub const CAP_SIM: &str = "intermediate_results/cap_sim.npy";

/// The content of such a folder; every part may be missing.
///
/// Values are those of the official code, by stem in natural order. NaN stays NaN: the caller must turn it into an
/// undefined outcome.
#[derive(Debug)]
pub struct OfficialLayout {
    pub gt_detections: Option<DetectionSource>,
    pub recon_detections: Option<DetectionSource>,
    /// Captions of the stimuli, by stem in natural order.
    pub gt_captions: Option<Vec<(String, Captions)>>,
    /// Captions of the reconstructions, by stem in natural order.
    pub recon_captions: Option<Vec<(String, Captions)>>,
    /// Object F1 of each pair.
    pub object_f1: Option<Vec<(String, f64)>>,
    /// Correlation distance of EfficientNet features of each pair; its similarity is 1 minus that.
    pub effnet_distance: Option<Vec<(String, f64)>>,
    /// Caption similarity of each pair.
    pub cap_sim: Option<Vec<(String, f64)>>,
    /// Warnings about the values.
    pub findings: Vec<Finding>,
}
