//! Comparison with the independent implementation in reference/recovery/paper.py.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::PresetRequest;
use neurogauge::Silent;
use neurogauge::align::{
    AlignConfig, AlignSettings, SourceFeatures, SourceFiles, SourceState, UnitResult, UnitScore, align_study,
};
use neurogauge::alignment::study::{SimulatedSize, simulated, unit_scores};
use neurogauge::alignment::{Matrix, Unit};
use neurogauge::core::Seed;
use neurogauge::stats::mean;
use neurogauge_exhibits::MadeFigure;
use serde_json::Value;
use std::path::Path;

fn golden() -> (Aligned, Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/recovery/paper.json");
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let sources = golden["models"].as_object().unwrap().iter().map(|(name, of)| SourceFiles {
        name: name.clone(),
        architecture: of[0].as_str().map(str::to_owned),
        state: match of[1].as_bool().unwrap() {
            true => SourceState::Pretrained,
            false => SourceState::Random,
        },
        seed: of[2].as_u64(),
        ..SourceFiles::default()
    });
    let mut config = AlignConfig {
        sources: sources.collect(),
        ..AlignConfig::default()
    };
    config.settings.prefixes = 12;
    config.settings.resamples = 20;
    let units: Vec<UnitResult> = serde_json::from_value(golden["units"].clone()).unwrap();
    let aligned = Aligned {
        entries: unit_scores(&units, &config.settings).unwrap(),
        config,
        units,
    };
    (aligned, golden)
}

/// `expected` is a list, or a single number.
#[track_caller]
fn close(found: &[f64], expected: &Value) {
    let expected = expected.as_array().map_or(std::slice::from_ref(expected), Vec::as_slice);
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

/// The numbers at these fields.
fn numbers(of: &Value, fields: &[&str]) -> Vec<f64> {
    fields
        .iter()
        .map(|field| of.pointer(&format!("/{field}")).and_then(Value::as_f64).unwrap())
        .collect()
}

/// Compares the quartiles that an exhibit makes of the entries of both kinds of models.
#[track_caller]
fn close_quartiles(exhibit: &str, record: &Value, expected: &Value) {
    let records = Records::default().with("paper", record).unwrap();
    let mut made = paper().unwrap().make(&records, Some(exhibit)).unwrap();
    let table = made.exhibits.remove(0).table.unwrap().csv();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["pretrained", "untrained"]);
    for row in &rows {
        // n, mean, lower quartile, median, upper quartile.
        let found = [1, 2, 4, 3, 5].map(|column| row[column].parse().unwrap());
        close(&found, &expected[row[0]]);
    }
}

/// A figure of the paper from a part of its record.
fn figure(name: &str, record: &Value) -> MadeFigure {
    let records = Records::default().with("paper", record).unwrap();
    paper().unwrap().make(&records, Some(name)).unwrap().exhibits.remove(0).figure.unwrap()
}

#[test]
fn seeds_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = models::seeds(&aligned);
    let expected = golden["seeds"].as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found["architecture"], expected[0]);
        let fields = ["pretrained", "mean", "sd", "range/0", "range/1", "gap", "sd_over_gap"];
        close(&numbers(found, &fields), &expected[1]);
    }
}

#[test]
fn pairs_and_the_matched_case_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = pairs::categories(&aligned).unwrap();
    let words = [
        ("two subjects", "subject subject"),
        ("a subject and a pretrained model", "subject pretrained"),
        ("a subject and an untrained model", "subject untrained"),
        ("two pretrained models", "pretrained pretrained"),
        ("two untrained models", "untrained untrained"),
        ("pretrained and untrained, same architecture", "pretrained untrained same"),
        ("pretrained and untrained, other architecture", "pretrained untrained other"),
    ];
    for (ours, theirs) in words {
        let found = found.iter().find(|own| own["pairs"] == ours && own["limit"] == pairs::MAIN_LIMIT).unwrap();
        let expected = &golden["categories"][theirs];
        assert_eq!(found["difference"]["n"], expected[0]);
        close(&numbers(found, &["human_threshold"]), &golden["human_threshold"]);
        close(&numbers(found, &["difference/mean", "beyond"]), &json!([expected[1], expected[2]]));
        assert_eq!(found["beyond_in_favour"].as_f64(), expected[3].as_f64(), "{ours}");
    }
    let case = pairs::matched_case(&aligned);
    let unit: Unit = serde_json::from_value(case["unit"].clone()).unwrap();
    let [one, other] = [0, 1].map(|at| &case["sources"][at]);
    assert_eq!(json!([unit.to_string(), one, other]), golden["matched_case"]);
}

