//! Results against `reference/audit.py`.

use super::{line, request, run, value, write};
use neurogauge::Report;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::metrics::decoding::feature_accuracy::pattern_correlation;
use neurogauge_audit::ClustersFrom;
use neurogauge_audit::ceiling::by_cluster_alone;
use neurogauge_audit::kmeans::{lloyd, silhouette};
use neurogauge_audit::subspace::Span;
use serde_json::Value;

const N_TRAIN: usize = 60;
const N_TEST: usize = 25;
const N_FEATURES: usize = 30;

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/audit.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn noise(name: &str, n: usize) -> Vec<f64> {
    let values = Synthetic::new(name, 11);
    (0..n).map(|index| f64::from(values.uniform(index as u64)) - 0.5).collect()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// Training, test and decoded features with the precision of files.
fn features() -> [Vec<f64>; 3] {
    let (train, test) = (noise("train", N_TRAIN * N_FEATURES), noise("test", N_TEST * N_FEATURES));
    let own = noise("decoded", N_TEST * N_FEATURES);
    let decoded = (0..own.len()).map(|i| 0.4 * test[i] + 0.3 * train[i] + 0.3 * own[i]).collect();
    [train, test, decoded].map(|values: Vec<f64>| values.into_iter().map(|value| f64::from(value as f32)).collect())
}

#[test]
fn clusters_are_those_of_scikit_learn() {
    let golden = &golden()["clusters"];
    let mut points = noise("points", 120 * 6);
    for (point, row) in points.chunks_exact_mut(6).enumerate() {
        row[0] += 0.6 * (point % 4) as f64;
    }
    let found = lloyd(&points, 6, points[..24].to_vec());
    let labels: Vec<f64> = found.labels.iter().map(|&label| label as f64).collect();
    assert_eq!(labels, numbers(&golden["labels"]));
    close(found.inertia, golden["inertia"].as_f64().unwrap(), 1e-10);
    close(silhouette(&points, 6, &found.labels).unwrap(), golden["silhouette"].as_f64().unwrap(), 1e-12);
}

#[test]
fn accuracy_by_cluster_alone_is_that_of_the_hypergeometric_distribution() {
    for case in golden()["by_cluster_alone"].as_array().unwrap() {
        let sizes: Vec<usize> = numbers(&case["sizes"]).into_iter().map(|size| size as usize).collect();
        let [n, k] = ["n", "k"].map(|name| case[name].as_u64().unwrap() as usize);
        close(by_cluster_alone(&sizes, n, k).unwrap(), case["value"].as_f64().unwrap(), 1e-12);
    }
}

#[test]
fn spans_are_those_of_numpy() {
    let [train, test, _] = features();
    for case in golden()["spans"].as_array().unwrap() {
        let n_rows = case["n_rows"].as_u64().unwrap() as usize;
        let span = Span::of(&train[..n_rows * N_FEATURES], N_FEATURES).unwrap();
        close(span.effective_rank().unwrap(), case["effective_rank"].as_f64().unwrap(), 1e-8);
        close(span.share_of_variance(&test).unwrap().unwrap(), case["share"].as_f64().unwrap(), 1e-9);
        let nearest = span.nearest_points(&test).unwrap();
        let rows = test.chunks(N_FEATURES).zip(nearest.chunks(N_FEATURES));
        for ((x, y), expected) in rows.zip(numbers(&case["correlations"])) {
            close(neurogauge::stats::pearson(x, y).unwrap().unwrap(), expected, 1e-9);
        }
    }
}

#[test]
fn nearest_stimuli_ranks_and_accuracies_are_those_of_numpy_and_bdpy() {
    let (golden, dir) = (golden(), tempfile::tempdir().unwrap());
    let [train, test, decoded] = features();
    let mut request = request(dir.path(), N_FEATURES, true, [&train, &test]);
    request.decoded = Some(write(dir.path(), "decoded", Some("s"), N_FEATURES, &decoded));
    request.clusters = ClustersFrom::KMeans(4);
    let found = run(&request);
    let out = dir.path().join("out");
    found.write(&out, Default::default()).unwrap();
    let table = std::fs::read_to_string(out.join("items.csv")).unwrap();
    let (of_test, of_decoded) = (&golden["nearest_of_test"], &golden["nearest_of_decoded"]);
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let item: usize = cells[0][1..].parse().unwrap();
        let at = |place: usize| cells[place].parse::<f64>().unwrap();
        assert_eq!(cells[2], format!("t{}", of_test["row"][item]));
        close(at(3), of_test["similarity"][item].as_f64().unwrap(), 1e-12);
        close(at(4), golden["own"][item].as_f64().unwrap(), 1e-12);
        assert_eq!(cells[5], format!("t{}", of_decoded["row"][item]));
        close(at(6), of_decoded["similarity"][item].as_f64().unwrap(), 1e-12);
        assert_eq!(cells[7], golden["rank"][item].to_string());
    }
    assert_eq!(table.lines().count(), N_TEST + 1);
    let two_way = golden["two_way"].as_f64().unwrap();
    close(value(&found, "clusters", "2-way"), two_way, 1e-12);
    close(value(&found, "controls", "two-way"), two_way, 1e-12);
    close(value(&found, "controls", "slope"), golden["slope"].as_f64().unwrap(), 1e-9);
    close(value(&found, "feature_accuracy", "profile"), golden["profile"].as_f64().unwrap(), 1e-12);
    let patterns = numbers(&golden["pattern"]);
    let pattern = patterns.iter().sum::<f64>() / patterns.len() as f64;
    close(value(&found, "feature_accuracy", "pattern"), pattern, 1e-12);
    let top_1 = numbers(&golden["rank"]).iter().filter(|&&rank| rank == 1.0).count();
    close(value(&found, "among_training", "top-1"), top_1 as f64 / N_TEST as f64, 1e-12);
    assert!(line(&found, "clusters", "2-way").estimate.interval.is_some());
}

#[test]
fn features_without_spread_in_training_are_left_out_of_patterns() {
    let found = pattern_correlation(&[1.0, 2.0, 3.0, 9.0], &[1.0, 2.5, 3.0, 0.0], &[0.0; 4], &[1.0, 1.0, 1.0, 0.0]);
    let expected = neurogauge::stats::pearson(&[1.0, 2.0, 3.0], &[1.0, 2.5, 3.0]).unwrap();
    assert_eq!(found.unwrap()[0], expected);
}
