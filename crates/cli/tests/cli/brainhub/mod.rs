//! `neurogauge score captions` and `neurogauge score boxes`: by hand, with BrainHub's own files, and with bad input.

mod boxes;
mod captions;
mod embeddings;
mod measures;
mod published;

pub(crate) use measures::value;