#[test]
fn the_most_accurate_quarter_and_the_next_fold_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = entries::high_accuracy(&aligned);
    close(&numbers(&found, &["threshold"]), &golden["high_accuracy"][0]);
    let record = json!({"kinds": Kind::ALL, "entries": entries::all(&aligned).unwrap(), "high_accuracy": found});
    close_quartiles("high_accuracy", &record, &golden["high_accuracy"][1]);
    close(&numbers(&entries::next_fold(&aligned), &["pearson/value", "mean_ratio"]), &golden["next_fold"]);
}

#[test]
fn weights_and_penalties_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = entries::weights(&aligned, 20);
    let shares = |found: &Value| -> Vec<f64> { serde_json::from_value(found.clone()).unwrap() };
    close(&shares(&found["cumulative"]), &golden["cumulative"]);
    let expected = golden["cumulative_by_region"].as_array().unwrap();
    let by_region = found["by_region"].as_array().unwrap();
    assert_eq!((by_region.len(), expected.len()), (2, 2));
    for (found, expected) in by_region.iter().zip(expected) {
        assert_eq!(found[0], expected[0]);
        close(&shares(&found[1]), &expected[1]);
    }
    close(&numbers(&found, &["median_effective_rank", "median_consensus_rank"]), &golden["median_ranks"]);
    let (found, expected) = (entries::penalties(&aligned), &golden["penalties"]);
    close(&shares(&found["subspace"]["quartiles"]), &expected["subspace"]);
    close(&shares(&found["readout"]["quartiles"]), &expected["readout"]);
    let names = ["equal", "pearson", "spearman"];
    let expected = json!(names.map(|name| expected[name].clone()));
    close(&numbers(&found, &["equal", "pearson/value", "spearman/value"]), &expected);
}

#[test]
fn distances_of_shape_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let [kinds, of_architectures] = [0, 1].map(|place| &golden["shape_distances"][place]);
    let records = json!({
        "kinds": Kind::ALL, "entries": entries::all(&aligned).unwrap(), "has_brains": true, "main_length": 10,
    });
    close_quartiles("shape_distance", &records, kinds);
    let shapes = models::architectures(&aligned).unwrap();
    assert_eq!(shapes.len(), of_architectures.as_object().unwrap().len());
    for shape in &shapes {
        let name = [&shape["architecture"], &shape["state"]].map(|word| word.as_str().unwrap()).join(" ");
        close(&numbers(shape, &["shape_distance/mean"]), &of_architectures[name]);
        close(&numbers(shape, &["selected_rank/mean", "effective_rank/mean"]), &json!([3.0, 2.0]));
    }
    let MadeFigure::Scatter(scatter) = figure("score_by_rank", &records) else {
        panic!("no scatter plot")
    };
    let n_models = aligned.entries.iter().filter(|entry| !entry.donor).count();
    assert_eq!(scatter.panels[0].points.len(), n_models);
}

/// Two trained models of one family. One is also a source layer by layer.
#[test]
fn objectives_are_compared_within_a_family() {
    let (mut aligned, _) = golden();
    let is_of = |name: &'static str| move |own: &&mut SourceFiles| own.name == name;
    for (name, weights) in [("a", "supervised"), ("b", "self-supervised"), ("a-42", "none")] {
        let source = aligned.config.sources.iter_mut().find(is_of(name)).unwrap();
        source.family = Some("net".to_owned());
        source.weights = Some(weights.to_owned());
    }
    let sources = models::sources(&aligned).unwrap();
    let found = models::families(&sources);
    let of_family = sources.iter().filter(|own| own["family"] == "net" && own["is_pretrained"] == true).collect_vec();
    assert_eq!((found.len(), of_family.len()), (1, 2));
    let mean_of = |name: &str| {
        let own = aligned.entries.iter().filter(|entry| !entry.donor && entry.source == name);
        mean(own.filter_map(|entry| entry.brain_ref_score())).unwrap()
    };
    for (model, name) in of_family.iter().zip(["a", "b"]) {
        assert_eq!((&model["layer"], model["score"]["mean"].as_f64()), (&Value::Null, Some(mean_of(name))));
    }
    let records = json!({ "families": found, "sources": sources, "score_name": "BrainRefScore", "intervals": "" });
    let MadeFigure::Bars(bars) = figure("objectives_of_{family:file}", &records) else {
        panic!("no bars")
    };
    assert_eq!(bars.series, ["supervised", "self-supervised"]);
    assert_eq!((bars.groups.len(), bars.bars[0].len()), (1, 2));
    // A single model of a family allows no comparison.
    aligned.config.sources.retain(|source| source.name != "b");
    assert!(models::families(&models::sources(&aligned).unwrap()).is_empty());
}

