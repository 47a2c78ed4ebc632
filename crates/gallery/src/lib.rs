//! The figure of every paper: a row of stimuli, and below it a row of what each system made of them.
//!
//! [`gallery`] opens the images, picks pairs by name or by their scores, and lays the figure out. Scores are those of a
//! finished run where a system is given as one, else those of a metric of pixels that is computed here; notes say which.

mod captions;
mod pick;
mod request;
mod scores;
mod sheet;
mod systems;

pub use pick::Pick;
pub use request::GalleryRequest;
pub use sheet::{Gallery, PickedPair, gallery};
