//! `neurogauge caption` and `neurogauge ground`: by hand, on BrainHub's own files, and bad input.

mod boxes;
mod captions;
mod embeddings;
mod measures;
mod published;

pub(crate) use measures::value;
