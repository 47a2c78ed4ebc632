//! Is what sources recover more than response variance, rank or chance would?

use super::panel;
use crate::align::Alignment;
use neurogauge_alignment::UnitEstimate;
use neurogauge_alignment::study::{Baseline, ControlSummary, is_group};
use neurogauge_report::figures::Intervals;

type Of = fn(&ControlSummary) -> UnitEstimate;

/// A row for each group of sources, then one for each control; `None` without controls of subspaces.
pub(super) fn beside_sources(alignment: &Alignment) -> Option<Intervals> {
    let mut rows: Vec<(String, &ControlSummary)> =
        shown(alignment).filter_map(|control| Some((label(control)?, control))).collect();
    // The sources first; the rest keeps its order.
    rows.sort_by_key(|(_, row)| row.control != Baseline::Selected);
    if rows.iter().all(|(_, row)| row.control == Baseline::Selected) {
        return None;
    }
    let panel = |title: String, of: Of| {
        let rows = rows.iter().enumerate();
        panel(title, rows.map(|(row, (_, control))| (row, 0, of(control))))
    };
    let length = alignment.main_length();
    let mut panels = vec![
        panel("FullRefCov".to_owned(), |c| c.full_ref_cov),
        panel(format!("ProfileMean({length})"), |c| c.profile_mean),
        panel("prediction accuracy".to_owned(), |c| c.accuracy),
    ];
    panels.retain(|panel| !panel.dots.is_empty());
    let is_there = |baseline: &dyn Fn(Baseline) -> bool| rows.iter().any(|(_, control)| baseline(control.control));
    let mut caption = "Sources as they are, and subspaces in their place. ".to_owned();
    for (there, words) in [
        (
            is_there(&|b| matches!(b, Baseline::TargetPca(_))),
            "Target PCA: leading components of the target's own training responses; consensus rank: as many as the \
             reference's consensus has. ",
        ),
        (
            is_there(&|b| b == Baseline::RandomDirections),
            "Random directions: as many, drawn in the response space. ",
        ),
        (
            is_there(&|b| b == Baseline::ResponsePermutation),
            "Permuted: sources fitted to training responses in another order, everything selected again. ",
        ),
    ] {
        if there {
            caption.push_str(words);
        }
    }
    caption.push_str(&format!("Means over entries; {}.", alignment.interval_caption()));
    Some(Intervals {
        title: "Recovery beside controls".to_owned(),
        rows: rows.iter().map(|(label, _)| label.clone()).collect(),
        panels,
        caption,
        ..Intervals::default()
    })
}

/// A row for each group of sources, with a dot for each rule that chooses ranks and partitions; `None` without such
/// a control.
pub(super) fn rank_rules(alignment: &Alignment) -> Option<Intervals> {
    let mut rules: Vec<Baseline> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    let rule_of = |control: &ControlSummary| match control.control {
        rule @ (Baseline::Selected | Baseline::FixedRank(_) | Baseline::BalancedPartitions) => Some(rule),
        _ => None,
    };
    for control in shown(alignment) {
        let (Some(rule), Some(sources)) = (rule_of(control), &control.sources) else {
            continue;
        };
        if !rules.contains(&rule) {
            rules.push(rule);
        }
        if !rows.contains(&sources.as_str()) {
            rows.push(sources);
        }
    }
    if rules.len() < 2 {
        return None;
    }
    let panel = |title: String, of: Of| {
        let estimates = shown(alignment).filter_map(|control| {
            let rule = rule_of(control)?;
            let series = rules.iter().position(|known| *known == rule)?;
            let own = control.sources.as_deref()?;
            let row = rows.iter().position(|row| *row == own)?;
            Some((row, series, of(control)))
        });
        panel(title, estimates)
    };
    let length = alignment.main_length();
    let mut panels = vec![
        panel("BrainRefScore".to_owned(), |c| c.brain_ref_score),
        panel(format!("ProfileMean({length})"), |c| c.profile_mean),
        panel("prediction accuracy".to_owned(), |c| c.accuracy),
    ];
    panels.retain(|panel| !panel.dots.is_empty());
    let name = |rule: &Baseline| match rule {
        Baseline::FixedRank(rank) => format!("rank {rank}"),
        Baseline::BalancedPartitions => "selected, balanced partitions".to_owned(),
        _ => "selected rank".to_owned(),
    };
    Some(Intervals {
        title: "Rules for ranks and partitions".to_owned(),
        rows: rows.into_iter().map(str::to_owned).collect(),
        series: rules.iter().map(name).collect(),
        panels,
        caption: format!(
            "BrainRefScore: ProfileMean over that of the median donor under the same rule. Means over entries; {}.",
            alignment.interval_caption()
        ),
        ..Intervals::default()
    })
}

/// A row for each group of sources, with a dot for each readout; `None` without that control.
pub(super) fn readouts(alignment: &Alignment) -> Option<Intervals> {
    let found = &alignment.record.summary.auxiliary;
    if found.is_empty() {
        return None;
    }
    let estimates = found.iter().enumerate().flat_map(|(row, found)| {
        let readouts = [found.full, found.subspace, found.source_pca];
        (0..).zip(readouts).map(move |(series, estimate)| (row, series, estimate))
    });
    Some(Intervals {
        title: "What the subspace keeps".to_owned(),
        rows: found.iter().map(|found| found.sources.clone()).collect(),
        series: ["all features", "subspace", "source components"].map(str::to_owned).to_vec(),
        panels: vec![panel("prediction accuracy", estimates)],
        caption: format!(
            "Readouts selected on the reserved chunk, ranks to 32; source components: as many principal components \
             of the source as the subspace has dimensions. Means over entries; {}.",
            alignment.interval_caption()
        ),
        ..Intervals::default()
    })
}

/// Controls of the target alone and of groups of sources.
fn shown(alignment: &Alignment) -> impl Iterator<Item = &ControlSummary> {
    alignment.record.summary.controls.iter().filter(|control| is_group(control.sources.as_ref()))
}

/// The label of its row beside the sources; `None` for a control of the rules for ranks.
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
