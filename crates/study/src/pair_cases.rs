//! Pairs to look at: worst cases of SEED's parts (SEED, Fig. 4), semantic near misses (Fig. 5), and right objects with
//! wrong details (Fig. 6). `lines` of a row stand beside its images.

use crate::rated::Rated;
use crate::record::Found;
use crate::rows::{headings, needs};
use crate::scoring::System;
use crate::shown_metrics::parts;
use itertools::Itertools;
use neurogauge::core::{LabelList, Side};
use neurogauge::metrics::Taxonomy;
use neurogauge::metrics::decoding::near_miss_categories::near_miss_categories;
use neurogauge::stats::RankDifference;
use neurogauge::{Error, PairViews};
use neurogauge_meta::MetricWorstCases;
use serde_json::{Value, json};

/// The names of the two sides.
const NAMED: [(Side, &str); 2] = [(Side::Gt, "stimulus"), (Side::Recon, "reconstruction")];

/// Pairs that one part of SEED ranks most differently from people, while the other parts agree with people.
pub(crate) fn worst_cases(rated: &Rated<'_>) -> Result<Value, Error> {
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
    let mut ranks: Vec<(String, Vec<Option<RankDifference>>)> = Vec::new();
    for part in &parts {
        ranks.extend(rated.ranks_by(part)?.map(|by_item| (rated.labelled(part), by_item)));
    }
    let mut rows = Vec::new();
    for metric in of_parts {
        for case in &metric.cases {
            let place = rated.meta.items.ids.iter().position(|id| *id == case.item);
            let rank = |(_, by_item): &(_, Vec<Option<RankDifference>>)| Some(by_item[place?]?.metric_rank);
            let of_case: Vec<Option<f64>> = ranks.iter().map(rank).collect();
            let by_parts =
                ranks.iter().zip(&of_case).filter_map(|((part, _), rank)| Some(format!(", {part} {}", (*rank)?)));
            let mut lines = vec![
                format!("{}: {}", rated.labelled(&metric.metric), case.item),
                metric.misplaced(case),
                format!("ranks: people {}{}", case.ranks.human_rank, by_parts.collect_vec().concat()),
            ];
            match metric.metric.as_str() {
                "object_f1" => lines.extend(object_lines(views, &case.item, 0.3)?),
                "cap_sim" => lines.extend(caption_lines(views, &case.item)),
                _ => {}
            }
            rows.push(json!({
                "metric": rated.labelled(&metric.metric), "pair": case.item, "score": case.score,
                "human_score": case.human_score, "human_rank": case.ranks.human_rank, "ranks": of_case,
                "n": metric.n_items, "lines": lines,
            }));
        }
    }
    let agreeing = others_agree.map(|share| {
        format!(" Only pairs that the other parts rank as people do, give or take {share} of the ranking.")
    });
    let metrics = headings(ranks.iter().map(|(part, _)| part));
    Ok(json!({"rows": rows, "metrics": metrics, "agreeing": agreeing.unwrap_or_default()}))
}

/// The pairs with the highest near-miss rate.
pub(crate) fn near_misses(found: &Found<'_>, system: &System) -> Result<Value, Error> {
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
    let mut rows = Vec::new();
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
        let mut lines = vec![format!("{pair}: {} {rate:.2}", system.labelled("snm"))];
        lines.extend(words.iter().cloned());
        lines.extend(object_lines(views, pair, options.threshold)?);
        rows.push(json!({"pair": pair, "rate": rate, "words": words.join("; "), "lines": lines}));
    }
    Ok(json!({
        "rows": rows, "shown": system.labelled("snm"), "n": near.len(), "n_pairs": rates.len(), "threshold": options.threshold
    }))
}

/// Detail misses with the largest gap between Object F1 and SEED.
pub(crate) fn detail_misses(found: &Found<'_>, system: &System) -> Result<Value, Error> {
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
    let names = ids.iter().map(|id| system.labelled(id)).collect_vec();
    let gap_name = ["object_f1", "seed"].map(|id| system.labelled(id)).join(" - ");
    let row = |&(place, gap): &(usize, f64)| {
        let pair = &scores.pairs[place];
        let values = ids.iter().map(|id| scores.column(id)?[place].as_ref().ok().copied()).collect_vec();
        let named = names.iter().zip(&values).filter_map(|(name, value)| Some(format!("{name} {:.2}", (*value)?)));
        let heading = gap_name.replacen(" - ", &format!(" {gap:.2} above "), 1);
        let mut lines = vec![format!("{pair}: {heading}"), named.collect_vec().join(", ")];
        lines.extend(caption_lines(&system.views, pair));
        json!({"pair": pair, "values": values, "gap": gap, "lines": lines})
    };
    Ok(json!({
        "rows": missed.iter().take(found.config.examples.n).map(row).collect_vec(), "metrics": headings(&names), "gap": gap_name,
        "rule": rule, "n": missed.len(), "n_pairs": misses.len(),
    }))
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
