//! Figures of the paper beyond those of the alignment.

use super::pair_categories::MAIN_LIMIT;
use super::region_figure::by_region;
use super::{HighAccuracy, PaperRecord, Quartiles, architectures, matched_pairs, objectives};
use crate::aligned::{Aligned, Kind};
use neurogauge::align::Matched;
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{
    ColourScale, Curve, CurvePanel, Curves, Dot, Fit, Heatmap, IntervalPanel, Intervals, Level, Point, Scatter,
    ScatterPanel,
};
use neurogauge::{Figures, file_name};

/// The names of all possible figures.
pub(super) const NAMES: [&str; 13] = [
    "near_equal_pairs",
    "matched_case",
    "pair_categories",
    "cumulative_weights",
    "directions_by_region",
    "high_accuracy",
    "next_fold",
    "depth",
    "layers",
    "score_by_rank",
    "rank_by_architecture",
    "shape_distance",
    "shape_by_architecture",
];
/// The beginning of the name of the figure of a family's objectives.
pub(super) const OBJECTIVES: &str = "objectives_of_";

pub(super) fn all(record: &PaperRecord, matched: &[Matched], aligned: &Aligned) -> Figures {
    let mut figures = Figures::default();
    if let Some(intervals) = matched_pairs::by_limit(matched, aligned) {
        figures.add("near_equal_pairs", intervals.draw());
    }
    if let Some(found) = &record.matched_case {
        figures.add("matched_case", matched_pairs::nearest(found, aligned).draw());
    }
    if let Some(intervals) = pair_categories(record, aligned) {
        figures.add("pair_categories", intervals.draw());
    }
    if !record.references.cumulative.is_empty() {
        figures.add("cumulative_weights", cumulative(record).draw());
        figures.add("directions_by_region", by_region(aligned).draw());
    }
    if let Some(found) = &record.high_accuracy {
        figures.add("high_accuracy", high_accuracy(found, aligned).draw());
    }
    if record.next_fold.is_some() {
        figures.add("next_fold", next_fold(record, aligned).draw());
    }
    if !record.depth.is_empty() {
        figures.add("depth", depth(record, aligned).draw());
        figures.add("layers", layers(record).draw());
    }
    for family in &record.objectives {
        let name = format!("{OBJECTIVES}{}", file_name(&family.family));
        figures.add(name, objectives::bars(family, aligned).draw());
    }
    if let Some(scatter) = architectures::score_by_rank(aligned) {
        figures.add("score_by_rank", scatter.draw());
    }
    let shapes = &record.architectures;
    if let Some(bars) = architectures::rank_by_architecture(shapes, aligned) {
        figures.add("rank_by_architecture", bars.draw());
    }
    if let Some(intervals) = architectures::shape_distances(&record.shape_distances, aligned) {
        figures.add("shape_distance", intervals.draw());
    }
    if let Some(bars) = architectures::shape_by_architecture(shapes, aligned) {
        figures.add("shape_by_architecture", bars.draw());
    }
    figures
}

/// Every pair of nearly equal accuracy, by category (Figure 3C).
fn pair_categories(record: &PaperRecord, aligned: &Aligned) -> Option<Intervals> {
    let found = record.pair_categories.iter().filter(|own| own.limit == MAIN_LIMIT && own.difference.n > 0);
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return None;
    }
    let points = found.iter().enumerate().flat_map(|(row, own)| own.differences.iter().map(move |d| (row, *d)));
    let mut levels = vec![Level {
        label: "no difference".to_owned(),
        value: 0.0,
    }];
    levels.extend(found[0].human_threshold.map(|value| Level {
        label: "human threshold".to_owned(),
        value,
    }));
    Some(Intervals {
        title: "Pairs of nearly equal accuracy".to_owned(),
        rows: found.iter().map(|own| format!("{} (n = {})", own.pairs, own.difference.n)).collect(),
        panels: vec![IntervalPanel {
            title: "Δ ProfileMean".to_owned(),
            dots: dots(found.iter().map(|own| own.difference)),
            points: points.collect(),
            levels,
            ..IntervalPanel::default()
        }],
        caption: format!(
            "Accuracies for one target unit differ by at most {MAIN_LIMIT}. Absolute differences, but pretrained less \
             untrained where a pair is one of these. Threshold: 90th percentile between two subjects. Means with {}.",
            aligned.interval_caption()
        ),
        ..Intervals::default()
    })
}

