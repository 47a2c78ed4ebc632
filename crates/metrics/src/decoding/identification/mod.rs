//! Identification: whether a reconstruction is more similar to its own stimulus than to others.

mod draws;
pub(in crate::decoding) mod jackknife;
mod options;
mod rank_counts;
mod trials;

pub use options::{Copies, Draws, IdentificationDirection, IdentificationOptions, Ties};
pub use rank_counts::RankCounts;
pub use trials::identify_means;

use crate::MetricError;
use jackknife::{Jackknife, RankedPair};
use neurogauge_core::parallel;
use neurogauge_core::{Outcome, Side};
use neurogauge_stats::check_lengths;
use neurogauge_stats::parts::Parts;
use neurogauge_stats::similarity::{ComparedRows, HeldRows, similarities_between};
use neurogauge_stats::{RowDefect, RowSource, Similarity, StatsError};
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of similarities in memory at a time.
const TABLE_BYTES: usize = 128 << 20;

/// Outcomes of [`identify`], and the number of distractors.
#[derive(Debug, Clone, PartialEq)]
pub struct Identification {
    pub outcomes: Vec<Outcome>,
    /// Size of the pool: the number of others that the right image of a pair must beat. If copies are left out, the
    /// smallest number.
    pub n_others: usize,
    /// Positions of the others that have no similarity to any image and were left out of the pool, with the reason.
    pub left_out: Vec<(usize, RowDefect)>,
    /// One for each pair: the jackknife's pseudo-value of its stimulus (or its cluster), which is removed both as a
    /// target and as a distractor ([`pseudo_values`](neurogauge_stats::u_statistic::pseudo_values)). Undefined for
    /// pairs without a value, and below three stimuli. With a pool, they are the outcomes, because the pool does not
    /// change.
    pub pseudo_values: Vec<Outcome>,
}

/// Pairs that are parts of items, such as the samples of a reconstruction (convention `parts`).
///
/// Parts of an item are not distractors of each other. Only parts that count for their item are distractors of others,
/// and a stimulus that is compared with several samples is one distractor.
#[derive(Clone, Copy)]
pub struct ItemParts<'a> {
    /// How values of parts combine into values of items.
    pub parts: &'a Parts,
    /// For each pair, the row of its stimulus or, if stimuli are identified, of its reconstruction.
    pub own: &'a [usize],
}

/// The source of distractors.
#[derive(Clone, Copy)]
pub enum Others<'a> {
    Pairs {
        /// The stimulus of each pair: equal numbers are one stimulus that several pairs show. `None` if every pair has
        /// a different one.
        stimuli: Option<&'a [usize]>,
        /// Are pairs of one stimulus distractors of each other?
        copies: Copies,
        /// Alike stimuli share a number and are removed together by the jackknife; pairs of one stimulus share it too.
        /// `None` if no stimuli are alike.
        clusters: Option<&'a [usize]>,
        /// The pairs that are parts of one item; `None` if each pair is an item.
        parts: Option<ItemParts<'a>>,
    },
    /// A pool that is the same for all pairs.
    Pool(&'a dyn RowSource),
}

/// Two-way identification, and n-way top-k identification: the probability that a reconstruction is
/// more like its own stimulus than like others, by Pearson's correlation of feature vectors.
///
/// With r_ij the correlation of stimulus i and reconstruction j, and n stimuli, two-way
/// identification of reconstruction j is
///
/// s_j = #{i ≠ j : r_ij < r_jj} / (n − 1).
///
/// With n ways and top k, n − 1 others are drawn and s_j is the probability that fewer than k of them
/// are more like the reconstruction than its own stimulus is: in closed form over all draws
/// (hypergeometric), or as the share of seeded draws.
///
/// - Shapes: `pairs` holds (stimulus, reconstruction), `pool` the others if they are not those of the
///   other pairs; all vectors have `n_features` values.
/// - Range: 0 to 1, higher is better; chance level k/n: 0.5 for two ways.
/// - Conventions: `identification-direction`, `identification-ties`, `identification-own`, `identification-pool`,
///   `identification-copies`, `identification-ways`.
/// - Undefined: a stimulus or reconstruction that is empty, constant or not finite (NumPy's NaN compares as false there
///   and counts as a failure); there is no other. A member of the pool without a similarity to any image
///   is left out, and does not count in the size of the pool.
/// - Errors: vectors of different lengths; more ways than the pool allows, or a k of n or more.
/// - Reference: `numpy.corrcoef` 2.4.6 and comparison of its rows with its diagonal: equal
///   counts. `scipy.stats.hypergeom` 1.17.1 to 1e-12 for n ways.
///
/// ```
/// use neurogauge_metrics::decoding::identification::{IdentificationOptions, identify};
/// let (up, down, bent) = ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 3.0, 2.0]);
/// // The second reconstruction is less like its own stimulus than like either other.
/// let recon = [[1.0, 2.0, 4.0], [1.0, 2.0, 2.5], [0.0, 1.0, 0.9]];
/// let pairs: [(&[f32], &[f32]); 3] =
///     [(&up, &recon[0]), (&down, &recon[1]), (&bent, &recon[2])];
/// let identified = identify(&pairs, None, &IdentificationOptions::default()).unwrap();
/// assert_eq!(identified.outcomes, [Ok(1.0), Ok(0.0), Ok(1.0)]);
/// assert_eq!(identified.n_others, 2);
/// ```
pub fn identify(
    pairs: &[(&[f32], &[f32])],
    pool: Option<&[&[f32]]>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    let (gt, recon): (Vec<&[f32]>, Vec<&[f32]>) = pairs.iter().copied().unzip();
    let (gt, recon) = (HeldRows::new(&gt)?, HeldRows::new(&recon)?);
    let pool = pool.map(HeldRows::new).transpose()?;
    let pool = pool.as_ref().map(|pool| pool as &dyn RowSource);
    identify_rows(&gt, &recon, pool, options)
}

