//! `neurogauge score --metrics MODEL:LAYER`: identification and correlation by the features of any model.

use super::identification::{GT, RECON, dataset};
use crate::support::image_pairs::features;
use crate::support::*;
use neurogauge::core::Outcome;
use neurogauge::metrics::MetricError;
use neurogauge::metrics::decoding::feature_correlation::correlation;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;

#[test]
fn given_features_of_any_name_are_compared_as_those_of_the_field_are() {
    let dir = folder();
    dataset(&dir, "alexnet.features.4", &GT, &RECON);
    dataset(&dir, "mine.layer-3.mean", &GT, &RECON);
    let asked = "mine:layer-3:mean:correlation,mine:layer-3:mean,alexnet2,alexnet2_correlation";
    dir.succeed(&format!("score --observations . --out run --metrics {asked}"));
    let ids: Vec<String> = dir.scores("run").columns.into_iter().map(|c| c.0).collect();
    let own = ["mine:layer-3:mean:correlation", "mine:layer-3:mean"];
    assert_eq!(ids, ["alexnet2", "alexnet2_correlation", own[0], own[1]]);
    close(&dir.values("run", own[0]), &[1.0, 0.5, 1.0]);
    assert_eq!(dir.values("run", own[1]), dir.values("run", "alexnet2"));
    assert_eq!(dir.record("run")["metrics"].clone()[3]["origin"], "features/mine.layer-3.mean");
}

#[test]
fn a_model_makes_the_features_of_images() {
    let dir = images(&["1", "2", "10"]);
    let model = "resnet18-untrained-0";
    let score = format!(
        "score gt recon --metrics {model}:embedding,{model}:layer1:mean:correlation,{model}:embedding:distance --out"
    );
    dir.run_with_cache(&format!("{score} run"), "cache").done();
    let scored = dir.scores("run");
    type Compare = fn(&[f32], &[f32]) -> Result<Outcome, MetricError>;
    for (layer, id, compare) in [
        ("avgpool", "embedding:distance", correlation_distance as Compare),
        ("layer1.mean", "layer1:mean:correlation", correlation),
    ] {
        let [gt, recon] = ["gt", "recon"].map(|of| features(&dir, of, &format!("{model}.{layer}")));
        for (row, outcome) in scored.column(&format!("{model}:{id}")).unwrap().iter().enumerate() {
            assert_eq!(*outcome, compare(gt.row(row), recon.row(row)).unwrap(), "{id}");
        }
    }
    let found = dir.values("run", &format!("{model}:embedding"));
    assert!(found.iter().all(|value: &f64| (0.0..=1.0).contains(value)), "{found:?}");
    // A page and a comparison show it like any other metric.
    dir.succeed("report run --out report.html");
    assert!(dir.read("report.html").contains("resnet18-untrained-0 layer1 mean r"));
    dir.run_with_cache(&format!("{score} other"), "cache").done();
    contains(&dir.succeed("compare run other").stdout, &["resnet18-untrained-0 embedding"]);
    // Models without an image preset of the field are prepared as their authors publish.
    let resize = &dir.record("run")["perceived"][0]["preprocessing"]["resize"];
    assert_eq!(resize[0]["shorter_side"], 256);
}

#[test]
fn unknown_models_layers_and_poolings_are_named() {
    let dir = images(&["1", "2", "10"]);
    for (metric, parts) in [
        ("resnet19:embedding", ["resnet19:embedding needs resnet19.embedding.npy", "resnet18"]),
        ("resnet18-untrained-0:layer9", ["layer9", "layer4"]),
        ("resnet18-untrained-0:layer1:median", ["layer1.median", "layer4"]),
        ("resnet18:../x", ["no metric is called", "MODEL:LAYER"]),
    ] {
        dir.run(&format!("score gt recon --out run --metrics {metric}")).exits(2).says(&parts);
    }
}
