//! ROUGE-1, ROUGE-2 and ROUGE-L as F1.

use super::ngrams::NGrams;
use super::rouge_l::common_subsequence;
use neurogauge_core::{Outcome, Side, Undefined};
use std::collections::HashMap;

/// ROUGE-N (Lin 2004) as F1: with m the number of runs of `n` words that caption and reference share (each at most as
/// often as in either), P = m / n_runs, R = m / n_reference_runs, 2 P R / (P + R), the best over the references.
///
/// - Shapes: words of the decoded caption, and words of each of its references; `n` from 1 to 4.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `rouge-words`, `rouge-f1`.
/// - Undefined: no reference (`Empty`). A caption or references shorter than `n` words score 0.
/// - Reference: `RougeScorer.score_multi` of rouge-score 0.1.2, to 1e-12 relative.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::rouge_n;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// // Two of two words, two of four: 2 · 1 · 0.5 / 1.5.
/// let score = rouge_n(&words("a mat"), &[words("a dog a mat")], 1).unwrap();
/// assert!((score - 2.0 / 3.0).abs() < 1e-15);
/// ```
pub fn rouge_n(caption: &[String], references: &[Vec<String>], n: usize) -> Outcome {
    let caption = NGrams::of(caption);
    let counts = caption.counts.get(n.wrapping_sub(1)).map_or(&[][..], Vec::as_slice);
    best(references, |reference| {
        let reference = NGrams::of(reference);
        let theirs = reference.counts.get(n.wrapping_sub(1)).into_iter().flatten();
        let theirs: HashMap<&str, u32> = theirs.map(|(run, count)| (run.as_str(), *count)).collect();
        let shared = |(run, count): &(String, u32)| theirs.get(run.as_str()).map_or(0, |other| *count.min(other));
        let n_shared: u32 = counts.iter().map(shared).sum();
        f1(n_shared as usize, caption.n_runs(n), reference.n_runs(n))
    })
}

/// ROUGE-L (Lin 2004) as F1: with l the length of the longest common subsequence of words, P = l / n_words and R = l /
/// n_reference_words, 2 P R / (P + R), the best over the references. COCO's ROUGE-L (`rouge_l`) gives recall more
/// weight and splits captions differently.
///
/// - Shapes: words of the decoded caption, and words of each of its references.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `rouge-words`, `rouge-f1`.
/// - Undefined: no reference (`Empty`). An empty caption or reference scores 0.
/// - Reference: `RougeScorer.score_multi` of rouge-score 0.1.2, to 1e-12 relative.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::rouge_l_f1;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// // "mat a" has one word in order: P = 1/2, R = 1/4.
/// let score = rouge_l_f1(&words("mat a"), &[words("a dog and mat")]).unwrap();
/// assert!((score - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn rouge_l_f1(caption: &[String], references: &[Vec<String>]) -> Outcome {
    let caption = borrowed(caption);
    best(references, |reference| {
        let n_common = common_subsequence(&caption, &borrowed(reference));
        f1(n_common, caption.len(), reference.len())
    })
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn best(references: &[Vec<String>], score: impl Fn(&[String]) -> f64) -> Outcome {
    let scores = references.iter().map(|reference| score(reference));
    scores.reduce(f64::max).ok_or(Undefined::Empty(Side::Gt))
}

fn f1(n_shared: usize, n: usize, n_reference: usize) -> f64 {
    if n_shared == 0 {
        return 0.0;
    }
    let (precision, recall) = (n_shared as f64 / n as f64, n_shared as f64 / n_reference as f64);
    2.0 * precision * recall / (precision + recall)
}