impl<'a> Others<'a> {
    /// The pool if there is one, otherwise the other pairs, as if every pair had a different stimulus.
    pub fn of(pool: Option<&'a dyn RowSource>) -> Self {
        match pool {
            Some(pool) => Others::Pool(pool),
            None => Others::Pairs {
                stimuli: None,
                copies: Copies::default(),
                clusters: None,
                parts: None,
            },
        }
    }
}

/// [`identify`] for rows that need not be in memory: row i of `gt` and row i of `recon` are pair i. The outcomes are
/// equal to the bit.
///
/// - Memory: in addition to that of [`similarities_between`](neurogauge_stats::similarity::similarities_between), the
///   similarities of as many pairs to all others as fit into 128 MiB (at least of one pair).
/// - Errors: those of [`identify`], and those of the sources.
pub fn identify_rows(
    gt: &dyn RowSource,
    recon: &dyn RowSource,
    pool: Option<&dyn RowSource>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    identify_among(gt, recon, Others::of(pool), options)
}

/// [`identify_rows`] with others that know which pairs show the same stimulus (convention `identification-copies`).
///
/// ```
/// use neurogauge_metrics::decoding::identification::{Copies, Others, identify_among};
/// use neurogauge_stats::similarity::HeldRows;
/// let rows: [&[f32]; 4] = [&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], &[1.0, 3.0, 2.0]];
/// let rows = HeldRows::new(&rows).unwrap();
/// let identified = |copies| {
///     let stimuli = Some(&[0, 0, 1, 2][..]);
///     let others = Others::Pairs { stimuli, copies, clusters: None, parts: None };
///     identify_among(&rows, &rows, others, &Default::default()).unwrap()
/// };
/// let found = identified(Copies::LeaveOut);
/// assert_eq!(found.outcomes, [Ok(1.0), Ok(1.0), Ok(1.0), Ok(1.0)]);
/// assert_eq!(found.n_others, 2);
/// // Compared with its copy, a perfect reconstruction ties and loses.
/// assert_eq!(identified(Copies::Keep).outcomes[0], Ok(2.0 / 3.0));
/// ```
pub fn identify_among(
    gt: &dyn RowSource,
    recon: &dyn RowSource,
    others: Others<'_>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    identify_by(Similarity::Correlation, gt, recon, others, options)
}

