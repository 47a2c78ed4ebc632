//! Which source pixels make a target pixel along one axis, and with what weights.

/// For each target pixel, a run of neighbouring source pixels and their weights.
#[derive(Debug)]
pub(super) struct Windows<W> {
    spans: Vec<Span>,
    weights: Vec<W>,
}

#[derive(Debug)]
struct Span {
    first: usize,
    weights_start: usize,
    weights_end: usize,
}

impl<W: Copy> Windows<W> {
    /// Room for the windows of `n_targets` pixels.
    pub(super) fn with_capacity(n_targets: usize) -> Self {
        Windows {
            spans: Vec::with_capacity(n_targets),
            weights: Vec::new(),
        }
    }

    /// The next target pixel is the sum of `weights` times the source pixels from `first` on.
    pub(super) fn push(&mut self, first: usize, weights: &[W]) {
        let weights_start = self.weights.len();
        self.weights.extend_from_slice(weights);
        self.spans.push(Span {
            first,
            weights_start,
            weights_end: self.weights.len(),
        });
    }

    /// Number of target pixels.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// First source pixel and weights of each target pixel, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[W])> {
        self.spans
            .iter()
            .map(|s| (s.first, &self.weights[s.weights_start..s.weights_end]))
    }
}
