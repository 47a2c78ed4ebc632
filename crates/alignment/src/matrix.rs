//! A matrix of samples by variables.

use crate::AlignmentError;
use faer::{Mat, MatRef};

/// Numbers in double precision, one row per sample (stimulus or trial) and one column per variable
/// (voxel or feature). Columns are contiguous in memory.
///
/// ```
/// use neurogauge_alignment::Matrix;
/// let matrix = Matrix::from_rows(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(matrix.get(1, 0), 4.0);
/// assert_eq!(matrix.column(2), [3.0, 6.0]);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    columns: Mat<f64>,
}

impl Matrix {
    /// A matrix from its rows, one after another.
    pub fn from_rows<T: Copy + Into<f64>>(
        n_rows: usize,
        n_columns: usize,
        values: &[T],
    ) -> Result<Self, AlignmentError> {
        if n_rows.checked_mul(n_columns) != Some(values.len()) {
            let found = values.len();
            return Err(AlignmentError::Data(format!(
                "{found} values do not make a matrix of {n_rows} rows and {n_columns} columns"
            )));
        }
        Ok(Self::from_fn(n_rows, n_columns, |row, column| values[row * n_columns + column].into()))
    }

    /// A matrix from a function of row and column.
    pub fn from_fn(n_rows: usize, n_columns: usize, value: impl FnMut(usize, usize) -> f64) -> Self {
        Matrix {
            columns: Mat::from_fn(n_rows, n_columns, value),
        }
    }

    pub fn n_rows(&self) -> usize {
        self.columns.nrows()
    }

    pub fn n_columns(&self) -> usize {
        self.columns.ncols()
    }

    /// One value; both positions count from 0.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.columns[(row, column)]
    }

    pub fn column(&self, column: usize) -> &[f64] {
        self.columns.col_as_slice(column)
    }

    /// The rows at these positions, in this order.
    pub fn rows(&self, rows: &[usize]) -> Self {
        Matrix::from_fn(rows.len(), self.n_columns(), |row, column| self.columns[(rows[row], column)])
    }

    pub(crate) fn as_ref(&self) -> MatRef<'_, f64> {
        self.columns.as_ref()
    }
}

impl From<Mat<f64>> for Matrix {
    fn from(columns: Mat<f64>) -> Self {
        Matrix { columns }
    }
}

impl From<Matrix> for Mat<f64> {
    fn from(matrix: Matrix) -> Self {
        matrix.columns
    }
}
