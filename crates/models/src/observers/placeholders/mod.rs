//! Models without weights, for demonstrations and tests: their numbers mean nothing.

mod box_masks;
mod colour_boxes;
mod colour_words;
mod hashed_words;
mod mean_colours;

pub use box_masks::BoxMasks;
pub use colour_boxes::ColourBoxes;
pub use colour_words::ColourWords;
pub use hashed_words::HashedWords;
pub use mean_colours::MeanColours;
