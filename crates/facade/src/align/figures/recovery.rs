//! TopKCov over k, compared with chance and with other subjects.

use super::groups::{Group, groups};
use crate::align::{Alignment, Recovered, UnitScore};
use crate::figure_files::Drawn;
use itertools::Itertools;
use neurogauge_alignment::study::OTHER_SUBJECTS;
use neurogauge_report::figures::{Band, Curve, CurvePanel, Curves};
use neurogauge_stats::{mean, quantile};

const HUMAN_BAND: &str = "other subjects, quartiles";
const NULL: &str = "mean ± SD";

/// One panel for each architecture, over all target units.
pub(super) fn by_architecture(alignment: &Alignment) -> Drawn {
    let entries: Vec<&UnitScore> = alignment.unit_scores.iter().collect();
    let panels = groups(&alignment.record).into_iter().map(|group| panel(&entries, &group, group.title.clone()));
    let figure = curves(alignment, "Recovery of the target reference", panels.collect());
    (!entries.is_empty()).then(|| figure.draw())
}

/// One row of panels for each region, with hemispheres together; `None` if there is only one region.
pub(super) fn by_roi(alignment: &Alignment) -> Option<Curves> {
    let rois = alignment.run.units.iter().map(|unit| unit.unit.roi.as_str()).unique().collect_vec();
    let groups = groups(&alignment.record);
    let panels = rois.iter().flat_map(|roi| {
        let own = alignment.unit_scores.iter().filter(|e| e.unit.roi == *roi).collect_vec();
        groups.iter().map(move |group| {
            let title = match group.title.as_str() {
                "" => (*roi).to_owned(),
                architecture => format!("{roi}, {architecture}"),
            };
            panel(&own, group, title)
        })
    });
    (rois.len() > 1 && !alignment.unit_scores.is_empty()).then(|| Curves {
        columns: (groups.len() > 1).then_some(groups.len()),
        ..curves(alignment, "Recovery of the target reference, by region", panels.collect())
    })
}

fn curves(alignment: &Alignment, title: &str, panels: Vec<CurvePanel>) -> Curves {
    let caption = caption(alignment, &panels);
    Curves {
        x_label: "k, leading directions of the reference".to_owned(),
        y_label: "TopKCov".to_owned(),
        y_reaches: vec![0.0, 1.0],
        ..Curves::of(title, panels, caption)
    }
}

fn panel(entries: &[&UnitScore], group: &Group, title: String) -> CurvePanel {
    let of = |keep: &dyn Fn(&UnitScore) -> bool| -> Vec<&Recovered> {
        let own = entries.iter().filter(|entry| keep(entry));
        own.filter_map(|entry| entry.recovered()).collect()
    };
    let donors = of(&|entry| entry.donor);
    let unmarked = |label: &str, points| Curve {
        markers: false,
        ..Curve::of(label, points)
    };
    let mut curves = Vec::new();
    if !donors.is_empty() {
        curves.push(Curve {
            dashed: true,
            ..unmarked(OTHER_SUBJECTS, line(&donors))
        });
    }
    let mut nulls: Vec<(&str, Vec<&Recovered>)> = Vec::new();
    for (label, names) in &group.series {
        let by_source: Vec<Vec<&Recovered>> =
            names.iter().map(|name| of(&|entry| !entry.donor && entry.source == *name)).collect();
        let all = by_source.concat();
        curves.push(Curve {
            interval: spread(&by_source),
            ..unmarked(label, line(&all))
        });
        nulls.push((label, all));
    }
    type NamedBand = (String, Vec<(f64, f64, f64)>);
    let mut bands: Vec<NamedBand> = match group.by_state {
        true => nulls.iter().map(|(label, own)| (format!("null of {label}, {NULL}"), null_band(own))).collect(),
        // All sources share one band: readers could not distinguish many.
        false => {
            let all = nulls.iter().flat_map(|(_, own)| own).copied().collect_vec();
            let of = if nulls.is_empty() { &donors } else { &all };
            vec![(format!("null, {NULL}"), null_band(of))]
        }
    };
    // Drawn above the null band, because readers look for the subjects where the two overlap.
    bands.push((HUMAN_BAND.to_owned(), human_band(&donors)));
    bands.retain(|(_, points)| !points.is_empty());
    CurvePanel {
        bands: bands.into_iter().map(|(label, points)| Band { label, points }).collect(),
        ..CurvePanel::of(title, curves)
    }
}

