//! Sequences of different lengths as the rows of one matrix.

use std::ops::Range;

/// Which rows of a matrix of tokens belong together: sequences are concatenated.
#[derive(Debug, Clone)]
pub struct Sequences {
    ends: Vec<usize>,
}

impl Sequences {
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let ends = lengths
            .into_iter()
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect();
        Sequences { ends }
    }

    pub fn n_sequences(&self) -> usize {
        self.ends.len()
    }

    pub fn rows(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::once(0).chain(self.ends.iter().copied()).zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// The position of every row in its sequence.
    pub fn positions(&self) -> Vec<u32> {
        self.rows().flat_map(|rows| 0..rows.len() as u32).collect()
    }
}

/// Sequences of rows of a matrix in any order.
#[derive(Debug, Clone)]
pub struct Arrangement {
    sequences: Sequences,
    rows: Vec<Option<u32>>,
    places: Vec<Option<u32>>,
}

impl Arrangement {
    /// `rows` has the row of every token among `n_rows`, sequence by sequence; a token without a row is zeros. No two
    /// tokens have the same row.
    pub fn new(sequences: Sequences, rows: Vec<Option<u32>>, n_rows: usize) -> Self {
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

    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }

    /// The row of every token.
    pub fn rows(&self) -> &[Option<u32>] {
        &self.rows
    }

    /// The token of every row.
    pub fn places(&self) -> &[Option<u32>] {
        &self.places
    }
}
