//! BLEU-1 to BLEU-4.

use super::ngrams::{MAX_N, NGrams};
use neurogauge_core::{Side, Undefined};
use std::collections::HashMap;
use std::ops::AddAssign;

/// Added to counts of matches, so that logarithms exist even if nothing matches.
const TINY: f64 = 1e-15;
const SMALL: f64 = 1e-9;

/// The counts that BLEU needs from a caption; their sum over captions gives the BLEU of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BleuCounts {
    /// Words of the decoded caption.
    pub n_words: usize,
    /// Words of the reference with the nearest length (the shorter of two equally near ones).
    pub n_reference_words: usize,
    /// Runs of 1 to 4 words in the decoded caption.
    pub runs: [usize; MAX_N],
    /// Number of these runs that a reference has too, each at most as often as in one reference.
    pub matches: [usize; MAX_N],
}

/// Counts for BLEU (Papineni et al. 2002) of one decoded caption with its references.
///
/// BLEU-n is the geometric mean of the shares of matching runs of 1 to n words,
/// (Π (m_k + 1e-15) / (r_k + 1e-9))^(1/n), times exp(1 − c⁻¹) where the ratio c of the decoded to the
/// reference length is below 1.
///
/// - Shapes: words of the decoded caption, and words of each of its references.
/// - Range of [`BleuCounts::scores`]: 0 to 1, higher is better.
/// - Conventions: `bleu-corpus` (counts are added up over images before anything is divided),
///   `caption-words`.
/// - Undefined: no reference (`Empty`). An empty caption scores 0 (1e-10 and less, by the constants).
/// - Reference: pycocoevalcap 1.2, `Bleu(4)`, to 1e-12 relative, of a corpus and of each caption.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::bleu_counts;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let counts = bleu_counts(&words("a dog on a mat"), &[words("a dog sat on a mat")]).unwrap();
/// assert_eq!((counts.runs, counts.matches), ([5, 4, 3, 2], [5, 3, 1, 0]));
/// // All words are right, but there are 5 of 6: exp(1 - 6/5).
/// assert!((counts.scores()[0] - (-0.2_f64).exp()).abs() < 1e-8);
/// ```
pub fn bleu_counts(caption: &[String], references: &[Vec<String>]) -> Result<BleuCounts, Undefined> {
    let caption = NGrams::of(caption);
    let references: Vec<NGrams> = references.iter().map(|words| NGrams::of(words)).collect();
    let n_words = caption.n_words;
    let Some(n_reference_words) = references
        .iter()
        .map(|reference| reference.n_words)
        .min_by_key(|&length| (length.abs_diff(n_words), length))
    else {
        return Err(Undefined::Empty(Side::Gt));
    };
    let mut counts = BleuCounts {
        n_words,
        n_reference_words,
        ..BleuCounts::default()
    };
    for n in 0..MAX_N {
        let mut most: HashMap<&str, u32> = HashMap::new();
        for (run, count) in references.iter().flat_map(|r| &r.counts[n]) {
            let most = most.entry(run).or_default();
            *most = (*most).max(*count);
        }
        counts.runs[n] = caption.n_runs(n + 1);
        counts.matches[n] = caption.counts[n]
            .iter()
            .map(|(run, count)| most.get(run.as_str()).map_or(0, |&most| most.min(*count)) as usize)
            .sum();
    }
    Ok(counts)
}

impl BleuCounts {
    pub fn scores(&self) -> [f64; MAX_N] {
        let mut sums = Weighted::default();
        sums.add(self, 1.0);
        sums.scores()
    }
}

/// The first-order contribution of each caption to BLEU-n of the corpus: values whose mean is BLEU-n of the corpus, B,
/// for the summed counts S, and whose spread is that of B, Bᵢ = B + N ∇B(S) · (sᵢ − S/N). The mean over a subset of
/// captions is its BLEU to first order.
///
/// If captions have weights wᵢ (those of the samples of an item add up to 1), S = Σ wᵢ sᵢ and N = Σ wᵢ.
///
/// - Shapes: the counts of each caption and its weight; `n` from 1 to 4.
/// - Conventions: `bleu-corpus`.
/// - Reference: the sum of counts, to 1e-12, and finite differences of it, to 1e-6.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::{bleu_counts, corpus_shares};
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let counts = [("a dog", "a dog"), ("a cat", "a car")].map(|(a, b)| bleu_counts(&words(a), &[words(b)]).unwrap());
/// let shares = corpus_shares(&counts.map(|counts| (counts, 1.0)), 1);
/// assert!((shares.iter().sum::<f64>() / 2.0 - 0.75).abs() < 1e-9);
/// assert!((shares[0] - 1.0).abs() < 1e-9 && (shares[1] - 0.5).abs() < 1e-9);
/// ```
pub fn corpus_shares(counts: &[(BleuCounts, f64)], n: usize) -> Vec<f64> {
    let mut total = Weighted::default();
    for (own, weight) in counts {
        total.add(own, *weight);
    }
    let bleu = total.scores()[n - 1];
    let (words, references) = (total.n_words + TINY, total.n_reference_words + SMALL);
    // The derivative of log BLEU, times counts.
    let change = |own: &Weighted| {
        let run = |k: usize| own.matches[k] / (total.matches[k] + TINY) - own.runs[k] / (total.runs[k] + SMALL);
        let runs = (0..n).map(run).sum::<f64>() / n as f64;
        let brevity = match words < references {
            true => (references / words * own.n_words - own.n_reference_words) / words,
            false => 0.0,
        };
        runs + brevity
    };
    let of_all = change(&total);
    let n_captions: f64 = counts.iter().map(|(_, weight)| weight).sum();
    let share = |(own, _): &(BleuCounts, f64)| {
        let mut once = Weighted::default();
        once.add(own, 1.0);
        bleu * (1.0 + n_captions * change(&once) - of_all)
    };
    counts.iter().map(share).collect()
}

/// Weighted sums of counts.
#[derive(Default)]
struct Weighted {
    n_words: f64,
    n_reference_words: f64,
    runs: [f64; MAX_N],
    matches: [f64; MAX_N],
}

impl Weighted {
    fn add(&mut self, other: &BleuCounts, weight: f64) {
        self.n_words += weight * other.n_words as f64;
        self.n_reference_words += weight * other.n_reference_words as f64;
        for n in 0..MAX_N {
            self.runs[n] += weight * other.runs[n] as f64;
            self.matches[n] += weight * other.matches[n] as f64;
        }
    }

    fn scores(&self) -> [f64; MAX_N] {
        let ratio = (self.n_words + TINY) / (self.n_reference_words + SMALL);
        let brevity = if ratio < 1.0 { (1.0 - 1.0 / ratio).exp() } else { 1.0 };
        let mut product = 1.0;
        let mut scores = [0.0; MAX_N];
        for (n, score) in scores.iter_mut().enumerate() {
            product *= (self.matches[n] + TINY) / (self.runs[n] + SMALL);
            *score = f64::powf(product, 1.0 / (n + 1) as f64) * brevity;
        }
        scores
    }
}

impl AddAssign for BleuCounts {
    fn add_assign(&mut self, other: Self) {
        self.n_words += other.n_words;
        self.n_reference_words += other.n_reference_words;
        for n in 0..MAX_N {
            self.runs[n] += other.runs[n];
            self.matches[n] += other.matches[n];
        }
    }
}
