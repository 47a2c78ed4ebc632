//! Distances between the set of all stimuli and the set of all reconstructions, from features of both: KID, CMMD, FID,
//! precision and recall. All of them follow from the inner products of the feature rows.

use crate::MetricError;
use faer::Mat;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Estimate, Outcome, Seed, Side, Undefined};
use neurogauge_stats::similarity::inner_products;
use neurogauge_stats::summation::sum;
use neurogauge_stats::u_statistic::pseudo_values;
use neurogauge_stats::{BootstrapOptions, StatsError, draw_to_front, estimate};
use rand::RngExt;

/// The most pairs: memory grows with the square of their number, and the time of FID with the third power.
pub const MOST_PAIRS: usize = 4096;

/// The fewest pairs: a jackknife leaves out one, and a nearest neighbour of third rank needs three others.
pub const FEWEST_PAIRS: usize = 4;

/// The width of CMMD's kernel, for rows of length 1.
const CMMD_WIDTH: f64 = 10.0;
const CMMD_SCALE: f64 = 1000.0;

/// Random exchanges of the images of pairs, for the test of [`kernel_inception_distance`].
const EXCHANGES: usize = 999;

/// Random subsets of each size, and random exchanges, for [`frechet_distance`].
const DRAWS: u64 = 8;
/// The sizes of these subsets, as shares of all pairs.
const SHARES: [f64; 4] = [0.5, 0.625, 0.75, 0.875];

/// The neighbour whose distance is the radius of a point's ball in [`precision_and_recall`].
const NEIGHBOUR: usize = 3;

/// The inner products of the features of all stimuli, then of all reconstructions: (2 n_pairs, 2 n_pairs).
#[derive(Debug, Clone)]
pub struct SetProducts {
    n_pairs: usize,
    n_features: usize,
    products: Vec<f64>,
}

impl SetProducts {
    /// Shapes: `gt` and `recon` (n_pairs, n_features), row after row.
    ///
    /// # Errors
    /// Different numbers of values; fewer than [`FEWEST_PAIRS`] or more than [`MOST_PAIRS`] pairs.
    pub fn of(gt: &[f64], recon: &[f64], n_features: usize) -> Result<Self, MetricError> {
        crate::error::check_same_length(gt, recon)?;
        let n_pairs = gt.len().checked_div(n_features).unwrap_or_default();
        if !(FEWEST_PAIRS..=MOST_PAIRS).contains(&n_pairs) {
            return Err(MetricError::Data(format!(
                "distances of sets are of {FEWEST_PAIRS} to {MOST_PAIRS} pairs, and these are {n_pairs}"
            )));
        }
        let rows = [gt, recon].concat();
        Ok(SetProducts {
            n_pairs,
            n_features,
            products: inner_products(&rows, &rows, n_features)?,
        })
    }

    /// The product of two rows: reconstructions follow the stimuli.
    fn get(&self, one: usize, other: usize) -> f64 {
        self.products[one * 2 * self.n_pairs + other]
    }

    /// Fails with the side of the first row whose square is so.
    fn refuse(&self, is_so: fn(f64) -> bool, reason: fn(Side) -> Undefined) -> Result<(), Undefined> {
        match (0..2 * self.n_pairs).find(|&row| is_so(self.get(row, row))) {
            None => Ok(()),
            Some(row) => Err(reason(if row < self.n_pairs { Side::Gt } else { Side::Recon })),
        }
    }

    /// Fails where a row holds NaN or an infinity, or is so large that its square is infinite.
    fn check(&self) -> Result<(), Undefined> {
        self.refuse(|square| !square.is_finite(), Undefined::NonFinite)
    }
}

