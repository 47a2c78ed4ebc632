//! Which image each trial shows, from a list by row or a table by the names of trials.

use crate::delimited_text::DelimitedText;
use crate::member::split_member;
use crate::{FormatError, trial_column};
use neurogauge_core::pair::{ImagesOfTrials, Trials};
use std::path::Path;

const TRIAL: [&str; 4] = ["trial", "reconstruction", "recon", "sample"];
const IMAGE: [&str; 4] = ["image", "stimulus", "item", "id"];
/// The expected content in messages.
const TABLE: &str = "a table with the columns trial and image, or a list with one image for each row";

/// Reads a table with the columns `trial` and `image` (in any order of lines), or a list with the image of each row of an
/// array ([`trial_column::read`]).
///
/// # Errors
/// Errors of [`trial_column::read`]; an empty cell; a trial that occurs twice.
pub fn read(path: &Path) -> Result<Trials, FormatError> {
    Ok(Trials {
        images: images(path)?,
        file: path.to_owned(),
    })
}

fn images(path: &Path) -> Result<ImagesOfTrials, FormatError> {
    let (file, column) = split_member(path);
    if column.is_some() || !trial_column::is_table(&file) {
        return Ok(ImagesOfTrials::Rows(trial_column::read(path)?));
    }
    let table = DelimitedText::read(&file, TABLE)?;
    let [trials, images] = [&TRIAL, &IMAGE].map(|usual| table.usually_named(usual, &[]).first().copied());
    let (Some(trial), Some(image)) = (trials, images) else {
        return Ok(ImagesOfTrials::Rows(trial_column::read(path)?));
    };
    let images = table.by_name((trial, "trial"), |record| match record.cell(image) {
        "" => Err(table.faulty_cell(record, image, "the image of the trial")),
        image => Ok(image.to_owned()),
    });
    images.map(ImagesOfTrials::Named)
}
