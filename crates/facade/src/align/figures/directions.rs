//! Coverage and prediction of single directions.

use crate::align::Alignment;
use neurogauge_alignment::study::{OTHER_SUBJECTS, is_group};
use neurogauge_report::figures::{Curve, CurvePanel, Curves};

/// DirCov and direction-wise prediction by rank, a curve for each group of sources; `None` without that
/// control.
pub(super) fn by_rank(alignment: &Alignment) -> Option<Curves> {
    let found = alignment.record.summary.directions.iter();
    let found: Vec<_> = found.filter(|found| is_group(Some(&found.sources)) && found.n > 0).collect();
    if found.is_empty() {
        return None;
    }
    let panel = |title: &str, place: usize| {
        let curves = found.iter().map(|found| {
            let points = found.by_rank.iter().enumerate().map(|(rank, means)| ((rank + 1) as f64, Some(means[place])));
            Curve {
                label: found.sources.clone(),
                points: points.collect(),
                markers: true,
                dashed: found.sources == OTHER_SUBJECTS,
                ..Curve::default()
            }
        });
        CurvePanel {
            title: title.to_owned(),
            curves: curves.collect(),
            ..CurvePanel::default()
        }
    };
    Some(Curves {
        title: "Single directions of the reference".to_owned(),
        x_label: "direction, by its rank in each fold's reference".to_owned(),
        y_reaches: vec![0.0, 1.0],
        panels: vec![panel("coverage (DirCov)", 0), panel("held-out prediction (Pearson r)", 1)],
        caption: "Means over entries and folds that have a direction of that rank. Prediction: predicted and measured \
                  test responses along the direction. Late directions have little weight and vary from fold to fold."
            .to_owned(),
        ..Curves::default()
    })
}
