//! Distances between point clouds, for decoded shapes such as those of MinD-3D.

use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Outcome, Seed, Side, Undefined};
use neurogauge_stats::{assign_max, draw_to_front};
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// A point in space.
pub type Point = [f64; 3];

/// The largest clouds for which points are assigned, since time grows with the third power of their number.
pub const MAX_ASSIGNED: usize = 4096;

/// The form of the Chamfer distance (convention `chamfer-form`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChamferForm {
    /// The sum of both directions' mean squared distances.
    #[default]
    Squared,
    /// The mean of both directions' mean distances.
    Euclidean,
}

/// The scale and position at which clouds are compared (convention `point-cloud-scale`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointScale {
    /// Unchanged.
    #[default]
    AsIs,
    /// Each cloud's mean is moved to the origin, and its farthest point to distance 1.
    UnitSphere,
}

impl PointScale {
    /// Brings a cloud to this scale and position.
    ///
    /// # Errors
    /// All points of the cloud coincide, so it has no size.
    pub fn apply(self, points: Vec<Point>) -> Result<Vec<Point>, Undefined> {
        match self {
            PointScale::AsIs => Ok(points),
            PointScale::UnitSphere => {
                in_unit_sphere(&points).ok_or_else(|| Undefined::Because("shapes with all points in one place".into()))
            }
        }
    }
}

/// The Chamfer distance of two clouds P and Q: how far each point is from the nearest point of the other cloud,
///
/// (1/|P|) Σ_p min_q |p - q|² + (1/|Q|) Σ_q min_p |p - q|²,
///
/// or, with [`ChamferForm::Euclidean`], the mean of both directions' mean distances. It ignores density: a cloud with
/// all its points at one point of the other is near in one direction.
///
/// - Shapes: `gt` (n_points, 3), `recon` (m_points, 3); the two numbers may differ.
/// - Range: 0 to infinity, in squared units of the coordinates (or in these units); lower is better; symmetric.
/// - Conventions: `chamfer-form`, `point-cloud-scale`, `point-cloud-samples`.
/// - Undefined: a cloud without points, a coordinate that is not finite.
/// - Errors: none.
/// - Reference: SciPy 1.17.1 `spatial.KDTree.query` (`reference/point_clouds.py`), 1e-12, relative.
///
/// ```
/// use neurogauge_metrics::decoding::point_clouds::{ChamferForm, chamfer_distance};
/// let gt = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
/// let recon = [[0.0, 1.0, 0.0]];
/// // From gt: 1 and 5, mean 3; from recon: 1.
/// assert_eq!(chamfer_distance(&gt, &recon, ChamferForm::Squared), Ok(4.0));
/// ```
pub fn chamfer_distance(gt: &[Point], recon: &[Point], form: ChamferForm) -> Outcome {
    check(gt, recon)?;
    let (there, back) = (mean_nearest(gt, recon, form), mean_nearest(recon, gt, form));
    Ok(match form {
        ChamferForm::Squared => there + back,
        ChamferForm::Euclidean => (there + back) / 2.0,
    })
}

/// The earth mover's distance of two clouds of equally many points: the smallest mean distance by which the points of
/// one can be moved to those of the other, one to one,
///
/// min_φ (1/n) Σ_i |p_i - q_φ(i)|.
///
/// - Shapes: `gt` and `recon` (n_points, 3).
/// - Range: 0 to infinity, in units of the coordinates; lower is better; symmetric.
/// - Conventions: `point-cloud-scale`, `point-cloud-samples`.
/// - Undefined: clouds without points or with different numbers of points (sample equally many), more than
///   [`MAX_ASSIGNED`] points, a coordinate that is not finite.
/// - Errors: none.
/// - Reference: POT 0.9.7 `ot.emd2` with equal weights and Euclidean costs (`reference/point_clouds.py`), 1e-9,
///   relative.
///
/// ```
/// use neurogauge_metrics::decoding::point_clouds::earth_movers_distance;
/// let gt = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
/// let recon = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
/// // 0 to 1 and 1 to 3, or 0 to 3 and 1 to 1: both move by 3 in all.
/// assert_eq!(earth_movers_distance(&gt, &recon), Ok(1.5));
/// ```
pub fn earth_movers_distance(gt: &[Point], recon: &[Point]) -> Outcome {
    check(gt, recon)?;
    if gt.len() != recon.len() {
        let reason = "clouds of unequally many points: sample as many of both";
        return Err(Undefined::Because(reason.into()));
    }
    if gt.len() > MAX_ASSIGNED {
        let reason = format!("clouds of more than {MAX_ASSIGNED} points: sample at most as many of both");
        return Err(Undefined::Because(reason.into()));
    }
    let weights: Vec<f64> = gt.iter().flat_map(|p| recon.iter().map(|q| -squared(p, q).sqrt())).collect();
    let pairs = assign_max(&weights, gt.len(), recon.len());
    Ok(pairs.iter().map(|&(row, column)| -weights[row * recon.len() + column]).sum::<f64>() / gt.len() as f64)
}

