//! Terms that are added to the scores of attention.

/// The bias added to the scores before their exponentials are computed.
pub trait ScoreBias: Sync {
    /// Sequences of one kind, which are of one length, have the same matrices.
    fn kind(&self, sequence: usize) -> usize;

    /// For a head of the sequences of a kind: a matrix of (query tokens, key tokens) whose rows are
    /// [`score_stride`](super::score_stride) apart, or nothing.
    fn of(&self, kind: usize, head: usize) -> Option<&[f32]>;
}

/// Nothing is added.
pub struct NoBias;

impl ScoreBias for NoBias {
    fn kind(&self, _: usize) -> usize {
        0
    }

    fn of(&self, _: usize, _: usize) -> Option<&[f32]> {
        None
    }
}
