//! Opens images and what is in them: boxes and masks.

use super::InputRecord;
use super::opening::Opening;
use crate::Error;
use crate::locate::{MaskPaths, Sides};
use crate::pixel_range;
use crate::request::ScoreRequest;
use neurogauge_core::{LabelList, Side};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use std::path::PathBuf;

impl Opening<'_> {
    pub(super) fn images(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        if self.dataset.images.is_some() {
            return Ok(());
        }
        let sides = Sides {
            gt: ImageSource::open(&paths.gt)?,
            recon: ImageSource::open(&paths.recon)?,
        };
        let images = self.paired("images", sides)?;
        for side in Side::BOTH {
            let role = format!("{}/images", side.folder());
            let warning = pixel_range::warning(&role, images.sides.side(side))?;
            self.dataset.warnings.extend(warning);
        }
        self.dataset.images = Some(images);
        Ok(())
    }

    pub(super) fn detections(&mut self, sides: Sides<DetectionSource>) -> Result<(), Error> {
        self.dataset.detections = Some(self.paired("detections", sides)?);
        Ok(())
    }

    pub(super) fn masks(&mut self, paths: &Sides<MaskPaths>) -> Result<(), Error> {
        let open = |paths: &MaskPaths| {
            let masks = MaskSource::open(&paths.masks)?;
            match &paths.categories {
                Some(categories) => masks.with_categories(CategorisationSource::open(categories)?),
                None => Ok(masks),
            }
        };
        let sides = Sides {
            gt: open(&paths.gt)?,
            recon: open(&paths.recon)?,
        };
        for side in Side::BOTH {
            if let Some(categories) = sides.side(side).categories() {
                let role = format!("{}/categories", side.folder());
                let hashes = categories.content_hashes()?;
                let record = InputRecord::of_hashes(role, categories.path(), hashes);
                self.dataset.inputs.push(record);
            }
        }
        self.dataset.masks = Some(self.paired("masks", sides)?);
        Ok(())
    }
}

pub(super) fn open_detections(
    paths: &Sides<PathBuf>,
    labels: &LabelList,
    request: &ScoreRequest,
) -> Result<Sides<DetectionSource>, Error> {
    Ok(Sides {
        gt: DetectionSource::open(&paths.gt, labels, request.box_scale_px)?,
        recon: DetectionSource::open(&paths.recon, labels, request.box_scale_px)?,
    })
}
