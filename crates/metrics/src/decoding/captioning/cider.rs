//! CIDEr.

use super::ngrams::{MAX_N, NGrams};
use neurogauge_core::{Outcome, Side, Undefined};
use std::collections::{HashMap, HashSet};

/// Width of the penalty on differences in length.
const SIGMA: f64 = 6.0;

/// The references of all images, and in how many of them each run of words occurs.
///
/// CIDEr-D (Vedantam et al. 2015, as COCO computes "CIDEr"): the mean over references and over runs of
/// n = 1 to 4 words of 10 · exp(−δ²/(2σ²)) · Σ min(g, h) g / (‖g‖ ‖h‖), where g and h hold each run's
/// count times its log inverse document frequency ln(N / max(1, df)) in reference and caption, δ is the
/// difference in length, and σ = 6.
///
/// - Shapes: for each of `n_stimuli` images a list of references, each a list of words.
/// - Range: 0 to 10, higher is better; people reach about 1.
/// - Conventions: `cider-documents` (document frequencies from the given references, which stay fixed in a bootstrap),
///   `cider-length` (lengths are counted in runs of two words), `caption-words`.
/// - Undefined: fewer than two images (all inverse document frequencies are 0); no
///   reference (`Empty`). An empty caption scores 0.
/// - Reference: pycocoevalcap 1.2, `Cider`, to 1e-12 relative.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::Cider;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let references = [vec![words("red cat")], vec![words("blue dog")]];
/// let cider = Cider::new(&references);
/// // Runs of one and of two words are right; there are none of three and four.
/// assert!((cider.score(0, &words("red cat")).unwrap() - 5.0).abs() < 1e-12);
/// assert_eq!(cider.score(1, &words("red cat")), Ok(0.0));
/// ```
#[derive(Debug)]
pub struct Cider {
    /// Each run's log inverse document frequency.
    rarity: HashMap<String, f64>,
    /// The log inverse document frequency of a run that no reference has.
    greatest_rarity: f64,
    /// Number of images that are counted.
    n_documents: u32,
    references: Vec<Vec<Vector>>,
}

impl Cider {
    /// Counts the images in which each run occurs.
    pub fn new(references: &[Vec<Vec<String>>]) -> Self {
        Cider::of_documents(references, |_| true)
    }

    /// Counts only some images: one of those that share their references.
    pub fn of_documents(references: &[Vec<Vec<String>>], is_document: impl Fn(usize) -> bool) -> Self {
        let ngrams: Vec<Vec<NGrams>> =
            references.iter().map(|captions| captions.iter().map(|words| NGrams::of(words)).collect()).collect();
        let mut documents: HashMap<&str, u32> = HashMap::new();
        let counted = ngrams.iter().enumerate().filter(|(image, _)| is_document(*image));
        let mut n_documents = 0;
        for (_, captions) in counted {
            n_documents += 1;
            let runs = captions.iter().flat_map(|caption| caption.counts.iter().flatten());
            for run in runs.map(|(run, _)| run.as_str()).collect::<HashSet<&str>>() {
                *documents.entry(run).or_default() += 1;
            }
        }
        let greatest_rarity = f64::from(n_documents).ln();
        let mut cider = Cider {
            rarity: documents.iter().map(|(&run, &n)| (run.to_owned(), greatest_rarity - f64::from(n).ln())).collect(),
            greatest_rarity,
            n_documents,
            references: Vec::new(),
        };
        cider.references = ngrams.iter().map(|captions| captions.iter().map(|c| cider.vector(c)).collect()).collect();
        cider
    }

    /// CIDEr of a caption of image `image` (an index into the given references).
    pub fn score(&self, image: usize, caption: &[String]) -> Outcome {
        let references = self.references.get(image).map_or(&[][..], Vec::as_slice);
        if references.is_empty() {
            return Err(Undefined::Empty(Side::Gt));
        }
        if self.n_documents < 2 {
            return Err(Undefined::TooFewItems);
        }
        let caption = self.vector(&NGrams::of(caption));
        let mut totals = [0.0; MAX_N];
        for reference in references {
            for (total, similarity) in totals.iter_mut().zip(caption.similarities(reference)) {
                *total += similarity;
            }
        }
        let mean = totals.iter().sum::<f64>() / MAX_N as f64;
        Ok(mean / references.len() as f64 * 10.0)
    }

    fn vector(&self, ngrams: &NGrams) -> Vector {
        let weights = ngrams.counts.each_ref().map(|counts| {
            let weighed = counts.iter().map(|(run, count)| {
                let rarity = self.rarity.get(run).unwrap_or(&self.greatest_rarity);
                (run.clone(), f64::from(*count) * rarity)
            });
            weighed.collect::<Vec<_>>()
        });
        let norms = weights.each_ref().map(|weights| weights.iter().map(|(_, w)| w * w).sum::<f64>().sqrt());
        let index = weights.each_ref().map(|weights| weights.iter().cloned().collect());
        Vector {
            weights,
            index,
            norms,
            length: ngrams.n_runs(2) as f64,
        }
    }
}

/// A caption as weights of its runs of words.
#[derive(Debug)]
struct Vector {
    weights: [Vec<(String, f64)>; MAX_N],
    index: [HashMap<String, f64>; MAX_N],
    norms: [f64; MAX_N],
    length: f64,
}

impl Vector {
    /// One similarity for each length of runs.
    fn similarities(&self, reference: &Vector) -> [f64; MAX_N] {
        let difference = self.length - reference.length;
        let penalty = (-(difference * difference) / (2.0 * SIGMA * SIGMA)).exp();
        std::array::from_fn(|n| {
            let product: f64 = self.weights[n]
                .iter()
                .filter_map(|(run, weight)| {
                    let other = reference.index[n].get(run)?;
                    Some(weight.min(*other) * other)
                })
                .sum();
            let norms = self.norms[n] * reference.norms[n];
            if norms == 0.0 {
                return product * penalty;
            }
            product / norms * penalty
        })
    }
}
