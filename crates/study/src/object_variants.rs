//! Object F1 with the size, location and number of objects, each compared with people (SEED, Table 4).

use crate::config::StudyConfig;
use crate::rated::{self, Rated};
use crate::scoring::{below, of_system};
use crate::shown_metrics::label;
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest};

pub(crate) const METRIC: &str = "object_f1";

/// Object F1 of a rated system under one variant.
pub(crate) struct VariantRun {
    pub(crate) system: String,
    pub(crate) variant: Variant,
    /// What it counts.
    pub(crate) shown: &'static str,
    pub(crate) run: rated::Variant,
}

const VARIANTS: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

/// Every variant for every rated system whose boxes and images are known.
pub(crate) fn evaluate(
    config: &StudyConfig,
    rated: &[Rated<'_>],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<VariantRun>, Error> {
    let mut runs = Vec::new();
    for rated in rated {
        let system = rated.system;
        let has_boxes = match system.run.scores.pairs.first() {
            Some(stem) => system.views.detections(Side::Gt, stem)?.is_some(),
            None => false,
        };
        for (variant, shown) in VARIANTS.into_iter().filter(|_| has_boxes && system.views.has_images()) {
            progress.note(&format!("{}, {} by {shown}", system.name, label(METRIC)));
            let settings = below(settings, &format!("objects/{}/{}", system.file_name, variant.id()));
            let choose = |asked: &mut ScoreRequest| asked.options.objects.variant = variant;
            let run = rated.variant(config, METRIC, choose, &settings, progress);
            runs.push(VariantRun {
                system: system.name.clone(),
                variant,
                shown,
                run: run.map_err(of_system(format!("{}, Object F1 by what it counts", system.name)))?,
            });
        }
    }
    Ok(runs)
}
