//! Opens images and what is in them: boxes and masks.

use super::InputRecord;
use super::opening::Opening;
use crate::Error;
use neurogauge_core::{Input, ObservationKind, Role, Side, Sides};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use std::path::PathBuf;

impl Opening<'_> {
    pub(super) fn images(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
        let images = self.paired(ObservationKind::Images, sides)?;
        for side in Side::BOTH {
            let warning = images.sides.side(side).range_warning(Role::images(side))?;
            self.dataset.warnings.extend(warning);
        }
        self.dataset.images = Some(images);
        Ok(())
    }

    pub(super) fn masks(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides::of(|side| {
            let masks = MaskSource::open(paths.side(side))?;
            match self.located.categories.side(side) {
                Some(categories) => masks.with_categories(CategorisationSource::open(categories)?),
                None => Ok(masks),
            }
        })?;
        for side in Side::BOTH {
            if let Some(categories) = sides.side(side).categories() {
                let role = Input::Categories(side).to_string().replace('_', "/");
                let hashes = categories.content_hashes()?;
                let record = InputRecord::of_hashes(role, categories.path(), hashes);
                self.dataset.inputs.push(record);
            }
        }
        self.dataset.masks = Some(self.paired(ObservationKind::Masks, sides)?);
        Ok(())
    }
}
