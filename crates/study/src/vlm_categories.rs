//! Object F1 and SEED of categories that a vision-language model names, beside those of the fixed list (SEED, Table 3).

use crate::agreement_tables::{StatisticsTable, on_placeholder};
use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::rated::{Rated, request};
use crate::shown_metrics::label;
use neurogauge::Error;
use neurogauge::stats::meta::figure_of;
use neurogauge_meta::{MetaRequest, meta};

const PAPER: &str = "Table 3";
/// With the fixed list and with named categories, in the paper's order.
const METRICS: [&str; 4] = ["object_f1", "object_f1_vlm", "seed", "seed_vlm"];

/// The table of a rated system.
pub(crate) fn table(config: &StudyConfig, rated: &Rated<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    let about = &rated.system.name;
    let scores = &rated.system.run.scores;
    let there = METRICS.iter().filter(|id| scores.column(id).is_some());
    let there: Vec<String> = there.map(|id| (*id).to_owned()).collect();
    if !there.iter().any(|id| id.ends_with("_vlm")) {
        let needs = "categories that a model names in the images, with the metrics object_f1_vlm or seed_vlm";
        paper_items.absent(PAPER, about, needs);
        return Ok(());
    }
    let found = meta(&MetaRequest {
        metrics: vec![rated.system.run.folder.root().to_owned()],
        only: there.clone(),
        ..request(config, rated.ratings)
    });
    let found = found.map_err(|source| Error::OfSystem {
        system: about.clone(),
        source: Box::new(source),
    })?;
    let mut table = StatisticsTable::new(rated, Some(PAPER));
    // In the paper's order, regardless of the run's.
    for metric in METRICS.iter().filter_map(|id| found.record.result.metrics.iter().find(|metric| metric.name == *id)) {
        let figure = |statistic| {
            let found = figure_of(&metric.statistics, statistic)?;
            Some((&found.value, found.interval))
        };
        let (shown, key) = (rated.labelled(&metric.name), rated.own(&metric.name));
        table.line(shown, &label(&metric.name), key, figure, metric.n_items);
    }
    let is_stand_in = there.iter().any(|id| rated.system.is_stand_in(id));
    let title = format!("Named categories beside the fixed list, against people: {about}");
    let name = format!("table3_named_categories_{}", rated.system.file_name);
    let table = table.finished(title, "Metric", true, on_placeholder(is_stand_in));
    paper_items.add(PAPER, name, about, table);
    Ok(())
}
