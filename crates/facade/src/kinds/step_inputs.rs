//! The inputs of steps, taken from a dataset.

use super::captions::captions_of_reconstructions;
use super::{CaptionKind, ObservedKind, reopen};
use crate::Error;
use crate::dataset::Dataset;
use crate::execute::{Images, Places, StepInputs, StepOutput};
use neurogauge_core::{Captions, ImageSet, ObservationKind, Role, Side};
use neurogauge_models::segmentation::MaskNames;

impl StepInputs for Dataset {
    fn image_sets(&self) -> Vec<ImageSet> {
        let sides = Side::BOTH.map(ImageSet::from).into_iter();
        sides.chain(self.pool.images.as_ref().map(|_| ImageSet::Pool)).collect()
    }

    fn is_stand_in(&self, role: Role) -> bool {
        Dataset::is_stand_in(self, role.kind.id())
    }

    fn n_items(&self, role: Role) -> usize {
        // Observations have the same items as the inputs that they are made from, possibly all in one file.
        let input = self.input(role);
        let input = input.filter(|input| !input.items.iter().any(|(stem, _)| stem.is_empty()));
        input.map_or(self.stems.len(), |input| input.items.len())
    }

    fn images(&self, of: ImageSet) -> Option<Images<'_>> {
        let sides = self.images().map(|images| &images.sides);
        let source = match of {
            ImageSet::Stimuli => &sides?.gt,
            ImageSet::Reconstructions => &sides?.recon,
            ImageSet::Pool => self.pool.images.as_ref()?,
            ImageSet::Alone => return None,
        };
        let record = self.input(Role::new(of, ObservationKind::Images))?;
        Some(Images {
            source,
            record,
            are_frames: self.has_frames() && of != ImageSet::Pool,
        })
    }

    fn captions(&self, of: ImageSet) -> Option<&[(String, Captions)]> {
        let sides = &CaptionKind::of(self)?.sides;
        match of {
            ImageSet::Stimuli => Some(&sides.gt.0),
            ImageSet::Reconstructions => Some(&sides.recon.0),
            _ => None,
        }
    }

    fn captions_of_stimuli(&self, of: ImageSet) -> Option<Vec<Option<String>>> {
        match of {
            ImageSet::Reconstructions => captions_of_reconstructions(self),
            _ => None,
        }
    }

    fn mask_names(&self, of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error> {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|side| ImageSet::from(*side) == of);
        let side = side.filter(|_| self.resources.asked_categories.is_some());
        side.map(|side| self.mask_names_of(side)).transpose()
    }

    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        reopen(outputs, places, self)
    }
}
