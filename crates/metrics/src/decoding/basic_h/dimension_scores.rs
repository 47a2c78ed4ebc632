//! BASIC-H by dimension.

use super::scores::Matched;
use neurogauge_core::{Dimension, Estimate, LevelDetails, Sides, Undefined};
use neurogauge_stats::{BootstrapOptions, StatsError, estimate_ratio};
use std::collections::BTreeMap;

/// The number of elements of each dimension on each side of a pair, and how many of them the other side has, from the
/// details of its objects, attributes and relations ([`basic_h_details`](super::basic_h_details)). An element of the
/// stimulus counts in its own dimension for recall, and an element of the reconstruction in its own for precision, even
/// if the two are matched.
///
/// - Conventions: `basic-dimensions`.
/// - Undefined, errors: never. Entries without a dimension are left out.
///
/// ```
/// use neurogauge_core::{DetailEntry, Dimension, LevelDetails};
/// use neurogauge_metrics::decoding::basic_h::dimension_counts;
/// let missed = DetailEntry { reference_dimension: Some(Dimension::Colour), ..DetailEntry::of(Some("red"), None) };
/// let attributes = LevelDetails { missed: vec![missed], ..LevelDetails::default() };
/// let counts = dimension_counts([&attributes]);
/// assert_eq!((counts[&Dimension::Colour].gt.n, counts[&Dimension::Colour].gt.n_matched), (1, 0.0));
/// ```
pub fn dimension_counts<'a>(levels: impl IntoIterator<Item = &'a LevelDetails>) -> BTreeMap<Dimension, Sides<Matched>> {
    let mut counts = BTreeMap::<Dimension, Sides<Matched>>::new();
    let mut add = |dimension: Option<Dimension>, side: fn(&mut Sides<Matched>) -> &mut Matched, n_matched| {
        if let Some(dimension) = dimension {
            let of_side = side(counts.entry(dimension).or_default());
            *of_side = of_side.and(&Matched { n: 1, n_matched });
        }
    };
    for level in levels {
        for entry in &level.matched {
            let counted = entry.similarity.unwrap_or(1.0);
            add(entry.reference_dimension, |of| &mut of.gt, counted);
            add(entry.reconstruction_dimension, |of| &mut of.recon, counted);
        }
        for entry in &level.missed {
            let counted = entry.similarity.unwrap_or(0.0);
            add(entry.reference_dimension, |of| &mut of.gt, counted);
        }
        for entry in &level.invented {
            let counted = entry.similarity.unwrap_or(0.0);
            add(entry.reconstruction_dimension, |of| &mut of.recon, counted);
        }
    }
    counts
}

/// Recall, precision and F1 of one dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct DimensionScores {
    pub dimension: Dimension,
    /// Number of elements of the stimuli and of the reconstructions.
    pub n: Sides<usize>,
    /// Share of the stimuli's elements that the reconstructions have.
    pub recall: Estimate,
    /// Share of the reconstructions' elements that the stimuli have.
    pub precision: Estimate,
    pub f1: f64,
}

/// Scores by dimension over all pairs together: recall is the sum of what the stimuli's elements of a dimension count,
/// divided by their number; precision is the same for the reconstructions' elements. Sums replace means over pairs,
/// since a pair may have no element of a dimension.
///
/// - Shapes: `items` are the counts of pairs ([`dimension_counts`]), or of all pairs of a stimulus together.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `basic-dimensions`.
/// - Undefined: recall without elements of the stimuli, precision without elements of the reconstructions; then F1
///   is 0. A dimension without elements on both sides is not listed. No interval if [`estimate_ratio`] has none, or if
///   negative cosines are kept (`basic-negative-cosines`) and an item counts less than 0.
/// - Errors: [`StatsError::InvalidOption`] of the bootstrap's options.
/// - Reference: two pairs by hand; intervals are [`estimate_ratio`]'s.
pub fn dimension_scores(
    items: &[BTreeMap<Dimension, Sides<Matched>>],
    options: &BootstrapOptions,
) -> Result<Vec<DimensionScores>, StatsError> {
    let mut found = Vec::new();
    for dimension in Dimension::ALL {
        let of_items: Vec<&Sides<Matched>> = items.iter().filter_map(|item| item.get(&dimension)).collect();
        if of_items.is_empty() {
            continue;
        }
        let share = |side: fn(&Sides<Matched>) -> &Matched| {
            let parts = of_items.iter().map(|item| side(item));
            ratio(&parts.map(|of| (of.n_matched, of.n as f64)).collect::<Vec<_>>(), options)
        };
        let (recall, precision) = (share(|of| &of.gt)?, share(|of| &of.recon)?);
        let f1 = match (&recall.value, &precision.value) {
            (Ok(r), Ok(p)) if p + r != 0.0 => 2.0 * p * r / (p + r),
            // Nothing is matched: all of it was missed, or all of it was invented.
            _ => 0.0,
        };
        found.push(DimensionScores {
            dimension,
            n: Sides::new(of_items.iter().map(|of| of.gt.n).sum(), of_items.iter().map(|of| of.recon.n).sum()),
            recall,
            precision,
            f1,
        });
    }
    Ok(found)
}

