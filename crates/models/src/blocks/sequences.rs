//! Sequences of different lengths as the rows of one matrix.

use std::ops::Range;

/// Which rows of a matrix of tokens belong together: the sequences are stored end to end.
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

/// Sequences that are made up of rows of a matrix in any order.
#[derive(Debug, Clone)]
pub(crate) struct Arrangement {
    sequences: Sequences,
    rows: Vec<Option<u32>>,
    places: Vec<Option<u32>>,
}

impl Arrangement {
    /// `rows` says, sequence by sequence, which of the `n_rows` rows every token is; a token that is none of
    /// them is zeros. No row is two tokens.
    pub(crate) fn new(sequences: Sequences, rows: Vec<Option<u32>>, n_rows: usize) -> Self {
        let mut places = vec![None; n_rows];
        for (token, row) in rows.iter().enumerate() {
            if let Some(row) = *row {
                places[row as usize] = Some(token as u32);
            }
        }
        Arrangement {
            sequences,
            rows,
            places,
        }
    }

    /// The sequences.
    pub(crate) fn sequences(&self) -> &Sequences {
        &self.sequences
    }

    /// The row of every token.
    pub(crate) fn rows(&self) -> &[Option<u32>] {
        &self.rows
    }

    /// The token of every row.
    pub(crate) fn places(&self) -> &[Option<u32>] {
        &self.places
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

    #[test]
    fn an_arrangement_knows_its_way_back() {
        let rows = vec![Some(2), None, Some(0)];
        let arrangement = Arrangement::new(Sequences::new([2, 1]), rows, 4);
        assert_eq!(arrangement.places(), [Some(2), None, Some(0), None]);
        assert_eq!(arrangement.sequences().len(), 2);
    }
}
