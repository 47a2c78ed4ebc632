//! VQA scores: a model's probability that reconstructions show what the captions of their stimuli describe.

use crate::json::{self, UniqueEntries};
use crate::{AtPath, FormatError, Problem};
use std::path::Path;

const EXPECTED: &str = "VQA scores as JSON, {\"stem\": 0.83}";

/// Reads the score of each pair, by stem in natural order.
///
/// The file is `{"stem": 0.83}`: for each pair, the probability, 0 to 1, of "yes" to the question whether the
/// reconstruction shows what the caption of its stimulus describes; `null` if missing.
///
/// # Errors
/// JSON faults with line and column (also a key that occurs twice, a value that is not a number); a number that is not
/// a probability; no stems.
pub fn read(path: &Path) -> Result<Vec<(String, Option<f64>)>, FormatError> {
    let file: UniqueEntries<Option<f64>> = json::read_as(path, EXPECTED)?;
    for (stem, score) in &file.0 {
        if let Some(score) = score.filter(|score| !(0.0..=1.0).contains(score)) {
            let found = format!("the score of {stem:?} is {score}");
            return Err(Problem::unexpected(found, "a probability, 0 to 1, or null").at(path));
        }
    }
    json::by_stem(file.0, format_args!("no pair in it; expected {EXPECTED}")).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_probability_is_refused_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vqa_scores.json");
        for (text, part) in [
            ("{\"7\": 1.5}", "the score of \"7\" is 1.5"),
            ("{\"7\": -0.1}", "0 to 1, or null"),
            ("{\"7\": \"high\"}", ":1:"),
            ("{\"7\": 0.1, \"7\": 0.2}", "occurs twice"),
            ("{}", "no pair in it"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
            assert!(message.contains("vqa_scores.json"), "{message}");
        }
    }
}