#[test]
fn nothing_is_made_up_where_there_is_nothing() {
    let (mut aligned, _) = golden();
    aligned.config.sources.clear();
    aligned.entries.retain(|entry| entry.donor);
    for unit in &mut aligned.units {
        unit.sources.retain(|source| source.donor);
        unit.references.iter_mut().for_each(|own| own.weights.clear());
    }
    assert!(models::seeds(&aligned).is_empty());
    assert!(pairs::matched_case(&aligned).is_null());
    assert!(entries::high_accuracy(&aligned).is_null());
    assert!(models::sources(&aligned).unwrap().is_empty());
    assert!(models::architectures(&aligned).unwrap().is_empty());
    assert!(entries::all(&aligned).unwrap().iter().all(|entry| entry["kind"] == json!(Kind::Subject)));
    let record = json!({"kinds": Kind::ALL, "entries": entries::all(&aligned).unwrap()});
    let records = Records::default().with("paper", &record).unwrap();
    assert!(paper().unwrap().make(&records, Some("shape_distance")).unwrap().exhibits.is_empty());
    let weights = entries::weights(&aligned, 20);
    assert_eq!((&weights["cumulative"], &weights["n"]), (&json!([]), &json!(0)));
    let found = pairs::categories(&aligned).unwrap();
    for found in found.iter().filter(|own| own["pairs"].as_str().unwrap().contains("model")) {
        let difference = &found["difference"];
        assert_eq!([&difference["n"], &difference["mean"], &found["beyond"]], [&json!(0), &Value::Null, &Value::Null]);
    }
}

/// The models of the main text on simulated responses: trained ones share one matrix of features, untrained ones
/// another.
#[test]
fn all_that_the_paper_prints_stands_beside() {
    let (mut study, _) = simulated(SimulatedSize::Miniature, Seed(3)).unwrap();
    let request = PresetRequest {
        models: vec!["main".to_owned()],
        ..PresetRequest::default()
    };
    let mut config = request.config().unwrap().resolved().unwrap();
    let settings = &mut config.settings;
    (settings.partitions, settings.null, settings.resamples) = (2, 0, 20);
    let features = study.sources.clone();
    let sources = config.sources.iter().map(|source| {
        let of_state = usize::from(source.state == SourceState::Random);
        SourceFeatures {
            name: source.name.clone(),
            ..features[of_state].clone()
        }
    });
    study.sources = sources.collect();
    let folder = tempfile::tempdir().unwrap();
    let alignment = align_study(&study, &config, folder.path(), &Silent).unwrap();
    let found = PaperReport::of(&alignment, false).unwrap().record.shown["published"].as_array().unwrap().clone();
    let of = |place: &str, of: &str, quantity: &str| {
        let mut all = found.iter();
        all.find(|own| own["place"] == place && own["of"] == of && own["quantity"] == quantity)
            .unwrap_or_else(|| panic!("{place}: {of} {quantity}"))
    };
    let here = |place: &str, row: &str, quantity: &str| of(place, row, quantity)["here"].as_f64().unwrap();
    for printed in paper().unwrap().published("values") {
        // Without pairs of nearly equal accuracy, these are missing, and Table 5 has more models.
        let text = |field: &str| printed[field].as_str().unwrap();
        if !text("path").contains("/limit=") && printed["of"].is_null() {
            let own = of(text("place"), "", text("quantity"));
            assert_eq!(own["published"], text("value").parse::<f64>().unwrap(), "{printed}");
        }
    }
    // Eight models with four scores; four architectures with seven numbers, and five numbers of all together.
    let n_of = |found: &[Value], place: &str| found.iter().filter(|own| own["place"] == place).count();
    assert_eq!((n_of(&found, "Table 5"), n_of(&found, "Table 4")), (8 * 4, 4 * 7 + 5));
    let score = |name: &str| {
        let own = alignment.unit_scores.iter().filter(|entry| !entry.donor && entry.source == name);
        mean(own.filter_map(UnitScore::profile_mean)).unwrap()
    };
    let gap = score("vgg16") - score("vgg16-untrained-42");
    assert!(gap > 0.0);
    for (place, row, quantity) in [
        ("Table 3", "", "K = 10, pretrained less untrained"),
        ("Table 4", "vit_b_16", "gap"),
        ("Table 4", "overall", "gap"),
        ("Section 4", "", "ProfileMean, pretrained less the mean of four seeds"),
    ] {
        let own = here(place, row, quantity);
        assert!((own - gap).abs() < 1e-12, "{quantity}: {own} {gap}");
    }
    assert!(here("Table 4", "overall", "SD over seeds").abs() < 1e-12);
    let curve = |place: usize| alignment.record.summary.sources[place].curve[0];
    let first = here("Section 4", "", "TopKCov at k = 1, pretrained less the mean of four seeds");
    // Other subjects come first, then four trained models, then the untrained ones.
    assert!((first - (curve(1) - curve(5))).abs() < 1e-12);
    assert_eq!(here("Section 4", "", "other subjects, TopKCov at k = 1"), curve(0));

    // Without one of them, only values that do not depend on models, and the remaining models.
    config.sources.retain(|source| source.name != "vgg16");
    study.sources.retain(|source| source.name != "vgg16");
    let folder = tempfile::tempdir().unwrap();
    let alignment = align_study(&study, &config, folder.path(), &Silent).unwrap();
    let found = PaperReport::of(&alignment, false).unwrap().record.shown["published"].as_array().unwrap().clone();
    assert_eq!((n_of(&found, "Table 5"), n_of(&found, "Table 4")), (7 * 4, 3 * 7));
    assert!(found.iter().all(|own| own["place"] != "Appendix L"));
}

