//! Similarity of every row of one matrix to every row of another.

mod inner_products;
pub(crate) mod product;
mod rows;

pub use inner_products::inner_products;
pub use rows::{ComparedRows, HeldRows, RowSource};

use crate::StatsError;
use crate::error::check_lengths;
use neurogauge_core::{FeatureValue, Side, Undefined};
use product::RowRange;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Bytes of rows in memory at a time, unless their source is in memory anyway.
const BLOCK_BYTES: usize = 32 << 20;

/// How two rows are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Similarity {
    /// Pearson's correlation: each row is centred on its own mean.
    #[default]
    Correlation,
    /// Cosine of the angle between the rows.
    Cosine,
    /// Minus the Euclidean distance of the rows, so that larger means nearer, as for the others.
    Euclidean,
}

/// Why a row has no similarities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowDefect {
    /// It has no values or, for [`Similarity::Cosine`], only zeros.
    Empty,
    /// It contains NaN or an infinity.
    NonFinite,
    /// All its values are equal.
    Constant,
}

impl RowDefect {
    /// The reason why a pair is undefined if its `side` is this row.
    pub fn of(self, side: Side) -> Undefined {
        match self {
            RowDefect::Empty => Undefined::Empty(side),
            RowDefect::NonFinite => Undefined::NonFinite(side),
            RowDefect::Constant => Undefined::Constant(side),
        }
    }
}

/// The similarities of all rows of `x` to all rows of `y`; see [`similarities`].
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarityMatrix {
    x_defects: Vec<Option<RowDefect>>,
    y_defects: Vec<Option<RowDefect>>,
    values: Vec<f64>,
}

impl SimilarityMatrix {
    pub fn n_x(&self) -> usize {
        self.x_defects.len()
    }

    pub fn n_y(&self) -> usize {
        self.y_defects.len()
    }

    /// The similarity of row `x` to row `y`; NaN if either has a defect.
    pub fn get(&self, x: usize, y: usize) -> f64 {
        self.values[x * self.n_y() + y]
    }

    /// The reason why row `x` of the first matrix has no similarities.
    pub fn x_defect(&self, x: usize) -> Option<RowDefect> {
        self.x_defects[x]
    }

    /// The reason why row `y` of the second matrix has no similarities.
    pub fn y_defect(&self, y: usize) -> Option<RowDefect> {
        self.y_defects[y]
    }
}

/// The similarity of every row of `x` to every row of `y`.
///
/// - Shapes: `x` has `n_x` rows and `y` has `n_y`, of `n_features` values each; the result is
///   (`n_x`, `n_y`).
/// - Range: -1 to 1 (clipped, as `numpy.corrcoef` does); at most 0 for [`Similarity::Euclidean`], which is
///   -√(|x|² + |y|² - 2 x·y): equal rows are at a distance of 0, and others are exact to about 1e-8 of their norms.
/// - All arithmetic is `f64`. An entry depends only on its two rows, not on their position, the processor or the number
///   of threads. So equal rows have exactly equal similarities, and ties are ties. Products are fused with their sums
///   on every processor; processors without a fused instruction (x86-64 before 2013) are slow here.
/// - Undefined: see [`RowDefect`]; such rows are marked and their entries are NaN.
/// - Errors: rows of different lengths.
/// - Reference: `numpy.corrcoef` 2.4.6 to 1e-12 (it adds in another order).
///
/// ```
/// use neurogauge_stats::{Similarity, similarities};
/// let x: [&[f32]; 2] = [&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]];
/// let y: [&[f32]; 1] = [&[1.0, 3.0, 2.0]];
/// let r = similarities(&x, &y, Similarity::Correlation).unwrap();
/// assert!((r.get(0, 0) - 0.5).abs() < 1e-15);
/// assert_eq!(r.get(1, 0), -r.get(0, 0));
/// ```
pub fn similarities<T: FeatureValue>(
    x: &[&[T]],
    y: &[&[T]],
    similarity: Similarity,
) -> Result<SimilarityMatrix, StatsError> {
    let (x, y) = (HeldRows::new(x)?, HeldRows::new(y)?);
    let x = ComparedRows::new(&x, similarity)?;
    let y = ComparedRows::new(&y, similarity)?;
    similarities_between((&x, 0..x.n_rows()), (&y, 0..y.n_rows()))
}

/// The similarity of some rows of `x` to some rows of `y`, which need not be in memory. The entries equal those of
/// [`similarities`] to the bit.
///
/// - Memory: the values of a block of features of the rows (32 MiB, or more if 256 features of each row need more), and
///   the result.
/// - Errors: rows of different lengths, rows prepared for different similarities, and errors of the sources.
///
/// ```
/// use neurogauge_stats::similarity::{ComparedRows, HeldRows, similarities_between};
/// use neurogauge_stats::Similarity;
/// let rows: [&[f32]; 3] = [&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], &[3.0, 2.0, 1.0]];
/// let rows = HeldRows::new(&rows).unwrap();
/// let rows = ComparedRows::new(&rows, Similarity::Correlation).unwrap();
/// let r = similarities_between((&rows, 1..2), (&rows, 0..3)).unwrap();
/// assert!((r.get(0, 0) - 0.5).abs() < 1e-15);
/// ```
pub fn similarities_between(
    (x, x_rows): (&ComparedRows<'_>, Range<usize>),
    (y, y_rows): (&ComparedRows<'_>, Range<usize>),
) -> Result<SimilarityMatrix, StatsError> {
    let lengths = (x.source.n_features(), y.source.n_features());
    check_lengths(lengths.0, lengths.1)?;
    if x.similarity != y.similarity {
        let (found, expected) = (format!("{:?} and {:?}", x.similarity, y.similarity), "one for both");
        return Err(StatsError::option("the similarity", found, expected));
    }
    let similarity = x.similarity;
    let (x, y) = (RowRange { of: x, rows: x_rows }, RowRange { of: y, rows: y_rows });
    let mut values = product::products(&x, &y, lengths.0, BLOCK_BYTES)?;
    let (x, y) = (x.centres(), y.centres());
    if !y.is_empty() {
        for (x, row) in x.iter().zip(values.chunks_exact_mut(y.len())) {
            for (y, value) in y.iter().zip(row) {
                *value = if x.defect.is_some() || y.defect.is_some() {
                    f64::NAN
                } else if similarity == Similarity::Euclidean {
                    -(x.square + y.square - 2.0 * *value).max(0.0).sqrt()
                } else {
                    (*value / x.norm / y.norm).clamp(-1.0, 1.0)
                };
            }
        }
    }
    let defects = |centres: &[rows::Centre]| centres.iter().map(|row| row.defect).collect();
    Ok(SimilarityMatrix {
        x_defects: defects(x),
        y_defects: defects(y),
        values,
    })
}
