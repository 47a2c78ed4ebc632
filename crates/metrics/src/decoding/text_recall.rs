//! The share of a stimulus' written words that its reconstruction shows.

use neurogauge_core::{Outcome, Side, Undefined, comparable};
use std::collections::HashMap;

/// The share of the words written in a stimulus that are also written in its reconstruction, in any order and place.
/// The definition is ours: BASIC's Table 1 names text in images as a dimension but does not score it.
///
/// Recall = Σ_w min(n_w, m_w) / Σ_w n_w over the words w, with n_w of them in the texts of the stimulus and m_w in
/// those of the reconstruction. Words are the longest runs of letters and digits of the [comparable] text: lower case,
/// normalised to NFKC, without invisible characters.
///
/// - Shapes: any number of texts on either side, as a model reads them.
/// - Range: 0 to 1, higher is better. Chance depends on the images.
/// - Conventions: `image-texts`.
/// - Undefined: the stimulus has no words.
/// - Errors: none.
/// - Reference: `reference/text_recall.py`, `collections.Counter` of Python's words, 1e-15.
///
/// ```
/// use neurogauge_metrics::decoding::text_recall::text_recall;
/// let of = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
/// // Of "main", "st" and "stop", the second and the third are found.
/// assert_eq!(text_recall(&of(&["Main St.", "STOP"]), &of(&["Stop", "St Mary"])), Ok(2.0 / 3.0));
/// assert!(text_recall(&of(&[]), &of(&["Stop"])).is_err());
/// ```
pub fn text_recall(gt: &[String], recon: &[String]) -> Outcome {
    let (gt, recon) = (words(gt), words(recon));
    let n: usize = gt.values().sum();
    if n == 0 {
        return Err(Undefined::Because(format!("no text in the {}", Side::Gt).into()));
    }
    let found: usize = gt.iter().map(|(word, n)| recon.get(word).map_or(0, |m| *m.min(n))).sum();
    Ok(found as f64 / n as f64)
}

/// How often each word occurs.
fn words(texts: &[String]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in texts {
        for word in comparable(text).split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_owned()).or_insert(0) += 1;
        }
    }
    counts
}
