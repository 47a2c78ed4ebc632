//! The TIFA160 survey: real Likert ratings with many ties and some missing values.

use crate::support::*;
use std::collections::BTreeMap;

/// The survey as items (system and prompt) by raters, if it is present.
fn survey() -> Option<(Vec<[String; 2]>, Ratings)> {
    let folder = std::env::var("NEUROGAUGE_SHARED_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_string());
    let file = format!("{folder}/human-ratings/tifa160_likert.csv");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("skipped: there is no {file}");
        return None;
    };
    let mut raters = BTreeMap::new();
    let mut items: BTreeMap<(&str, &str), Vec<(&str, f64)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (system, item, rater) = (fields[1], fields[2], fields[4]);
        raters.insert(rater, 0);
        items.entry((system, item)).or_default().push((rater, fields[6].parse().unwrap()));
    }
    for (position, slot) in raters.values_mut().enumerate() {
        *slot = position;
    }
    let mut values = vec![None; items.len() * raters.len()];
    for (row, ratings) in items.values().enumerate() {
        for (rater, value) in ratings {
            values[row * raters.len() + raters[rater]] = Some(*value);
        }
    }
    let names = items.keys().map(|&(system, item)| [system.to_owned(), item.to_owned()]);
    Some((names.collect(), Ratings::new(raters.len(), values).unwrap()))
}

#[test]
fn real_raters_agree_as_the_references_say() {
    let golden = read("meta_statistics_tifa160.json");
    let Some((_, ratings)) = survey() else { return };
    assert_eq!(ratings.n_items() as u64, whole(&golden["n_items"]));
    assert_eq!(ratings.n_missing() as u64, whole(&golden["n_missing"]));
    check_agreement(&ratings, &golden);
}

#[test]
fn one_rater_follows_the_others_as_the_references_say() {
    let golden = &read("meta_statistics_tifa160.json")["one_against_others"];
    let Some((names, ratings)) = survey() else {
        return;
    };
    let complete = ratings.complete_items();
    let one: Vec<f64> = complete.iter().map(|item| item[0]).collect();
    let others: Vec<f64> = complete.iter().map(|item| item[1..].iter().sum::<f64>() / 4.0).collect();
    let value = |outcome: Result<Outcome, StatsError>| outcome.unwrap().unwrap();
    close(value(pearson(&others, &one)), &golden["pearson"], 1e-12);
    close(value(spearman(&others, &one)), &golden["spearman"], 1e-12);
    close(value(kendall_tau_b(&others, &one)), &golden["tau_b"], 1e-15);
    close(value(kendall_tau_c(&others, &one)), &golden["tau_c"], 1e-15);
    let best = TieCalibration::new(&others).unwrap().unwrap().best(&one).unwrap().unwrap();
    assert_eq!(best.accuracy, number(&golden["calibrated"]["accuracy"]));
    assert_eq!(best.epsilon, number(&golden["calibrated"]["epsilon"]));

    let rated = names.iter().zip(ratings.items()).filter(|(_, item)| item.iter().all(Option::is_some));
    let names: Vec<&[String; 2]> = rated.map(|(names, _)| names).collect();
    for (column, case) in [(0, "by_system"), (1, "by_item")] {
        let labels: Vec<String> = names.iter().map(|name| name[column].clone()).collect();
        check_means_over_groups((&others, &one), &labels, &golden[case]);
    }
}