/// A value for each item, so that the mean of the values is F1 of the sums over all items, and their spread shows how
/// F1 varies with the items: F1 plus k times the item's first-order contribution to F1, where k is the number of items
/// (the infinitesimal jackknife). With recall R and precision P over all items and, for item i, mᵢ matched of nᵢ
/// elements of the stimulus and m′ᵢ of n′ᵢ of the reconstruction, vᵢ = F1 + k · 2 / (P + R)² · (P² · (mᵢ − R nᵢ) / Σn +
/// R² · (m′ᵢ − P n′ᵢ) / Σn′). Intervals and tests of means apply to these values.
///
/// - Shapes: `items` are the counts of pairs for one dimension ([`dimension_counts`]).
/// - Range: the mean is F1, from 0 to 1; the value of one pair can be below 0 or above 1. Higher is better.
/// - Conventions: `basic-dimensions`.
/// - Undefined, errors: never. All values are 0 if F1 is.
/// - Reference: the derivative of F1 with respect to the weight of each item, numerically; to 1e-6.
///
/// ```
/// use neurogauge_core::Sides;
/// use neurogauge_metrics::decoding::basic_h::{Matched, dimension_f1_values};
/// let item = |n_matched| Sides { gt: Matched { n: 1, n_matched }, recon: Matched { n: 1, n_matched } };
/// // One of two pairs has its colour: F1 is 0.5.
/// assert_eq!(dimension_f1_values(&[item(1.0), item(0.0)]), [1.0, 0.0]);
/// ```
pub fn dimension_f1_values(items: &[Sides<Matched>]) -> Vec<f64> {
    let zero = Sides::<Matched>::default();
    let sums = items.iter().fold(zero, |sums, item| Sides::new(sums.gt.and(&item.gt), sums.recon.and(&item.recon)));
    let share = |of: &Matched| match of.n {
        0 => 0.0,
        n => of.n_matched / n as f64,
    };
    let (recall, precision) = (share(&sums.gt), share(&sums.recon));
    let both = precision + recall;
    if recall == 0.0 || precision == 0.0 || both == 0.0 {
        return vec![0.0; items.len()];
    }
    let f1 = 2.0 * precision * recall / both;
    let surplus = |of: &Matched, share: f64, sum: &Matched| (of.n_matched - share * of.n as f64) / sum.n as f64;
    let value = |item: &Sides<Matched>| {
        let recalled = precision * precision * surplus(&item.gt, recall, &sums.gt);
        let precise = recall * recall * surplus(&item.recon, precision, &sums.recon);
        f1 + items.len() as f64 * 2.0 / (both * both) * (recalled + precise)
    };
    items.iter().map(value).collect()
}

fn ratio(items: &[(f64, f64)], options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    if items.iter().all(|(matched, _)| *matched >= 0.0) {
        return estimate_ratio(items, options);
    }
    let sum = |of: fn(&(f64, f64)) -> f64| items.iter().map(of).sum::<f64>();
    let n = sum(|item| item.1);
    Ok(Estimate {
        value: if n == 0.0 {
            Err(Undefined::NoPairs)
        } else {
            Ok(sum(|item| item.0) / n)
        },
        interval: None,
        n: items.len(),
        n_undefined: 0,
    })
}
