//! Figures of the paper beyond those of the alignment.

use super::high_accuracy::of_both_folds;
use super::pair_categories::MAIN_LIMIT;
use super::region_figure::by_region;
use super::{DepthProfile, LayerScore, PaperReport, Quartiles, architectures, matched_pairs, objectives};
use crate::aligned::{Kind, brain_ref_score};
use neurogauge::report::figures::{
    Curve, CurvePanel, Curves, Dot, Fit, Heatmap, IntervalPanel, Intervals, Level, Point, Scatter, ScatterPanel,
};
use neurogauge::{Drawn, FigureOf, Figures, file_name};

/// All possible figures, except for bars of objectives: each family of models has such a figure.
pub(super) const FIGURES: [FigureOf<PaperReport>; 13] = [
    ("near_equal_pairs", matched_pairs::by_limit),
    ("matched_case", matched_pairs::nearest),
    ("pair_categories", pair_categories),
    ("cumulative_weights", cumulative),
    ("directions_by_region", by_region),
    ("high_accuracy", high_accuracy),
    ("next_fold", next_fold),
    ("depth", depth),
    ("layers", layers),
    ("score_by_rank", |own| Some(architectures::score_by_rank(&own.aligned)?.draw())),
    ("rank_by_architecture", architectures::rank_by_architecture),
    ("shape_distance", architectures::shape_distances),
    ("shape_by_architecture", architectures::shape_by_architecture),
];
/// The beginning of the name of a family's figure of objectives.
pub(super) const OBJECTIVES: &str = "objectives_of_";

pub(super) fn all(report: &PaperReport) -> Figures {
    let mut figures = Figures::of(&FIGURES, report);
    for family in &report.record.objectives {
        let name = format!("{OBJECTIVES}{}", file_name(&family.family));
        figures.add(name, objectives::bars(family, &report.aligned).draw());
    }
    figures
}

/// Every pair of nearly equal accuracy, by category (Figure 3C).
fn pair_categories(report: &PaperReport) -> Drawn {
    let found = report.record.pair_categories.iter();
    let found: Vec<_> = found.filter(|own| own.limit == MAIN_LIMIT && own.difference.n > 0).collect();
    let points = found.iter().enumerate().flat_map(|(row, own)| own.differences.iter().map(move |d| (row, *d)));
    let mut levels = vec![Level::at(0.0, "no difference")];
    levels.extend(found.first()?.human_threshold.map(|value| Level::at(value, "human threshold")));
    let dots = found.iter().map(|own| own.difference).enumerate();
    let dots = dots.filter_map(|(row, own)| Dot::estimate((row, 0), own.mean, own.interval));
    let panel = IntervalPanel {
        points: points.collect(),
        levels,
        ..IntervalPanel::of("Δ ProfileMean", dots)
    };
    let rows = found.iter().map(|own| format!("{} (n = {})", own.pairs, own.difference.n));
    let caption = format!(
        "Accuracies for one target unit differ by at most {MAIN_LIMIT}. Absolute differences, but pretrained less \
         untrained where a pair is one of these. Threshold: 90th percentile between two subjects. Means with {}.",
        report.aligned.interval_caption()
    );
    Some(Intervals::of("Pairs of nearly equal accuracy", rows, vec![panel], caption).draw())
}

/// The share of the weight in the first k directions (Figure 2C).
fn cumulative(report: &PaperReport) -> Drawn {
    let found = &report.record.references;
    let curve = |label: &str, shares: &[f64]| Curve::from_one(label, shares.iter().copied().map(Some));
    let curves = match found.by_region.as_slice() {
        [] | [_] => vec![curve("", &found.cumulative)],
        regions => regions.iter().map(|(region, shares)| curve(region, shares)).collect(),
    };
    let caption = format!("Means over references, one for each target unit and fold ({} in all).", found.n);
    let figure = Curves {
        x_label: "first k directions".to_owned(),
        y_label: "share of the weight".to_owned(),
        y_reaches: vec![0.0, 1.0],
        ..Curves::of("Cumulative reference weight", vec![CurvePanel::of("", curves)], caption)
    };
    (!found.cumulative.is_empty()).then(|| figure.draw())
}

/// BrainRefScore of the most accurate models (Figure 12 A and B).
fn high_accuracy(report: &PaperReport) -> Drawn {
    let found = report.record.high_accuracy.as_ref()?;
    let by_kind = &found.brain_ref_score;
    let mut panel = Quartiles::panel("BrainRefScore", by_kind, &report.aligned, |entry| {
        brain_ref_score(entry).filter(|_| entry.accuracy >= found.threshold)
    });
    panel.levels.push(Level::at(1.0, "median subject"));
    let caption = format!(
        "Entries of models with an accuracy of {:.3} or more, the highest quarter of {}. Dots: medians with quartiles.",
        found.threshold, found.n_entries
    );
    Some(Intervals::of("Where accuracy is highest", Quartiles::rows(by_kind), vec![panel], caption).draw())
}

