//! ROUGE-L.

use neurogauge_core::{Outcome, Side, Undefined};

/// The weight of recall relative to precision.
const BETA: f64 = 1.2;

/// ROUGE-L (Lin 2004): with l the length of the longest common subsequence of words, precision
/// P = max l / n_words and recall R = max l / n_reference_words, each the best over the references;
/// (1 + β²) P R / (R + β² P), β = 1.2.
///
/// - Shapes: words of the decoded caption, and words of each of its references.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `rouge-l-best` (best precision and best recall may be those of two references),
///   `caption-words`.
/// - Undefined: no reference (`Empty`). An empty caption counts as one empty word: it scores 0, or 1 if a reference is
///   empty too.
/// - Reference: pycocoevalcap 1.2, `Rouge`, to 1e-12 relative.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::rouge_l;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// // P = 2/2, R = 2/4: 2.44 * 0.5 / (0.5 + 1.44).
/// let score = rouge_l(&words("a mat"), &[words("a dog a mat")]).unwrap();
/// assert!((score - 1.22 / 1.94).abs() < 1e-15);
/// ```
pub fn rouge_l(caption: &[String], references: &[Vec<String>]) -> Outcome {
    if references.is_empty() {
        return Err(Undefined::Empty(Side::Gt));
    }
    let caption = words_of(caption);
    let (mut precision, mut recall) = (0.0_f64, 0.0_f64);
    for reference in references {
        let reference = words_of(reference);
        let common = common_subsequence(&caption, &reference) as f64;
        precision = precision.max(common / caption.len() as f64);
        recall = recall.max(common / reference.len() as f64);
    }
    if precision == 0.0 || recall == 0.0 {
        return Ok(0.0);
    }
    let weight = BETA * BETA;
    Ok((1.0 + weight) * precision * recall / (recall + weight * precision))
}

/// The words; an empty caption is one empty word.
fn words_of(caption: &[String]) -> Vec<&str> {
    if caption.is_empty() {
        return vec![""];
    }
    caption.iter().map(String::as_str).collect()
}

/// Length of the longest common subsequence.
pub(super) fn common_subsequence(a: &[&str], b: &[&str]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        for (j, other) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if word == other { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}
