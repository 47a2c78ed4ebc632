//! Terms that are added to the scores of attention.

/// A bias that is added to the scores before the softmax.
pub trait ScoreBias: Sync {
    /// The kind of a sequence. Sequences of one kind have the same length and the same matrices.
    fn kind(&self, sequence: usize) -> usize;

    /// The matrix of (query token, key token) for a head and a kind of sequences, with rows
    /// [`score_stride`](super::score_stride) apart; `None` adds nothing.
    fn of(&self, kind: usize, head: usize) -> Option<&[f32]>;
}

/// Adds nothing.
pub struct NoBias;

impl ScoreBias for NoBias {
    fn kind(&self, _: usize) -> usize {
        0
    }

    fn of(&self, _: usize, _: usize) -> Option<&[f32]> {
        None
    }
}
