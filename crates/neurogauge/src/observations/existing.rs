//! Refuses inputs that do not exist, before anything is read of the others.

use crate::Error;
use neurogauge_core::{Input, InputPaths, ObservationKind};
use neurogauge_formats::FormatError;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::member::split_member;

/// An error for the first input of a side that is not there. What else is wrong with an input is found when it is opened.
pub(crate) fn refuse_missing(inputs: &InputPaths) -> Result<(), Error> {
    for (input, path) in inputs.iter() {
        let expected = match input {
            Input::Of(_, kind) => expected(kind),
            // Those say themselves what they would be.
            Input::Observations | Input::Pool | Input::WordNet | Input::Punkt | Input::Tagger => {
                continue;
            }
        };
        if !ImageSource::exists(path) {
            return Err(FormatError::NotFound {
                // A tensor of a file is named behind the file: all.pt#images.
                path: split_member(path).0,
                expected: expected.to_owned(),
            }
            .into());
        }
    }
    Ok(())
}

/// What the input of a kind may be.
fn expected(kind: ObservationKind) -> &'static str {
    match kind {
        ObservationKind::Images => "a folder of images, a .npy, .pt or .hdf5 file",
        ObservationKind::Features => "a folder of feature matrices (<model>.npy and ids.json)",
        ObservationKind::Categories => "a folder of <stem>.json, or one JSON of all stems",
        ObservationKind::Detections => "a folder of detections (<stem>.json) or one file of boxes",
        ObservationKind::CategoryNames => "JSON of the categories of each stem",
        ObservationKind::Masks => {
            "a folder of masks (<stem>.json, or <stem>.png and labels.json) or COCO's JSON of instances"
        }
        ObservationKind::Captions => "captions as JSON or SEED's .npy",
        ObservationKind::SceneGraphs => "scene graphs as JSON or text (.txt)",
        ObservationKind::Answers => "JSON of the answer to each stem",
        ObservationKind::VqaScores => "JSON of the VQA score of each stem",
    }
}
