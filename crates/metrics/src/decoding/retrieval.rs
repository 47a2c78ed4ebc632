//! Retrieval of images by brain embeddings, and the reverse.

use crate::MetricError;
use crate::decoding::identification::jackknife::{Jackknife, RankedPair, Ways};
use crate::decoding::identification::{Copies, RankCounts, Ties};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{FeatureValue, Outcome, Seed, Side, Undefined};
use neurogauge_stats::{
    MeanRows, RowSource, Similarity, SimilarityMatrix, StatsError, TrialSubset, draw_to_front, mean_over_subsets,
    similarities,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Options of [`retrieve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetrievalOptions {
    /// Number of items in a draw, including the right one.
    pub candidates: usize,
    /// The right one must be among this number of the most similar.
    pub top_k: usize,
    /// Number of draws of candidates.
    pub repeats: usize,
    /// Seed of the draws; each repeat has a separate stream.
    pub seed: Seed,
    /// How embeddings are compared.
    pub similarity: Similarity,
    pub ties: Ties,
    /// Are items of the same image distractors of each other (convention `identification-copies`)?
    pub copies: Copies,
}

impl Default for RetrievalOptions {
    fn default() -> Self {
        RetrievalOptions {
            candidates: 300,
            top_k: 1,
            repeats: 30,
            seed: Seed::default(),
            similarity: Similarity::Cosine,
            ties: Ties::default(),
            copies: Copies::default(),
        }
    }
}

/// Retrieval in both directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrieval {
    /// Brain to image: each brain embedding looks for its image.
    pub forward: Found,
    /// Image to brain.
    pub backward: Found,
    /// Positions of the items that took part.
    pub items: Vec<usize>,
    /// For each of them, the position of the first item of the same image, which has the same embedding.
    pub stimuli: Vec<usize>,
    /// Positions of the items that did not take part, and why one of their embeddings has no similarity (the image's
    /// embedding is that of the stimulus, the brain's that of the reconstruction).
    pub left_out: Vec<(usize, Undefined)>,
}

/// Retrieval in one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// For each repeat, the share of the drawn items that found their counterpart.
    pub repeats: Vec<f64>,
    /// For each item that took part, the probability that it finds its counterpart, over all draws that may contain it.
    pub expected: Vec<f64>,
    /// For each of them, the jackknife's pseudo-value, for which the item is removed both as a query and as a candidate
    /// of others ([`pseudo_values`](neurogauge_stats::u_statistic::pseudo_values)); undefined below three items.
    pub pseudo_values: Vec<Outcome>,
}

impl Found {
    /// The expectations as outcomes.
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.expected.iter().map(|&value| Ok(value)).collect()
    }

    fn columns(self) -> [Vec<Outcome>; 3] {
        [self.repeats.iter().map(|&share| Ok(share)).collect(), self.outcomes(), self.pseudo_values]
    }

    fn of_columns([repeats, expected, pseudo_values]: [Vec<Outcome>; 3]) -> Self {
        Found {
            repeats: repeats.into_iter().flatten().collect(),
            expected: expected.into_iter().flatten().collect(),
            pseudo_values,
        }
    }
}

/// Forward and backward retrieval, as reported by MindEye: `candidates` items are drawn. Each brain embedding among
/// them looks for its image embedding among those drawn (forward), and each image embedding for its brain embedding
/// (backward).
///
/// An item counts as found if it is among the `top_k` most similar. The share is taken over the drawn items, for each
/// of `repeats` draws; papers print the mean over draws. Its limit is also available in closed form, item by item
/// ([`Found::expected`]).
///
/// Items with equal image embeddings show the same image. If they are drawn together, neither is a distractor of the
/// other ([`Copies::LeaveOut`]).
///
/// - Shapes: `pairs` holds (brain, image), each with `n_features` values.
/// - Range: 0 to 1, higher is better; chance level `top_k` / `candidates`.
/// - Conventions: `retrieval-draws`, `identification-ties`, `identification-copies`.
/// - Undefined: nothing. An item whose embedding is empty, not finite, all zeros or (for correlation) constant is left
///   out, as a query and as a candidate.
/// - Errors: embeddings of different lengths;
///   more candidates than items.
/// - Reference: similarities and their order in NumPy 2.4.6: equal shares for equal draws.
///
/// ```
/// use neurogauge_metrics::decoding::retrieval::{RetrievalOptions, retrieve};
/// let pairs: [(&[f32], &[f32]); 2] = [(&[1.0, 0.0], &[0.9, 0.1]), (&[0.8, 0.6], &[0.0, 1.0])];
/// let options = RetrievalOptions { candidates: 2, ..RetrievalOptions::default() };
/// let found = retrieve(&pairs, &options).unwrap();
/// // The second brain embedding is nearer to the first image than to its own.
/// assert_eq!(found.forward.expected, [1.0, 0.0]);
/// assert_eq!(found.backward.expected, [1.0, 1.0]);
/// ```
pub fn retrieve<T: FeatureValue>(pairs: &[(&[T], &[T])], options: &RetrievalOptions) -> Result<Retrieval, MetricError> {
    let (brain, image): (Vec<&[T]>, Vec<&[T]>) = pairs.iter().copied().unzip();
    let matrix = similarities(&brain, &image, options.similarity)?;
    let items: Vec<usize> = (0..pairs.len()).filter(|&item| defect(&matrix, item).is_none()).collect();
    options.check(items.len())?;
    let draws: Vec<Vec<usize>> = (0..options.repeats as u64)
        .map(|repeat| {
            let mut items = items.clone();
            let mut rng = options.seed.stream(repeat);
            draw_to_front(&mut items, options.candidates, &mut rng).to_vec()
        })
        .collect();
    let stimuli = first_of_each(&image);
    let forward = |item: usize, other: usize| matrix.get(item, other);
    let backward = |item: usize, other: usize| matrix.get(other, item);
    Ok(Retrieval {
        forward: options.found((&items, &stimuli), &draws, forward),
        backward: options.found((&items, &stimuli), &draws, backward),
        left_out: (0..pairs.len()).filter_map(|item| Some((item, defect(&matrix, item)?))).collect(),
        stimuli: items.iter().map(|&item| stimuli[item]).collect(),
        items,
    })
}

/// [`retrieve`] with means of several trials' embeddings: the mean of the rows of `brain` that a subset has for an image
/// looks for it, and shares, expectations and pseudo-values are averaged over `subsets` (convention `trials`).
///
/// - Shapes: row i of `images` and entry i of each subset are image i.
/// - Errors: those of [`retrieve`]; a mean or an image that has no similarity.
pub fn retrieve_means(
    brain: &dyn RowSource,
    images: &[&[f64]],
    subsets: &[TrialSubset],
    options: &RetrievalOptions,
) -> Result<Retrieval, MetricError> {
    let (mut items, mut stimuli) = (Vec::new(), Vec::new());
    let columns = mean_over_subsets(subsets, |subset| {
        let means = MeanRows::new(brain, subset).held()?;
        let pairs: Vec<(&[f64], &[f64])> = means.iter().map(Vec::as_slice).zip(images.iter().copied()).collect();
        let found = retrieve(&pairs, options)?;
        if !found.left_out.is_empty() {
            let reason = "the mean of trials of an image, or the image, is similar to none (zero throughout, or for correlation constant)";
            return Err(StatsError::Data(reason.to_owned()).into());
        }
        (items, stimuli) = (found.items, found.stimuli);
        let [forward, backward] = [found.forward, found.backward].map(Found::columns);
        let ([a, b, c], [d, e, f]) = (forward, backward);
        Ok::<_, MetricError>([a, b, c, d, e, f])
    })?;
    let [a, b, c, d, e, f] = columns;
    Ok(Retrieval {
        forward: Found::of_columns([a, b, c]),
        backward: Found::of_columns([d, e, f]),
        items,
        stimuli,
        left_out: Vec::new(),
    })
}

/// For each row, the first row that equals it.
fn first_of_each<T: FeatureValue>(rows: &[&[T]]) -> Vec<usize> {
    let mut first: HashMap<Vec<u64>, usize> = HashMap::new();
    let of_row = |(place, row): (usize, &&[T])| {
        // Adding 0 removes the sign of -0.
        let bits = row.iter().map(|&value| (value.into() + 0.0).to_bits());
        *first.entry(bits.collect()).or_insert(place)
    };
    rows.iter().enumerate().map(of_row).collect()
}

/// The reason why an item takes no part, if it does not.
fn defect(matrix: &SimilarityMatrix, item: usize) -> Option<Undefined> {
    let of_brain = matrix.x_defect(item).map(|defect| defect.of(Side::Recon));
    of_brain.or_else(|| matrix.y_defect(item).map(|defect| defect.of(Side::Gt)))
}

impl RetrievalOptions {
    fn found(
        &self,
        (items, stimuli): (&[usize], &[usize]),
        draws: &[Vec<usize>],
        similarity: impl Fn(usize, usize) -> f64 + Sync,
    ) -> Found {
        let counts = |item: usize, candidates: &[usize]| {
            stop_if_asked();
            let others = candidates.iter().filter(|&&other| other != item);
            let in_its_way =
                others.clone().filter(|&&other| self.copies == Copies::Keep || stimuli[other] != stimuli[item]);
            let in_its_way: Vec<f64> = in_its_way.map(|&other| similarity(item, other)).collect();
            RankCounts {
                n_others: others.count(),
                ..RankCounts::of(similarity(item, item), &in_its_way)
            }
        };
        let chance = |counts: RankCounts| counts.success(self.candidates, self.top_k, self.ties);
        let share = |drawn: &Vec<usize>| {
            let found: f64 = (drawn.iter()).map(|&item| chance(counts(item, drawn))).sum();
            found / drawn.len() as f64
        };
        let ranked = |(place, &item): (usize, &usize)| RankedPair {
            pair: place,
            own: similarity(item, item),
            counts: counts(item, items),
        };
        let ranked: Vec<RankedPair> = parallel::map(items.len(), |place| ranked((place, &items[place])));
        let expected: Vec<f64> = ranked.iter().map(|ranked| chance(ranked.counts)).collect();
        let of_items: Vec<usize> = items.iter().map(|&item| stimuli[item]).collect();
        let all = vec![true; items.len()];
        let ways = Ways {
            n_way: self.candidates,
            top_k: self.top_k,
            ties: self.ties,
        };
        let mut jackknife = Jackknife::new(&of_items, &all, None, ways);
        jackknife.add(&ranked, |one, other| similarity(items[one], items[other]));
        let mut found = Found {
            repeats: parallel::map_each(draws, share),
            pseudo_values: Vec::new(),
            expected,
        };
        found.pseudo_values = jackknife.pseudo_values(&found.outcomes());
        found
    }

    fn check(&self, n_items: usize) -> Result<(), MetricError> {
        let invalid = |option, found: String, expected| Err(MetricError::option(option, found, expected));
        if self.candidates < 2 || self.candidates > n_items {
            let found = format!("{} with {n_items} items to draw from", self.candidates);
            let expected = "at least 2, and no more than there are items";
            return invalid("the number of candidates", found, expected);
        }
        if self.top_k == 0 || self.top_k >= self.candidates {
            let expected = "at least 1 and fewer than there are candidates, or everything is found";
            return invalid("top k", self.top_k.to_string(), expected);
        }
        if self.repeats == 0 {
            return invalid("the number of repeats", "0".to_owned(), "at least 1");
        }
        Ok(())
    }
}