fn dots(estimates: impl Iterator<Item = UnitEstimate>) -> Vec<Dot> {
    estimates
        .enumerate()
        .filter_map(|(row, own)| Dot::estimate((row, 0), own.mean, own.interval))
        .collect()
}

/// The share of the weight in the first k directions (Figure 2C).
fn cumulative(record: &PaperRecord) -> Curves {
    let found = &record.references;
    let curve = |label: &str, shares: &[f64]| Curve {
        label: label.to_owned(),
        points: (shares.iter().enumerate()).map(|(k, share)| ((k + 1) as f64, Some(*share))).collect(),
        markers: true,
        ..Curve::default()
    };
    let curves = match found.by_region.as_slice() {
        [] | [_] => vec![curve("", &found.cumulative)],
        regions => (regions.iter()).map(|(region, shares)| curve(region, shares)).collect(),
    };
    Curves {
        title: "Cumulative reference weight".to_owned(),
        x_label: "first k directions".to_owned(),
        y_label: "share of the weight".to_owned(),
        y_reaches: vec![0.0, 1.0],
        panels: vec![CurvePanel {
            curves,
            ..CurvePanel::default()
        }],
        caption: format!("Means over references, one for each target unit and fold ({} in all).", found.n),
        ..Curves::default()
    }
}

fn quartile_dots(groups: &[(String, Quartiles)]) -> Vec<Dot> {
    let dots = groups.iter().enumerate().map(|(row, (_, of))| Dot {
        row,
        value: of.quartiles[1],
        interval: Some((of.quartiles[0], of.quartiles[2])),
        ..Dot::default()
    });
    dots.collect()
}

/// BrainRefScore of the most accurate models (Figure 12 A and B).
fn high_accuracy(found: &HighAccuracy, aligned: &Aligned) -> Intervals {
    let points = found.brain_ref_score.iter().enumerate().flat_map(|(row, (label, _))| {
        let own = aligned.entries.iter().filter(move |entry| {
            !entry.donor && entry.accuracy >= found.threshold && aligned.kind_of(entry).label() == label
        });
        own.filter_map(move |entry| Some((row, entry.recovered.as_ref().ok()?.brain_ref_score?)))
    });
    Intervals {
        title: "Where accuracy is highest".to_owned(),
        rows: rows(&found.brain_ref_score),
        panels: vec![IntervalPanel {
            title: "BrainRefScore".to_owned(),
            dots: quartile_dots(&found.brain_ref_score),
            points: points.collect(),
            levels: vec![Level {
                label: "median subject".to_owned(),
                value: 1.0,
            }],
            ..IntervalPanel::default()
        }],
        caption: format!(
            "Entries of models with an accuracy of {:.3} or more, the highest quarter of {}. Dots: medians with quartiles.",
            found.threshold, found.n_entries
        ),
        ..Intervals::default()
    }
}

fn rows(groups: &[(String, Quartiles)]) -> Vec<String> {
    groups.iter().map(|(label, of)| format!("{label} (n = {})", of.n)).collect()
}

