//! A model's scores of a reconstruction and the caption of its stimulus.

use super::files::FileKind;
use super::{Needs, ObservedKind};
use crate::Error;
use crate::compute::{Computed, Context, Pairs, content};
use crate::option_names::{VLM_EXAMPLE, VLM_URL};
use neurogauge_core::ObservationKind;
use neurogauge_formats::{FormatError, vqa_scores};
use neurogauge_metrics::{Metric, ScoreFunction};
use std::path::Path;

pub(crate) struct VqaScoreKind;

impl FileKind for VqaScoreKind {
    const KIND: ObservationKind = ObservationKind::VqaScores;
    /// `None` if the model answered neither yes nor no.
    type Entry = Option<f64>;

    fn read(path: &Path) -> Result<Vec<(String, Option<f64>)>, FormatError> {
        vqa_scores::read(path)
    }

    fn needs(_metric: &Metric) -> Needs {
        Needs {
            to_give: vec![format!("captions of the stimuli and a vision-language model ({VLM_URL})")],
            options: VLM_EXAMPLE,
            ..Needs::of_file(ObservationKind::VqaScores).or_images(&format!(", captions of both sides and {VLM_URL}"))
        }
    }

    fn content(score: &f64) -> Option<u64> {
        content(&[*score])
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let metrics = context.functions::<ScoreFunction>(ObservationKind::VqaScores);
        let Some(scores) = Self::of(context.dataset) else {
            return Ok(());
        };
        // A metric has its own reason for a pair without a score.
        let pairs = Pairs::new(&scores.pairs, |_, pair| Ok(Ok(scores.sides.recon.0[pair.recon].1)));
        pairs.compare(&metrics, computed, |function, _, score| Ok(function(*score).into()))
    }
}