/// `of_values` applied to the entries' values at each k that any entry has.
fn by_k<T>(entries: &[&Recovered], of_values: impl Fn(&[f64]) -> Option<T>) -> impl Iterator<Item = (f64, T)> {
    let longest = entries.iter().map(|entry| entry.profile.top_k.len()).max();
    (0..longest.unwrap_or(0)).filter_map(move |place| {
        let values = entries.iter().filter_map(|entry| entry.profile.top_k.get(place).copied());
        let values: Vec<f64> = values.collect();
        Some(((place + 1) as f64, of_values(&values)?))
    })
}

/// The mean over entries.
fn line(entries: &[&Recovered]) -> Vec<(f64, Option<f64>)> {
    by_k(entries, |values| Some(mean(values.iter().copied()))).collect()
}

/// The range from the lowest mean of a source to the highest; empty for a single source.
fn spread(by_source: &[Vec<&Recovered>]) -> Vec<(f64, f64, f64)> {
    let lines: Vec<_> = by_source.iter().map(|entries| line(entries)).collect();
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    if lines.len() < 2 {
        return Vec::new();
    }
    let shortest = lines.iter().map(Vec::len).min().unwrap_or(0);
    let at = |place: usize| {
        let values = || lines.iter().filter_map(|line| line[place].1);
        Some(((place + 1) as f64, values().reduce(f64::min)?, values().reduce(f64::max)?))
    };
    (0..shortest).filter_map(at).collect()
}

/// Quartiles of the other subjects' curves; empty for fewer than two.
fn human_band(donors: &[&Recovered]) -> Vec<(f64, f64, f64)> {
    let quartiles = by_k(donors, |values| {
        let enough = values.len() > 1;
        enough.then_some((quantile(values, 0.25).ok()?, quantile(values, 0.75).ok()?))
    });
    quartiles.map(|(k, (low, high))| (k, low, high)).collect()
}

/// Mean and standard deviation over all draws of all entries; empty if there are no draws.
fn null_band(entries: &[&Recovered]) -> Vec<(f64, f64, f64)> {
    let longest = entries.iter().map(|entry| entry.null_by_k.len()).max();
    let at = |place: usize| {
        let nulls = || entries.iter().filter_map(|e| e.null_by_k.get(place));
        let centre = mean(nulls().map(|null| null.mean))?;
        let within = mean(nulls().map(|null| null.sd.powi(2)))?;
        let between = mean(nulls().map(|null| (null.mean - centre).powi(2)))?;
        let sd = (within + between).sqrt();
        Some(((place + 1) as f64, centre - sd, centre + sd))
    };
    (0..longest.unwrap_or(0)).filter_map(at).collect()
}

/// Explains how each part present in the figure is computed.
fn caption(alignment: &Alignment, panels: &[CurvePanel]) -> String {
    let has_curve = |is: fn(&Curve) -> bool| panels.iter().flat_map(|panel| &panel.curves).any(is);
    let has_band = |is: fn(&Band) -> bool| panels.iter().flat_map(|panel| &panel.bands).any(is);
    let mut parts = vec![
        "TopKCov: weighted mean coverage of the first k directions of the reference. Lines: mean over entries \
         (a source and a target unit)."
            .to_owned(),
    ];
    if has_curve(|curve| !curve.interval.is_empty()) {
        parts.push("Shade around a line: from the lowest mean of one of its models (seeds) to the highest.".to_owned());
    }
    if has_band(|band| band.label == HUMAN_BAND) {
        parts.push("Quartiles: over pairs of another subject and a target unit.".to_owned());
    }
    if has_band(|band| band.label.ends_with(NULL)) {
        parts.push("Null: stimuli of the sources permuted; over draws and entries.".to_owned());
    }
    let n_without = alignment.record.summary.undefined.len();
    if n_without > 0 {
        parts.push(format!("{n_without} entries without a profile are left out."));
    }
    parts.join(" ")
}
