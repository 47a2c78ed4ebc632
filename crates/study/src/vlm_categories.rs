//! Object F1 and SEED of categories that a vision-language model names, beside those of the fixed list (SEED, Table 3).

use crate::agreement_tables::{StatisticsTable, on_placeholder};
use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::rated::{Rated, request};
use crate::scoring::of_system;
use crate::shown_metrics::label;
use neurogauge::Error;
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
    let found = found.map_err(of_system(about))?;
    let mut table = StatisticsTable::new(rated, Some(PAPER));
    // In the paper's order, regardless of the run's.
    for metric in METRICS.iter().filter_map(|id| found.record.result.metrics.iter().find(|metric| metric.name == *id)) {
        let (shown, key) = (rated.labelled(&metric.name), rated.own(&metric.name));
        table.estimates(shown, &label(&metric.name), key, &metric.statistics, metric.n_items);
    }
    let is_stand_in = there.iter().any(|id| rated.system.is_stand_in(id));
    let title = format!("Named categories beside the fixed list, against people: {about}");
    let table = table.finished(title, "Metric", true, on_placeholder(is_stand_in));
    paper_items.add(rated.system.item(PAPER, "table3_named_categories"), table);
    Ok(())
}
