//! The first sentences claim nothing about noise or equal metrics, and name the best metric if there is one.

use neurogauge::Report;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::stats::meta::{MetaOptions, MetaResult};
use neurogauge_meta::{CombinationRequest, CombineWhen, InMemoryTable, InMemoryTables, MetaRequest, MetaRun, meta_of};
use std::fmt::Write;

/// Approximately normal: the sum of three uniform values.
fn noise(of: &str, number: u64, item: usize) -> f64 {
    let draws = Synthetic::new(of, number);
    (0..3).map(|n| f64::from(draws.uniform(3 * item as u64 + n)) - 0.5).sum()
}

/// Three raters of 40 items, and metrics with these shares of the quality and these ids.
fn survey(number: u64, shares: &[f64], id: impl Fn(usize) -> String, n: usize) -> MetaRun {
    let quality = |item| noise("quality", number, item);
    let mut ratings = "item,r1,r2,r3\n".to_owned();
    let names = (0..shares.len()).map(|metric| format!("m{metric}"));
    let mut scores = format!("item,{}\n", names.clone().collect::<Vec<String>>().join(","));
    for item in 0..n {
        ratings.push_str(&id(item));
        for rater in 0..3 {
            let opinion = 3.0 + 2.0 * quality(item) + noise("rater", 10 * number + rater, item);
            write!(ratings, ",{}", opinion.round().clamp(1.0, 5.0)).unwrap();
        }
        ratings.push('\n');
        scores.push_str(&id(item));
        for (metric, share) in (0..).zip(shares) {
            let score = share * quality(item) + (1.0 - share) * noise("metric", 100 * number + metric, item);
            write!(scores, ",{score}").unwrap();
        }
        scores.push('\n');
    }
    let table = |name: &str, text| InMemoryTable {
        name: name.to_owned(),
        text,
    };
    let held = InMemoryTables {
        human: Some(table("ratings", ratings)),
        metrics: vec![table("scores", scores)],
    };
    let request = MetaRequest {
        human: "ratings".into(),
        rater_columns: vec!["r1,r2,r3".to_owned()],
        higher_is_better: names.collect(),
        options: MetaOptions {
            permutations: 100,
            ..MetaOptions::default()
        },
        combinations: CombinationRequest {
            when: CombineWhen::Off,
            ..CombinationRequest::default()
        },
        ..MetaRequest::default()
    };
    meta_of(&request, &held).unwrap()
}

/// How many of these surveys claim that a metric agrees with people, or agrees best.
fn n_claims(n_surveys: u64, shares: &[f64]) -> usize {
    let claims = |number: &u64| {
        let said = survey(*number, shares, |item| item.to_string(), 40).opening().join(" ");
        assert!(said.contains("Kendall τ-b"), "{said}");
        !said.starts_with("It is not shown")
    };
    (0..n_surveys).filter(claims).count()
}

#[test]
fn noise_and_equal_metrics_are_not_claimed_to_agree_best() {
    // One metric without information, eight of them, and two and four that agree equally.
    assert!(n_claims(100, &[0.0]) <= 7);
    assert!(n_claims(60, &[0.0; 8]) <= 3);
    assert!(n_claims(60, &[0.6; 2]) <= 7);
    assert!(n_claims(60, &[0.6; 4]) <= 5);
}

#[test]
fn what_agrees_and_what_agrees_best_is_said() {
    assert!(n_claims(20, &[0.6]) >= 19);
    assert!(n_claims(20, &[0.2, 0.8, 0.3]) >= 19);
    let said = survey(1, &[0.2, 0.8, 0.3], |item| item.to_string(), 40).opening().join(" ");
    assert!(said.starts_with("m1 agrees best with people: Kendall τ-b 0."), "{said}");
    assert!(said.contains("; Holm, 3 differences). A perfect metric would have about 0."), "{said}");
}

/// The ends of intervals and p values of every statistic.
fn numbers(result: &MetaResult) -> Vec<f64> {
    let of_metrics = result.metrics.iter().flat_map(|metric| &metric.statistics);
    let of_metrics = of_metrics.flat_map(|figure| figure.interval.map(|(low, high)| [low, high]).unwrap());
    let of_pairs = result.differences.iter().flat_map(|pair| &pair.statistics);
    let of_pairs = of_pairs.flat_map(|figure| {
        let (low, high) = figure.interval.unwrap();
        [low, high, figure.p_value.unwrap()]
    });
    of_metrics.chain(of_pairs).collect()
}

/// The same survey with ids in six forms, for seven systems and 60 stimuli.
#[test]
fn every_form_of_ids_gives_the_same_intervals_and_p() {
    let system = |item: usize| ["a", "b", "c", "d", "e", "f", "g"][item / 60];
    type Id = Box<dyn Fn(usize) -> String>;
    let forms: [Id; 6] = [
        Box::new(move |item| format!("{}/{:03}", system(item), item % 60)),
        Box::new(move |item| format!("{}_{:03}", system(item), item % 60)),
        Box::new(move |item| format!("{}-{}", system(item), item % 60)),
        Box::new(move |item| format!("{:03}_{}", item % 60, system(item))),
        Box::new(move |item| format!("{}/{}", item % 60, system(item))),
        Box::new(move |item| format!("subj01_{}_{:04}", system(item), item % 60)),
    ];
    let found = |id: &Id| survey(5, &[0.5, 0.6], id, 420).record;
    let first = found(&forms[0]);
    assert_eq!(first.result.n_stimuli, Some(60));
    for id in &forms[1..] {
        let other = found(id);
        assert_eq!(other.result.n_stimuli, Some(60), "{}", id(0));
        // Items are in the order of their ids, so sums differ in their last bits.
        numbers(&other.result).into_iter().zip(numbers(&first.result)).for_each(|(own, right)| {
            assert!((own - right).abs() < 1e-9, "{}: {own} {right}", id(0));
        });
        let said = other.findings.iter().find(|finding| finding.code == "stimuli_from_ids").unwrap();
        assert!(said.to_string().contains("7 kinds of ids share 60 such parts"), "{said}");
    }
    // Plain numbers do not show systems, and a note says so.
    let plain = survey(5, &[0.5, 0.6], |item| item.to_string(), 420).record;
    assert_eq!(plain.result.n_stimuli, None);
    let said = plain.findings.iter().find(|finding| finding.code == "stimuli_unknown").unwrap();
    assert!(!said.is_warning() && said.advice.contains("stimulus-column"), "{said}");
}

#[test]
fn other_statistics_that_put_another_metric_first_are_named() {
    let words = (0..200).find_map(|number| {
        let said = survey(number, &[0.5, 0.52], |item| item.to_string(), 40).opening().join(" ");
        said.contains(" first.").then_some(said)
    });
    let words = words.unwrap();
    let first = words.split("Kendall τ-b ").nth(1).unwrap();
    let first = first.split(" for ").nth(1).unwrap().split(' ').next().unwrap();
    let other = if first == "m0" { "m1" } else { "m0" };
    assert!(words.contains(&format!(" {other} first.")), "{words}");
}