/// A cloud with its mean at the origin and its farthest point at distance 1; `None` if all points coincide.
///
/// ```
/// use neurogauge_metrics::decoding::point_clouds::in_unit_sphere;
/// let cloud = in_unit_sphere(&[[1.0, 1.0, 5.0], [1.0, 1.0, 9.0]]).unwrap();
/// assert_eq!(cloud, [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]);
/// assert_eq!(in_unit_sphere(&[[0.1; 3]; 3]), None);
/// ```
pub fn in_unit_sphere(points: &[Point]) -> Option<Vec<Point>> {
    // The rounded mean of equal points may be a different point.
    if points.windows(2).all(|two| two[0] == two[1]) {
        return None;
    }
    let mean: Point =
        std::array::from_fn(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64);
    let farthest = points.iter().map(|point| squared(point, &mean)).fold(0.0, f64::max).sqrt();
    let moved = |point: &Point| std::array::from_fn(|axis| (point[axis] - mean[axis]) / farthest);
    (farthest > 0.0).then(|| points.iter().map(moved).collect())
}

/// Draws points from a shape: uniformly from the surface of its triangles or, without triangles, from its vertices
/// without repetition. The draws depend only on the seed and the number of the item.
///
/// `None` if the triangles have no area, or there are too few vertices.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_metrics::decoding::point_clouds::sample_points;
/// let corners = [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]];
/// let points = sample_points(&corners, &[[0, 1, 2]], 50, Seed(1), 0).unwrap();
/// assert_eq!(points.len(), 50);
/// assert!(points.iter().all(|[x, y, z]| *x >= 0.0 && *y >= 0.0 && x + y < 1.0 + 1e-12 && (z - 2.0).abs() < 1e-12));
/// ```
pub fn sample_points(
    vertices: &[Point],
    triangles: &[[usize; 3]],
    n_points: usize,
    seed: Seed,
    item: u64,
) -> Option<Vec<Point>> {
    let mut random = seed.stream(item);
    if triangles.is_empty() {
        let mut order: Vec<usize> = (0..vertices.len()).collect();
        if order.len() < n_points {
            return None;
        }
        draw_to_front(&mut order, n_points, &mut random);
        return Some(order.iter().take(n_points).map(|&index| vertices[index]).collect());
    }
    let mut total = 0.0;
    let up_to: Vec<f64> = triangles
        .iter()
        .map(|corners| {
            total += area(corners.map(|corner| vertices[corner]));
            total
        })
        .collect();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let draw = |_| {
        let at = random.random::<f64>() * total;
        let triangle = up_to.partition_point(|&end| end <= at).min(triangles.len() - 1);
        let [a, b, c] = triangles[triangle].map(|corner| vertices[corner]);
        let (along, across) = (random.random::<f64>().sqrt(), random.random::<f64>());
        std::array::from_fn(|axis| {
            (1.0 - along) * a[axis] + along * (1.0 - across) * b[axis] + along * across * c[axis]
        })
    };
    Some((0..n_points).map(draw).collect())
}

fn check(gt: &[Point], recon: &[Point]) -> Result<(), Undefined> {
    for (side, cloud) in [(Side::Gt, gt), (Side::Recon, recon)] {
        if cloud.is_empty() {
            return Err(Undefined::Empty(side));
        }
        if cloud.iter().flatten().any(|value| !value.is_finite()) {
            return Err(Undefined::NonFinite(side));
        }
    }
    Ok(())
}

fn squared(p: &Point, q: &Point) -> f64 {
    p.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn area([a, b, c]: [Point; 3]) -> f64 {
    let edge = |to: Point| -> Point { std::array::from_fn(|axis| to[axis] - a[axis]) };
    let ([x, y, z], [u, v, w]) = (edge(b), edge(c));
    squared(&[y * w - z * v, z * u - x * w, x * v - y * u], &[0.0, 0.0, 0.0]).sqrt() / 2.0
}

/// The mean over `from` of the distance to the nearest point of `to`.
fn mean_nearest(from: &[Point], to: &[Point], form: ChamferForm) -> f64 {
    let nearest: Vec<f64> = parallel::map_each(from, |point| {
        stop_if_asked();
        let nearest = to.iter().map(|other| squared(point, other)).fold(f64::INFINITY, f64::min);
        match form {
            ChamferForm::Squared => nearest,
            ChamferForm::Euclidean => nearest.sqrt(),
        }
    });
    nearest.iter().sum::<f64>() / from.len() as f64
}
