//! Draws detections over their images.

use crate::Error;
use crate::execute::StepResult;
use neurogauge_core::parallel;
use neurogauge_core::{LabelList, ObservationKind, Progress};
use neurogauge_formats::detections::read_mmdet;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::stem_listing::remove_others;
use neurogauge_formats::{atomic_file, json};
use neurogauge_report::figures::{BoxOverlay, LabelledBox};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the pictures in a user's folder, and the file beside it that lists those that this program drew.
const PICTURES: &str = "vis";
const RECIPE: &str = "vis.recipe.json";

/// Writes `<pictures>/<stem>.png` for each image that has detections in `folder`. Objects below `min_score` are not
/// drawn.
pub(crate) fn draw(
    source: &ImageSource,
    folder: &Path,
    labels: &LabelList,
    min_score: f64,
    pictures: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let images = with_detections(source, folder);
    remove_others(pictures, "png", images.iter().map(|(_, stem)| *stem))?;
    let detections = (folder, labels);
    draw_images(source, &images, detections, min_score, pictures, progress)
}

/// The pictures in a user's folder, which may hold other files too.
#[derive(Debug)]
pub(crate) struct UserPictures {
    folder: PathBuf,
    recipe: PathBuf,
    /// The stems of the pictures that an earlier call drew.
    own: BTreeSet<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PictureRecipe {
    min_score: f64,
    stems: BTreeSet<String>,
}

impl UserPictures {
    /// The pictures in `<out>/vis` before any is drawn.
    ///
    /// # Errors
    /// [`Error::Data`] for a picture of another program where one of these images would be drawn; a recipe that cannot
    /// be read.
    pub(crate) fn open(out: &Path, source: &ImageSource) -> Result<Self, Error> {
        let (folder, recipe) = (out.join(PICTURES), out.join(RECIPE));
        let own = match recipe.exists() {
            true => json::read::<PictureRecipe>(&recipe)?.stems,
            false => BTreeSet::new(),
        };
        let mut others = source.stems().iter().filter(|stem| !own.contains(*stem)).map(|stem| picture(&folder, stem));
        if let Some(path) = others.find(|path| path.exists()) {
            return Err(Error::foreign(&path, &format!("entry in {RECIPE}"), "it"));
        }
        Ok(UserPictures { folder, recipe, own })
    }

    /// Draws the detections that a step made, as [`draw`] does. Of the existing files, only pictures of an earlier call
    /// are removed.
    pub(crate) fn draw(
        &self,
        source: &ImageSource,
        made: &mut StepResult,
        labels: &LabelList,
        min_score: f64,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let (ObservationKind::Detections, Some(folder)) = (made.kind, made.paths.first().cloned()) else {
            return Ok(());
        };
        made.paths.push(self.folder.clone());
        let images = with_detections(source, &folder);
        let stems: BTreeSet<String> = images.iter().map(|(_, stem)| (*stem).to_owned()).collect();
        for stem in self.own.difference(&stems) {
            atomic_file::remove(&picture(&self.folder, stem))?;
        }
        // Written before the pictures, so that those of an interrupted call count as ours.
        json::write(&self.recipe, &PictureRecipe { min_score, stems })?;
        let detections = (folder.as_path(), labels);
        draw_images(source, &images, detections, min_score, &self.folder, progress)
    }
}

fn picture(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.png"))
}

fn detections(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.json"))
}

/// The images that have detections in a folder: their positions and stems.
fn with_detections<'s>(source: &'s ImageSource, folder: &Path) -> Vec<(usize, &'s str)> {
    let stems = source.stems().iter().map(String::as_str).enumerate();
    stems.filter(|(_, stem)| detections(folder, stem).exists()).collect()
}

fn draw_images(
    source: &ImageSource,
    images: &[(usize, &str)],
    (folder, labels): (&Path, &LabelList),
    min_score: f64,
    pictures: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    progress.start("drawing detections", images.len() as u64, 0);
    let drawn = parallel::try_map_each(images, |(item, stem)| {
        let found = read_mmdet(&detections(folder, stem), labels)?;
        let boxes = found.items.iter().filter(|item| item.score >= min_score).map(|item| LabelledBox {
            label: format!("{} {:.2}", labels.names()[item.category], item.score),
            series: item.category,
            bbox: item.bbox,
        });
        let overlay = BoxOverlay {
            image: source.load_shown(*item)?,
            boxes: boxes.collect(),
        };
        atomic_file::write(&picture(pictures, stem), &overlay.draw_png()?)?;
        progress.advance(1);
        Ok(())
    });
    progress.finish();
    drawn.map(drop)
}
