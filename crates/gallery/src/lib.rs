//! The figure that every paper has: a row of stimuli, and below it a row of each system's reconstructions.
//!
//! [`gallery`] opens the images, picks pairs by name or by their scores, and lays out the figure. Scores come from a
//! system's finished run, or from a pixel metric that is computed here; notes say which.

mod captions;
mod masks;
mod pick;
mod request;
mod scores;
mod sheet;
mod systems;

pub use pick::{Pick, PickedPair};
pub use request::GalleryRequest;
pub use sheet::{Gallery, gallery};
