//! Figures of fits and of controls: whether sources recover more than response variance, rank or chance would.

use super::panel;
use crate::align::{Alignment, ContributionSummary, SourceSummary};
use crate::figure_files::Drawn;
use itertools::Itertools;
use neurogauge_alignment::UnitEstimate;
use neurogauge_alignment::study::{Baseline, ControlSummary, DirectionSummary, OTHER_SUBJECTS, is_group};
use neurogauge_report::figures::{Curve, CurvePanel, Curves, IntervalPanel, Intervals, Level};

/// The value of a control in a panel.
type Of = fn(&ControlSummary) -> UnitEstimate;

/// One panel for each quantity that some control has; `cells` are the rows and series of controls.
fn panels(alignment: &Alignment, first: (&str, Of), cells: &[(usize, usize, &ControlSummary)]) -> Vec<IntervalPanel> {
    let profile_mean = format!("ProfileMean({})", alignment.main_length());
    let quantities: [(&str, Of); 3] =
        [first, (&profile_mean, |own| own.profile_mean), ("prediction accuracy", |own| own.accuracy)];
    let panels =
        quantities.map(|(title, of)| panel(title, cells.iter().map(|&(row, series, own)| (row, series, of(own)))));
    panels.into_iter().filter(|panel| !panel.dots.is_empty()).collect()
}

/// One row for each group of sources, then one for each control; `None` without controls of subspaces.
pub(super) fn beside_sources(alignment: &Alignment) -> Drawn {
    let rows = shown(alignment).filter_map(|control| Some((label(control)?, control)));
    // Sources come first; the rest keeps its order.
    let rows = rows.sorted_by_key(|(_, row)| row.control != Baseline::Selected).collect_vec();
    if rows.iter().all(|(_, row)| row.control == Baseline::Selected) {
        return None;
    }
    let cells = rows.iter().enumerate().map(|(row, (_, control))| (row, 0, *control)).collect_vec();
    let is_there = |baseline: fn(Baseline) -> bool| rows.iter().any(|(_, control)| baseline(control.control));
    let mut caption = "Sources as they are, and subspaces in their place. ".to_owned();
    if is_there(|b| matches!(b, Baseline::TargetPca(_))) {
        caption.push_str(
            "Target PCA: leading components of the target's own training responses; consensus rank: as many as the \
             reference's consensus has. ",
        );
    }
    if is_there(|b| b == Baseline::RandomDirections) {
        caption.push_str("Random directions: as many, drawn in the response space. ");
    }
    if is_there(|b| b == Baseline::ResponsePermutation) {
        caption
            .push_str("Permuted: sources fitted to training responses in another order, everything selected again. ");
    }
    caption.push_str(&format!("Means over entries; {}.", alignment.interval_caption()));
    let panels = panels(alignment, ("FullRefCov", |own| own.full_ref_cov), &cells);
    let labels = rows.into_iter().map(|(label, _)| label);
    Some(Intervals::of("Recovery beside controls", labels, panels, caption).draw())
}

/// One row for each group of sources, with a dot for each rule that chooses ranks and partitions; `None` without such a
/// control.
pub(super) fn rank_rules(alignment: &Alignment) -> Drawn {
    let rule = |control: &ControlSummary| match control.control {
        Baseline::Selected => Some("selected rank".to_owned()),
        Baseline::FixedRank(rank) => Some(format!("rank {rank}")),
        Baseline::BalancedPartitions => Some("selected, balanced partitions".to_owned()),
        _ => None,
    };
    let found = shown(alignment).filter_map(|own| Some((own.sources.as_ref()?, rule(own)?, own))).collect_vec();
    let rows = found.iter().map(|(sources, ..)| *sources).unique().collect_vec();
    let series = found.iter().map(|(_, rule, _)| rule.clone()).unique().collect_vec();
    if series.len() < 2 {
        return None;
    }
    let cells = found.iter().filter_map(|(sources, rule, own)| {
        let row = rows.iter().position(|row| row == sources)?;
        Some((row, series.iter().position(|known| known == rule)?, *own))
    });
    let caption = format!(
        "BrainRefScore: ProfileMean over that of the median donor under the same rule. Means over entries; {}.",
        alignment.interval_caption()
    );
    let panels = panels(alignment, ("BrainRefScore", |own| own.brain_ref_score), &cells.collect_vec());
    let figure = Intervals {
        series,
        ..Intervals::of("Rules for ranks and partitions", rows, panels, caption)
    };
    Some(figure.draw())
}

