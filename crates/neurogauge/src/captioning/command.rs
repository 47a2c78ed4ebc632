//! `neurogauge perceive --with CAPTIONER`.

use super::describe::{Describer, Uncaptioned};
use super::recipe::{CaptionRecipe, CaptionerChoice, obtain};
use crate::Error;
use crate::dataset::InputRecord;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::Captions;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, captions, json};
use std::path::PathBuf;

/// Images that are to be described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptionRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: PathBuf,
    /// By what, and how.
    pub captioner: CaptionerChoice,
}

/// A file of captions.
#[derive(Debug, Clone, PartialEq)]
pub struct PerceivedCaptions {
    /// How they were made.
    pub recipe: CaptionRecipe,
    /// The file: `{"stem": "text"}`.
    pub path: PathBuf,
    /// Images.
    pub n_images: usize,
    /// Images that the model had to see; the rest was known.
    pub n_seen: usize,
    /// Images that are not in the file, with the reason.
    pub without: Vec<Uncaptioned>,
}

impl PerceivedCaptions {
    /// An error if an image has no caption.
    ///
    /// # Errors
    /// [`Error::Uncaptioned`].
    pub fn check(&self) -> Result<(), Error> {
        Error::uncaptioned(&self.without)
    }
}

/// Describes images and writes `<out>/captions.json`, with `captions.recipe.json` beside it, which says how.
///
/// Captions are kept in `<out>/captions.jsonl` as they come: an interrupted call goes on where it stopped, and a caption is made
/// anew only where the image, the weights or the options changed. An image that cannot be read or described
/// is named and left out, and the others go on.
///
/// # Errors
/// Unknown captioners; weights that are neither here nor may be downloaded; a `captions.json` that was not written
/// here.
pub fn caption(
    request: &CaptionRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<PerceivedCaptions, Error> {
    let CaptionerChoice { model, options } = &request.captioner;
    let out = &settings.out;
    let (path, recipe_path) = (out.join("captions.json"), out.join("captions.recipe.json"));
    if path.exists() && !recipe_path.exists() {
        return Err(Error::ForeignObservations {
            path,
            beside: "captions.recipe.json",
        });
    }
    let found = obtain(model, settings, progress)?;
    let recipe = CaptionRecipe::of(&found, *options)?;
    let source = ImageSource::open(&request.images)?;
    let record = InputRecord::of_items("images".to_owned(), &source, progress)?;
    std::fs::create_dir_all(out).map_err(|source| FormatError::Io {
        path: out.clone(),
        action: "creating",
        source,
    })?;
    let mut journal = Journal::open(&out.join("captions.jsonl"))?;
    let mut describer = Describer::new(recipe, found);
    let described = describer.describe(&source, &record, &mut journal, progress)?;
    let entries = source.stems().iter().zip(described.captions);
    let entries: Vec<(String, Captions)> = entries
        .filter_map(|(stem, caption)| Some((stem.clone(), Captions(vec![caption?]))))
        .collect();
    json::write(&recipe_path, &describer.recipe)?;
    captions::write_json(&path, &entries)?;
    Ok(PerceivedCaptions {
        recipe: describer.recipe,
        path,
        n_images: source.len(),
        n_seen: described.n_seen,
        without: described.without,
    })
}
