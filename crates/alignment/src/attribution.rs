//! The features of a source that carry a direction of the target.

use crate::error::check_space;
use crate::product::product;
use crate::{AlignmentError, Matrix, PreparedSource, PreparedTarget, Subspace};
use faer::Mat;
use neurogauge_core::Undefined;

/// How the features of a source carry the prediction along one direction of the target's response space.
///
/// A fit predicts the z-scored training responses by Z B, with B = W_alpha V_k V_k' (Appendix B) and Z the z-scored
/// features. Along a direction u it predicts y = Z b with b = B u: these are the source's weights in the fit, mapped
/// back to its features. The direction is turned so that its largest component is positive.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution {
    /// b / |b|, one per feature. Their squares sum to 1; features with the same information share their weight.
    pub weights: Vec<f64>,
    /// b_i (z_i'y) / (y'y): the share of the predicted variance that feature i carries. Shares sum to 1, over a block
    /// to that of the block. A feature that compensates for another one's excess has a negative share.
    pub shares: Vec<f64>,
    /// Pearson's r of each feature and y over training stimuli (the pattern of Haufe et al., 2014); 0 for a constant
    /// feature.
    pub correlations: Vec<f64>,
}

impl Attribution {
    /// The attribution of each of `directions`.
    ///
    /// - Shapes: `features` (n_stimuli, n_features), the matrix that the source was prepared from; `directions`
    ///   (n_voxels, n_directions), each of length 1.
    /// - Undefined: a direction along which the fit predicts nothing.
    ///
    /// # Reference
    /// `reference/recovery/attribution.py` (NumPy 2.4.6), within 1e-9.
    ///
    /// ```
    /// use neurogauge_alignment::{
    ///     Attribution, FoldPlan, Matrix, PreparedSource, PreparedTarget, SubspaceOptions, Unit, cross_validate, fit,
    /// };
    /// use neurogauge_core::Seed;
    /// // The response falls as the only feature rises.
    /// let feature = Matrix::from_fn(30, 1, |row, _| (row * 7 % 11) as f64);
    /// let response = Matrix::from_fn(30, 1, |row, _| -2.0 * feature.get(row, 0));
    /// let plan = FoldPlan::draw(30, 5, 5, Seed(0))?;
    /// let source = PreparedSource::new("source", &feature, &plan, 0)?;
    /// let target = PreparedTarget::new(&Unit::new("a", "", "V1"), &response, &plan, 0)?;
    /// let selection = cross_validate(&source, &target, &SubspaceOptions::default())?.select()?;
    /// let subspace = fit(&source, &target, &selection)?;
    /// let axis = Matrix::from_fn(1, 1, |_, _| 1.0);
    /// let found = Attribution::of((&source, &feature), &target, &subspace, &axis)?.remove(0).unwrap();
    /// assert_eq!(found.weights, [-1.0]);
    /// assert!((found.shares[0] - 1.0).abs() < 1e-12 && (found.correlations[0] + 1.0).abs() < 1e-12);
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn of(
        (source, features): (&PreparedSource, &Matrix),
        target: &PreparedTarget,
        subspace: &Subspace,
        directions: &Matrix,
    ) -> Result<Vec<Result<Attribution, Undefined>>, AlignmentError> {
        check_space("the matrix of directions", directions.n_rows(), target.n_voxels)?;
        let z = source.training_scores(features)?;
        let fit = &source.fits.outer;
        let basis = subspace.basis.as_ref();
        let inside = product(basis, product(basis.transpose(), directions.as_ref()).as_ref());
        let along = product(target.fits.outer.responses.as_ref(), inside.as_ref());
        let components = product(fit.left.transpose(), along.as_ref());
        let alpha = subspace.selection.alpha;
        let scaled = |of: fn(f64, f64) -> f64| {
            let factors: Vec<f64> = fit.squares.iter().map(|&s2| of(s2, alpha)).collect();
            let scaled = Mat::from_fn(components.nrows(), components.ncols(), |row, column| {
                factors[row] * components[(row, column)]
            });
            product(fit.left.as_ref(), scaled.as_ref())
        };
        let predicted = scaled(|s2, alpha| s2 / (s2 + alpha));
        let weights = product(z.as_ref().transpose(), scaled(|s2, alpha| 1.0 / (s2 + alpha)).as_ref());
        let shared = product(z.as_ref().transpose(), predicted.as_ref());
        let lengths: Vec<f64> = (0..z.n_columns()).map(|feature| length(z.column(feature))).collect();
        let found = (0..directions.n_columns()).map(|place| {
            let predicted = length(predicted.col_as_slice(place));
            if predicted == 0.0 {
                return Err(Undefined::MissingPart("prediction along the direction".to_owned()));
            }
            let (weights, shared) = (weights.col_as_slice(place), shared.col_as_slice(place));
            let sign = sign_of(directions.column(place));
            let total = length(weights);
            let both = || weights.iter().zip(shared);
            Ok(Attribution {
                weights: weights.iter().map(|weight| sign * weight / total).collect(),
                shares: both().map(|(weight, shared)| weight * shared / predicted.powi(2)).collect(),
                correlations: shared
                    .iter()
                    .zip(&lengths)
                    .map(|(shared, own)| match *own > 0.0 {
                        true => sign * shared / (own * predicted),
                        false => 0.0,
                    })
                    .collect(),
            })
        });
        Ok(found.collect())
    }
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// The sign of the component with the largest absolute value.
fn sign_of(direction: &[f64]) -> f64 {
    let largest = direction.iter().copied().reduce(|one, other| if other.abs() > one.abs() { other } else { one });
    match largest {
        Some(value) if value < 0.0 => -1.0,
        _ => 1.0,
    }
}
