//! Captions of images in a plain folder: from a named file, or from `captions.json` in the folder.

use neurogauge::Error;
use neurogauge::core::finding::TAKEN_FOR;
use neurogauge::core::pair::{Form, listed};
use neurogauge::core::{Captions, Finding};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::{captions, recipe};
use std::collections::HashMap;
use std::path::Path;

/// The captions file in an image folder that is used by default.
const BESIDE: &str = "captions.json";

/// The suffix of a placeholder's captions.
const DAGGER: &str = "†";

pub(crate) type ByStem = HashMap<String, Captions>;

/// The captions of these images; `None` if no file is named and their folder has none. A placeholder's captions end in
/// a dagger.
///
/// # Errors
/// A file that cannot be read; [`Error::Usage`] if a named file has no caption of any of these images.
pub(crate) fn of_images(
    named: Option<&Path>,
    images: &ImageSource,
    stems: &[&str],
    findings: &mut Vec<Finding>,
) -> Result<Option<ByStem>, Error> {
    let beside = images.path().join(BESIDE);
    let path = match named {
        Some(path) => path,
        None if beside.is_file() => &beside,
        None => return Ok(None),
    };
    let file = captions::read_described(path)?;
    let form = Form::of(&file.form, "captions by stem");
    let (n, found) = (file.captions.len(), file.captions);
    let (subject, words) = (path.display().to_string(), format!("{n} images, {}", form.words));
    findings.push(match form.is_usual {
        true => Finding::read_as(subject, words),
        false => Finding::note(TAKEN_FOR, subject, words),
    });
    let is_of_image = |(stem, _): &(String, Captions)| stems.contains(&stem.as_str());
    if named.is_some() && !found.iter().any(is_of_image) {
        return Err(Error::Usage(format!(
            "{}: none of its captions ({}) is of an image of {} ({})",
            path.display(),
            listed(found.iter().map(|(stem, _)| stem.as_str())),
            images.path().display(),
            listed(stems.iter().copied()),
        )));
    }
    let mark = recipe::warning::<Captions>(path)?;
    let marked = |(stem, Captions(texts)): (String, Captions)| {
        let dagger = if mark.is_some() { DAGGER } else { "" };
        (stem, Captions(texts.iter().map(|text| format!("{}{dagger}", text.trim())).collect()))
    };
    let found = found.into_iter().map(marked).collect();
    findings.extend(mark);
    Ok(Some(found))
}
