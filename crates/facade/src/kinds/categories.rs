//! Categories of the things in images: of existing masks, or for masks that will be made.

use super::{ComparedKind, MaskKind, ObservedKind};
use crate::Error;
use crate::dataset::{Dataset, Entries, InputRecord, Opening, Paired};
use crate::execute::{Places, StepOutput};
use crate::observers::masks::MaskPrompts;
use neurogauge_core::{ObservationKind, Role, Side, Sides};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::masks::MaskSource;

pub(crate) struct CategoryKind;

impl ObservedKind for CategoryKind {
    const KIND: ObservationKind = ObservationKind::Categories;
    /// Nothing: masks hold their categories.
    type Items = Entries<()>;

    /// Adds observed categories to existing masks, or keeps them for masks that will be made.
    fn reopen(_outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        let found = Sides::of(|side| CategorisationSource::open_observed(&places.file(side.into(), Self::KIND)))?;
        dataset.resources.has_observed_categories = true;
        match dataset.take(MaskKind::KIND) {
            None => {
                let resources = &mut dataset.resources;
                resources.asked_categories = asked(Some(found.gt), Some(found.recon), resources.mask_prompts);
            }
            Some(Paired { sides, pairs }) => {
                let (gt, recon): (MaskSource, MaskSource) = (sides.gt, sides.recon);
                let sides = Sides {
                    gt: gt.with_observed_categories(found.gt),
                    recon: recon.with_observed_categories(found.recon),
                };
                dataset.add(MaskKind::KIND, Paired { sides, pairs });
            }
        }
        Ok(())
    }
}

impl ComparedKind for CategoryKind {}

/// The categories whose masks are made in the images of both sides.
fn asked(
    gt: Option<CategorisationSource>,
    recon: Option<CategorisationSource>,
    prompts: MaskPrompts,
) -> Option<Sides<CategorisationSource>> {
    let recon = match prompts {
        MaskPrompts::Own => recon,
        MaskPrompts::Stimulus => gt.clone(),
    };
    gt.zip(recon).map(|(gt, recon)| Sides { gt, recon })
}

impl Opening<'_> {
    /// Opens the categories whose masks are to be made, for images of both sides that are already open.
    pub(super) fn asked_categories(&mut self) -> Result<(), Error> {
        if self.located.has(ObservationKind::Categories) {
            return Ok(()); // they will be asked for
        }
        let Sides { gt, recon } = self.categories()?;
        self.dataset.resources.asked_categories = asked(gt, recon, self.dataset.resources.mask_prompts);
        Side::BOTH.into_iter().try_for_each(|side| self.dataset.mask_names_of(side).map(|_| ()))
    }

    /// Opens the categories of the sides that have them, and records what was read.
    pub(super) fn categories(&mut self) -> Result<Sides<Option<CategorisationSource>>, Error> {
        let categories = Sides::of(|side| {
            let path = self.located.categories.side(side).as_ref();
            path.map(|path| CategorisationSource::open(path)).transpose()
        })?;
        for side in Side::BOTH {
            if let Some(categories) = categories.side(side) {
                let role = Role::new(side, ObservationKind::Categories).to_string();
                let hashes = categories.content_hashes()?;
                let record = InputRecord::of_hashes(role, categories.path(), hashes);
                self.dataset.inputs.push(record);
            }
        }
        Ok(categories)
    }
}
