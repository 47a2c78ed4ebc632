//! `neurogauge perceive --with CAPTIONER`.

use super::recipe::{CaptionRecipe, CaptionerChoice, Captioning, obtain};
use crate::Error;
use crate::dataset::InputRecord;
use crate::describing::{Describer, PerceivedLayout, Undescribed};
use crate::journal::Journal;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::Captions;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, captions, json, npy};
use std::path::PathBuf;

const RECIPE: &str = "captions.recipe.json";

/// Images that are to be described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptionRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: PathBuf,
    /// By what, and how.
    pub captioner: CaptionerChoice,
    /// How they are written.
    pub layout: PerceivedLayout,
}

/// A file of captions.
#[derive(Debug, Clone, PartialEq)]
pub struct PerceivedCaptions {
    /// How they were made.
    pub recipe: CaptionRecipe,
    /// The file: `{"stem": "text"}`, or SEED's `.npy`.
    pub path: PathBuf,
    /// Images.
    pub n_images: usize,
    /// Images that the model had to see; the rest was known.
    pub n_seen: usize,
    /// Images that are not in the file, with the reason.
    pub without: Vec<Undescribed>,
}

impl PerceivedCaptions {
    /// An error if an image has no caption.
    ///
    /// # Errors
    /// [`Error::Undescribed`].
    pub fn check(&self) -> Result<(), Error> {
        Undescribed::check(&self.without, "caption")
    }
}

/// Describes images and writes `<out>/captions.json` (in SEED's layout `captions.npy`), with `captions.recipe.json` beside
/// it, which says how.
///
/// Captions are kept in `<out>/captions.jsonl` as they come: an interrupted call goes on where it stopped, and a caption is made
/// anew only where the image, the weights or the options changed. An image that cannot be read or described
/// is named and left out, and the others go on.
///
/// # Errors
/// Unknown captioners; weights that are neither here nor may be downloaded; a file of captions that was not written here.
pub fn caption(
    request: &CaptionRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<PerceivedCaptions, Error> {
    let CaptionerChoice { model, options } = &request.captioner;
    let out = &settings.out;
    let path = out.join(match request.layout {
        PerceivedLayout::Own => "captions.json",
        PerceivedLayout::Official => "captions.npy",
    });
    let recipe_path = out.join(RECIPE);
    if path.exists() && !recipe_path.exists() {
        return Err(Error::ForeignObservations { path, mark: RECIPE });
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
    let mut describer = Describer::<Captioning>::new(recipe, found);
    let described = describer.describe(&source, &record, &mut journal, progress)?;
    let captions = described.keys.into_iter().map(|key| journal.value(key));
    let known = captions
        .enumerate()
        .filter_map(|(item, text)| Some((item, text?)));
    json::write(&recipe_path, &describer.recipe)?;
    match request.layout {
        PerceivedLayout::Own => {
            let entries = known.map(|(item, text)| {
                let stem = source.stems()[item].clone();
                (stem, Captions(vec![text]))
            });
            captions::write_json(&path, &entries.collect::<Vec<_>>())?;
        }
        PerceivedLayout::Official => {
            let entries = known.map(|(item, text)| (file_name(&source, item), text));
            npy::write_pickled_dict(&path, &entries.collect::<Vec<_>>())?;
        }
    }
    Ok(PerceivedCaptions {
        recipe: describer.recipe,
        path,
        n_images: source.len(),
        n_seen: described.n_seen,
        without: described.without,
    })
}

/// The name of an image's file, by which SEED's code knows it; an image of a stack would be a PNG.
fn file_name(source: &ImageSource, item: usize) -> String {
    let name = source.file_path(item).and_then(|path| path.file_name());
    name.map_or_else(
        || format!("{}.png", source.stems()[item]),
        |name| name.to_string_lossy().into_owned(),
    )
}
