//! Object F1 with the size, location and number of objects, each compared with people (SEED, Table 4).

use crate::agreement_tables::{StatisticsTable, on_placeholder};
use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::rated::{self, Rated};
use crate::scoring::{below, of_system};
use crate::shown_metrics::label;
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest};

const PAPER: &str = "Table 4";
const METRIC: &str = "object_f1";

pub(crate) type Agreement = (Variant, &'static str, rated::Variant);

const VARIANTS: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

/// Every variant, what it counts, and how Object F1 under it agrees with people, for a rated system; empty if its boxes or the sizes of its images are unknown.
pub(crate) fn evaluate(
    config: &StudyConfig,
    rated: &Rated<'_>,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Agreement>, Error> {
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
        let settings = below(settings, &format!("objects/{}/{}", system.file_name, variant.id()));
        let choose = |asked: &mut ScoreRequest| asked.options.objects.variant = variant;
        Ok((variant, shown, rated.variant(config, METRIC, choose, &settings, progress)?))
    };
    let found = VARIANTS.into_iter().map(of_variant).collect::<Result<_, Error>>();
    found.map_err(of_system(format!("{}, Object F1 by what it counts", system.name)))
}

/// The table of a rated system.
pub(crate) fn table(rated: &Rated<'_>, found: &[Agreement], paper_items: &mut PaperItems) {
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
    for (variant, shown, of) in found {
        let key = if is_stand_in { "" } else { variant.id() };
        let marked = format!("{shown}{}", rated.system.dagger(METRIC));
        table.estimates(marked, shown, key, &of.statistics, of.n_items);
    }
    let title = format!("Object F1 with size, location and number, against people: {about}");
    let table = table.finished(title, "What counts", true, on_placeholder(is_stand_in));
    paper_items.add(rated.system.item(PAPER, "table4_object_variants"), table);
}