/// A squared maximum mean discrepancy (MMD²) of the two sets.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelDistance {
    /// As others compute it, to be compared with their numbers.
    pub published: f64,
    /// The unbiased estimate for pairs: the mean over all two pairs of k(x, x') + k(y, y') - k(x, y') - k(x', y). Each
    /// pair's own k(x, y) is left out, since a reconstruction is more like its own stimulus than like others.
    pub unbiased: f64,
    /// The jackknife's pseudo-value of each pair, whose mean is `unbiased`
    /// ([`pseudo_values`](neurogauge_stats::u_statistic::pseudo_values)): intervals and tests over them are intervals
    /// and tests of the distance.
    pub pseudo_values: Vec<f64>,
    /// The probability of so large an unbiased estimate if both images of a pair come from one distribution: a test by
    /// random exchanges of the images of pairs.
    pub p_value: f64,
}

impl KernelDistance {
    /// The unbiased distance with its interval.
    pub fn estimate(&self, options: &BootstrapOptions) -> Result<Estimate, StatsError> {
        let pseudo: Vec<Outcome> = self.pseudo_values.iter().copied().map(Ok).collect();
        Ok(Estimate {
            value: Ok(self.unbiased),
            ..estimate(&[&pseudo], options)?
        })
    }
}

/// Kernel Inception distance (KID; Bińkowski et al. 2018): MMD² with the kernel k(x, y) = (x·y / n_features + 1)³.
///
/// Published values take k(x, y) of all stimuli and reconstructions (`published`); the unbiased estimate for pairs
/// leaves out those of one pair. Both are of all pairs at once, without the random subsets of other packages, whose
/// mean is the same.
///
/// - Range: unbounded, and above 0 in expectation; lower is better; 0 for equal distributions.
/// - Conventions: `set-distances`.
/// - Undefined: a value that is not finite.
/// - Reference: torch-fidelity 0.4.0 and clean-fid 0.1.35 (`reference/set_distances.py`), 1e-10, relative; the unbiased
///   form: torch-fidelity's `mmd_est="u-statistic"`, the same.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_metrics::decoding::set_distances::{SetProducts, kernel_inception_distance};
/// let products = SetProducts::of(&[0.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 1.0], 1).unwrap();
/// // The kernel is 8 for two ones and 1 otherwise. Of the six unordered pairs of items, one has two ones: 1/6 · 7.
/// let found = kernel_inception_distance(&products, Seed(1)).unwrap();
/// assert!((found.unbiased - 7.0 / 6.0).abs() < 1e-14 && (found.published - 7.0 / 6.0).abs() < 1e-14);
/// ```
pub fn kernel_inception_distance(products: &SetProducts, seed: Seed) -> Result<KernelDistance, Undefined> {
    products.check()?;
    let cubic = |product: f64, _: f64, _: f64| (product / products.n_features as f64 + 1.0).powi(3);
    Ok(distance(products, seed, cubic, false))
}

/// CLIP maximum mean discrepancy (CMMD; Jayasumana et al. 2024): 1000 · MMD² with the kernel k(x, y) = exp(-|x - y|² /
/// (2 · 10²)) of rows scaled to length 1, for embeddings of CLIP ViT-L/14 at 336 px.
///
/// Published values count k(x, x) = 1 of each row with itself (`published`), which makes them larger by about 2000 ·
/// (1 - mean of k) / n_pairs; the unbiased estimate for pairs does not.
///
/// - Range: 0 and above (`published`); lower is better; 0 for equal distributions.
/// - Conventions: `set-distances`.
/// - Undefined: a value that is not finite, a row of zeros.
/// - Reference: the paper's equations in NumPy (`reference/set_distances.py`), 1e-9, absolute.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_metrics::decoding::set_distances::{SetProducts, clip_mmd};
/// let (gt, recon) = ([1.0, 0.0].repeat(4), [0.0, 2.0].repeat(4));
/// // Two points at a squared distance of 2: 1000 · (1 + 1 - 2 exp(-1/100)).
/// let found = clip_mmd(&SetProducts::of(&gt, &recon, 2).unwrap(), Seed(1)).unwrap();
/// assert!((found.published - 19.900332).abs() < 1e-6);
/// ```
pub fn clip_mmd(products: &SetProducts, seed: Seed) -> Result<KernelDistance, Undefined> {
    products.check()?;
    products.refuse(|square| square == 0.0, Undefined::Empty)?;
    let gaussian = |product: f64, square: f64, other: f64| {
        let cosine = product / (square.sqrt() * other.sqrt());
        CMMD_SCALE * (-(1.0 - cosine) / (CMMD_WIDTH * CMMD_WIDTH)).exp()
    };
    Ok(distance(products, seed, gaussian, true))
}

