//! What differs between the runs of the systems besides the reconstructions.

use crate::run_record::RunRecord;
use crate::sample_score::CountedSamples;
use crate::score::Run;
use neurogauge_core::ObservationKind;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Axis, FrameMatch};

/// Different stimuli, options or models behind the same stems make a comparison questionable.
pub(super) fn note_differing_conditions(runs: &[&Run], systems: &[String], notes: &mut Vec<String>) {
    let first = &runs[0].record;
    for (run, system) in runs.iter().zip(systems).skip(1) {
        for role in ["gt/images", "gt/captions", "gt/detections"] {
            let changed = differing_items(first, &run.record, role);
            if changed > 0 {
                notes.push(format!(
                    "stimuli differ: {changed} {role} of {system} are not those of {} with the \
                     same stem",
                    systems[0]
                ));
            }
        }
        let (now, then) = (frames(&run.record), frames(first));
        if let (Some(now), Some(then)) = (now, then)
            && now != then
        {
            notes.push(format!(
                "frames differ: {} was scored with {}, and {system} with {}, so other frames are compared",
                systems[0],
                option("frames", &then.to_string()),
                option("frames", &now.to_string())
            ));
        }
        if run.record.clusters != first.clusters {
            notes.push(format!(
                "clusters of stimuli differ: {} was scored with {}, and {system} with {}; stimuli that either takes together are taken \
                 together here ({} of score)",
                systems[0],
                clusters(first),
                clusters(&run.record),
                option("cluster", "")
            ));
        }
        let (now, then) = (samples(&run.record), samples(first));
        if now != then {
            notes.push(format!(
                "samples differ: the score of an item is {then} for {}, and {now} for {system}",
                systems[0]
            ));
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
                "options differ: {system} was scored with other options, labels or models than \
                 {} (see their run.json); the figures are not comparable as they stand",
                systems[0]
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

/// Which frames of clips are compared; `None` where items have no frames.
fn frames(record: &RunRecord) -> Option<FrameMatch> {
    let parts = record.request.pairing.parts.as_ref()?;
    parts.pattern.axes().contains(&Axis::Frame).then_some(parts.frames)
}

/// Which stimuli are taken together.
fn clusters(record: &RunRecord) -> String {
    match &record.clusters {
        None => "none".to_owned(),
        Some(found) => format!("{} ({})", found.stems.len(), found.from),
    }
}

/// What the score of an item is made of.
fn samples(record: &RunRecord) -> String {
    match record.counted_samples() {
        None => "that of its only reconstruction".to_owned(),
        Some(CountedSamples::All) => "the mean over samples".to_owned(),
        Some(CountedSamples::Chosen) => "that of a chosen sample".to_owned(),
        Some(CountedSamples::BestOf(k)) => format!("the expected best of {k} samples"),
    }
}

/// A note on the systems whose scores are of the best or of chosen samples.
pub(super) fn note_counted_samples(runs: &[&Run], systems: &[String], notes: &mut Vec<String>) {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (run, system) in runs.iter().zip(systems) {
        let Some(note) = run.record.counted_samples().and_then(CountedSamples::note) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == note) {
            Some((_, names)) => names.push(system),
            None => groups.push((note, vec![system])),
        }
    }
    for (note, names) in groups {
        notes.push(match names.len() == runs.len() {
            true => note,
            false => format!("{}: {note}", names.join(", ")),
        });
    }
}

/// A note on each run whose scores are those of an earlier one.
pub(super) fn note_same_scores(runs: &[&Run], names: &[String], notes: &mut Vec<String>) {
    for (place, run) in runs.iter().enumerate() {
        let mut earlier = runs[..place].iter().zip(names);
        if let Some((_, name)) = earlier.find(|(other, _)| other.scores == run.scores) {
            notes.push(format!(
                "{name} and {} have the same scores throughout, so they may be one run under two names",
                names[place]
            ));
        }
    }
}
