//! Figures that show whether sources recover more than response variance, rank or chance would.

use super::panel;
use crate::align::Alignment;
use crate::figure_files::Drawn;
use itertools::Itertools;
use neurogauge_alignment::UnitEstimate;
use neurogauge_alignment::study::{Baseline, ControlSummary, is_group};
use neurogauge_report::figures::{IntervalPanel, Intervals};

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
