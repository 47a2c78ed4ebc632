//! Opens images and what is in them: boxes and masks.

use super::opening::{Opening, narrowed};
use super::{Dataset, InputRecord};
use crate::Error;
use neurogauge_core::inspection::content::suspicious;
use neurogauge_core::inspection::known_test_set;
use neurogauge_core::pair::Pairing;
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

/// The images of both sides, to be looked up by the stems of a run's pairs.
pub(crate) fn paired_images(
    paths: &Sides<PathBuf>,
    pairing: &Pairing,
) -> Result<Sides<ImageSource>, Error> {
    let mut sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
    // Images that are not what they were may not pair any more, and those that are there are shown.
    if let (false, Ok(paired)) = (
        pairing.is_default(),
        pairing.pair(sides.gt.stems(), sides.recon.stems()),
    ) {
        narrowed(&mut sides, &paired.pairs);
    }
    Ok(sides)
}

impl Dataset {
    /// Warns of images that are the same where they should not be, and says with which figures this number of pairs
    /// compares. Hashes say that, so nothing is read for it.
    pub(super) fn doubt(&mut self) {
        let mut found = Vec::new();
        let record = |side: Side| self.input(Role::images(side));
        if let (Some(images), Some(gt), Some(recon)) =
            (&self.images, record(Side::Gt), record(Side::Recon))
            // Bytes of different things do not compare.
            && gt.form == recon.form
        {
            let hashes = Sides {
                gt: gt.items.as_slice(),
                recon: recon.items.as_slice(),
            };
            let are_one_source = images.sides.gt.is_at_place_of(&images.sides.recon);
            found = suspicious(&images.pairs, hashes, are_one_source);
        }
        found.extend(known_test_set(self.stems.len()));
        for finding in found {
            self.warn(&finding);
        }
    }
}
