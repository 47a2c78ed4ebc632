//! Computes precision, recall, F1 and their weighted mean from matches.

use super::matching::{GraphMatches, Matches};
use super::options::{BasicHOptions, NegativeCosines, Rules, SoftMatching};
use crate::MetricError;
use crate::error::part;
use neurogauge_core::{Outcome, Side, Sides, Undefined};
use neurogauge_stats::assign_max;

/// Precision, recall and F1 of one kind of element.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementScores {
    /// Share of the reconstruction's elements that the stimulus has.
    pub precision: Outcome,
    /// Share of the stimulus's elements that the reconstruction has.
    pub recall: Outcome,
    /// Their harmonic mean.
    pub f1: Outcome,
    /// The number of elements on each side, and how many of them are matched; similar elements count their cosines.
    /// `None` if a similarity is undefined.
    pub matched: Option<Sides<Matched>>,
    /// What elements without a match by words count on each side. Empty if nothing was compared, or if a similarity is
    /// undefined.
    pub nearest: Sides<Vec<Nearest>>,
}

/// The elements of one side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Matched {
    pub n: usize,
    /// Number of them that the other side has.
    pub n_matched: f64,
}

impl Matched {
    pub fn and(&self, other: &Matched) -> Matched {
        Matched {
            n: self.n + other.n,
            n_matched: self.n_matched + other.n_matched,
        }
    }
}

/// An element without a match by words, and the element of the other side whose similarity it counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Its position in [`Matches::unmatched_gt`].
    pub gt: usize,
    /// Its position in [`Matches::unmatched_recon`].
    pub recon: usize,
    /// Their cosine, as counted.
    pub similarity: f64,
}

/// The parts of BASIC-H.
#[derive(Debug, Clone, PartialEq)]
pub struct BasicHScores {
    pub objects: ElementScores,
    pub attributes: ElementScores,
    pub relations: ElementScores,
}

/// Precision, recall and F1 of objects, attributes and relations (BASIC, section 3.2 and Eq. 1 of its appendix C): of
/// n_r elements of the reconstruction and n_g of the stimulus, m are equal or synonyms, and the remaining ones count
/// their cosines c, in one sum for each side (s_r and s_g):
///
/// P = (m + s_r) / (n_r + ε), R = (m + s_g) / (n_g + ε), F1 = 2 P R / (P + R + ε).
///
/// If the soft stage takes the maximum of each side, s_r is the sum over the unmatched elements of the reconstruction of
/// the largest cosine with the unmatched elements of the stimulus, and s_g the other way round; if it pairs elements one
/// to one, both are the sum over the best assignment; without it both are 0.
///
/// - Shapes: `similarity` gives the cosine of a phrase of the stimulus and one of the reconstruction; it is called only
///   for elements that are unmatched on both sides ([`GraphMatches::phrases_to_embed`]).
/// - Range: 0 to 1, higher is better; with `NegativeCosines::Kept` slightly below 0 is possible. No chance
///   level: captions of different images share "boat" and "sky".
/// - Conventions: `basic-soft`, `basic-negative-cosines`, `basic-epsilon`.
/// - Undefined: with ε = 0, precision if the reconstruction has no element, recall if the stimulus has none, F1 if
///   neither has any; if only one has none, F1 is 0. With ε > 0 all of these are 0, as in CAPTURE. A cosine that is
///   undefined leaves its kind undefined.
/// - Errors: an option out of its range.
/// - Reference: CAPTURE 0.1.13 with preset `capture`, 1e-12 (embeddings in f64).
///
/// ```
/// use neurogauge_core::SceneGraph;
/// use neurogauge_metrics::decoding::basic_h::*;
/// let graph = |objects: &[&str]| SceneGraph {
///     objects: objects.iter().map(|object| (*object).to_owned()).collect(),
///     ..SceneGraph::default()
/// };
/// let options = BasicHOptions::default();
/// let (gt, recon) = (graph(&["boat", "sea"]), graph(&["boat", "lake", "tree"]));
/// let matches = match_words(&gt, &recon, &NoLexicon, &options.rules().unwrap());
/// let cosine = |_gt: &str, recon: &str| Ok(if recon == "lake" { 0.5 } else { 0.25 });
/// let objects = basic_h_scores(&matches, &cosine, &options).unwrap().objects;
/// assert_eq!(objects.precision, Ok((1.0 + 0.5 + 0.25) / 3.0));
/// assert_eq!(objects.recall, Ok((1.0 + 0.5) / 2.0));
/// ```
pub fn basic_h_scores(
    matches: &GraphMatches,
    similarity: &dyn Fn(&str, &str) -> Outcome,
    options: &BasicHOptions,
) -> Result<BasicHScores, MetricError> {
    let rules = options.rules()?;
    let scores = |of: &Matches| match nearest(of, similarity, &rules) {
        Ok(nearest) => element_scores(of, nearest, &rules),
        Err(reason) => ElementScores {
            precision: Err(reason.clone()),
            recall: Err(reason.clone()),
            f1: Err(reason),
            matched: None,
            nearest: Sides::default(),
        },
    };
    Ok(BasicHScores {
        objects: scores(&matches.objects),
        attributes: scores(&matches.attributes),
        relations: scores(&matches.relations),
    })
}

