//! Tasks of the field that are not scores of reconstructed images.
//!
//! - [`brainhub`]: brain captioning and brain grounding as BrainHub defines them, and decoded shapes.
//! - [`retrieval`]: images found by embeddings decoded from brains, and the other way round.

pub mod brainhub;
pub mod retrieval;
