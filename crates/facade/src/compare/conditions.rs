//! What differs between the runs of the systems besides the reconstructions.

use crate::run_record::RunRecord;
use crate::sample_score::SampleScore;
use crate::score::Run;
use neurogauge_core::pair::Axis;
use neurogauge_core::{Input, ObservationKind};

/// Different stimuli, options or models behind the same stems make a comparison questionable.
pub(super) fn note_differing_conditions(
    runs: &[&Run],
    systems: &[String],
    notes: &mut Vec<String>,
) {
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
                request.box_scale_px,
                request.image_size_px,
                record.label_names,
                record.label_groups,
                record.models,
                record
                    .making(ObservationKind::Captions)
                    .map(|step| &step.recipe)
                    .collect::<Vec<_>>()
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

/// What the score of an item is made of.
fn samples(record: &RunRecord) -> String {
    let axes = record.parts.iter().flat_map(|parts| &parts.axes);
    let has_samples = axes.into_iter().any(|axis| *axis == Axis::Sample);
    let is_chosen = (record.request.inputs.get(Input::ChosenSamples)).is_some();
    match record.request.samples {
        _ if !has_samples => "that of its only reconstruction".to_owned(),
        _ if is_chosen => "that of a chosen sample".to_owned(),
        SampleScore::Mean => "the mean over samples".to_owned(),
        SampleScore::BestOf(k) => format!("the expected best of {k} samples"),
    }
}
