//! Runs of rated systems with something changed, compared with people: SEED with other detectors, captioners and text
//! encoders (SEED, Fig. 3), and Object F1 with other things that count (Table 4).

use crate::choices::Combination;
use crate::rated::{Rated, request};
use crate::runs::{Job, is_stand_in, of_system};
use crate::shown_metrics::{COMPOSITE, label};
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::stats::meta::StatisticEstimate;
use neurogauge::{Error, ScoreRequest, file_name};
use neurogauge_meta::{MetaRequest, meta};
use serde::Serialize;

/// A changed run of a system, compared with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct VariantRun {
    pub(crate) system: String,
    /// The names of the choices, or what counts.
    pub(crate) label: String,
    /// Path of its run, relative to the study's folder.
    run: String,
    fingerprint: String,
    pub(crate) stand_in: bool,
    /// Number of rated pairs with a score.
    pub(crate) n_items: usize,
    pub(crate) statistics: Vec<StatisticEstimate>,
    /// Its name among published values.
    #[serde(skip)]
    pub(crate) key: &'static str,
}

const COUNTED: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

impl Job<'_> {
    /// SEED under every combination of components, for every rated system.
    pub(crate) fn components(&self, rated: &[Rated<'_>]) -> Result<Vec<VariantRun>, Error> {
        let combinations = self.config.choices.combinations();
        let mut found = Vec::new();
        for rated in rated {
            for (number, combination) in (1..).zip(&combinations) {
                let (system, Combination { label, choices }) = (&rated.system.name, combination);
                self.progress.note(&format!("{system}, components {number} of {}: {label}", combinations.len()));
                let place = format!("components/{}/{number:02}-{}", rated.system.file_name, file_name(label));
                let change = |asked: &mut ScoreRequest| {
                    choices.iter().for_each(|(component, choice)| choice.apply(component, system, asked));
                };
                let one = self.variant(rated, COMPOSITE, (label, ""), place, change);
                found.push(one.map_err(of_system(format!("{system} with {label}")))?);
            }
        }
        Ok(found)
    }

    /// Object F1 by what counts, for every rated system whose boxes and images are known.
    pub(crate) fn objects(&self, rated: &[Rated<'_>]) -> Result<Vec<VariantRun>, Error> {
        const OBJECT_F1: &str = "object_f1";
        let mut found = Vec::new();
        for rated in rated {
            let system = rated.system;
            let first = system.run.scores.pairs.first();
            let boxes = first.map(|stem| system.views.detections(Side::Gt, stem)).transpose()?.flatten();
            for (variant, shown) in COUNTED.into_iter().filter(|_| boxes.is_some() && system.views.has_images()) {
                self.progress.note(&format!("{}, {} by {shown}", system.name, label(OBJECT_F1)));
                let place = format!("objects/{}/{}", system.file_name, variant.id());
                let change = |asked: &mut ScoreRequest| asked.options.objects.variant = variant;
                let one = self.variant(rated, OBJECT_F1, (shown, variant.id()), place, change);
                found.push(one.map_err(of_system(format!("{}, Object F1 by what it counts", system.name)))?);
            }
        }
        Ok(found)
    }

    /// Compares one metric of a changed run with people.
    fn variant(
        &self,
        rated: &Rated<'_>,
        metric: &str,
        (label, key): (&str, &'static str),
        place: String,
        change: impl FnOnce(&mut ScoreRequest),
    ) -> Result<VariantRun, Error> {
        let mut asked = rated.system.request(self.config);
        change(&mut asked);
        asked.metrics = Some(vec![metric.to_owned()]);
        let run = self.score(&asked, &place)?;
        let meta = meta(&MetaRequest {
            metrics: vec![self.settings.out.join(&place)],
            only: vec![metric.to_owned()],
            ..request(self.config, rated.ratings)
        })?;
        let measured = meta.record.result.metrics.into_iter().next();
        let (n_items, statistics) = measured.map_or_else(Default::default, |own| (own.n_items, own.statistics));
        Ok(VariantRun {
            system: rated.system.name.clone(),
            label: label.to_owned(),
            stand_in: is_stand_in(&run, metric),
            fingerprint: run.record.fingerprint,
            run: place,
            n_items,
            statistics,
            key,
        })
    }
}
