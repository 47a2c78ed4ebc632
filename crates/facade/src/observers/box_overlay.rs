//! Draws detections over their images.

use crate::Error;
use crate::progress::Progress;
use neurogauge_core::LabelList;
use neurogauge_formats::atomic_file;
use neurogauge_formats::detections::read_mmdet;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::stem_listing::remove_others;
use neurogauge_report::figures::{BoxOverlay, LabelledBox};
use rayon::prelude::*;
use std::path::Path;

/// Writes `<pictures>/<stem>.png` for each of the images that has detections in `folder`, and no files for other images.
/// Objects below `min_score` are not drawn.
pub(crate) fn draw(
    source: &ImageSource,
    folder: &Path,
    labels: &LabelList,
    min_score: f64,
    pictures: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let detections = |stem: &str| folder.join(format!("{stem}.json"));
    let stems = source.stems().iter().map(String::as_str).enumerate();
    let known: Vec<(usize, &str)> = stems
        .filter(|(_, stem)| detections(stem).exists())
        .collect();
    remove_others(pictures, "png", known.iter().map(|(_, stem)| *stem))?;
    progress.start("drawing detections", known.len() as u64, 0);
    let drawn = known.par_iter().try_for_each(|(item, stem)| {
        let found = read_mmdet(&detections(stem), labels)?;
        let shown = found.items.iter().filter(|item| item.score >= min_score);
        let boxes = shown.map(|item| LabelledBox {
            label: format!("{} {:.2}", labels.names()[item.category], item.score),
            series: item.category,
            bbox: item.bbox,
        });
        let overlay = BoxOverlay {
            image: source.load_shown(*item)?,
            boxes: boxes.collect(),
        };
        let path = pictures.join(format!("{stem}.png"));
        atomic_file::write(&path, &overlay.draw_png()?)?;
        progress.advance(1);
        Ok(())
    });
    progress.finish();
    drawn
}