/// ProfileMean of the same sources against the next fold's references (Figure 12 E).
fn next_fold(report: &PaperReport) -> Drawn {
    let (aligned, found) = (&report.aligned, report.record.next_fold.as_ref()?);
    let points = aligned.entries.iter().filter_map(|entry| Some((aligned.kind_of(entry), of_both_folds(entry)?)));
    let points: Vec<(Kind, (f64, f64))> = points.collect();
    let is_there = |kind: &Kind| points.iter().any(|(own, _)| own == kind);
    let groups: Vec<Kind> = Kind::ALL.into_iter().filter(is_there).collect();
    let place = |kind: &Kind| groups.iter().position(|known| known == kind);
    let placed = points.iter().filter_map(|(kind, (x, y))| Some(Point::of_group(place(kind)?, *x, *y)));
    let note = found.pearson.as_ref().map(|r| format!("models: n = {}, Pearson r = {r:.2}", found.n));
    let figure = Scatter {
        title: "Profiles on the next fold".to_owned(),
        x_label: format!("ProfileMean({}), same fold", aligned.settings().main_length()),
        y_label: "next fold".to_owned(),
        panels: vec![ScatterPanel {
            fit: Fit::Identity,
            note: note.unwrap_or_default(),
            ..ScatterPanel::of("", placed.collect())
        }],
        groups: groups.iter().map(|kind| kind.label().to_owned()).collect(),
        caption:
            "Each point is an entry (a source and a target unit). Next fold: against the reference of the reserved \
                  stimuli, which took no part in the fit. Line: both are equal."
                .to_owned(),
    };
    Some(figure.draw())
}

/// Scores over depth, with a curve for each model (Figure 10 A).
fn depth(report: &PaperReport) -> Drawn {
    let found = &report.record.depth;
    let has_brains = found.iter().flat_map(|own| &own.layers).any(|layer| layer.brain_ref_score.mean.is_some());
    let curves = found.iter().map(|own| {
        let scores = own.layers.iter().map(|layer| match has_brains {
            true => (layer.depth, layer.brain_ref_score),
            false => (layer.depth, layer.profile_mean),
        });
        let ends = scores.clone().filter_map(|(x, of)| of.interval.map(|(low, high)| (x, low, high)));
        Curve {
            interval: ends.collect(),
            ..Curve::of(own.model.as_str(), scores.map(|(x, of)| (x, of.mean)))
        }
    });
    let caption = format!("Each layer is a source by itself. Shade: {}.", report.aligned.interval_caption());
    let figure = Curves {
        x_label: "depth, from the first named layer (0) to the last (1)".to_owned(),
        y_label: if has_brains { "BrainRefScore" } else { "ProfileMean" }.to_owned(),
        ..Curves::of("Layers by depth", vec![CurvePanel::of("", curves)], caption)
    };
    (!found.is_empty()).then(|| figure.draw())
}

/// Scores of layers as numbers, with a row for each model (Figure 10 D and E).
fn layers(report: &PaperReport) -> Drawn {
    let found = &report.record.depth;
    let n_columns = found.iter().map(|own| own.layers.len()).max().unwrap_or(0);
    let names_of = |own: &DepthProfile| own.layers.iter().map(|layer| layer.layer.clone()).collect();
    let mut names: Vec<Vec<String>> = found.iter().map(names_of).collect();
    names.dedup();
    // Models of one family share the names of their layers.
    let columns = match names.as_slice() {
        [only] => only.clone(),
        _ => (1..=n_columns).map(|place| format!("layer {place}")).collect(),
    };
    let score = |of: &LayerScore| of.brain_ref_score.mean.or(of.profile_mean.mean);
    let row = |own: &DepthProfile| (0..n_columns).map(|place| score(own.layers.get(place)?)).collect();
    let figure = Heatmap {
        title: "Layers of each model".to_owned(),
        rows: found.iter().map(|own| own.model.clone()).collect(),
        columns,
        values: found.iter().map(row).collect(),
        decimals: 2,
        value_label: "BrainRefScore".to_owned(),
        caption: "Each layer is a source by itself; mean over target units.".to_owned(),
        ..Heatmap::default()
    };
    (!found.is_empty()).then(|| figure.draw())
}