/// The similarities that unmatched elements of each side count with elements of the other side.
fn nearest(
    of: &Matches,
    similarity: &dyn Fn(&str, &str) -> Outcome,
    rules: &Rules,
) -> Result<Sides<Vec<Nearest>>, Undefined> {
    let (gt, recon) = (&of.unmatched_gt, &of.unmatched_recon);
    if rules.soft == SoftMatching::Off || gt.is_empty() || recon.is_empty() {
        return Ok(Sides::default());
    }
    let mut cosines = Vec::with_capacity(gt.len() * recon.len());
    for of_recon in recon {
        for of_gt in gt {
            let cosine = similarity(of_gt, of_recon)?;
            cosines.push(match rules.negative_cosines {
                NegativeCosines::Zero => cosine.max(0.0),
                NegativeCosines::Kept => cosine,
            });
        }
    }
    let near = |recon: usize, g: usize| Nearest {
        gt: g,
        recon,
        similarity: cosines[recon * gt.len() + g],
    };
    if rules.soft == SoftMatching::OneToOne {
        let pairs = assign_max(&cosines, recon.len(), gt.len());
        let pairs: Vec<Nearest> = pairs.into_iter().map(|(r, g)| near(r, g)).collect();
        return Ok(Sides::new(pairs.clone(), pairs));
    }
    let more_similar = |a: Nearest, b: Nearest| if b.similarity > a.similarity { b } else { a };
    let of_gt = |g| (0..recon.len()).map(|r| near(r, g)).reduce(more_similar);
    let of_recon = |r| (0..gt.len()).map(|g| near(r, g)).reduce(more_similar);
    Ok(Sides::new(
        (0..gt.len()).filter_map(of_gt).collect(),
        (0..recon.len()).filter_map(of_recon).collect(),
    ))
}

fn element_scores(of: &Matches, nearest: Sides<Vec<Nearest>>, rules: &Rules) -> ElementScores {
    let m = of.matched.len() as f64;
    let soft = |side: &[Nearest]| side.iter().map(|near| near.similarity).sum::<f64>();
    let (soft_gt, soft_recon) = (soft(&nearest.gt), soft(&nearest.recon));
    let matched = Sides {
        gt: Matched {
            n: of.n_elements(Side::Gt),
            n_matched: m + soft_gt,
        },
        recon: Matched {
            n: of.n_elements(Side::Recon),
            n_matched: m + soft_recon,
        },
    };
    let share = |side: Side| match matched.side(side) {
        Matched { n: 0, .. } if rules.epsilon == 0.0 => Err(Undefined::Empty(side)),
        Matched { n, n_matched } => Ok(n_matched / (*n as f64 + rules.epsilon)),
    };
    let (precision, recall) = (share(Side::Recon), share(Side::Gt));
    let f1 = match (&precision, &recall) {
        (Ok(p), Ok(r)) if p + r + rules.epsilon == 0.0 => Ok(0.0),
        (Ok(p), Ok(r)) => Ok(2.0 * p * r / (p + r + rules.epsilon)),
        // All of it was missed, or all of it was invented.
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => Ok(0.0),
        (Err(_), Err(_)) => Err(Undefined::Empty(Side::Gt)),
    };
    ElementScores {
        precision,
        recall,
        f1,
        matched: Some(matched),
        nearest,
    }
}

/// BASIC-H of one pair: the weighted mean of the three F1 (BASIC, section 3.2),
///
/// BASIC-H = (α₁ F1 of objects + α₂ F1 of attributes + α₃ F1 of relations) / (α₁ + α₂ + α₃),
///
/// with α = 4:4:2 by default and 5:5:2 with preset `capture`.
///
/// - Shapes: one outcome of each part.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `basic-weights`.
/// - Undefined: a part whose weight is not 0 has no value; the reason names the first.
/// - Errors: none; [`basic_h_scores`] refuses invalid weights, and here they give no value.
/// - Reference: Tables 2, S9, S10 and S12 of the paper, all rows within rounding:
///   `crates/metrics/tests/decoding/basic_h/paper_tables.rs`.
///
/// ```
/// use neurogauge_metrics::decoding::basic_h::{BasicHOptions, basic_h};
/// let options = BasicHOptions::default();
/// // NeuroVLA on NSD, Table 2: 47.88.
/// let score = basic_h(&Ok(0.6457), &Ok(0.2865), &Ok(0.5295), &options).unwrap();
/// assert!((score - 0.4788).abs() < 5e-5);
/// ```
pub fn basic_h(object_f1: &Outcome, attribute_f1: &Outcome, relation_f1: &Outcome, options: &BasicHOptions) -> Outcome {
    let Ok(rules) = options.rules() else {
        return Err(Undefined::MissingPart("a weight".to_owned()));
    };
    let parts = [
        ("basic_object_f1", object_f1),
        ("basic_attribute_f1", attribute_f1),
        ("basic_relation_f1", relation_f1),
    ];
    let mut sum = 0.0;
    for ((name, outcome), weight) in parts.into_iter().zip(rules.weights) {
        if weight > 0.0 {
            sum += weight * part(name, outcome)?;
        }
    }
    Ok(sum / rules.weights.iter().sum::<f64>())
}
