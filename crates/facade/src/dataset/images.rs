//! Images, the names of masks in them, and doubts about images.

use super::opening::narrowed;
use super::{Dataset, Paired, SideItems};
use crate::Error;
use crate::pairing::known_names;
use crate::request::ScoreRequest;
use neurogauge_core::inspection::appearance::incomparable;
use neurogauge_core::inspection::content::{repeated_reconstructions, suspicious, swapped};
use neurogauge_core::inspection::known_test_set;
use neurogauge_core::pair::{PairedStems, Pairing, PairingError, item_of};
use neurogauge_core::{Role, Side, Sides};
use neurogauge_formats::Problem;
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::segmentation::MaskNames;
use std::path::{Path, PathBuf};

/// The names of the masks to make in each image of a source, found by its stem or its file name. An image may lack them
/// only if a model gave the categories.
pub(crate) fn mask_names(
    images: &ImageSource,
    categories: &CategorisationSource,
    are_observed: bool,
) -> Result<Vec<Option<MaskNames>>, Error> {
    let names = stems_in(images, categories).into_iter().map(|stem| match categories.find(&stem) {
        Some(found) => Ok(Some(MaskNames::of(found))),
        None if are_observed => Ok(None),
        None => {
            let expected = format!("categories for every image of {}; {stem:?} has none", images.path().display());
            let path = categories.path().to_owned();
            Err(Problem::not_found(expected).at(path).into())
        }
    });
    names.collect()
}

/// The stem under which each image has its categories: the stimulus' stem, or that of the image's file.
pub(crate) fn stems_in(images: &ImageSource, categories: &CategorisationSource) -> Vec<String> {
    let stems = images.stems().iter().enumerate();
    let own = stems.map(|(item, stem)| {
        let file = images.file_path(item).and_then(Path::file_stem);
        match file.map(|file| file.to_string_lossy().into_owned()) {
            Some(file) if categories.find(stem).is_none() => file,
            _ => stem.clone(),
        }
    });
    own.collect()
}

/// The images of both sides, which can be found by the stems of a run's pairs.
pub(crate) fn paired_images(paths: &Sides<PathBuf>, request: &ScoreRequest) -> Result<Sides<ImageSource>, Error> {
    let mut sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
    for side in Side::BOTH {
        sides.side(side).settle(request.reading, side.folder())?;
    }
    let paired = sides.gt.paired_with(&sides.recon, &request.pairing);
    under_stems(&mut sides, &request.pairing, paired);
    Ok(sides)
}

/// Renames the items of both sides to the stems of a run's pairs if they were not paired by equal stems. For an item
/// with parts, only the middle part is kept.
pub(crate) fn under_stems_of_pairs<S: SideItems>(sides: &mut Sides<S>, pairing: &Pairing, run: &[String]) {
    let paired = pairing.pair(&sides.gt.stems(), &sides.recon.stems());
    under_stems(sides, pairing, paired);
    for items in [&mut sides.gt, &mut sides.recon] {
        let stems = items.stems();
        let named = known_names(run, &stems);
        if named != stems {
            items.select(&(0..stems.len()).collect::<Vec<_>>(), named);
        }
    }
}

fn under_stems<S: SideItems>(sides: &mut Sides<S>, pairing: &Pairing, paired: Result<PairedStems, PairingError>) {
    // Items that have changed since may not pair any more; the remaining ones are still shown.
    if let Ok(paired) = paired
        && (!pairing.is_default() || paired.taken.joined.is_guess())
    {
        narrowed(sides, &paired.of_items());
    }
}

impl Dataset {
    /// The names of the masks to make in each image of a side.
    pub(crate) fn mask_names_of(&self, side: Side) -> Result<Vec<Option<MaskNames>>, Error> {
        let (Some(images), Some(categories)) = (self.images(), &self.resources.asked_categories) else {
            return Ok(Vec::new());
        };
        mask_names(images.sides.side(side), categories.side(side), self.resources.has_observed_categories)
    }

    /// Warns about images that are equal but should not be, and notes what makes numbers incomparable with others at
    /// this size: the sizes of images, lossy files, the number of pairs. Equality is decided by the hashes, so no image
    /// is decoded.
    pub(crate) fn doubt(&mut self, size_px: Option<usize>) {
        let mut found = Vec::new();
        let record = |side: Side| self.input(Role::images(side));
        let n_axes = self.axes.len();
        if let (Some(images), Some(gt), Some(recon)) = (self.images(), record(Side::Gt), record(Side::Recon)) {
            let hashes = Sides::new(gt.items.as_slice(), recon.items.as_slice());
            // Hashes of different forms of bytes are not comparable.
            if gt.form == recon.form {
                let are_one_source = images.sides.gt.is_at_place_of(&images.sides.recon);
                found = suspicious(&images.pairs, hashes, are_one_source);
                found.extend(swapped(&images.pairs, hashes).filter(|_| !are_one_source));
            }
            found.extend(repeated_reconstructions(&images.pairs, hashes, n_axes));
        }
        let is_same = |a: &String, b: &String| n_axes > 0 && item_of(a, n_axes) == item_of(b, n_axes);
        found.extend(known_test_set(self.stems.chunk_by(is_same).count()));
        if let Some(Paired { sides, .. }) = self.images() {
            let (gt, recon) = (sides.gt.forms(), sides.recon.forms());
            let forms = Sides::new(gt.as_slice(), recon.as_slice());
            found.extend(incomparable(forms, size_px));
        }
        for finding in found {
            self.find(finding);
        }
    }
}
