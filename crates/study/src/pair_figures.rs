//! Shows pairs with their images: worst cases of SEED's parts (SEED, Fig. 4), semantic near misses (Fig. 5), and right
//! objects with wrong details (Fig. 6).

use crate::agreement_tables::on_placeholder;
use crate::found::{Found, Made, needs};
use crate::rated::Rated;
use crate::scoring::System;
use crate::shown_metrics::parts;
use itertools::Itertools;
use neurogauge::core::{LabelList, Side};
use neurogauge::metrics::Taxonomy;
use neurogauge::metrics::decoding::near_miss_categories::near_miss_categories;
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, PairViews};
use neurogauge_meta::MetricWorstCases;

/// The names of the two sides.
const NAMED: [(Side, &str); 2] = [(Side::Gt, "stimulus"), (Side::Recon, "reconstruction")];

/// Figure 4: pairs that one part of SEED ranks most differently from people, while the other parts agree with people.
pub(crate) fn worst_cases(_: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let views = &rated.system.views;
    let record = &rated.meta.record;
    let others_agree = record.request.worst_cases.others_agree;
    let of_part = |part: &&str| record.worst_cases.as_ref()?.metrics.iter().find(|metric| metric.metric == *part);
    let parts = parts(&rated.system.run.scores);
    let of_parts: Vec<&MetricWorstCases> = parts.iter().filter_map(of_part).collect();
    if of_parts.is_empty() {
        return needs("a part of SEED (object_f1, cap_sim, effnet)");
    }
    if of_parts.iter().all(|metric| metric.cases.is_empty()) {
        return needs(format!(
            "a pair that one part of SEED ranks unlike people while the others are within {} of the ranking; \
             examples.others_agree allows more",
            others_agree.unwrap_or(1.0)
        ));
    }
    let mut ranks = Vec::new();
    for part in &parts {
        ranks.extend(rated.ranks_by(part)?.map(|by_item| (rated.labelled(part), by_item)));
    }
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for metric in of_parts {
        for case in &metric.cases {
            let place = rated.meta.items.ids.iter().position(|id| *id == case.item);
            let rank_by = |(part, by_item): &(String, Vec<_>)| {
                let rank: neurogauge::stats::RankDifference = by_item[place?]?;
                Some((part.clone(), rank.metric_rank))
            };
            let of_case: Vec<(String, f64)> = ranks.iter().filter_map(rank_by).collect();
            let by_parts = of_case.iter().map(|(part, rank)| format!(", {part} {rank}")).join("");
            let mut lines = vec![
                format!("{}: {}", rated.labelled(&metric.metric), case.item),
                metric.misplaced(case),
                format!("ranks: people {}{by_parts}", case.ranks.human_rank),
            ];
            match metric.metric.as_str() {
                "object_f1" => lines.extend(object_lines(views, &case.item, 0.3)?),
                "cap_sim" => lines.extend(caption_lines(views, &case.item)),
                _ => {}
            }
            shown.push((case.item.clone(), lines));
            cases.push((metric, case, of_case));
        }
    }
    let agreeing = others_agree.map_or_else(String::new, |share| {
        format!(" Only pairs that the other parts rank as people do, give or take {share} of the ranking.")
    });
    let caption = format!(
        "Ranks: 1 is best, equal scores share the mean of their ranks.{agreeing} {} rated pairs.",
        record.result.n_items
    );
    let by_parts = ranks.iter().map(|(part, _)| format!("by {part}"));
    let table = Table::of(format!("Worst cases of the parts of SEED: {}", rated.system.name), cases)
        .column("Metric", |(metric, ..)| Cell::text(rated.labelled(&metric.metric)))
        .column("Pair", |(_, case, _)| Cell::text(&case.item))
        .column("score", |(_, case, _)| Cell::Number(case.score, 3))
        .column("human score", |(_, case, _)| Cell::Number(case.human_score, 2))
        .column("rank by people", |(_, case, _)| Cell::Number(case.ranks.human_rank, 1))
        .columns(by_parts, |(.., ranks)| ranks.iter().map(|(_, rank)| Cell::Number(*rank, 1)).collect_vec())
        .column("of", |(metric, ..)| Cell::Count(metric.n_items))
        .noted(noted(caption, rated.stand_in_note()));
    Ok(Made::Pairs(table, shown))
}

