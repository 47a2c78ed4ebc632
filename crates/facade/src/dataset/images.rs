//! Opens images, boxes and masks.

use super::opening::{Opening, narrowed};
use super::{Dataset, InputRecord, Paired, order_of_stack};
use crate::Error;
use crate::observers::masks::MaskPrompts;
use crate::request::ScoreRequest;
use neurogauge_core::inspection::appearance::incomparable;
use neurogauge_core::inspection::content::{repeated_reconstructions, suspicious, swapped};
use neurogauge_core::inspection::known_test_set;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{PairedStems, Pairing, PairingError, item_of};
use neurogauge_core::{Finding, ObservationKind, Role, Side, Sides};
use neurogauge_formats::Problem;
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::item_source::ItemSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_models::segmentation::MaskNames;
use std::path::{Path, PathBuf};

impl Opening<'_> {
    pub(super) fn images(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
        self.times = Sides {
            gt: sides.gt.frame_times(),
            recon: sides.recon.frame_times(),
        };
        let images = self.paired_items(ObservationKind::Images, sides)?;
        for side in Side::BOTH {
            let subject = format!("{} images", side.folder());
            let found = images.sides.side(side).settle(self.request.reading, &subject)?;
            self.dataset.findings.extend(found);
        }
        self.record(ObservationKind::Images, &images.sides)?;
        if self.request.pairing.order.is_none() {
            let found = order_of_stack(&images.sides, &images.pairs)?;
            self.dataset.findings.extend(found);
        }
        for side in Side::BOTH {
            let source = images.sides.side(side);
            let parts = parts_as_items(side, source, &self.request.pairing);
            for finding in grid_of(side, source).into_iter().chain(parts) {
                self.dataset.find(finding);
            }
        }
        self.dataset.images = Some(images);
        Ok(())
    }

    pub(super) fn masks(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let mut categories = self.categories()?;
        let sides = Sides::of(|side| {
            let masks = MaskSource::open(paths.side(side))?;
            let of_side = match side {
                Side::Gt => categories.gt.take(),
                Side::Recon => categories.recon.take(),
            };
            match of_side {
                Some(categories) => masks.with_categories(categories),
                None => Ok(masks),
            }
        })?;
        self.dataset.masks = Some(self.paired(ObservationKind::Masks, sides)?);
        Ok(())
    }

    /// Opens the categories whose masks are to be made, for images of both sides that are already open.
    pub(super) fn asked_categories(&mut self) -> Result<(), Error> {
        if self.located.has(ObservationKind::Categories) {
            return Ok(()); // they will be asked for
        }
        let Sides { gt, recon } = self.categories()?;
        let recon = match self.dataset.mask_prompts {
            MaskPrompts::Own => recon,
            MaskPrompts::Stimulus => gt.clone(),
        };
        let both = gt.zip(recon).map(|(gt, recon)| Sides { gt, recon });
        self.dataset.asked_categories = both;
        Side::BOTH.into_iter().try_for_each(|side| self.dataset.mask_names_of(side).map(|_| ()))
    }

    /// Opens the categories of the sides that have them, and records what was read.
    fn categories(&mut self) -> Result<Sides<Option<CategorisationSource>>, Error> {
        let categories = Sides::of(|side| {
            let path = self.located.categories.side(side).as_ref();
            let opened = path.map(|path| CategorisationSource::open(path));
            Ok::<_, Error>(opened.transpose()?)
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

/// The names of the masks to make in each image of a source, looked up by its stem or its file name.
pub(crate) fn names_of(images: &ImageSource, categories: &CategorisationSource) -> Result<Vec<MaskNames>, Error> {
    let own_stems = stems_in(images, categories);
    let names = own_stems.iter().map(|stem| match categories.find(stem) {
        Some(found) => Ok(MaskNames::of(found)),
        None => {
            let expected = format!("categories for every image of {}; {stem:?} has none", images.path().display());
            let path = categories.path().to_owned();
            Err(Problem::not_found(expected).at(path).into())
        }
    });
    names.collect()
}

/// The stem under which each image has its categories: the stimulus's stem, or that of the image's file.
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

/// The images of both sides, to be looked up by the stems of a run's pairs.
pub(crate) fn paired_images(paths: &Sides<PathBuf>, request: &ScoreRequest) -> Result<Sides<ImageSource>, Error> {
    let mut sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
    for side in Side::BOTH {
        sides.side(side).settle(request.reading, side.folder())?;
    }
    let paired = sides.gt.paired_with(&sides.recon, &request.pairing);
    under_stems(&mut sides, &request.pairing, paired);
    Ok(sides)
}

/// Renames the items of both sides to the stems of a run's pairs, if they were not paired by equal stems. Of an item
/// with parts, the part in the middle is kept.
pub(crate) fn under_stems_of_pairs<S: ItemSource>(sides: &mut Sides<S>, pairing: &Pairing) {
    let paired = pairing.pair(sides.gt.stems(), sides.recon.stems());
    under_stems(sides, pairing, paired);
}

fn under_stems<S: ItemSource>(sides: &mut Sides<S>, pairing: &Pairing, paired: Result<PairedStems, PairingError>) {
    // Items that changed since may no longer pair; the remaining ones are still shown.
    if let (false, Ok(paired)) = (pairing.is_default(), paired) {
        narrowed(sides, &paired.of_items());
    }
}

impl Dataset {
    /// The names of the masks to make in each image of a side.
    pub(crate) fn mask_names_of(&self, side: Side) -> Result<Vec<Option<MaskNames>>, Error> {
        let (Some(images), Some(categories)) = (&self.images, &self.asked_categories) else {
            return Ok(Vec::new());
        };
        let (images, categories) = (images.sides.side(side), categories.side(side));
        if self.has_observed_categories {
            let own_stems = stems_in(images, categories).into_iter();
            let names = own_stems.map(|stem| categories.find(&stem).map(MaskNames::of));
            return Ok(names.collect());
        }
        Ok(names_of(images, categories)?.into_iter().map(Some).collect())
    }

    /// Warns of images that are equal but should not be, and notes what makes numbers incomparable with others at this
    /// size: the sizes of images, lossy files, the number of pairs. Equality is decided by the hashes, so no image is
    /// decoded.
    pub(super) fn doubt(&mut self, size_px: Option<usize>) {
        let mut found = Vec::new();
        let record = |side: Side| self.input(Role::images(side));
        let n_axes = self.axes.len();
        if let (Some(images), Some(gt), Some(recon)) = (&self.images, record(Side::Gt), record(Side::Recon)) {
            let hashes = Sides {
                gt: gt.items.as_slice(),
                recon: recon.items.as_slice(),
            };
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
        if let Some(Paired { sides, .. }) = &self.images {
            let (gt, recon) = (sides.gt.forms(), sides.recon.forms());
            let forms = Sides {
                gt: gt.as_slice(),
                recon: recon.as_slice(),
            };
            found.extend(incomparable(forms, size_px));
        }
        for finding in found {
            self.find(finding);
        }
    }
}

/// A note about the grid that a side's pictures show.
fn grid_of(side: Side, images: &ImageSource) -> Option<Finding> {
    let message = format!("they are pictures of a grid: {}", images.grid()?);
    Some(Finding::note("grid", format!("{} images", side.folder()), message))
}

/// A warning where the frames of clips or of folders, or the images of a stack with one axis more, each count as an
/// item.
fn parts_as_items(side: Side, images: &ImageSource, pairing: &Pairing) -> Option<Finding> {
    let (group, n) = images.groups().filter(|_| pairing.parts.is_none())?;
    let groups = match n {
        1 => format!("one {group}"),
        n => format!(
            "{n} {}",
            group.replacen("row", "rows", 1).replacen("clip", "clips", 1).replacen("folder", "folders", 1)
        ),
    };
    let message = format!(
        "they are the {} images of {groups}, and each of them counts as an item, as if it were independent of the others",
        images.len()
    );
    let subject = format!("{} images", side.folder());
    let advice = format!("{} makes one item of each", option("parts", "frame"));
    Some(Finding::warning("parts_as_items", subject, message).advise(match group {
        "clip" => advice,
        _ => format!("{advice} (frame, view or sample)"),
    }))
}
