//! Distances of images in the layers of a network.

use super::pixels::{Found, ImageComparison, LoadedPair, over_images};
use super::{Columns, Context};
use crate::Error;
use crate::lpips::LpipsRecipe;
use crate::selection::Selection;
use neurogauge_core::{Pair, Sides};
use neurogauge_formats::store::recipe_text;
use neurogauge_models::DeviceChoice;

/// Pairs between two writes of the journal; a pair takes about a second.
const PAIRS_PER_SAVE: usize = 16;

/// One network after the other, so that one is in memory at a time.
pub(super) fn compute(selection: &Selection, context: &Context<'_>, found: &mut Found) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    let Some(images) = &context.dataset.images else {
        return Ok(columns);
    };
    for plan in &selection.lpips {
        let id = plan.heads.net().metric();
        let comparison = ImageComparison {
            stage: id,
            ids: &[id],
            models: models(plan)?,
            pairs_per_save: PAIRS_PER_SAVE,
        };
        let begin = || {
            let lpips = plan.load()?;
            Ok(move |pair: &Pair, loaded: &LoadedPair| {
                let Sides { gt, recon } = &loaded.images;
                let path = images.sides.recon.path();
                Ok(vec![Ok(lpips.distance(&pair.stem, path, gt, recon)?)])
            })
        };
        columns.extend(over_images(&comparison, begin, context, found)?);
    }
    Ok(columns)
}

/// The network's weights and its device decide the value too.
fn models(plan: &LpipsRecipe) -> Result<String, Error> {
    let models = recipe_text("LPIPS", &plan.identities())?;
    Ok(match plan.device {
        DeviceChoice::Cpu => models,
        device => format!("{models} on {device}"),
    })
}
