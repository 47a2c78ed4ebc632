//! Distances of images in the layers of a network.

use super::pixels::{ImageComparison, LoadedPair, over_images};
use super::{Computed, Context};
use crate::Error;
use crate::lpips::LpipsRecipe;
use neurogauge_core::Pair;
use neurogauge_formats::store::recipe_text;
use neurogauge_metrics::decoding::foreground::Region;
use neurogauge_models::DeviceChoice;

/// Pairs between two writes of the journal; a pair takes about a second.
const PAIRS_PER_SAVE: usize = 16;

/// Networks run one after another, so that only one is in memory at a time.
pub(crate) fn compute(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let Some(images) = context.dataset.images() else {
        return Ok(());
    };
    for plan in context.selection.networks() {
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
                let path = images.sides.recon.path();
                let region = loaded.region.as_ref();
                if let Some(Err(reason)) = region.map(Region::check_any) {
                    return Ok(vec![Err(reason)]);
                }
                Ok(vec![Ok(lpips.distance((&pair.stem, path), &loaded.images, region.map(Region::inside))?)])
            })
        };
        over_images(&comparison, begin, context, computed)?;
    }
    Ok(())
}

/// The network's weights and its device affect the value too.
fn models(plan: &LpipsRecipe) -> Result<String, Error> {
    let models = recipe_text("LPIPS", &plan.identities())?;
    Ok(match plan.device {
        DeviceChoice::Cpu => models,
        device => format!("{models} on {device}"),
    })
}
