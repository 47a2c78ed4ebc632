//! `neurogauge perceive --with DETECTOR`.

use super::recipe::{Detecting, DetectionRecipe, DetectorChoice, obtain};
use super::store::DetectionStore;
use super::vis;
use crate::Error;
use crate::dataset::InputRecord;
use crate::describing::{Describer, PerceivedLayout, Undescribed};
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::LabelList;
use neurogauge_formats::detections::write_mmdet;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::json;
use neurogauge_formats::stem_listing::remove_others;
use std::path::PathBuf;

const RECIPE: &str = "detections.recipe.json";

/// Images in which objects are to be found.
#[derive(Debug, Clone)]
pub struct DetectionRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: PathBuf,
    /// By what, and how.
    pub detector: DetectorChoice,
    /// Which categories.
    pub labels: LabelList,
    /// How they are written.
    pub layout: PerceivedLayout,
    /// Whether and how they are drawn.
    pub vis: Option<VisOptions>,
}

/// How detections are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VisOptions {
    /// Objects below this score are not drawn.
    pub min_score: f64,
}

/// A folder of detections.
#[derive(Debug, Clone, PartialEq)]
pub struct PerceivedDetections {
    /// How they were made.
    pub recipe: DetectionRecipe,
    /// The folder: `<stem>.json` each.
    pub folder: PathBuf,
    /// The folder of pictures, if they were asked for.
    pub vis: Option<PathBuf>,
    /// Images.
    pub n_images: usize,
    /// Images that the model had to see; the rest was known.
    pub n_seen: usize,
    /// Images without a file, with the reason.
    pub without: Vec<Undescribed>,
}

impl PerceivedDetections {
    /// An error if an image was not looked at.
    ///
    /// # Errors
    /// [`Error::Undescribed`].
    pub fn check(&self) -> Result<(), Error> {
        Undescribed::check(&self.without, "detections")
    }
}

/// Finds objects in images and writes `<out>/detections/<stem>.json` (in SEED's layout `preds/<stem>.json`), with
/// `detections.recipe.json` beside the folder, which says how; on request also `vis/<stem>.png`, with boxes and labels.
///
/// Detections are kept by content as they come (in the cache of all runs, or in `<out>` where there is none): an interrupted
/// call goes on where it stopped, and detections are made anew only where the image, the weights, the categories or the
/// options changed. An image that cannot be read or looked at is named and left out, and the others go on.
///
/// # Errors
/// Unknown detectors; weights that are neither here nor may be downloaded; a folder of detections that was not written here.
pub fn detect(
    request: &DetectionRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<PerceivedDetections, Error> {
    let out = &settings.out;
    let folder = out.join(match request.layout {
        PerceivedLayout::Own => "detections",
        PerceivedLayout::Official => "preds",
    });
    let recipe_path = out.join(RECIPE);
    if folder.exists() && !recipe_path.exists() {
        return Err(Error::ForeignObservations {
            path: folder,
            mark: RECIPE,
        });
    }
    let DetectorChoice { model, options } = &request.detector;
    let found = obtain(model, settings, progress)?;
    let recipe = DetectionRecipe::of(&found, &request.labels, *options);
    let source = ImageSource::open(&request.images)?;
    let record = InputRecord::of_items("images".to_owned(), &source, progress)?;
    let mut store = DetectionStore::open(&recipe, out, settings)?;
    json::write(&recipe_path, &recipe)?;
    let mut describer = Describer::<Detecting>::new(recipe, found);
    let described = describer.describe(&source, &record, &mut store, progress)?;

    let stems = source.stems();
    let mut known = Vec::with_capacity(stems.len());
    for (item, key) in described.keys.iter().enumerate() {
        if let Some(key) = key {
            write_mmdet(
                &folder.join(format!("{}.json", stems[item])),
                &store.get(key)?,
            )?;
            known.push((item, key.as_str()));
        }
    }
    // What an earlier call wrote of other images would be taken for these.
    let kept = || known.iter().map(|(item, _)| stems[*item].as_str());
    remove_others(&folder, "json", kept())?;
    let vis = request.vis.map(|options| (options, out.join("vis")));
    if let Some((options, pictures)) = &vis {
        remove_others(pictures, "png", kept())?;
        let labels = &request.labels;
        vis::draw(&source, &known, &store, labels, options, pictures, progress)?;
    }
    Ok(PerceivedDetections {
        recipe: describer.recipe,
        folder,
        vis: vis.map(|(_, pictures)| pictures),
        n_images: source.len(),
        n_seen: described.n_seen,
        without: described.without,
    })
}
