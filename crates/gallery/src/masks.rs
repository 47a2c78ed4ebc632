//! A figure of the masks of stimuli and systems at each level of BASIC-L (BASIC, Figs. S1 and S3).

use crate::pick::PickedPair;
use crate::systems::{System, Systems};
use itertools::Itertools;
use neurogauge::core::option_words::option;
use neurogauge::core::{Image, Mask};
use neurogauge::metrics::decoding::basic_l::Level;
use neurogauge::report::figures::{GridCell, GridRow, tinted_masks};
use neurogauge::{Error, LevelMasks, PairMasks};

const LEVELS: [Level; 4] = [Level::Salient, Level::Semantic, Level::Instance, Level::Part];

/// Longer side of a picture with masks, px.
const LONGEST_PX: usize = 320;

pub(crate) const NOTE: &str = "Masks as BASIC-L compares them, at the size of the stimulus: a colour for each name, of instances for each \
                               object; the names are below.";

/// The column names: the image, and each level.
pub(crate) fn columns() -> Vec<String> {
    let levels = LEVELS.iter().map(|level| level.id().to_owned());
    ["image".to_owned()].into_iter().chain(levels).collect()
}

/// A row for the stimulus of a pair, and one for each system.
pub(crate) fn rows(systems: &Systems, pair: &PickedPair) -> Result<Vec<GridRow>, Error> {
    let mut rows = Vec::new();
    let stem = &pair.stem;
    for (place, system) in systems.systems.iter().enumerate() {
        let found = masks_of(system)?.of_pair(stem, &LEVELS)?;
        let PairMasks { size_px, levels } = found.ok_or_else(|| {
            Error::Usage(format!(
                "{}: {} has no masks of {stem:?}; choose other pairs with {}",
                option("masks", ""),
                system.name,
                option("pick", "")
            ))
        })?;
        let (wide, high) = size_px;
        let longest = wide.max(high).max(1) as usize;
        let shown = |side: u32| (side as usize * LONGEST_PX / longest).max(1);
        let size_px = (shown(wide), shown(high));
        let of_side = |image: Option<&Image<u8>>, is_gt: bool| {
            let cells = levels.iter().map(|(level, sides)| {
                let own = if is_gt { &sides.gt } else { &sides.recon };
                // All names, the stimulus's first; the index of a name decides its colour on both sides.
                let names = sides.gt.iter().chain(&sides.recon).map(|(name, _)| name).unique().collect_vec();
                cell(image, size_px, *level, own, &names)
            });
            cells.collect::<Result<Vec<GridCell>, Error>>()
        };
        let with_image = |name: &str, image: Option<Image<u8>>, words: &str, cells| {
            let first = GridCell {
                image,
                words: words.to_owned(),
            };
            GridRow {
                name: name.to_owned(),
                cells: [first].into_iter().chain::<Vec<GridCell>>(cells).collect(),
            }
        };
        if place == 0 {
            let image = systems.stimulus(stem)?;
            let cells = of_side(image.as_ref(), true)?;
            rows.push(with_image("stimulus", image, stem, cells));
        }
        let image = system.reconstruction(stem)?;
        let cells = of_side(Some(&image), false)?;
        rows.push(with_image(&system.name, Some(image), "", cells));
    }
    Ok(rows)
}

/// The masks of a system, which must be a run with masks.
fn masks_of(system: &System) -> Result<&LevelMasks, Error> {
    system.masks.as_ref().ok_or_else(|| {
        Error::Usage(format!(
            "{}: {} has no masks; expected the folder of a finished run with masks, such as of {}",
            option("masks", ""),
            system.name,
            option("metrics", "basic_l_all")
        ))
    })
}

fn cell(
    image: Option<&Image<u8>>,
    size_px: (usize, usize),
    level: Level,
    masks: &[(String, Mask)],
    names: &[&String],
) -> Result<GridCell, Error> {
    let series = |place: usize, name: &String| match level {
        Level::Instance => place,
        _ => names.iter().position(|known| *known == name).unwrap_or(0),
    };
    let coloured = masks.iter().enumerate().map(|(place, (name, mask))| (mask, series(place, name))).collect_vec();
    let named = names.iter().filter_map(|name| {
        let n = masks.iter().filter(|(own, _)| own == *name).count();
        match (level, n) {
            (_, 0) => None,
            (Level::Instance, 2..) => Some(format!("{n} {name}")),
            _ => Some((*name).clone()),
        }
    });
    let words = match level {
        Level::Salient => String::new(),
        _ => named.collect_vec().join(", "),
    };
    Ok(GridCell {
        image: Some(tinted_masks(image, size_px, &coloured)?),
        words,
    })
}
