//! Computes an entry again from its inputs.

use crate::entry::Entry;
use neurogauge::core::{Outcome, ScoreTable};
use neurogauge::{Error, InputPaths, ModelOverrides, Progress, RunSettings, repeat};
use std::path::Path;

/// Largest relative difference of two values that count as the same.
const SAME: f64 = 1e-9;
/// At most this many differences are listed.
const MOST_LISTED: usize = 20;

/// The result of computing an entry again.
#[derive(Debug, Clone, PartialEq)]
pub enum Verified {
    /// Every score has the same bits.
    SameBits,
    /// All scores are equal up to rounding, with this largest relative difference.
    SameValues(f64),
    Differs(Vec<String>),
}

/// Computes the scores of an entry from its inputs, which must have the hashes that `run.json` records, and compares
/// them with the scores of the entry. `moved` has the new paths of inputs that were moved; `settings.out` is where the
/// new run is written.
///
/// # Errors
/// Errors of [`Entry::read`]; an input that is missing or has another hash; errors of scoring.
pub fn verify(
    folder: &Path,
    moved: &InputPaths,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Verified, Error> {
    let entry = Entry::read(folder, &[])?;
    let models = ModelOverrides::default();
    let again = repeat(folder, moved, &models, settings, progress)?;
    Ok(compared(&entry.run.scores, &again.scores))
}

fn compared(entry: &ScoreTable, again: &ScoreTable) -> Verified {
    let mut differences = Vec::new();
    if entry.pairs != again.pairs {
        let first = entry.pairs.iter().zip(&again.pairs).find(|(own, found)| own != found);
        differences.push(match first {
            Some((own, found)) => format!("pair {own:?} where the inputs have {found:?}"),
            None => format!("{} pairs where the inputs have {}", entry.pairs.len(), again.pairs.len()),
        });
        return Verified::Differs(differences);
    }
    let mut largest = 0.0_f64;
    for (id, own) in &entry.columns {
        let Some(found) = again.column(id) else {
            differences.push(format!("{id}: not computed from the inputs"));
            continue;
        };
        for (pair, (own, found)) in entry.pairs.iter().zip(own.iter().zip(found)) {
            match relative_difference(own, found) {
                Some(share) if share <= SAME => largest = largest.max(share),
                _ => differences.push(format!(
                    "{id}, pair {pair:?}: {} in the entry, {} from the inputs",
                    in_words(own),
                    in_words(found)
                )),
            }
        }
    }
    let lacking = again.columns.iter().filter(|(id, _)| entry.column(id).is_none());
    differences.extend(lacking.map(|(id, _)| format!("{id}: not in the entry")));
    if differences.len() > MOST_LISTED {
        let more = differences.len() - MOST_LISTED;
        differences.truncate(MOST_LISTED);
        differences.push(format!("and {more} more"));
    }
    match (differences.is_empty(), largest == 0.0) {
        (false, _) => Verified::Differs(differences),
        (true, true) => Verified::SameBits,
        (true, false) => Verified::SameValues(largest),
    }
}

/// 0 if the bits or the reasons are equal; `None` if only one has a value, or if the reasons differ.
fn relative_difference(own: &Outcome, found: &Outcome) -> Option<f64> {
    match (own, found) {
        (Ok(own), Ok(found)) if own.to_bits() == found.to_bits() => Some(0.0),
        (Ok(own), Ok(found)) => Some((own - found).abs() / found.abs().max(f64::MIN_POSITIVE)),
        (Err(own), Err(found)) => (own.to_string() == found.to_string()).then_some(0.0),
        _ => None,
    }
}

fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => value.to_string(),
        Err(reason) => reason.to_string(),
    }
}
