//! Object F1 with the size, location and number of objects, each compared with people (SEED, Table 4).

use crate::agreement_tables::{StatisticsTable, on_placeholder};
use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::rated::{Rated, request};
use crate::shown_metrics::label;
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::stats::meta::{StatisticEstimate, figure_of};
use neurogauge::{Error, Progress, RunSettings, score};
use neurogauge_meta::{MetaRequest, meta};

const PAPER: &str = "Table 4";
const METRIC: &str = "object_f1";
const VARIANTS: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

/// Object F1 of one system under one variant.
pub(crate) struct VariantAgreement {
    variant: Variant,
    shown: &'static str,
    n_items: usize,
    statistics: Vec<StatisticEstimate>,
}

/// Every variant for a rated system; empty if its boxes or the sizes of its images are unknown.
pub(crate) fn evaluate(
    config: &StudyConfig,
    rated: &Rated<'_>,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<VariantAgreement>, Error> {
    let system = rated.system;
    let first = system.run.scores.pairs.first();
    let has_boxes = match first {
        Some(stem) => system.views.detections(Side::Gt, stem)?.is_some(),
        None => false,
    };
    if !has_boxes || !system.views.has_images() {
        return Ok(Vec::new());
    }
    let of_variant = |(variant, shown): (Variant, &'static str)| {
        progress.note(&format!("{}, {} by {shown}", system.name, label(METRIC)));
        let mut asked = system.run.record.request.clone();
        if asked.models.are_default() {
            asked.models.clone_from(&config.score.models);
        }
        asked.metrics = Some(vec![METRIC.to_owned()]);
        asked.options.objects.variant = variant;
        let folder = format!("objects/{}/{}", system.file_name, variant.id());
        let settings = RunSettings {
            out: settings.out.join(folder),
            ..settings.clone()
        };
        score(&asked, &settings, progress)?;
        let meta = meta(&MetaRequest {
            metrics: vec![settings.out.clone()],
            only: vec![METRIC.to_owned()],
            ..request(config, rated.ratings)
        })?;
        let measured = meta.record.result.metrics.into_iter().next();
        let (n_items, statistics) =
            measured.map_or_else(Default::default, |metric| (metric.n_items, metric.statistics));
        Ok(VariantAgreement {
            variant,
            shown,
            n_items,
            statistics,
        })
    };
    let found = VARIANTS.into_iter().map(of_variant);
    found.collect::<Result<_, Error>>().map_err(|source| Error::OfSystem {
        system: format!("{}, Object F1 by what it counts", system.name),
        source: Box::new(source),
    })
}

/// The table of a rated system.
pub(crate) fn table(rated: &Rated<'_>, found: &[VariantAgreement], paper_items: &mut PaperItems) {
    let about = &rated.system.name;
    if found.is_empty() {
        paper_items.absent(PAPER, about, "boxes and images of both sides");
        return;
    }
    let is_stand_in = rated.system.is_stand_in(METRIC);
    let mut table = StatisticsTable::new(rated, Some(PAPER));
    table.notes.push(
        "Size: a category weighs up to twice as much the larger its box. Location: the nearer its box is to the centre. Number: a \
         category that both have counts as the smaller number of boxes divided by the larger."
            .to_owned(),
    );
    for of in found {
        let figure = |statistic| {
            let found = figure_of(&of.statistics, statistic)?;
            Some((&found.value, found.interval))
        };
        let key = if is_stand_in { "" } else { of.variant.id() };
        let shown = format!("{}{}", of.shown, rated.system.dagger(METRIC));
        table.line(shown, of.shown, key, figure, of.n_items);
    }
    let title = format!("Object F1 with size, location and number, against people: {about}");
    let name = format!("table4_object_variants_{}", rated.system.file_name);
    let table = table.finished(title, "What counts", true, on_placeholder(is_stand_in));
    paper_items.add(PAPER, name, about, table);
}
