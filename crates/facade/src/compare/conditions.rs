//! Notes on what differs between the systems' runs besides the reconstructions.

use crate::run_record::RunRecord;
use crate::sample_score::CountedSamples;
use crate::score::Run;
use indexmap::IndexMap;
use neurogauge_core::ObservationKind;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Axis, FrameMatch};

/// Notes different stimuli, options or models behind the same stems, which make a comparison questionable.
pub(super) fn note_differing_conditions(runs: &[&Run], systems: &[String], notes: &mut Vec<String>) {
    let (first, name) = (&runs[0].record, &systems[0]);
    for (run, system) in runs.iter().zip(systems).skip(1) {
        for role in ["gt/images", "gt/captions", "gt/detections"] {
            let n = differing_items(first, &run.record, role);
            if n > 0 {
                notes
                    .push(format!("stimuli differ: {n} {role} of {system} are not those of {name} with the same stem"));
            }
        }
        let (now, then) = (frames(&run.record), frames(first));
        if let (Some(now), Some(then)) = (now, then)
            && now != then
        {
            let [now, then] = [now, then].map(|frames| option("frames", &frames.to_string()).to_string());
            notes.push(format!(
                "frames differ: {name} was scored with {then}, and {system} with {now}, so other frames are compared"
            ));
        }
        if run.record.clusters != first.clusters {
            let [now, then] = [&run.record, first].map(clusters);
            notes.push(format!(
                "clusters of stimuli differ: {name} was scored with {then}, and {system} with {now}; stimuli that either takes together are \
                 taken together here ({} of score)",
                option("cluster", "")
            ));
        }
        let (now, then) = (samples(&run.record), samples(first));
        if now != then {
            notes.push(format!("samples differ: the score of an item is {then} for {name}, and {now} for {system}"));
        }
        let options = |record: &RunRecord| {
            let request = &record.request;
            serde_json::json!([
                request.options,
                request.box_units,
                request.box_scale_px,
                request.image_size_px,
                record.label_names,
                record.label_groups,
                record.models,
                record.making(ObservationKind::Captions).map(|step| &step.recipe).collect::<Vec<_>>()
            ])
        };
        if options(&run.record) != options(first) {
            notes.push(format!(
                "options differ: {system} was scored with other options, labels or models than {name} (see their run.json); the \
                 figures are not comparable as they stand"
            ));
        }
    }
}

fn differing_items(a: &RunRecord, b: &RunRecord, role: &str) -> usize {
    let (Some(a), Some(b)) = (a.input(role), b.input(role)) else {
        return 0;
    };
    let other = b.hashes();
    a.items
        .iter()
        .filter(|(stem, sha256)| other.get(stem.as_str()).is_some_and(|o| o != sha256))
        .count()
}

/// How frames of clips are matched; `None` if items have no frames.
fn frames(record: &RunRecord) -> Option<FrameMatch> {
    let parts = record.request.pairing.parts.as_ref()?;
    parts.pattern.axes().contains(&Axis::Frame).then_some(parts.frames)
}

/// Describes the clusters of stimuli.
fn clusters(record: &RunRecord) -> String {
    match &record.clusters {
        None => "none".to_owned(),
        Some(found) => format!("{} ({})", found.stems.len(), found.from),
    }
}

/// Describes which samples make up an item's score.
fn samples(record: &RunRecord) -> String {
    match record.counted_samples() {
        None => "that of its only reconstruction".to_owned(),
        Some(CountedSamples::All) => "the mean over samples".to_owned(),
        Some(CountedSamples::Chosen) => "that of a chosen sample".to_owned(),
        Some(CountedSamples::BestOf(k)) => format!("the expected best of {k} samples"),
    }
}

/// A note on the systems whose scores use the best samples or chosen ones.
pub(super) fn note_counted_samples(runs: &[&Run], systems: &[String], notes: &mut Vec<String>) {
    let mut groups: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (run, system) in runs.iter().zip(systems) {
        if let Some(note) = run.record.counted_samples().and_then(CountedSamples::note) {
            groups.entry(note).or_default().push(system);
        }
    }
    notes.extend(groups.into_iter().map(|(note, names)| match names.len() == runs.len() {
        true => note,
        false => format!("{}: {note}", names.join(", ")),
    }));
}

/// A note on each run that has the same scores as an earlier one.
pub(super) fn note_same_scores(runs: &[&Run], names: &[String], notes: &mut Vec<String>) {
    for (place, run) in runs.iter().enumerate() {
        let mut earlier = runs[..place].iter().zip(names);
        // Scores differ at once, unlike the names of pairs.
        let is_same = |other: &Run| other.scores.columns == run.scores.columns && other.stems() == run.stems();
        if let Some((_, name)) = earlier.find(|(other, _)| is_same(other)) {
            notes.push(format!(
                "{name} and {} have the same scores throughout, so they may be one run under two names",
                names[place]
            ));
        }
    }
}
