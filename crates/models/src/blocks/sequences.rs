//! Sequences of different lengths as the rows of one matrix.

use std::ops::Range;

/// Says which rows of a matrix of tokens belong together: the sequences lie end to end.
#[derive(Debug, Clone)]
pub(crate) struct Sequences {
    ends: Vec<usize>,
}

impl Sequences {
    /// Sequences of these lengths.
    pub(crate) fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let ends = lengths
            .into_iter()
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect();
        Sequences { ends }
    }

    /// Number of sequences.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The rows of each sequence.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// The position of every row inside its sequence.
    pub(crate) fn positions(&self) -> Vec<u32> {
        self.rows().flat_map(|rows| 0..rows.len() as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_become_ranges_and_positions() {
        let sequences = Sequences::new([2, 3, 1]);
        assert_eq!(sequences.len(), 3);
        assert_eq!(sequences.rows().collect::<Vec<_>>(), [0..2, 2..5, 5..6]);
        assert_eq!(sequences.positions(), [0, 1, 0, 1, 2, 0]);
    }
}
