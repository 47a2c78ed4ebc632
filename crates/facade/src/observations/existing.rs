//! Refuses inputs that do not exist, before any input is read.

use crate::Error;
use neurogauge_core::{Input, InputPaths};
use neurogauge_formats::Problem;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::member::split_member;

/// An error for the first missing input of a side. Other faults of an input are found when it is opened.
pub(crate) fn refuse_missing(inputs: &InputPaths) -> Result<(), Error> {
    for (input, path) in inputs.iter() {
        let expected = match input {
            Input::Of(_, kind) => kind.input_form(),
            // These have errors of their own for a missing path.
            Input::Observations
            | Input::Pool
            | Input::WordNet
            | Input::Punkt
            | Input::Tagger
            | Input::ChosenSamples => continue,
        };
        if !ImageSource::exists(path) {
            return Err(Problem::not_found(expected).at(split_member(path).0).into());
        }
    }
    Ok(())
}