/// MMD² of a kernel, which gets the product of two rows and the square of each; does the published form count rows with
/// themselves?
fn distance(
    products: &SetProducts,
    seed: Seed,
    kernel: impl Fn(f64, f64, f64) -> f64 + Sync,
    counts_itself: bool,
) -> KernelDistance {
    let n = products.n_pairs;
    let of =
        |one: usize, other: usize| kernel(products.get(one, other), products.get(one, one), products.get(other, other));
    // What each pair has with all pairs: of the stimuli, of the reconstructions, across, and with itself.
    let rows: Vec<([f64; 4], Vec<f64>)> = parallel::map(n, |i| {
        stop_if_asked();
        let values = |of: &dyn Fn(usize) -> f64| (0..n).map(of).collect::<Vec<f64>>();
        let of_gt = values(&|j| of(i, j));
        let of_recon = values(&|j| of(n + i, n + j));
        let across = values(&|j| of(i, n + j));
        let core = |j: usize| match j == i {
            true => 0.0,
            false => of_gt[j] + of_recon[j] - across[j] - of(n + i, j),
        };
        let sums = [sum(&of_gt), sum(&of_recon), sum(&across), of_gt[i] + of_recon[i]];
        (sums, (0..n).map(core).collect())
    });
    let total = |part: usize| sum(&rows.iter().map(|(sums, _)| sums[part]).collect::<Vec<f64>>());
    let (within, across, own) = (total(0) + total(1), 2.0 * total(2), total(3));
    let of_pairs: Vec<f64> = rows.iter().map(|(_, core)| sum(core)).collect();
    let (all, items) = (sum(&of_pairs), n as f64);
    let unbiased = all / (items * (items - 1.0));
    let without = of_pairs.iter().map(|own| (all - 2.0 * own) / ((items - 1.0) * (items - 2.0)));
    // An exchange of the images of a pair turns the sign of all that it has with others.
    let exchanged = |exchange: u64| {
        stop_if_asked();
        let mut random = seed.stream(exchange);
        let signs: Vec<f64> = (0..n).map(|_| if random.random::<bool>() { -1.0 } else { 1.0 }).collect();
        let of_row = |(core, sign): (&Vec<f64>, &f64)| {
            sign * core.iter().zip(&signs).map(|(value, sign)| value * sign).sum::<f64>()
        };
        rows.iter().map(|(_, core)| core).zip(&signs).map(of_row).sum::<f64>()
    };
    // Equal sums may differ in their last bits.
    let tie = 1e-12 * rows.iter().flat_map(|(_, core)| core).map(|value| value.abs()).sum::<f64>();
    let are_far = parallel::map(EXCHANGES, |exchange| exchanged(exchange as u64) >= all - tie);
    let n_far = are_far.into_iter().filter(|is_far| *is_far).count();
    KernelDistance {
        published: match counts_itself {
            true => (within - across) / (items * items),
            false => (within - own) / (items * (items - 1.0)) - across / (items * items),
        },
        unbiased,
        pseudo_values: pseudo_values(unbiased, &without.collect::<Vec<f64>>()),
        p_value: (1 + n_far) as f64 / (1 + EXCHANGES) as f64,
    }
}

