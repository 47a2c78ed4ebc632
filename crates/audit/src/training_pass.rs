//! One pass over the training stimuli, a block at a time.

use neurogauge::Error;
use neurogauge::core::{Outcome, Progress, Undefined};
use neurogauge::stats::similarity::{ComparedRows, similarities_between};

/// Training stimuli whose similarities are in memory at a time.
const BLOCK: usize = 4096;

/// A row against all training stimuli.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AgainstTraining {
    /// The most similar training stimulus, and how similar it is; the first of equals. `None` for a row that is similar
    /// to none.
    pub(crate) nearest: Option<(usize, f64)>,
    /// Training stimuli that are more similar than the row's own stimulus.
    pub(crate) n_nearer: usize,
    /// Training stimuli that are exactly as similar.
    pub(crate) n_tied: usize,
}

impl AgainstTraining {
    pub(crate) const UNKNOWN: AgainstTraining = AgainstTraining {
        nearest: None,
        n_nearer: 0,
        n_tied: 0,
    };
}

/// The similarity of each row to its nearest training stimulus.
pub(crate) fn to_nearest(found: &[AgainstTraining]) -> Vec<Outcome> {
    found
        .iter()
        .map(|one| one.nearest.map_or(Err(Undefined::NoPairs), |(_, similarity)| Ok(similarity)))
        .collect()
}

/// Compares every row with every training stimulus.
///
/// `own` is the similarity of each row to its own stimulus (NaN if unknown); `excluded` is a training stimulus
/// that a row is not compared with, because it is that stimulus.
pub(crate) fn against_training(
    rows: &ComparedRows<'_>,
    own: &[f64],
    excluded: &[Option<usize>],
    training: &ComparedRows<'_>,
    (stage, progress): (&str, &dyn Progress),
) -> Result<Vec<AgainstTraining>, Error> {
    let mut found = vec![AgainstTraining::UNKNOWN; rows.n_rows()];
    progress.start(stage, training.n_rows() as u64, 0);
    for start in (0..training.n_rows()).step_by(BLOCK) {
        let block = start..training.n_rows().min(start + BLOCK);
        let n = block.len();
        let values = similarities_between((rows, 0..rows.n_rows()), (training, block))?;
        for (row, found) in found.iter_mut().enumerate() {
            for place in 0..n {
                let similarity = values.get(row, place);
                if similarity.is_nan() || excluded[row] == Some(start + place) {
                    continue;
                }
                if found.nearest.is_none_or(|(_, best)| similarity > best) {
                    found.nearest = Some((start + place, similarity));
                }
                found.n_nearer += usize::from(similarity > own[row]);
                found.n_tied += usize::from(similarity == own[row]);
            }
        }
        progress.advance(n as u64);
    }
    progress.finish();
    Ok(found)
}
