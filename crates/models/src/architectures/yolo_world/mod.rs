//! YOLO-World v2 (Cheng et al. 2024): boxes for a list of names, in one pass for all names.
//!
//! A backbone of YOLOv8 makes maps of the image at three scales, and CLIP's text tower a vector of each name. In the
//! neck the maps attend to the names (`attention`, in a `csp` layer): so what is found for a name depends on all names
//! of the list. The head (`head`) gives each place a distribution of the distances to the sides of its box, and its
//! products with the names.
//!
//! Written from the paper and the published configurations; sizes and depths are read off the shapes of the tensors.

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
/// In the normalisations.
const EPSILON: f64 = 1e-3;
