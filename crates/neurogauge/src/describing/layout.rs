//! How what was said is written.

/// The layout of the files that `perceive` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PerceivedLayout {
    /// `captions.json`, `detections/<stem>.json`.
    #[default]
    Own,
    /// As SEED's code has them: `captions.npy` (a pickled dictionary by file name), `preds/<stem>.json`.
    Official,
}