/// Fréchet distances of normal distributions fitted to both sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrechetDistance {
    /// Of all pairs, as published.
    pub of_all: f64,
    /// Extrapolated to infinitely many pairs.
    pub extrapolated: f64,
    /// The mean over random exchanges of the images of pairs: what equal distributions of this spread give with as many
    /// pairs.
    pub if_alike: f64,
}

/// Fréchet Inception distance (FID; Heusel et al. 2017), |m - m'|² + Tr(C + C' - 2 (C C')^½) with means m and
/// covariances C (n - 1) of both sets.
///
/// With few images it is far too high, by about b / n, and b differs between models. Chong and Forsyth (2020) compute it
/// for subsets, fit a + b / n, and report a: here for 8 random subsets of each of four sizes from half of the pairs on,
/// and for all pairs. The fit supposes many more images than features; with fewer, `extrapolated` is too high, too.
///
/// - Shapes: Tr (C C')^½ is the sum of the singular values of the centred rows' products across, over n - 1, so that
///   n_pairs² values suffice.
/// - Range: 0 and above (`of_all`); lower is better; 0 for equal sets.
/// - Conventions: `set-distances`.
/// - Undefined: a value that is not finite.
/// - Errors: singular values that do not converge.
/// - Reference: clean-fid 0.1.35 and torch-fidelity 0.4.0 (`reference/set_distances.py`), 1e-7, relative; the
///   extrapolation: the same fit to the means over many subsets, five standard errors.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_metrics::decoding::set_distances::{SetProducts, frechet_distance};
/// let products = SetProducts::of(&[0.0, 2.0, 0.0, 2.0], &[1.0, 5.0, 1.0, 5.0], 1).unwrap();
/// // Means 1 and 3, standard deviations 2/√3 and 4/√3: 4 + 4/3.
/// let found = frechet_distance(&products, Seed(1)).unwrap().unwrap();
/// assert!((found.of_all - 16.0 / 3.0).abs() < 1e-12);
/// ```
pub fn frechet_distance(products: &SetProducts, seed: Seed) -> Result<Result<FrechetDistance, Undefined>, MetricError> {
    if let Err(reason) = products.check() {
        return Ok(Err(reason));
    }
    let n = products.n_pairs;
    // Of pairs whose stimulus is in the first set, and of others, in which it is in the second.
    let of = |pairs: &[usize], turned: &[bool]| {
        let set =
            |is_second: bool| pairs.iter().map(move |&pair| if turned[pair] == is_second { pair } else { n + pair });
        frechet(products, &set(false).collect::<Vec<usize>>(), &set(true).collect::<Vec<usize>>())
    };
    let (all, as_is): (Vec<usize>, Vec<bool>) = ((0..n).collect(), vec![false; n]);
    let of_all = of(&all, &as_is)?;
    let draws: Vec<(usize, u64)> =
        (0..SHARES.len()).flat_map(|size| (0..DRAWS).map(move |draw| (size, draw))).collect();
    let size = |place: usize| ((SHARES[place] * n as f64).round() as usize).max(2);
    let of_draw = |&(place, draw): &(usize, u64)| {
        let mut random = seed.stream(EXCHANGES as u64 + place as u64 * DRAWS + draw);
        of(draw_to_front(&mut all.clone(), size(place), &mut random), &as_is)
    };
    let found = parallel::try_map_each(&draws, of_draw)?;
    let means = found.chunks(DRAWS as usize).map(|draws| sum(draws) / DRAWS as f64);
    let sizes = (0..SHARES.len()).map(size);
    let points: Vec<(f64, f64)> = sizes.zip(means).chain([(n, of_all)]).map(|(n, y)| (1.0 / n as f64, y)).collect();
    let if_exchanged = |draw: usize| {
        let mut random = seed.stream(draw as u64);
        of(&all, &(0..n).map(|_| random.random()).collect::<Vec<bool>>())
    };
    let alike = parallel::try_map(DRAWS as usize, if_exchanged)?;
    Ok(Ok(FrechetDistance {
        of_all,
        extrapolated: intercept(&points),
        if_alike: sum(&alike) / DRAWS as f64,
    }))
}

