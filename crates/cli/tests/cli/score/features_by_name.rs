//! `neurogauge score --metrics MODEL:LAYER`: identification and correlation by the features of any model.

use super::identification::{GT, RECON, dataset, score};
use crate::support::arguments::score_images;
use crate::support::image_pairs::ImagePairs;
use crate::support::{arg, close, folder, record, refused, scores, succeed, values};
use neurogauge::metrics::decoding::feature_correlation::correlation;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;

#[test]
fn given_features_of_any_name_are_compared_as_those_of_the_field_are() {
    let dir = folder();
    let run = dir.path().join("run");
    dataset(dir.path(), "alexnet.features.4", &GT, &RECON);
    dataset(dir.path(), "mine.layer-3.mean", &GT, &RECON);
    let asked = "mine:layer-3:mean:correlation,mine:layer-3:mean,alexnet2";
    score(dir.path(), &run, &["--metrics", asked]);
    let ids: Vec<String> = scores(&run).columns.into_iter().map(|c| c.0).collect();
    let own = ["mine:layer-3:mean:correlation", "mine:layer-3:mean"];
    assert_eq!(ids, ["alexnet2", "alexnet2_correlation", own[0], own[1]]);
    close(&values(&run, own[0]), &[1.0, 0.5, 1.0]);
    assert_eq!(values(&run, own[1]), values(&run, "alexnet2"));
    let metrics = record(&run)["metrics"].clone();
    assert_eq!(metrics[3]["origin"], "features/mine.layer-3.mean");
}

#[test]
fn a_model_makes_the_features_of_images() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &["1", "2", "10"]);
    let metrics = "resnet18-untrained-0:embedding,resnet18-untrained-0:layer1:mean:correlation,\
                   resnet18-untrained-0:embedding:distance";
    succeed(&data.args(&["--metrics", metrics]));
    let scored = scores(&data.run);
    let model = "resnet18-untrained-0";
    for (layer, id, compare) in [
        (
            "avgpool",
            "embedding:distance",
            correlation_distance as fn(&[f32], &[f32]) -> _,
        ),
        ("layer1.mean", "layer1:mean:correlation", correlation),
    ] {
        let [gt, recon] = ["gt", "recon"].map(|of| data.features(of, &format!("{model}.{layer}")));
        let column = scored.column(&format!("{model}:{id}")).unwrap();
        for (row, outcome) in column.iter().enumerate() {
            assert_eq!(
                *outcome,
                compare(gt.row(row), recon.row(row)).unwrap(),
                "{id}"
            );
        }
    }
    let found = values(&data.run, &format!("{model}:embedding"));
    assert!(
        found.iter().all(|value| (0.0..=1.0).contains(value)),
        "{found:?}"
    );
    // A page and a comparison show it like any other.
    let page = dir.path().join("report.html");
    succeed(&["report", arg(&data.run), "--out", arg(&page)]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("resnet18-untrained-0 layer1 mean r"));
    let other = dir.path().join("other");
    succeed(&score_images(
        &data.gt,
        &data.recon,
        &other,
        &["--metrics", metrics],
    ));
    let compared = succeed(&["compare", arg(&data.run), arg(&other)]);
    assert!(
        compared.stdout.contains("resnet18-untrained-0 embedding"),
        "{}",
        compared.stdout
    );
    // A model that the field's image presets do not cover is preprocessed as its authors publish.
    assert_eq!(
        record(&data.run)["perceived"][0]["preprocessing"]["resize"][0]["shorter_side"],
        256
    );
}

#[test]
fn unknown_models_layers_and_poolings_are_named() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &["1", "2", "10"]);
    for (metric, parts) in [
        (
            "resnet19:embedding",
            &[
                "resnet19:embedding needs resnet19.embedding.npy",
                "resnet18",
            ][..],
        ),
        ("resnet18-untrained-0:layer9", &["layer9", "layer4"]),
        (
            "resnet18-untrained-0:layer1:median",
            &["layer1.median", "layer4"],
        ),
        ("resnet18:../x", &["no metric is called", "MODEL:LAYER"]),
    ] {
        refused(&data.args(&["--metrics", metric]), 2, parts);
    }
}
