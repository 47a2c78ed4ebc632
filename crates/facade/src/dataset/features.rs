//! Opens feature matrices.

use super::opening::Opening;
use super::{InputRecord, Paired};
use crate::Error;
use neurogauge_core::{ImageSet, ObservationKind, Role, Side, Sides};
use neurogauge_formats::features;
use std::path::PathBuf;

impl Opening<'_> {
    pub(super) fn features(&mut self, model: &str, folders: &Sides<PathBuf>) -> Result<(), Error> {
        if self.dataset.features_of(model).is_some() {
            return Ok(());
        }
        let file = |side: Side| features::file_in(folders.side(side), model);
        let ids = |side: Side| features::ids_beside(&file(side));
        let sides = Sides::of(|side| match self.request.pairing.parts {
            Some(_) => features::open_parts(&file(side), &ids(side)),
            None => features::open(&file(side), &ids(side)),
        })?;
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(Error::FeatureWidth {
                path: file(Side::Recon),
                gt: sides.gt.n_features(),
                recon: sides.recon.n_features(),
            });
        }
        let noun = ObservationKind::Features.noun();
        let (gt, recon) = (sides.gt.ids(), sides.recon.ids());
        let pairs = match self.pair_clips(noun, gt, recon)? {
            Some(pairs) => pairs,
            None => self.pair(noun, (gt, &ids(Side::Gt)), (recon, &ids(Side::Recon)))?,
        };
        for side in Side::BOTH {
            self.record_features(side, &[file(side), ids(side)])?;
        }
        self.dataset.features.push((model.to_owned(), Paired { sides, pairs }));
        Ok(())
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
}