/// Where the line of least squares through these points crosses x = 0.
fn intercept(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    y - x * products / squares
}

/// The Fréchet distance of two sets of equally many rows.
fn frechet(products: &SetProducts, one: &[usize], other: &[usize]) -> Result<f64, MetricError> {
    stop_if_asked();
    let n = one.len();
    let items = n as f64;
    let mean = |rows: &[usize], columns: &[usize]| {
        let of_row = |row: &usize| columns.iter().map(|column| products.get(*row, *column)).sum::<f64>() / items;
        rows.iter().map(of_row).collect::<Vec<f64>>()
    };
    let trace = |rows: &[usize]| {
        let squares: Vec<f64> = rows.iter().map(|row| products.get(*row, *row)).collect();
        let of_mean = sum(&mean(rows, rows)) / items;
        (of_mean, (sum(&squares) - items * of_mean).max(0.0) / (items - 1.0))
    };
    let (of_rows, of_columns) = (mean(one, other), mean(other, one));
    let of_means = sum(&of_rows) / items;
    let value = |i: usize, j: usize| products.get(one[i], other[j]) - of_rows[i] - of_columns[j] + of_means;
    let singular_values = Mat::from_fn(n, n, value).singular_values();
    let unsolved = |_| MetricError::Data("the singular values of the products do not converge".to_owned());
    let root = sum(&singular_values.map_err(unsolved)?) / (items - 1.0);
    let ((mean_one, trace_one), (mean_other, trace_other)) = (trace(one), trace(other));
    Ok((mean_one + mean_other - 2.0 * of_means) + trace_one + trace_other - 2.0 * root)
}

/// Improved precision and recall (Kynkäänniemi et al. 2019). Every point has a ball that reaches to its third nearest
/// neighbour in its own set. Precision is the share of reconstructions in the ball of any stimulus, recall the share of
/// stimuli in the ball of any reconstruction.
///
/// Both depend on the number of pairs, so that they are compared at equal numbers only.
///
/// - Range: 0 to 1, higher is better.
/// - Conventions: `set-distances`.
/// - Undefined: a value that is not finite.
/// - Reference: torch-fidelity 0.4.0 (`reference/set_distances.py`), equal shares.
///
/// ```
/// use neurogauge_metrics::decoding::set_distances::{SetProducts, precision_and_recall};
/// let products = SetProducts::of(&[0.0, 1.0, 2.0, 3.0], &[0.5, 1.5, 2.0, 30.0], 1).unwrap();
/// // The stimuli's balls have radii 3, 2, 2 and 3; the reconstructions' reach to 30, or from there to 0.5.
/// assert_eq!(precision_and_recall(&products), [Ok(0.75), Ok(1.0)]);
/// ```
pub fn precision_and_recall(products: &SetProducts) -> [Outcome; 2] {
    if let Err(reason) = products.check() {
        return [Err(reason.clone()), Err(reason)];
    }
    let n = products.n_pairs;
    let squared =
        |one: usize, other: usize| products.get(one, one) + products.get(other, other) - 2.0 * products.get(one, other);
    // `balls` and `points` are the first rows of a set.
    let share = |balls: usize, points: usize| {
        let radii = parallel::map(n, |pair| {
            stop_if_asked();
            let others = (0..n).filter(|other| *other != pair).map(|other| squared(balls + pair, balls + other));
            let mut others: Vec<f64> = others.collect();
            *others.select_nth_unstable_by(NEIGHBOUR - 1, f64::total_cmp).1
        });
        let is_in_any = |point: usize| (0..n).any(|ball| squared(balls + ball, points + point) <= radii[ball]);
        Ok(parallel::map(n, is_in_any).into_iter().filter(|is_in| *is_in).count() as f64 / n as f64)
    };
    [share(0, n), share(n, 0)]
}