/// The same sources against the next fold's references (Figure 12 E).
fn next_fold(record: &PaperRecord, aligned: &Aligned) -> Scatter {
    let points = aligned.entries.iter().filter_map(|entry| {
        let recovered = entry.recovered.as_ref().ok()?;
        Some((aligned.kind_of(entry), recovered.profile_mean()?, recovered.next_fold?))
    });
    let points: Vec<(Kind, f64, f64)> = points.collect();
    let is_there = |kind: &Kind| points.iter().any(|(own, ..)| own == kind);
    let groups: Vec<Kind> = Kind::ALL.into_iter().filter(is_there).collect();
    let placed = points.iter().filter_map(|(kind, x, y)| {
        Some(Point {
            group: groups.iter().position(|known| known == kind)?,
            ..Point::at(*x, *y)
        })
    });
    let mut note = String::new();
    if let Some(found) = &record.next_fold
        && let Ok(r) = found.pearson
    {
        note = format!("models: n = {}, Pearson r = {r:.2}", found.n);
    }
    let length = aligned.settings().main_length();
    Scatter {
        title: "Profiles on the next fold".to_owned(),
        x_label: format!("ProfileMean({length}), same fold"),
        y_label: "next fold".to_owned(),
        panels: vec![ScatterPanel {
            points: placed.collect(),
            fit: Fit::Identity,
            note,
            ..ScatterPanel::default()
        }],
        groups: groups.iter().map(|kind| kind.label().to_owned()).collect(),
        caption:
            "Each point is an entry (a source and a target unit). Next fold: against the reference of the reserved \
                  stimuli, which took no part in the fit. Line: both are equal."
                .to_owned(),
    }
}

/// Scores over depth, a curve for each model (Figure 10 A).
fn depth(record: &PaperRecord, aligned: &Aligned) -> Curves {
    let has_brains = record
        .depth
        .iter()
        .flat_map(|found| &found.layers)
        .any(|layer| layer.brain_ref_score.mean.is_some());
    let curves = record.depth.iter().map(|found| {
        let scores = found.layers.iter().map(|layer| {
            let score = if has_brains {
                layer.brain_ref_score
            } else {
                layer.profile_mean
            };
            (layer.depth, score)
        });
        let scores: Vec<(f64, UnitEstimate)> = scores.collect();
        let ends = scores.iter().filter_map(|(x, of)| of.interval.map(|(low, high)| (*x, low, high)));
        Curve {
            label: found.model.clone(),
            points: scores.iter().map(|(x, of)| (*x, of.mean)).collect(),
            interval: ends.collect(),
            markers: true,
            ..Curve::default()
        }
    });
    Curves {
        title: "Layers by depth".to_owned(),
        x_label: "depth, from the first named layer (0) to the last (1)".to_owned(),
        y_label: if has_brains { "BrainRefScore" } else { "ProfileMean" }.to_owned(),
        panels: vec![CurvePanel {
            curves: curves.collect(),
            ..CurvePanel::default()
        }],
        caption: format!("Each layer is a source by itself. Shade: {}.", aligned.interval_caption()),
        ..Curves::default()
    }
}

/// The same as numbers, a row for each model (Figure 10 D and E).
fn layers(record: &PaperRecord) -> Heatmap {
    let n_columns = record.depth.iter().map(|found| found.layers.len()).max().unwrap_or(0);
    let names = record
        .depth
        .iter()
        .map(|found| found.layers.iter().map(|layer| layer.layer.as_str()).collect::<Vec<&str>>());
    let mut names: Vec<Vec<&str>> = names.collect();
    names.dedup();
    // Models of one family share the names of their layers.
    let columns = match names.as_slice() {
        [only] => only.iter().map(|name| (*name).to_owned()).collect(),
        _ => (1..=n_columns).map(|place| format!("layer {place}")).collect(),
    };
    let score = |of: &super::LayerScore| of.brain_ref_score.mean.or(of.profile_mean.mean);
    Heatmap {
        title: "Layers of each model".to_owned(),
        rows: record.depth.iter().map(|found| found.model.clone()).collect(),
        columns,
        values: record
            .depth
            .iter()
            .map(|found| {
                (0..n_columns).map(|place| found.layers.get(place)).map(|layer| layer.and_then(score)).collect()
            })
            .collect(),
        decimals: 2,
        scale: ColourScale::default(),
        value_label: "BrainRefScore".to_owned(),
        caption: "Each layer is a source by itself; mean over target units.".to_owned(),
        ..Heatmap::default()
    }
}
