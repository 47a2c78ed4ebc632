//! Finds the features behind an identification metric, which its run stored or received.

use neurogauge::core::{ImageSet, ObservationKind, Role, Side, Sides};
use neurogauge::formats::features::{self, StoredFeatures};
use neurogauge::formats::npy;
use neurogauge::metrics::decoding::identification::IdentificationDirection;
use neurogauge::{Run, StoredRows};
use std::collections::HashMap;
use std::path::PathBuf;

/// Paths of the matrices of both sides, and of the pool if the metric has one. None is read yet.
pub(crate) struct FeatureFiles {
    sides: Sides<PathBuf>,
    pool: Option<PathBuf>,
    /// Number of multiplications to compare all pairs with all others.
    pub(crate) n_products: u64,
    /// Number of values in each row.
    pub(crate) n_features: u64,
}

/// The opened matrices, and the rows of the run's pairs.
pub(crate) struct OpenedFeatures {
    sides: Sides<StoredFeatures>,
    /// For each pair of the run, its rows on both sides; `None` if a side has none.
    pub(crate) rows: Vec<Option<(usize, usize)>>,
    pub(crate) pool: Option<StoredFeatures>,
}

impl FeatureFiles {
    /// The paths of a metric's features; the error says why they cannot be shown.
    pub(crate) fn find(run: &Run, metric: &str, with_pool: bool) -> Result<Self, String> {
        let record = &run.record;
        let origin = record.metrics.iter().find(|known| known.id == metric).map_or("", |known| known.origin.as_str());
        let (_, model) =
            (origin.split_once('/')).ok_or_else(|| "the run does not say what its features were".to_owned())?;
        let place = |of: ImageSet| {
            let role = Role::new(of, ObservationKind::Features).file(model);
            let given = record.provenance.inputs.iter().find(|input| input.role == role);
            let path = match given {
                Some(input) => PathBuf::from(&input.path),
                None => {
                    let folder: PathBuf = ["observations", of.folder(), "features"].iter().collect();
                    run.folder.root().join(folder).join(format!("{model}.npy"))
                }
            };
            match path.exists() {
                true => Ok(path),
                false => Err(format!("the features are not there any more: {}", path.display())),
            }
        };
        let sides = Sides::of(|side| place(side.into()))?;
        let pool = with_pool.then(|| place(ImageSet::Pool)).transpose()?;
        let shape = |path: &PathBuf| -> Result<(u64, u64), String> {
            let header = npy::read_header(path).map_err(|error| error.to_string())?;
            let n_rows = header.shape.first().copied().unwrap_or(0);
            Ok((n_rows, header.shape.iter().skip(1).product()))
        };
        let (n_rows, n_features) = shape(&sides.recon)?;
        let n_others = match &pool {
            Some(pool) => shape(pool)?.0,
            None => n_rows,
        };
        Ok(FeatureFiles {
            n_products: n_rows.saturating_mul(n_others).saturating_mul(n_features),
            n_features,
            sides,
            pool,
        })
    }

    /// Opens them, and finds the rows of the run's pairs.
    pub(crate) fn open(&self, run: &Run) -> Result<OpenedFeatures, String> {
        let open =
            |path: &PathBuf| features::open(path, &features::ids_beside(path)).map_err(|error| error.to_string());
        let sides = Sides::of(|side| open(self.sides.side(side)))?;
        let pool = self.pool.as_ref().map(open).transpose()?;
        Ok(OpenedFeatures {
            rows: rows_of_pairs(run, &sides)?,
            sides,
            pool,
        })
    }
}

fn rows_of_pairs(run: &Run, sides: &Sides<StoredFeatures>) -> Result<Vec<Option<(usize, usize)>>, String> {
    let stems = &run.scores.pairs;
    let by_id = |side: &StoredFeatures| -> HashMap<String, usize> { side.ids().iter().cloned().zip(0..).collect() };
    let (gt, recon) = (by_id(&sides.gt), by_id(&sides.recon));
    // Features computed here have the stimuli's stems; given ones may have other stems.
    if stems.iter().any(|stem| recon.contains_key(stem)) {
        let rows = |stem: &String| Some((*gt.get(stem)?, *recon.get(stem)?));
        return Ok(stems.iter().map(rows).collect());
    }
    let pairing = &run.record.request.pairing;
    let paired = pairing.pair(sides.gt.ids(), sides.recon.ids()).map_err(|error| error.to_string())?.of_items();
    let paired = paired.into_iter().map(|pair| (pair.stem, (pair.gt, pair.recon)));
    let of_stem: HashMap<String, (usize, usize)> = paired.collect();
    Ok(stems.iter().map(|stem| of_stem.get(stem).copied()).collect())
}

impl OpenedFeatures {
    /// The rows of the queries, and of the images that they should be identified with.
    pub(crate) fn compared(&self, direction: IdentificationDirection, pairs: &[usize]) -> [StoredRows<'_>; 2] {
        let sides = match direction {
            IdentificationDirection::Reconstruction => [Side::Recon, Side::Gt],
            IdentificationDirection::Stimulus => [Side::Gt, Side::Recon],
        };
        sides.map(|side| self.of(side, pairs))
    }

    /// The rows of some pairs of the run, all of which must have rows.
    pub(crate) fn of(&self, side: Side, pairs: &[usize]) -> StoredRows<'_> {
        let rows = pairs.iter().filter_map(|&pair| self.rows[pair]).map(|(gt, recon)| match side {
            Side::Gt => gt,
            Side::Recon => recon,
        });
        StoredRows::of(self.sides.side(side), rows.collect())
    }

    pub(crate) fn of_pool(&self) -> Option<StoredRows<'_>> {
        self.pool.as_ref().map(StoredRows::all)
    }
}
