//! The masks of a finished run's pairs at each level of BASIC-L.

use crate::{Error, Run};
use neurogauge_core::{Mask, Masks, Sides};
use neurogauge_formats::item_source::ItemSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_metrics::decoding::basic_l::{BasicLOptions, Level, level_masks};
use std::collections::HashMap;

/// The masks of a run's pairs whose files still exist.
#[derive(Debug)]
pub struct LevelMasks {
    sides: Sides<MaskSource>,
    /// The position of each stem on both sides.
    places: HashMap<String, (usize, usize)>,
    options: BasicLOptions,
}

type NamedMasks = Vec<(String, Mask)>;

#[derive(Debug)]
pub struct PairMasks {
    /// Width and height of the stimulus, px; the masks have this size.
    pub size_px: (u32, u32),
    /// The masks of both images at each level, with the names of their categories.
    pub levels: Vec<(Level, Sides<NamedMasks>)>,
}

impl LevelMasks {
    /// Masks that were reopened, with the options of their run.
    pub fn of(run: &Run, sides: Sides<MaskSource>) -> Self {
        let recon = sides.recon.stems().iter().enumerate();
        let recon: HashMap<&String, usize> = recon.map(|(place, stem)| (stem, place)).collect();
        let gt = sides.gt.stems().iter().enumerate();
        let both = gt.filter_map(|(place, stem)| Some((stem.clone(), (place, *recon.get(stem)?))));
        LevelMasks {
            places: both.collect(),
            options: run.record.request.options.basic_l.clone(),
            sides,
        }
    }

    /// The masks of a pair at each of these levels; `None` for a pair without masks.
    ///
    /// # Errors
    /// The masks cannot be read or compared.
    pub fn of_pair(&self, stem: &str, levels: &[Level]) -> Result<Option<PairMasks>, Error> {
        let Some(&(gt, recon)) = self.places.get(stem) else {
            return Ok(None);
        };
        let (gt, recon): (Masks, Masks) = (self.sides.gt.load(gt)?, self.sides.recon.load(recon)?);
        let of_level = |&level: &Level| {
            let found = level_masks(&gt, &recon, level, &self.options).map_err(|source| Error::Metric {
                pair: stem.to_owned(),
                metric: "basic_l",
                source,
            })?;
            Ok((level, found))
        };
        let levels = levels.iter().map(of_level).collect::<Result<_, Error>>()?;
        Ok(Some(PairMasks {
            size_px: gt.size_px,
            levels,
        }))
    }
}
