//! A dataset while it is opened: whatever the kind, inputs are paired by stem and hashed.

use super::shared_stems::SharedStems;
use super::{Dataset, InputRecord, Paired};
use crate::Error;
use crate::observations::Located;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use neurogauge_core::pair::pair_by_stem;
use neurogauge_core::{ByKind, LabelList, ObservationKind, Pair, Role, Side, Sides};
use neurogauge_formats::item_source::ItemSource;
use std::path::{Path, PathBuf};

pub(super) struct Opening<'a> {
    pub(super) dataset: Dataset,
    pub(super) stems: SharedStems,
    /// What was opened already, or is to be made of what was.
    pub(super) opened: ByKind<bool>,
    pub(super) located: &'a mut Located,
    pub(super) request: &'a ScoreRequest,
    pub(super) labels: &'a LabelList,
    pub(super) progress: &'a dyn Progress,
}

impl Opening<'_> {
    pub(super) fn pair(
        &mut self,
        what: &'static str,
        gt: (&[String], &Path),
        recon: (&[String], &Path),
    ) -> Result<Vec<Pair>, Error> {
        let pairs = pair_by_stem(gt.0, recon.0).map_err(|source| Error::Pairing {
            what,
            gt: gt.1.to_owned(),
            recon: recon.1.to_owned(),
            source,
        })?;
        self.stems.agree(what, &pairs)?;
        Ok(pairs)
    }

    /// Pairs a kind of input and records the hash of every item.
    pub(super) fn paired<S: ItemSource>(
        &mut self,
        kind: ObservationKind,
        sides: Sides<S>,
    ) -> Result<Paired<S>, Error> {
        let pairs = self.pair(
            kind.noun(),
            (sides.gt.stems(), sides.gt.path()),
            (sides.recon.stems(), sides.recon.path()),
        )?;
        for side in Side::BOTH {
            let role = Role::new(side, kind);
            let record = InputRecord::of_items(role, sides.side(side), self.progress)?;
            self.dataset.inputs.push(record);
        }
        Ok(Paired { sides, pairs })
    }

    /// Pairs what one file of each side says, and records the hash of the file.
    pub(super) fn paired_file<T>(
        &mut self,
        kind: ObservationKind,
        paths: &Sides<PathBuf>,
        sides: Sides<Vec<(String, T)>>,
    ) -> Result<Paired<Vec<(String, T)>>, Error> {
        let stems_of = |list: &[(String, T)]| -> Vec<String> {
            list.iter().map(|(stem, _)| stem.clone()).collect()
        };
        let pairs = self.pair(
            kind.noun(),
            (&stems_of(&sides.gt), &paths.gt),
            (&stems_of(&sides.recon), &paths.recon),
        )?;
        for side in Side::BOTH {
            let role = Role::new(side, kind).to_string();
            let record = InputRecord::of_file(role, paths.side(side))?;
            self.dataset.inputs.push(record);
        }
        Ok(Paired { sides, pairs })
    }
}
