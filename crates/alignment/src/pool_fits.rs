//! One matrix, standardised for every fit of a pool.

use crate::product::gram;
use crate::{AlignmentError, Matrix, Pool, Standardisation};
use faer::Mat;

/// Training rows and held-out rows, standardised by the statistics of the training rows.
#[derive(Debug, Clone)]
pub(crate) struct Standardised {
    pub(crate) training: Matrix,
    pub(crate) held_out: Matrix,
    /// Inner products of the training rows.
    pub(crate) gram: Mat<f64>,
    pub(crate) scale: Standardisation,
}

impl Standardised {
    fn new(x: &Matrix, training: &[usize], held_out: &[usize]) -> Self {
        let scale = Standardisation::of(x, training);
        let training = scale.apply(x, training);
        Standardised {
            gram: gram(training.as_ref()),
            held_out: scale.apply(x, held_out),
            training,
            scale,
        }
    }
}

/// The fit to the whole pool, and the fit of each inner fold.
#[derive(Debug, Clone)]
pub(crate) struct PoolFits<T> {
    pub(crate) outer: T,
    pub(crate) inner: Vec<T>,
}

impl PoolFits<Standardised> {
    /// `held_out` are the rows that the outer fit is applied to.
    pub(crate) fn new(x: &Matrix, pool: &Pool, held_out: &[usize]) -> Self {
        PoolFits {
            outer: Standardised::new(x, &pool.stimuli, held_out),
            inner: (0..pool.inner.len())
                .map(|fold| {
                    let (training, validation) = pool.inner_stimuli(fold);
                    Standardised::new(x, &training, &validation)
                })
                .collect(),
        }
    }
}

impl<T> PoolFits<T> {
    pub(crate) fn map<U>(self, mut to: impl FnMut(T) -> U) -> PoolFits<U> {
        PoolFits {
            outer: to(self.outer),
            inner: self.inner.into_iter().map(to).collect(),
        }
    }

    pub(crate) fn try_map<U>(
        &self,
        mut to: impl FnMut(&T) -> Result<U, AlignmentError>,
    ) -> Result<PoolFits<U>, AlignmentError> {
        Ok(PoolFits {
            outer: to(&self.outer)?,
            inner: self.inner.iter().map(to).collect::<Result<_, _>>()?,
        })
    }
}

/// Checks that a matrix has columns, and a row for every stimulus.
pub(crate) fn check_matrix(name: &str, x: &Matrix, n_stimuli: usize) -> Result<(), AlignmentError> {
    if x.n_rows() != n_stimuli {
        return Err(AlignmentError::stimulus_count(name, x.n_rows(), n_stimuli));
    }
    if x.n_columns() == 0 {
        return Err(AlignmentError::no_columns(name));
    }
    Ok(())
}