/// [`identify_among`] with another similarity than Pearson's correlation. A constant row is undefined only for the
/// correlation, and a row of zeros for the cosine.
///
/// ```
/// use neurogauge_metrics::decoding::identification::{Others, identify_by};
/// use neurogauge_stats::similarity::{HeldRows, Similarity};
/// let (gt, recon): ([&[f32]; 2], [&[f32]; 2]) = ([&[1.0, 2.0], &[5.0, 7.0]], [&[1.4, 2.0], &[5.0, 8.0]]);
/// let (gt, recon) = (HeldRows::new(&gt).unwrap(), HeldRows::new(&recon).unwrap());
/// let by = |similarity| identify_by(similarity, &gt, &recon, Others::of(None), &Default::default()).unwrap().outcomes;
/// assert_eq!(by(Similarity::Euclidean), [Ok(1.0), Ok(1.0)]);
/// assert_eq!(by(Similarity::Cosine), [Ok(0.0), Ok(1.0)]);
/// ```
pub fn identify_by(
    similarity: Similarity,
    gt: &dyn RowSource,
    recon: &dyn RowSource,
    others: Others<'_>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    let (queries, own, sides) = match options.direction {
        IdentificationDirection::Reconstruction => (recon, gt, (Side::Recon, Side::Gt)),
        IdentificationDirection::Stimulus => (gt, recon, (Side::Gt, Side::Recon)),
    };
    let n_pairs = queries.n_rows();
    check_lengths(gt.n_rows(), recon.n_rows())?;
    let compared = |rows| ComparedRows::new(rows, similarity);
    let (queries, own) = (compared(queries)?, compared(own)?);
    let (pool, stimuli, copies, clusters, parts) = match others {
        Others::Pool(pool) => (Some(compared(pool)?), None, Copies::Keep, None, None),
        Others::Pairs {
            stimuli,
            copies,
            clusters,
            parts,
        } => (None, stimuli, copies, clusters, parts),
    };
    let each_its_own: Vec<usize> = (0..n_pairs).collect();
    let stimuli = stimuli.unwrap_or(&each_its_own);
    let clusters = clusters.unwrap_or(stimuli);
    for numbers in [stimuli, clusters] {
        check_lengths(n_pairs, numbers.len())?;
    }
    let others = pool.as_ref().unwrap_or(&own);
    let is_candidate = match parts {
        Some(ItemParts { parts, own }) => parts.first_with(own.iter()),
        None => vec![true; others.n_rows()],
    };
    let left_out: Vec<(usize, RowDefect)> = (0..others.n_rows())
        .filter(|&other| is_candidate[other])
        .filter_map(|other| Some((other, others.defect(other)?)))
        .collect();
    let is_distractor: Vec<bool> =
        (0..others.n_rows()).map(|other| is_candidate[other] && others.defect(other).is_none()).collect();
    let n_usable = is_distractor.iter().filter(|is_one| **is_one).count();
    let parts = parts.map(|parts| parts.parts);
    // Pairs of one group are not distractors of each other.
    let groups: &[usize] = match (copies, parts) {
        (Copies::LeaveOut, _) => stimuli,
        (Copies::Keep, Some(parts)) => parts.item_of(),
        (Copies::Keep, None) => &each_its_own,
    };
    let n_others = match &pool {
        Some(_) => n_usable,
        None => fewest_others(groups, &is_distractor, n_usable),
    };
    options.check(n_others)?;

    let mut outcomes = Vec::with_capacity(n_pairs);
    let mut jackknife = Jackknife::new(clusters, &is_distractor, parts, options.ways());
    let at_a_time = (TABLE_BYTES / size_of::<f64>() / others.n_rows().max(1)).max(1);
    for pairs in blocks(n_pairs, at_a_time, parts) {
        let start = pairs.start;
        let to_others = similarities_between((&queries, pairs.clone()), (others, 0..others.n_rows()))?;
        let outcome = |pair: usize| -> Result<(Outcome, Option<RankedPair>), StatsError> {
            if let Some(defect) = queries.defect(pair) {
                return Ok((Err(defect.of(sides.0)), None));
            }
            if let Some(defect) = own.defect(pair) {
                return Ok((Err(defect.of(sides.1)), None));
            }
            let to_own = if pool.is_some() {
                // An entry depends only on its two rows, so this equals the diagonal of the whole product.
                similarities_between((&queries, pair..pair + 1), (&own, pair..pair + 1))?.get(0, 0)
            } else {
                to_others.get(pair - start, pair)
            };
            let is_other_stimulus = |other: usize| pool.is_some() || groups[other] != groups[pair];
            let to_others: Vec<f64> = (0..others.n_rows())
                .filter(|&other| is_distractor[other] && is_other_stimulus(other))
                .map(|other| to_others.get(pair - start, other))
                .collect();
            let outcome = options.outcome(pair, to_own, &to_others);
            let ranked = outcome.is_ok().then(|| RankedPair {
                pair,
                own: to_own,
                counts: RankCounts::of(to_own, &to_others),
            });
            Ok((outcome, ranked))
        };
        let identified = parallel::try_map(pairs.len(), |place| outcome(pairs.start + place))?;
        let (found, ranked): (Vec<Outcome>, Vec<Option<RankedPair>>) = identified.into_iter().unzip();
        outcomes.extend(found);
        if pool.is_none() {
            let ranked: Vec<RankedPair> = ranked.into_iter().flatten().collect();
            jackknife.add(&ranked, |pair, other| to_others.get(pair - start, other));
        }
    }
    Ok(Identification {
        pseudo_values: match pool {
            Some(_) => outcomes.clone(),
            None => jackknife.pseudo_values(&outcomes),
        },
        outcomes,
        n_others,
        left_out,
    })
}

/// Divides the pairs into ranges of `at_a_time` pairs; a range is longer if it would otherwise split an item.
fn blocks(n_pairs: usize, at_a_time: usize, parts: Option<&Parts>) -> Vec<Range<usize>> {
    let is_within = |end: usize| {
        let item = parts.map(Parts::item_of);
        item.is_some_and(|item| end < n_pairs && item[end - 1] == item[end])
    };
    let mut blocks = Vec::new();
    let mut start = 0;
    while start < n_pairs {
        let mut end = n_pairs.min(start + at_a_time);
        while is_within(end) {
            end += 1;
        }
        blocks.push(start..end);
        start = end;
    }
    blocks
}

/// Number of distractors of the pair with the most pairs in its group, among the pairs that have distractors.
fn fewest_others(groups: &[usize], is_distractor: &[bool], n_usable: usize) -> usize {
    let mut copies: HashMap<usize, usize> = HashMap::new();
    for (group, _) in groups.iter().zip(is_distractor).filter(|(_, is_one)| **is_one) {
        *copies.entry(*group).or_default() += 1;
    }
    copies.values().map(|n| n_usable - n).filter(|&n| n > 0).min().unwrap_or_default()
}
