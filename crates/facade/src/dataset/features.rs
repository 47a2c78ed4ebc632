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
        let file = |side: Side| folders.side(side).join(format!("{model}.npy"));
        let ids = |side: Side| features::ids_beside(&file(side));
        let sides = Sides::of(|side| features::open(&file(side), &ids(side)))?;
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(Error::FeatureWidth {
                path: file(Side::Recon),
                gt: sides.gt.n_features(),
                recon: sides.recon.n_features(),
            });
        }
        let pairs = self.pair(
            ObservationKind::Features.noun(),
            (sides.gt.ids(), &ids(Side::Gt)),
            (sides.recon.ids(), &ids(Side::Recon)),
        )?;
        for side in Side::BOTH {
            self.record_features(side, &[file(side), ids(side)])?;
        }
        self.dataset
            .features
            .push((model.to_owned(), Paired { sides, pairs }));
        Ok(())
    }

    /// Records a matrix and its ids, which several matrices may share.
    pub(super) fn record_features(
        &mut self,
        of: impl Into<ImageSet>,
        paths: &[PathBuf],
    ) -> Result<(), Error> {
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
