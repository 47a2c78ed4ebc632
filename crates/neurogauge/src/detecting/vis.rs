//! Detections drawn over their images.

use super::command::VisOptions;
use super::store::DetectionStore;
use crate::Error;
use crate::figure_image::figure_image;
use crate::progress::Progress;
use neurogauge_core::LabelList;
use neurogauge_formats::atomic_file;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_report::figures::{BoxOverlay, LabelledBox};
use rayon::prelude::*;
use std::path::Path;

/// Writes `<pictures>/<stem>.png` for each of the images, given with the key of its detections.
pub(super) fn draw(
    source: &ImageSource,
    known: &[(usize, &str)],
    store: &DetectionStore,
    labels: &LabelList,
    options: &VisOptions,
    pictures: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    progress.start("drawing detections", known.len() as u64, 0);
    let drawn = known.par_iter().try_for_each(|(item, key)| {
        let found = store.get(key)?;
        let shown = found
            .items
            .iter()
            .filter(|item| item.score >= options.min_score);
        let boxes = shown.map(|item| LabelledBox {
            label: format!("{} {:.2}", labels.names()[item.category], item.score),
            series: item.category,
            bbox: item.bbox,
        });
        let overlay = BoxOverlay {
            image: figure_image(source, *item)?,
            boxes: boxes.collect(),
        };
        let path = pictures.join(format!("{}.png", source.stems()[*item]));
        atomic_file::write(&path, &overlay.draw_png()?)?;
        progress.advance(1);
        Ok(())
    });
    progress.finish();
    drawn
}
