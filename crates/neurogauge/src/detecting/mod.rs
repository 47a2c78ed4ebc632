//! Images to detections.
//!
//! - [`detect`]: a source of images in, a folder of detections out, and pictures of them on request.
//! - `run`: both sides of a run.
//! - `recipe`: all that decides detections, but the image.
//! - `store`: detections by content, one file each, in the cache of all runs: there the stimuli are looked at once, however
//!   many systems are scored against them.
//! - `vis`: boxes and labels over images.

mod command;
mod recipe;
mod run;
mod store;
mod vis;

pub use command::{DetectionRequest, PerceivedDetections, VisOptions, detect};
pub(crate) use recipe::Detecting;
pub use recipe::{DetectionRecipe, DetectorChoice};
pub(crate) use run::{choose, detect_inputs, read_detections};
pub(crate) use store::BY_CONTENT;
