//! Coverage and prediction of single directions.

use crate::align::Alignment;
use crate::figure_files::Drawn;
use neurogauge_alignment::study::{DirectionSummary, OTHER_SUBJECTS, is_group};
use neurogauge_report::figures::{Curve, CurvePanel, Curves};

/// DirCov and direction-wise prediction by rank, with a curve for each group of sources; `None` without that control.
pub(super) fn by_rank(alignment: &Alignment) -> Drawn {
    let found = alignment.record.summary.directions.iter();
    let found: Vec<&DirectionSummary> = found.filter(|found| is_group(Some(&found.sources)) && found.n > 0).collect();
    let panel = |title: &str, place: usize| {
        let curves = found.iter().map(|found| Curve {
            dashed: found.sources == OTHER_SUBJECTS,
            ..Curve::from_one(&found.sources, found.by_rank.iter().map(|means| Some(means[place])))
        });
        CurvePanel::of(title, curves)
    };
    let panels = vec![panel("coverage (DirCov)", 0), panel("held-out prediction (Pearson r)", 1)];
    let caption = "Means over entries and folds that have a direction of that rank. Prediction: predicted and measured \
                   test responses along the direction. Late directions have little weight and vary from fold to fold.";
    let figure = Curves {
        x_label: "direction, by its rank in each fold's reference".to_owned(),
        y_reaches: vec![0.0, 1.0],
        ..Curves::of("Single directions of the reference", panels, caption)
    };
    (!found.is_empty()).then(|| figure.draw())
}
