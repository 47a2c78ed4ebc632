//! Tasks of the field other than the scoring of reconstructed images.
//!
//! - [`brainhub`]: brain captioning and brain grounding as defined by BrainHub, and decoded shapes.
//! - [`retrieval`]: retrieval of images by embeddings decoded from brains, and the reverse.

pub mod brainhub;
mod pairs;
pub mod retrieval;

pub use pairs::PairsRequest;