/// One row for each group of sources, with a dot for each readout; `None` without that control.
pub(super) fn readouts(alignment: &Alignment) -> Drawn {
    let found = &alignment.record.summary.auxiliary;
    let estimates = found.iter().enumerate().flat_map(|(row, found)| {
        let readouts = [found.full, found.subspace, found.source_pca];
        (0..).zip(readouts).map(move |(series, estimate)| (row, series, estimate))
    });
    let panels = vec![panel("prediction accuracy", estimates)];
    let caption = format!(
        "Readouts selected on the reserved chunk, ranks to 32; source components: as many principal components \
         of the source as the subspace has dimensions. Means over entries; {}.",
        alignment.interval_caption()
    );
    let figure = Intervals {
        series: ["all features", "subspace", "source components"].map(str::to_owned).to_vec(),
        ..Intervals::of("What the subspace keeps", found.iter().map(|own| &own.sources), panels, caption)
    };
    (!found.is_empty()).then(|| figure.draw())
}

/// Selected rank, effective rank and stability, with one row for each source.
pub(super) fn diagnostics(alignment: &Alignment) -> Drawn {
    let sources = &alignment.record.summary.sources;
    let panel = |title, of: fn(&SourceSummary) -> UnitEstimate| {
        panel(title, sources.iter().enumerate().map(|(row, source)| (row, 0, of(source))))
    };
    let panels = vec![
        panel("selected rank", |source| source.selected_rank),
        panel("effective rank", |source| source.effective_rank),
        panel("stability between folds", |source| source.stability),
    ];
    let caption = format!(
        "Means over entries, each averaged over outer folds (stability: over pairs of folds); {}.",
        alignment.interval_caption()
    );
    let rows = sources.iter().map(|source| &source.source);
    let figure = Intervals::of("Fits on the side of the sources", rows, panels, caption);
    (!sources.is_empty()).then(|| figure.draw())
}

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

/// One row for each layer of each source, and one dot for each way to measure it; `None` without that control.
pub(super) fn contributions(alignment: &Alignment) -> Drawn {
    let found = &alignment.record.summary.contributions;
    type Of = fn(&ContributionSummary) -> UnitEstimate;
    let measures = |title: &str, of: &[Of]| {
        let rows = found.iter().enumerate();
        let dots = rows.flat_map(|(row, own)| of.iter().enumerate().map(move |(series, of)| (row, series, of(own))));
        IntervalPanel {
            levels: vec![Level::at(0.0, "nothing")],
            ..panel(title, dots)
        }
    };
    let mut series = vec!["alone".to_owned(), "lost without it".to_owned()];
    if found.iter().any(|own| own.shapley.mean.is_some()) {
        series.push("Shapley value".to_owned());
    }
    let profile_mean = format!("ProfileMean({})", alignment.main_length());
    let panels = vec![
        measures("recovered variance", &[|own| own.alone, |own| own.loss, |own| own.shapley]),
        measures(&profile_mean, &[|own| own.profile_mean_alone, |own| own.profile_mean_loss]),
    ];
    let caption = format!(
        "Recovered variance: r |r| of predicted and measured responses to test stimuli along the first directions, by their \
         weight; 0 for a layer that says nothing. ProfileMean has no zero floor. Means over entries; {}.",
        alignment.interval_caption()
    );
    let rows = found.iter().map(|own| format!("{} {}", own.source, own.block));
    let figure = Intervals {
        series,
        ..Intervals::of("Contributions of layers", rows, panels, caption)
    };
    (!found.is_empty()).then(|| figure.draw())
}

/// Controls of the target alone and of groups of sources.
fn shown(alignment: &Alignment) -> impl Iterator<Item = &ControlSummary> {
    alignment.record.summary.controls.iter().filter(|control| is_group(control.sources.as_ref()))
}

/// The label of the control's row beside the sources; `None` for a control of rules for ranks.
fn label(control: &ControlSummary) -> Option<String> {
    let of = control.sources.as_deref();
    match control.control {
        Baseline::Selected => of.map(str::to_owned),
        Baseline::TargetPca(rank) => Some(format!("target PCA, rank {rank}")),
        Baseline::TargetPcaMatched => Some("target PCA, consensus rank".to_owned()),
        Baseline::RandomDirections => Some("random directions".to_owned()),
        Baseline::ResponsePermutation => Some(format!("permuted, {}", of?)),
        Baseline::FixedRank(_) | Baseline::BalancedPartitions => None,
    }
}