/// Figure 5: the pairs with the highest near-miss rate.
pub(crate) fn near_misses(found: &Found<'_>, system: &System) -> Result<Made, Error> {
    let (views, scores) = (&system.views, &system.run.scores);
    let Some(rates) = scores.column("snm") else {
        return needs("detections of both sides (metric snm)");
    };
    let rates_of_pairs = scores.pairs.iter().zip(rates).filter_map(|(pair, rate)| Some((pair, *rate.as_ref().ok()?)));
    // The sort is stable, so ties keep the order of the pairs.
    let near = rates_of_pairs.filter(|(_, rate)| *rate > 0.0).sorted_by(|a, b| b.1.total_cmp(&a.1)).collect_vec();
    if near.is_empty() {
        return needs("a pair with a near miss; there is none");
    }
    let options = &system.run.record.request.options.near_miss;
    let taxonomy = Taxonomy::new(&views.labels);
    let (mut rows, mut shown) = (Vec::new(), Vec::new());
    for &(pair, rate) in near.iter().take(found.config.examples.n) {
        let of = |side| views.detections(side, pair);
        let missed = match (of(Side::Gt)?, of(Side::Recon)?) {
            (Some(gt), Some(recon)) => near_miss_categories(&gt, &recon, &taxonomy, options),
            _ => Ok(Vec::new()),
        };
        let missed = missed.map_err(|source| Error::Metric {
            pair: pair.clone(),
            metric: "snm",
            source,
        })?;
        let words = missed.iter().map(|near| {
            let instead = near.instead.iter().map(|&category| name_of(&views.labels, category)).join(", ");
            format!("{} became {instead}", name_of(&views.labels, near.category))
        });
        let words = words.collect_vec();
        rows.push((pair, rate, words.join("; ")));
        let mut lines = vec![format!("{pair}: {} {rate:.2}", system.labelled("snm"))];
        lines.extend(words);
        lines.extend(object_lines(views, pair, options.threshold)?);
        shown.push((pair.clone(), lines));
    }
    let note = format!(
        "{} of {} pairs have a near miss: a category of the stimulus is missing, another of its supercategory is there \
         (confidence {} and more). Shown: the highest rates.",
        near.len(),
        rates.len(),
        options.threshold
    );
    let table = Table::of(format!("Semantic near misses: {}", system.name), rows)
        .column("Pair", |(pair, ..)| Cell::text(*pair))
        .column(system.labelled("snm"), |(_, rate, _)| Cell::number(*rate))
        .column("What became what", |(.., words)| Cell::text(words))
        .noted(noted(note, on_placeholder(system.is_stand_in("snm"))));
    Ok(Made::Pairs(table, shown))
}

/// Figure 6: detail misses with the largest gap between Object F1 and SEED.
pub(crate) fn detail_misses(found: &Found<'_>, system: &System) -> Result<Made, Error> {
    let scores = &system.run.scores;
    let columns = [scores.column("sdm"), scores.column("object_f1"), scores.column("seed")];
    let [Some(misses), Some(f1), Some(seed)] = columns else {
        return needs("SEED with its parts (metric sdm)");
    };
    let gap = |place: usize| match (&misses[place], &f1[place], &seed[place]) {
        (Ok(1.0), Ok(f1), Ok(seed)) => Some((place, f1 - seed)),
        _ => None,
    };
    let missed = (0..misses.len()).filter_map(gap).sorted_by(|a, b| b.1.total_cmp(&a.1)).collect_vec();
    let options = &system.run.record.request.options.detail_miss;
    let rule = format!("Object F1 above {} and more than {} above SEED", options.f1_above, options.gap_above);
    if missed.is_empty() {
        return needs(format!("a detail miss ({rule}); there is none"));
    }
    let ids: Vec<&str> = parts(scores).into_iter().chain(["seed"]).collect();
    let [of_f1, of_seed] = ["object_f1", "seed"].map(|id| system.labelled(id));
    let (mut rows, mut shown) = (Vec::new(), Vec::new());
    for &(place, gap) in missed.iter().take(found.config.examples.n) {
        let pair = &scores.pairs[place];
        let value = |id: &&str| scores.column(id)?[place].as_ref().ok().copied();
        let values: Vec<Option<f64>> = ids.iter().map(value).collect();
        let named = ids.iter().zip(&values);
        let named = named.filter_map(|(id, value)| Some(format!("{} {:.2}", system.labelled(id), (*value)?)));
        let mut lines = vec![format!("{pair}: {of_f1} {gap:.2} above {of_seed}"), named.collect_vec().join(", ")];
        lines.extend(caption_lines(&system.views, pair));
        shown.push((pair.clone(), lines));
        rows.push((pair, values, gap));
    }
    let note = format!(
        "{} of {} pairs are detail misses: {rule}. Shown: the largest gaps. EffNet is a distance.",
        missed.len(),
        misses.len()
    );
    let is_stand_in = ids.iter().any(|id| system.is_stand_in(id));
    let table = Table::of(format!("Right objects, wrong details: {}", system.name), rows)
        .column("Pair", |(pair, ..)| Cell::text(*pair))
        .columns(ids.iter().map(|id| system.labelled(id)), |(_, values, _)| {
            values.iter().map(Cell::number).collect_vec()
        })
        .column(format!("{of_f1} - {of_seed}"), |(.., gap)| Cell::number(*gap))
        .noted(noted(note, on_placeholder(is_stand_in)));
    Ok(Made::Pairs(table, shown))
}

fn noted(note: String, on_placeholder: Option<&str>) -> Vec<String> {
    [note].into_iter().chain(on_placeholder.map(str::to_owned)).collect()
}

fn name_of(labels: &LabelList, category: usize) -> String {
    let name = labels.names().get(category);
    name.map_or_else(String::new, |name| name.replace('_', " "))
}

/// The objects detected with at least this confidence, the most confident first; a line for each side.
fn object_lines(views: &PairViews, stem: &str, least: f64) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    for (side, named) in NAMED {
        if let Some(mut found) = views.detections(side, stem)? {
            found.items.sort_by(|a, b| b.score.total_cmp(&a.score));
            let shown = found.items.iter().filter(|item| item.score >= least);
            let names = shown.filter_map(|item| views.labels.names().get(item.category)).unique().join(", ");
            let names = if names.is_empty() { "nothing" } else { &names };
            lines.push(format!("{named}: {}", names.replace('_', " ")));
        }
    }
    Ok(lines)
}

/// The first captions; a line for each side.
fn caption_lines(views: &PairViews, stem: &str) -> Vec<String> {
    let of = |(side, name)| Some(format!("{name}: {}", views.caption(side, stem)?));
    NAMED.into_iter().filter_map(of).collect()
}
