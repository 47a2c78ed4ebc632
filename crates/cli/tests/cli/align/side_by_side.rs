//! Layers as separate sources, the paper's additional results, and alignments side by side.

use crate::support::alignments::{Arrays, arguments, record, refused, units};
use crate::support::{arg, folder, succeed};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::Path;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

const BY_LAYER: &str = "[[sources]]\nname = \"net\"\neach_layer = true\n\
                        features = [\"early/early.npy\", \"late/late.npy\"]\n";

#[test]
fn each_layer_is_the_source_that_it_would_be_alone() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.sources = BY_LAYER.to_owned();
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    // Once more: the same study.
    let config = root.path().join("align.toml");
    succeed(&["align", "--config", arg(&config), "--out", arg(&run)]);
    let names = |run: &Path| -> Vec<String> {
        let found = record(run);
        let sources = found["sources"].as_array().unwrap().iter();
        sources.map(|own| own["source"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&run), ["other subjects", "net early", "net late"]);
    arrays.sources = ["early", "late"]
        .map(|layer| format!("[[sources]]\nname = \"net {layer}\"\nfeatures = [\"{layer}/{layer}.npy\"]\n"))
        .concat();
    let alone = root.path().join("alone");
    succeed(&arguments(&arrays.write(), &alone));
    assert!(units(&run) == units(&alone));
    let depth = &read(&run.join("paper.json"))["depth"];
    assert_eq!(depth[0]["model"], "net");
    let layers = depth[0]["layers"].as_array().unwrap();
    assert_eq!((&layers[0]["depth"], &layers[1]["depth"]), (&0.0.into(), &1.0.into()));
    let of_record = &record(&run)["sources"][2]["brain_ref_score"];
    assert_eq!(&layers[1]["brain_ref_score"], of_record);
    assert!(run.join("figures/depth.svg").exists() && run.join("figures/layers.svg").exists());
    arrays.sources = "[[sources]]\nmodel = \"stand-in\"\neach_layer = true\nimages = \"x\"\n".to_owned();
    arrays.write();
    std::fs::remove_dir_all(&run).unwrap();
    assert_snapshot!(refused(&root), @r#"exit 2, stderr: error: source "stand-in": `each_layer` takes the names of its `layers`"#);
}

#[test]
fn alignments_are_compared_entry_by_entry() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let [one, other] = ["one", "other"].map(|name| root.path().join(name));
    // The first run has two subjects, which give an interval only if they are to; both have a part in every entry of a
    // donor.
    for (settings, is_there) in [("", false), ("interval_units = 2\n", true)] {
        arrays.settings += settings;
        succeed(&arguments(&arrays.write(), &one));
        let args = ["compare", arg(&one), arg(&one), "--format", "json"];
        let found: Value = serde_json::from_str(&succeed(&args).stdout).unwrap();
        let mut sources = found["comparisons"][0]["sources"].as_array().unwrap().iter();
        let model = sources.find(|found| found["sources"] == "model").unwrap();
        let interval = &model["difference"]["interval"];
        assert_eq!(interval.is_array(), is_there, "{interval}");
        let table = succeed(&args[..3]).stdout;
        assert_eq!(table.contains("without intervals"), !is_there, "{table}");
    }
    arrays.settings += "seed = 7\n";
    succeed(&arguments(&arrays.write(), &other));
    let out = root.path().join("compared");
    succeed(&["compare", arg(&one), arg(&other), "--out", arg(&out)]);
    let found = read(&out.join("compare.json"));
    assert_eq!(found["runs"], serde_json::json!(["one", "other"]));
    let sources = found["comparisons"][0]["sources"].as_array().unwrap();
    let model = |found: &&Value| found["sources"] == "model" && found["quantity"] == "accuracy";
    let accuracy = sources.iter().find(model).unwrap();
    let mean = |run: &Path| record(run)["sources"][1]["accuracy"]["mean"].as_f64().unwrap();
    let difference = accuracy["difference"]["mean"].as_f64().unwrap();
    assert!((difference - (mean(&other) - mean(&one))).abs() < 1e-12, "{difference}");
    assert_eq!(accuracy["difference"]["n"], 2);
    let regions = found["comparisons"][0]["regions"].as_array().unwrap();
    assert!(regions.iter().all(|found| found["region"] == "V1") && !regions.is_empty());
    assert!(out.join("figures/runs_by_source.svg").exists());
    assert!(out.join("figures/differences_by_region.svg").exists());

    // A run beside itself: no difference.
    let args = ["compare", arg(&one), arg(&one), "--format", "json"];
    let itself: Value = serde_json::from_str(&succeed(&args).stdout).unwrap();
    for found in itself["comparisons"][0]["sources"].as_array().unwrap() {
        assert_eq!(found["difference"]["mean"], 0.0, "{found}");
        let expected = match found["sources"] == "other subjects" {
            true => Value::Null,
            false => serde_json::json!([0.0, 0.0]),
        };
        assert_eq!(found["difference"]["interval"], expected);
    }

    // Another parcellation of the same subjects: no unit is shared.
    let text = std::fs::read_to_string(root.path().join("align.toml")).unwrap();
    let config = root.path().join("parcels.toml");
    std::fs::write(&config, text.replace("roi = \"V1\"", "roi = \"parcel 3\"")).unwrap();
    let parcels = root.path().join("parcels");
    succeed(&arguments(&config, &parcels));
    let ran = succeed(&["compare", arg(&other), arg(&parcels)]);
    assert!(ran.stdout.contains("share no region"), "{}", ran.stdout);
    std::fs::remove_dir_all(parcels.join("units")).unwrap();
    assert_snapshot!(root.run("compare other parcels"), @"exit 2, stderr: error: parcels/units/9b6aa79766abb294: the results of a lh parcel 3 are not there; run the alignment again, which makes what is missing");
}
