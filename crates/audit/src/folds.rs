//! Whether the decoder generalises to clusters that it was not trained on.

use crate::AuditRequest;
use crate::clusters::Clusters;
use crate::feature_set::Draw;
use crate::items::{Items, unknown_item};
use crate::section::{Line, Section, direction_of};
use neurogauge::Error;
use neurogauge::core::{Estimate, Finding, Undefined};
use neurogauge::formats::metric_table;
use neurogauge::report::{Cell, Table};
use neurogauge::stats::u_statistic::jackknifed;
use neurogauge::stats::{BootstrapOptions, draw_to_front, estimate};
use std::collections::{BTreeMap, HashMap};

/// A table of the training stimuli with their cluster, a fold by cluster, and a random fold.
///
/// Each cluster goes to the fold with the fewest stimuli so far, the largest cluster first, so that folds are about
/// equally large.
pub(crate) fn table(request: &AuditRequest, items: &Items, clusters: &Clusters) -> String {
    let k = request.folds;
    let mut sizes = vec![0_usize; clusters.names.len()];
    clusters.train.iter().for_each(|&cluster| sizes[cluster] += 1);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&cluster| (std::cmp::Reverse(sizes[cluster]), cluster));
    let (mut held, mut fold_of) = (vec![0_usize; k], vec![0_usize; sizes.len()]);
    for cluster in order {
        let fold = (0..k).min_by_key(|&fold| held[fold]).unwrap_or(0);
        fold_of[cluster] = fold;
        held[fold] += sizes[cluster];
    }
    let n = clusters.train.len();
    let mut shuffled: Vec<usize> = (0..n).collect();
    draw_to_front(&mut shuffled, n, &mut Draw::Folds.rng(request.bootstrap.seed));
    let mut at_random = vec![0; n];
    for (place, item) in shuffled.into_iter().enumerate() {
        at_random[item] = place % k;
    }
    Table::of("Folds", items.train.ids.iter().zip(&clusters.train).zip(at_random))
        .column("item", |((id, _), _)| Cell::text(*id))
        .column("cluster", |((_, cluster), _)| Cell::text(&clusters.names[**cluster]))
        .column("fold_by_cluster", |((_, cluster), _)| Cell::Count(fold_of[**cluster]))
        .column("fold_at_random", |(_, fold)| Cell::Count(*fold))
        .noted(Vec::new())
        .csv()
}

pub(crate) fn section(
    request: &AuditRequest,
    items: &Items,
    clusters: &Clusters,
    findings: &mut Vec<Finding>,
) -> Result<Option<Section>, Error> {
    let Some([at_random, by_cluster]) = &request.fold_scores else {
        return Ok(None);
    };
    let options = &request.bootstrap;
    let [naive, held_out] = [metric_table::read(at_random)?, metric_table::read(by_cluster)?];
    // The folds divide training stimuli, so these precede test stimuli with the same id.
    let of_train = items.train.ids.iter().zip(&clusters.train);
    let of_test = items.stems.iter().zip(&clusters.test);
    let cluster_of: HashMap<&String, usize> = of_test.chain(of_train).map(|(id, &cluster)| (id, cluster)).collect();
    let place: HashMap<&String, usize> = held_out.items.iter().zip(0..).collect();
    let mut lines = Vec::new();
    let mut drops = Vec::new();
    for (name, scores) in &naive.metrics {
        let Some((_, others)) = held_out.metrics.iter().find(|(other, _)| other == name) else {
            continue;
        };
        findings.extend(naive.warnings().chain(held_out.warnings()).find(|warning| warning.subject == *name));
        let mut differences: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let (mut known, mut known_others) = (Vec::new(), Vec::new());
        for (item, score) in naive.items.iter().zip(scores) {
            let other = place.get(item).and_then(|&place| others[place]);
            let (Some(score), Some(other)) = (score, other) else {
                continue;
            };
            let cluster = cluster_of
                .get(item)
                .ok_or_else(|| unknown_item(at_random, item, "a training or test stimulus, whose cluster is known"))?;
            differences.entry(*cluster).or_default().push(score - other);
            known.push(Ok(*score));
            known_others.push(Ok(other));
        }
        let drop = of_clusters(&differences, options)?;
        if let Some((low, high)) = drop.interval {
            // Says whether the scores of random folds are better, or those of held-out clusters.
            let direction = direction_of(name, "in the answer about held-out clusters", findings);
            let better = |a, b| direction.better(a, b);
            drops.push(format!(
                "{name} {}",
                match (better(low, 0.0) && better(high, 0.0), better(0.0, low) && better(0.0, high)) {
                    (true, _) => "is worse where clusters are held out",
                    (_, true) => "is better where clusters are held out",
                    _ => "shows no difference",
                }
            ));
        }
        lines.push(Line::new(format!("{name}, random folds"), estimate(&[&known], options)?));
        lines.push(Line::new(format!("{name}, held-out clusters"), estimate(&[&known_others], options)?));
        lines.push(Line::new(format!("{name}, difference"), drop).beside("none", 0.0));
    }
    if lines.is_empty() {
        return Err(Error::Usage(format!(
            "{} and {} have no metric in common",
            at_random.display(),
            by_cluster.display()
        )));
    }
    Ok(Some(Section {
        id: "held_out_clusters",
        question: "Does the decoder carry over to clusters that it was not trained on?",
        lines,
        answer: match drops.is_empty() {
            true => "There are too few clusters for an interval of the difference.".to_owned(),
            false => format!(
                "{}. Worse scores show that the decoder uses training stimuli of the same cluster; no difference does not show that it carries over \
                 to stimuli unlike all of these clusters.",
                drops.join("; ")
            ),
        },
        population: "differences: new clusters; scores: new stimuli",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515",
    }))
}

/// The mean over items, with an interval from the jackknife over clusters.
fn of_clusters(differences: &BTreeMap<usize, Vec<f64>>, options: &BootstrapOptions) -> Result<Estimate, Error> {
    let tallies: Vec<(f64, f64)> =
        differences.values().map(|values| (values.iter().sum(), values.len() as f64)).collect();
    let all = tallies.iter().fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
    let n_items = all.1 as usize;
    if tallies.len() < 2 {
        return Ok(Line::exact("", Err(Undefined::TooFewItems), n_items).estimate);
    }
    let value = all.0 / all.1;
    let without: Vec<f64> = tallies.iter().map(|one| (all.0 - one.0) / (all.1 - one.1)).collect();
    Ok(Estimate {
        n: n_items,
        ..jackknifed(value, &without, options)?
    })
}
