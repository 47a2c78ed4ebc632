//! Opens the common pool of distractors for identification.

use crate::Error;
use crate::dataset::{Dataset, InputRecord, Opening, listed};
use crate::observers::features::{FeatureRecipe, recorded_recipe};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, ImageSet, ObservationKind, Role, Side, Sides};
use neurogauge_formats::features;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::decoding::identification::{IdentificationDirection, IdentificationOptions, Ties};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A pool with fewer images is an error.
const FEWEST: usize = 2;

impl Opening<'_> {
    /// Opens the features of a pool. Those of the pairs are already open, or will be made with this recipe.
    pub(super) fn pool_features(
        &mut self,
        model: &str,
        folder: &Path,
        recipe: Option<&FeatureRecipe>,
    ) -> Result<(), Error> {
        if self.dataset.pool.features_of(model).is_some() {
            return Ok(());
        }
        let file = folder.join(format!("{model}.npy"));
        let ids = features::ids_beside(&file);
        let pool = features::open(&file, &ids)?;
        if let (Some(of_pairs), Some(of_pool)) = (recipe, recorded_recipe(folder, model))
            && *of_pairs != of_pool
        {
            return Err(Error::Data(format!(
                "{}: made in another way than the features of the pairs ({}); make it again with `neurogauge perceive` as they \
                 are made, or give the images themselves as {}",
                file.display(),
                of_pool.difference(of_pairs),
                option("pool", "")
            )));
        }
        self.record_features(ImageSet::Pool, &[file.clone(), ids])?;
        let n_images = pool.ids().len();
        let found = format!("{n_images} images, a row of features for each name in ids.json");
        self.dataset.find(Finding::read_as("pool features", found));
        self.dataset.pool.features.push((model.to_owned(), pool));
        self.dataset.check_pools()?;
        check_size(&file, n_images)
    }

    /// Records a matrix and its ids, which several matrices may share.
    pub(super) fn record_features(&mut self, of: impl Into<ImageSet>, paths: &[PathBuf]) -> Result<(), Error> {
        let all = Role::new(of, ObservationKind::Features);
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let role = all.file(&name);
            if self.dataset.input(&role).is_none() {
                self.dataset.inputs.push(InputRecord::of_file(role, path)?);
            }
        }
        Ok(())
    }

    /// Opens the images of a pool. All of them stay, so a warning names the pairs whose own images are in the pool.
    pub(super) fn pool_images(&mut self, path: &Path, options: &IdentificationOptions) -> Result<(), Error> {
        if self.dataset.pool.images.is_some() {
            return Ok(());
        }
        let source = ImageSource::open(path)?;
        check_size(path, source.len())?;
        let found = source.settle(self.request.reading, "pool images")?;
        self.dataset.findings.extend(found);
        self.dataset
            .find(Finding::read_as("pool images", format!("{} images, {}", source.len(), source.form())));
        let record = InputRecord::of_items(Role::POOL_IMAGES, &source, self.progress)?;
        let twins = Sides::new(
            twins(&record, self.dataset.input(Role::images(Side::Gt))),
            twins(&record, self.dataset.input(Role::images(Side::Recon))),
        );
        for side in Side::BOTH {
            let of_side = twins.side(side);
            if !of_side.is_empty() {
                let warning = meeting_oneself(of_side, side, options);
                self.dataset.findings.push(warning);
            }
        }
        self.dataset.pool.overlap = twins.gt.into_iter().chain(twins.recon).collect();
        self.dataset.inputs.push(record);
        self.dataset.pool.images = Some(source);
        Ok(())
    }
}

impl Dataset {
    /// Fails if the pool's features have another length than the pairs'.
    pub(super) fn check_pools(&self) -> Result<(), Error> {
        for (model, pool) in &self.pool.features {
            let expected = self.features_of(model).map(|of| of.sides.gt.n_features());
            let expected = expected.filter(|expected| *expected > 0);
            if expected.is_some_and(|expected| expected != pool.n_features()) {
                let record = self.input(Role::new(ImageSet::Pool, ObservationKind::Features).file(model));
                let record = record.or(self.input(Role::POOL_IMAGES));
                return Err(Error::Data(format!(
                    "{}: {} features per row, and the stimuli and reconstructions have {}; all must come from the same model \
                     and layer",
                    record.map_or("", |record| &record.path),
                    pool.n_features(),
                    expected.unwrap_or_default()
                )));
            }
        }
        Ok(())
    }
}

fn check_size(path: &Path, n_images: usize) -> Result<(), Error> {
    if n_images < FEWEST {
        return Err(Error::Data(format!(
            "{}: a pool of {n_images} image; expected at least 2 distractors, and better hundreds",
            path.display()
        )));
    }
    Ok(())
}

/// Stems of the pool's images whose content equals that of an image of a side.
fn twins(pool: &InputRecord, side: Option<&InputRecord>) -> Vec<String> {
    // Hashes of different forms of bytes are not comparable; equal features are found later.
    let Some(side) = side.filter(|side| side.form == pool.form) else {
        return Vec::new();
    };
    let known: HashSet<&str> = side.items.iter().map(|(_, hash)| hash.as_str()).collect();
    let twins = pool.items.iter().filter(|(_, hash)| known.contains(hash.as_str()));
    twins.map(|(stem, _)| stem.clone()).collect()
}

fn meeting_oneself(twins: &[String], side: Side, options: &IdentificationOptions) -> Finding {
    let (one, own) = match options.direction {
        IdentificationDirection::Reconstruction => (Side::Recon, Side::Gt),
        IdentificationDirection::Stimulus => (Side::Gt, Side::Recon),
    };
    let treated = if side == own {
        let counts = match options.ties {
            Ties::Lose => "is lost",
            Ties::Half => "counts half",
            Ties::Win => "is won",
        };
        format!("a {one} that meets its own {own} there ties with it, and the tie {counts}")
    } else {
        format!("a {one} that meets itself there loses, being more like itself than like its own {own}")
    };
    Finding::warning(
        "pool_holds_pairs",
        "pool",
        format!(
            "{} of its images have the content of a {side} of this run: {}. None is left out: {treated}",
            twins.len(),
            listed(twins.iter().map(String::as_str))
        ),
    )
}
