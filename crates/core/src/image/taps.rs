//! The source pixels of each target pixel along one axis, and their weights.

/// One source pixel's share in a target pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tap<W> {
    pub(super) source: usize,
    pub(super) weight: W,
}

/// The taps of every target pixel along one axis, in the order in which they are added up.
#[derive(Debug)]
pub(super) struct Taps<W> {
    taps: Vec<Tap<W>>,
    ends: Vec<usize>,
}

impl<W: Copy> Taps<W> {
    /// Room for `n_targets` pixels.
    pub(super) fn with_capacity(n_targets: usize) -> Self {
        Taps {
            taps: Vec::with_capacity(2 * n_targets),
            ends: Vec::with_capacity(n_targets),
        }
    }

    /// Adds the next target pixel.
    pub(super) fn push(&mut self, taps: impl IntoIterator<Item = Tap<W>>) {
        self.taps.extend(taps);
        self.ends.push(self.taps.len());
    }

    /// Number of target pixels.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The taps of each target pixel, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Tap<W>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.taps[start..end])
    }
}

/// First source pixel of a target pixel, and the one after its last.
pub(super) fn span<W>(taps: &[Tap<W>]) -> (usize, usize) {
    let first = taps.iter().map(|tap| tap.source).min().unwrap_or(0);
    let last = taps.iter().map(|tap| tap.source).max().unwrap_or(0);
    (first, last + 1)
}
