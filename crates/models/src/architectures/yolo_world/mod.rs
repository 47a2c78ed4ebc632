//! YOLO-World v2 (Cheng et al. 2024): boxes for a list of names, in one pass for all names.
//!
//! YOLOv8's backbone makes maps of the image at three scales, and CLIP's text tower makes a vector of each name. In the
//! neck the maps attend to the names (`attention`, in a `csp` layer), so what is found for a name depends on all names
//! of the list. For each position, the head (`head`) gives a distribution of the distances to the sides of its box, and
//! its products with the names.
//!
//! This code follows the paper and the published configurations; sizes and depths are read off the shapes of the
//! tensors.

mod attention;
mod csp;
mod detector;
mod head;
mod network;
mod postprocess;
mod synthetic;
#[cfg(test)]
mod tests;

pub use detector::YoloWorld;
pub use synthetic::SyntheticYoloWorld;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "YOLO-World";
const EPSILON: f64 = 1e-3;
