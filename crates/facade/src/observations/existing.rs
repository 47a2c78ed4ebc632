//! Refuses inputs that do not exist, before anything is read of the others.

use crate::Error;
use neurogauge_core::{Input, InputPaths};
use neurogauge_formats::FormatError;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::member::split_member;

/// An error for the first input of a side that is not there. What else is wrong with an input is found when it is opened.
pub(crate) fn refuse_missing(inputs: &InputPaths) -> Result<(), Error> {
    for (input, path) in inputs.iter() {
        let expected = match input {
            Input::Of(_, kind) => kind.input_form(),
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
