//! METEOR.

use neurogauge_core::{Lexicon, Outcome, Side, Undefined};
use std::collections::BTreeSet;

/// Share of recall in the weighted harmonic mean.
const ALPHA: f64 = 0.9;
/// Exponent and weight of the penalty on fragments.
const BETA: i32 = 3;
const GAMMA: f64 = 0.5;

/// METEOR (Banerjee and Lavie 2005, with the parameters of Lavie and Agarwal 2007) as NLTK defines it: words of the
/// caption are aligned with those of a reference, first equal words, then equal stems, then synonyms of stems. With m
/// aligned words in c runs that are contiguous on both sides, P = m / n_words and R = m / n_reference_words, (1 − 0.5
/// (c / m)³) · P R / (0.9 P + 0.1 R), the best over the references.
///
/// - Shapes: words of the decoded caption, and words of each of its references; `stem` gives a word's stem.
/// - Range: 0 to 1, higher is better. A perfect caption of n words has 1 − 0.5 / n³.
/// - Conventions: `meteor-nltk`, `meteor-words`.
/// - Undefined: no reference (`Empty`). 0 if no word is aligned.
/// - Reference: `nltk.translate.meteor_score` of NLTK 3.10.4, which Hugging Face's `evaluate` calls, to 1e-12 relative.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::meteor;
/// use neurogauge_metrics::decoding::basic_h::NoLexicon;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let stem = |word: &str| word.trim_end_matches('s').to_owned();
/// // Three words in one run: P = 1, R = 3/4; 0.5 / 27 is lost.
/// let score = meteor(&words("dog on mat"), &[words("the dogs on mat")], stem, &NoLexicon).unwrap();
/// assert!((score - (1.0 - 0.5 / 27.0) * 0.75 / 0.975).abs() < 1e-15);
/// ```
pub fn meteor(
    caption: &[String],
    references: &[Vec<String>],
    stem: impl Fn(&str) -> String,
    lexicon: &dyn Lexicon,
) -> Outcome {
    let scores = references.iter().map(|reference| with_reference(caption, reference, &stem, lexicon));
    scores.reduce(f64::max).ok_or(Undefined::Empty(Side::Gt))
}

fn with_reference(
    caption: &[String],
    reference: &[String],
    stem: &impl Fn(&str) -> String,
    lexicon: &dyn Lexicon,
) -> f64 {
    let aligned = align(caption, reference, stem, lexicon);
    if aligned.is_empty() {
        return 0.0;
    }
    let n_aligned = aligned.len() as f64;
    let precision = n_aligned / caption.len() as f64;
    let recall = n_aligned / reference.len() as f64;
    let mean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    let is_gap = |pair: &&[(usize, usize)]| pair[1] != (pair[0].0 + 1, pair[0].1 + 1);
    let n_runs = 1 + aligned.windows(2).filter(is_gap).count();
    let penalty = GAMMA * (n_runs as f64 / n_aligned).powi(BETA);
    (1.0 - penalty) * mean
}

/// Words that are not aligned yet, with their positions.
type Open = Vec<(usize, String)>;

/// The positions of aligned words in the caption and in the reference, in the caption's order.
fn align(
    caption: &[String],
    reference: &[String],
    stem: &impl Fn(&str) -> String,
    lexicon: &dyn Lexicon,
) -> Vec<(usize, usize)> {
    let open = |words: &[String]| -> Open { words.iter().map(|word| word.to_lowercase()).enumerate().collect() };
    let (mut caption, mut reference) = (open(caption), open(reference));
    let mut aligned = Vec::new();
    take_alike(&mut caption, &mut reference, |_| BTreeSet::new(), &mut aligned);
    for (_, word) in caption.iter_mut().chain(&mut reference) {
        *word = stem(word);
    }
    take_alike(&mut caption, &mut reference, |_| BTreeSet::new(), &mut aligned);
    // NLTK looks up the stems rather than the words.
    take_alike(&mut caption, &mut reference, |stem| lexicon.synonyms(stem), &mut aligned);
    aligned.sort_unstable();
    aligned
}

/// Aligns each word of the caption, from the last to the first, with the last word of the reference that is equal or
/// among `others`.
fn take_alike(
    caption: &mut Open,
    reference: &mut Open,
    others: impl Fn(&str) -> BTreeSet<String>,
    aligned: &mut Vec<(usize, usize)>,
) {
    for at in (0..caption.len()).rev() {
        let word = &caption[at].1;
        let others = others(word);
        let is_alike = |(_, other): &(usize, String)| {
            // A lemma of several words is not a synonym of a word.
            other == word || (!other.contains('_') && others.contains(other))
        };
        if let Some(found) = reference.iter().rposition(is_alike) {
            aligned.push((caption.remove(at).0, reference.remove(found).0));
        }
    }
}
