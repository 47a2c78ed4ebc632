//! Pairs with a semantic near-miss (SEED, Fig. 5) and pairs whose objects are right while the rest is not (Fig. 6).

use crate::agreement_tables::on_placeholder;
use crate::paper_item::PaperItems;
use crate::scoring::System;
use crate::shown_metrics::parts;
use crate::views::{caption_lines, object_lines};
use neurogauge::Error;
use neurogauge::core::{LabelList, Side};
use neurogauge::metrics::Taxonomy;
use neurogauge::metrics::decoding::near_miss_categories::near_miss_categories;
use neurogauge::report::figures::SheetRow;
use neurogauge::report::{Cell, TextTable};

/// Figure 5: the pairs with the highest near-miss rate.
pub(crate) fn near_misses(system: &System, n: usize, paper_items: &mut PaperItems) -> Result<(), Error> {
    const PAPER: &str = "Figure 5";
    let views = &system.views;
    let Some(rates) = system.run.scores.column("snm") else {
        paper_items.absent(PAPER, &system.name, "detections of both sides (metric snm)");
        return Ok(());
    };
    let pairs = system.run.scores.pairs.iter().zip(rates);
    let mut found: Vec<(&String, f64)> = pairs
        .filter_map(|(pair, rate)| Some((pair, *rate.as_ref().ok().filter(|rate| **rate > 0.0)?)))
        .collect();
    // A stable sort: ties stay in the order of the pairs.
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    if found.is_empty() {
        let needs = "a pair with a near miss; there is none";
        paper_items.absent(PAPER, &system.name, needs);
        return Ok(());
    }
    let options = &system.run.record.request.options.near_miss;
    let taxonomy = Taxonomy::new(&views.labels);
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (pair, rate) in found.iter().take(n) {
        let of = |side| views.detections(side, pair);
        let missed = match (of(Side::Gt)?, of(Side::Recon)?) {
            (Some(gt), Some(recon)) => {
                near_miss_categories(&gt, &recon, &taxonomy, options).map_err(|source| Error::Metric {
                    pair: (*pair).clone(),
                    metric: "snm",
                    source,
                })?
            }
            _ => Vec::new(),
        };
        let named = missed.iter().map(|near| {
            let instead: Vec<String> = near.instead.iter().map(|&i| name_of(&views.labels, i)).collect();
            (name_of(&views.labels, near.category), instead.join(", "))
        });
        let named: Vec<(String, String)> = named.collect();
        let words: Vec<String> = named.iter().map(|(missed, instead)| format!("{missed} became {instead}")).collect();
        rows.push(vec![Cell::Text((*pair).clone()), Cell::Number(*rate, 3), Cell::Text(words.join("; "))]);
        let mut beside = vec![format!("{pair}: {} {rate:.2}", system.labelled("snm"))];
        beside.extend(words);
        beside.extend(object_lines(views, pair, options.threshold)?);
        lines.push(SheetRow {
            images: views.images(pair)?,
            lines: beside,
        });
    }
    let note = format!(
        "{} of {} pairs have a near miss: a category of the stimulus is missing, another of its supercategory is there \
         (confidence {} and more). Shown: the highest rates.",
        found.len(),
        rates.len(),
        options.threshold
    );
    let table = TextTable {
        title: format!("Semantic near misses: {}", system.name),
        headings: vec!["Pair".to_owned(), system.labelled("snm"), "What became what".to_owned()],
        rows,
        notes: noted(note, system.is_stand_in("snm")),
    };
    paper_items.add_with_pairs(system.item(PAPER, "figure5_near_misses"), views, table, lines);
    Ok(())
}

/// Figure 6: detail misses with the largest gap between Object F1 and SEED.
pub(crate) fn detail_misses(system: &System, n: usize, paper_items: &mut PaperItems) -> Result<(), Error> {
    const PAPER: &str = "Figure 6";
    let views = &system.views;
    let scores = &system.run.scores;
    let (Some(misses), Some(f1), Some(seed)) =
        (scores.column("sdm"), scores.column("object_f1"), scores.column("seed"))
    else {
        paper_items.absent(PAPER, &system.name, "SEED with its parts (metric sdm)");
        return Ok(());
    };
    let mut found: Vec<(usize, f64)> = Vec::new();
    for (place, miss) in misses.iter().enumerate() {
        if let (Ok(1.0), Ok(f1), Ok(seed)) = (miss, &f1[place], &seed[place]) {
            found.push((place, f1 - seed));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let options = &system.run.record.request.options.detail_miss;
    let rule = format!("Object F1 above {} and more than {} above SEED", options.f1_above, options.gap_above);
    if found.is_empty() {
        let needs = format!("a detail miss ({rule}); there is none");
        paper_items.absent(PAPER, &system.name, needs);
        return Ok(());
    }
    let shown: Vec<&str> = parts(scores).into_iter().chain(["seed"]).collect();
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (place, gap) in found.iter().take(n) {
        let pair = &scores.pairs[*place];
        let value = |id: &&str| scores.column(id)?[*place].as_ref().ok().copied();
        let values: Vec<Option<f64>> = shown.iter().map(value).collect();
        let mut row = vec![Cell::Text(pair.clone())];
        row.extend(values.iter().map(Cell::number));
        row.push(Cell::number(gap));
        rows.push(row);
        let named = shown.iter().zip(&values);
        let named = named.filter_map(|(id, value)| Some(format!("{} {:.2}", system.labelled(id), (*value)?)));
        let mut beside = vec![
            format!("{pair}: {} {gap:.2} above {}", system.labelled("object_f1"), system.labelled("seed")),
            named.collect::<Vec<String>>().join(", "),
        ];
        beside.extend(caption_lines(views, pair));
        lines.push(SheetRow {
            images: views.images(pair)?,
            lines: beside,
        });
    }
    let headings = ["Pair".to_owned()].into_iter().chain(shown.iter().map(|id| system.labelled(id))).chain([format!(
        "{} - {}",
        system.labelled("object_f1"),
        system.labelled("seed")
    )]);
    let note = format!(
        "{} of {} pairs are detail misses: {rule}. Shown: the largest gaps. EffNet is a distance.",
        found.len(),
        misses.len()
    );
    let table = TextTable {
        title: format!("Right objects, wrong details: {}", system.name),
        headings: headings.collect(),
        rows,
        notes: noted(note, shown.iter().any(|id| system.is_stand_in(id))),
    };
    paper_items.add_with_pairs(system.item(PAPER, "figure6_detail_misses"), views, table, lines);
    Ok(())
}

/// The notes below a table.
fn noted(note: String, has_stand_in: bool) -> Vec<String> {
    let on_placeholder = on_placeholder(has_stand_in).map(str::to_owned);
    [note].into_iter().chain(on_placeholder).collect()
}

fn name_of(labels: &LabelList, category: usize) -> String {
    let name = labels.names().get(category);
    name.map_or_else(String::new, |name| name.replace('_', " "))
}
