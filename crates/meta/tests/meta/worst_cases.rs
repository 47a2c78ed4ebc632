//! Worst cases and classes from files, against `reference/worst_cases.py`.
use neurogauge::Report;
use neurogauge::core::Seed;
use neurogauge::stats::BootstrapOptions;
use neurogauge::stats::meta::{HumanScore, MetaOptions};
use neurogauge_meta::{MetaRequest, WorstCaseRequest, meta};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/worst_cases.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn cell(value: &Value) -> String {
    value.as_f64().map_or(String::new(), |number| format!("{number:?}"))
}

/// The survey, the scores and the labels as files; items are named `i0`, `i1`, ...
fn request(dir: &Path, golden: &Value) -> MetaRequest {
    let ratings = golden["ratings"].as_array().unwrap();
    let n_raters = golden["n_raters"].as_u64().unwrap() as usize;
    let mut survey = String::from("item,a,b,c,d,e\n");
    for (item, row) in ratings.chunks_exact(n_raters).enumerate() {
        let cells: Vec<String> = row.iter().map(cell).collect();
        survey.push_str(&format!("i{item},{}\n", cells.join(",")));
    }
    let metrics = golden["metrics"].as_object().unwrap();
    let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
    let mut scores = format!("item,{}\n", names.join(","));
    let mut labels = String::from("item,gt_label,recon_label\n");
    for item in 0..ratings.len() / n_raters {
        let cells: Vec<String> = metrics.values().map(|column| cell(&column[item])).collect();
        scores.push_str(&format!("i{item},{}\n", cells.join(",")));
        let (gt, recon) = (&golden["gt"][item], &golden["recon"][item]);
        labels.push_str(&format!("i{item},{gt},{recon}\n"));
    }
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let lower = golden["lower_is_better"].as_array().unwrap();
    MetaRequest {
        human: write("ratings.csv", &survey),
        metrics: vec![write("scores.csv", &scores)],
        lower_is_better: lower.iter().map(|l| l.as_str().unwrap().to_owned()).collect(),
        classes: vec![write("labels.csv", &labels)],
        options: MetaOptions {
            bootstrap: BootstrapOptions {
                resamples: golden["bootstrap"]["resamples"].as_u64().unwrap() as usize,
                level: golden["bootstrap"]["level"].as_f64().unwrap(),
                seed: Seed(golden["bootstrap"]["seed"].as_u64().unwrap()),
                ..BootstrapOptions::default()
            },
            ..MetaOptions::default()
        },
        worst_cases: WorstCaseRequest {
            n: golden["n_worst"].as_u64().unwrap() as usize,
            ..WorstCaseRequest::default()
        },
        ..MetaRequest::default()
    }
}

#[test]
fn the_worst_cases_are_those_of_the_reference_in_its_order() {
    let dir = tempfile::tempdir().unwrap();
    let golden = golden();
    let plain = request(dir.path(), &golden);
    for (key, human_score, others_agree) in [
        ("worst", HumanScore::Mean, None),
        ("worst_zscore", HumanScore::ZScore, None),
        ("worst_others_agree", HumanScore::Mean, golden["tolerance"].as_f64()),
    ] {
        let mut request = plain.clone();
        request.options.human_score = human_score;
        request.worst_cases.others_agree = others_agree;
        for found in meta(&request).unwrap().record.worst_cases.unwrap().metrics {
            let expected = &golden[key][&found.metric];
            assert_eq!(found.n_items as u64, expected["n_items"].as_u64().unwrap());
            assert_eq!(found.n_eligible as u64, expected["n_eligible"].as_u64().unwrap());
            let items: Vec<String> =
                expected["cases"].as_array().unwrap().iter().map(|case| format!("i{}", case["item"])).collect();
            let found: Vec<&str> = found.cases.iter().map(|case| case.item.as_str()).collect();
            assert_eq!(found, items, "{key}");
        }
    }
}

#[test]
fn classes_are_those_of_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    let golden = golden();
    let run = meta(&request(dir.path(), &golden)).unwrap();
    let found: Value = serde_json::from_str(&run.json().unwrap()).unwrap();
    for metric in found["classes"]["metrics"].as_array().unwrap() {
        let expected = &golden["classes"][metric["metric"].as_str().unwrap()];
        assert_eq!(metric["n_same"], expected["n_same"]);
        for (ours, theirs) in [("metric_score", "metric"), ("human_score", "human"), ("overestimate", "overestimate")] {
            for pairs in ["same", "different", "difference"] {
                let (a, b) = (&metric[ours][pairs], &expected[theirs][pairs]);
                let near = |a: &Value, b: &Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12;
                assert!(near(&a["value"], &b["value"]), "{a} {b}");
                for end in 0..2 {
                    assert!(near(&a["interval"][end], &b["interval"][end]), "{a} {b}");
                }
            }
        }
    }
}

#[test]
fn only_the_metrics_asked_for_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path(), &golden());
    request.worst_cases.metrics = vec!["close".into(), "coarse".into()];
    request.worst_cases.others_agree = Some(1.0);
    let found = meta(&request).unwrap().record.worst_cases.unwrap().metrics;
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|metric| metric.n_eligible == metric.n_items));
    request.worst_cases.metrics = vec!["typo".into()];
    assert!(meta(&request).unwrap_err().to_string().contains("not a metric here"));
    request.worst_cases.metrics.clear();
    request.worst_cases.others_agree = Some(1.5);
    assert!(meta(&request).unwrap_err().to_string().contains("from 0 to 1"));
}