/// One architecture, four layers as separate sources, two seeds: 4 x 2 pairs for each target unit, and two seeds of
/// each layer.
#[test]
fn layers_are_no_seeds() {
    let (mut study, _) = simulated(SimulatedSize::Miniature, Seed(5)).unwrap();
    let features: Vec<_> = study.sources.drain(..).map(|own| own.features).collect();
    let mut config = AlignConfig::default();
    config.settings = AlignSettings {
        partitions: 2,
        null: 0,
        controls: Vec::new(),
        ..config.settings
    };
    for (name, of, seed) in [("trained", 0, None), ("random 0", 1, Some(0)), ("random 1", 1, Some(1))] {
        for layer in 0..4 {
            // Seed 1 uses the columns of the next layer.
            let first = (layer + seed.unwrap_or(0) as usize) % 4 * 15;
            let own = &features[of];
            let columns = Matrix::from_fn(own.n_rows(), 15, |row, column| own.get(row, first + column));
            study.sources.push(SourceFeatures {
                name: format!("{name} l{layer}"),
                features: columns,
                blocks: vec![(format!("l{layer}"), 15)],
            });
            config.sources.push(SourceFiles {
                name: format!("{name} l{layer}"),
                architecture: Some("net".to_owned()),
                state: match seed {
                    None => SourceState::Pretrained,
                    Some(_) => SourceState::Random,
                },
                seed,
                each_layer: true,
                features: vec![format!("{name}.npz:l{layer}").into()],
                ..SourceFiles::default()
            });
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let alignment = align_study(&study, &config, folder.path(), &Silent).unwrap();
    let n_units = study.units.len();
    let pairs = alignment.record.summary.sensitivity[0].difference.n;
    assert_eq!((n_units, pairs), (3, 4 * 2 * n_units));
    let aligned = Aligned::of(&alignment);
    let near = pairs::categories(&aligned).unwrap();
    let n_of = |own: &Value| own["difference"]["n"].as_u64().unwrap() as usize;
    let widest = near.iter().filter(|own| own["pairs"] == pairs::SAME_ARCHITECTURE);
    // One seed for each layer.
    assert!(widest.map(n_of).max().unwrap() <= 4 * n_units);
    let mut other = near.iter().filter(|own| own["pairs"].as_str().unwrap().contains("other architecture"));
    assert!(other.all(|own| n_of(own) == 0));
    let found = models::seeds(&aligned);
    let names: Vec<&str> = found.iter().map(|own| own["architecture"].as_str().unwrap()).collect();
    assert_eq!(names, ["net l0", "net l1", "net l2", "net l3", "overall"]);
    assert!(found.iter().all(|own| own["n_seeds"] == 2));
    // The SD over two seeds of one layer.
    let of = |name: &str| {
        let own = alignment.unit_scores.iter().filter(|own| own.source == name);
        mean(own.filter_map(|own| own.profile_mean())).unwrap()
    };
    let apart = (of("random 0 l2") - of("random 1 l2")).abs();
    assert!((found[2]["sd"].as_f64().unwrap() - apart / 2f64.sqrt()).abs() < 1e-12);
}
