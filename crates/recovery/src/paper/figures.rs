//! Figures of the paper beyond those of the alignment.

use super::pair_categories::MAIN_LIMIT;
use super::region_figure::by_region;
use super::{DepthProfile, HighAccuracy, PaperRecord, Quartiles, architectures, matched_pairs, objectives};
use crate::aligned::{Aligned, Kind, brain_ref_score};
use neurogauge::align::Matched;
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::ReportError;
use neurogauge::report::figures::{
    ColourScale, Curve, CurvePanel, Curves, Dot, Fit, Heatmap, IntervalPanel, Intervals, Level, Picture, Point,
    Scatter, ScatterPanel,
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
    let mut add = |name: &str, drawn: Option<Result<Picture, ReportError>>| {
        if let Some(drawn) = drawn {
            figures.add(name, drawn);
        }
    };
    let has_weights = !record.references.cumulative.is_empty();
    let has_depth = !record.depth.is_empty();
    let shapes = &record.architectures;
    let high = record.high_accuracy.as_ref();
    let nearest = record.matched_case.as_ref().map(|found| matched_pairs::nearest(found, aligned));
    let distances = architectures::shape_distances(&record.shape_distances, aligned);
    add("near_equal_pairs", matched_pairs::by_limit(matched, aligned).map(|found| found.draw()));
    add("matched_case", nearest.map(|found| found.draw()));
    add("pair_categories", pair_categories(record, aligned).map(|found| found.draw()));
    add("cumulative_weights", has_weights.then(|| cumulative(record).draw()));
    add("directions_by_region", has_weights.then(|| by_region(aligned).draw()));
    add("high_accuracy", high.map(|found| high_accuracy(found, aligned).draw()));
    add("next_fold", record.next_fold.is_some().then(|| next_fold(record, aligned).draw()));
    add("depth", has_depth.then(|| depth(record, aligned).draw()));
    add("layers", has_depth.then(|| layers(record).draw()));
    for family in &record.objectives {
        let name = format!("{OBJECTIVES}{}", file_name(&family.family));
        add(&name, Some(objectives::bars(family, aligned).draw()));
    }
    add("score_by_rank", architectures::score_by_rank(aligned).map(|found| found.draw()));
    add(
        "rank_by_architecture",
        architectures::rank_by_architecture(shapes, aligned).map(|found| found.draw()),
    );
    add("shape_distance", distances.map(|found| found.draw()));
    add(
        "shape_by_architecture",
        architectures::shape_by_architecture(shapes, aligned).map(|found| found.draw()),
    );
    figures
}

/// Every pair of nearly equal accuracy, by category (Figure 3C).
fn pair_categories(record: &PaperRecord, aligned: &Aligned) -> Option<Intervals> {
    let found = record.pair_categories.iter().filter(|own| own.limit == MAIN_LIMIT && own.difference.n > 0);
    let found: Vec<_> = found.collect();
    let points = found.iter().enumerate().flat_map(|(row, own)| own.differences.iter().map(move |d| (row, *d)));
    let mut levels = vec![Level::at(0.0, "no difference")];
    levels.extend(found.first()?.human_threshold.map(|value| Level::at(value, "human threshold")));
    let dots = found.iter().map(|own| own.difference).enumerate();
    let dots = dots.filter_map(|(row, own)| Dot::estimate((row, 0), own.mean, own.interval));
    Some(Intervals {
        title: "Pairs of nearly equal accuracy".to_owned(),
        rows: found.iter().map(|own| format!("{} (n = {})", own.pairs, own.difference.n)).collect(),
        panels: vec![IntervalPanel {
            points: points.collect(),
            levels,
            ..IntervalPanel::of("Δ ProfileMean", dots)
        }],
        caption: format!(
            "Accuracies for one target unit differ by at most {MAIN_LIMIT}. Absolute differences, but pretrained less \
             untrained where a pair is one of these. Threshold: 90th percentile between two subjects. Means with {}.",
            aligned.interval_caption()
        ),
        ..Intervals::default()
    })
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

/// BrainRefScore of the most accurate models (Figure 12 A and B).
fn high_accuracy(found: &HighAccuracy, aligned: &Aligned) -> Intervals {
    let points = found.brain_ref_score.iter().enumerate().flat_map(|(row, (label, _))| {
        let own = aligned
            .of_models()
            .filter(move |entry| entry.accuracy >= found.threshold && aligned.kind_of(entry).label() == label);
        own.filter_map(move |entry| Some((row, brain_ref_score(entry)?)))
    });
    Intervals {
        title: "Where accuracy is highest".to_owned(),
        rows: Quartiles::rows(&found.brain_ref_score),
        panels: vec![IntervalPanel {
            points: points.collect(),
            levels: vec![Level::at(1.0, "median subject")],
            ..IntervalPanel::of("BrainRefScore", Quartiles::dots(&found.brain_ref_score))
        }],
        caption: format!(
            "Entries of models with an accuracy of {:.3} or more, the highest quarter of {}. Dots: medians with quartiles.",
            found.threshold, found.n_entries
        ),
        ..Intervals::default()
    }
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
    let mut all = record.depth.iter().flat_map(|found| &found.layers);
    let has_brains = all.any(|layer| layer.brain_ref_score.mean.is_some());
    let curves = record.depth.iter().map(|found| {
        let scores = found.layers.iter().map(|layer| {
            (
                layer.depth,
                if has_brains {
                    layer.brain_ref_score
                } else {
                    layer.profile_mean
                },
            )
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
    let names_of = |found: &'_ DepthProfile| found.layers.iter().map(|layer| layer.layer.clone()).collect();
    let mut names: Vec<Vec<String>> = record.depth.iter().map(names_of).collect();
    names.dedup();
    // Models of one family share the names of their layers.
    let columns = match names.as_slice() {
        [only] => only.clone(),
        _ => (1..=n_columns).map(|place| format!("layer {place}")).collect(),
    };
    let score = |of: &super::LayerScore| of.brain_ref_score.mean.or(of.profile_mean.mean);
    let row = |found: &DepthProfile| {
        let layers = (0..n_columns).map(|place| found.layers.get(place));
        layers.map(|layer| layer.and_then(score)).collect()
    };
    Heatmap {
        title: "Layers of each model".to_owned(),
        rows: record.depth.iter().map(|found| found.model.clone()).collect(),
        columns,
        values: record.depth.iter().map(row).collect(),
        decimals: 2,
        scale: ColourScale::default(),
        value_label: "BrainRefScore".to_owned(),
        caption: "Each layer is a source by itself; mean over target units.".to_owned(),
        ..Heatmap::default()
    }
}
