//! Layers as separate sources, the paper's additional results, and comparisons of alignments.

use crate::support::alignments::{Arrays, align, units};
use crate::support::*;

#[test]
fn each_layer_is_the_source_that_it_would_be_alone() {
    let mut arrays = Arrays::new();
    arrays.sources = arrays.sources.replace("\"model\"", "\"net\"\neach_layer = true");
    arrays.align("run", "");
    // The same study once more.
    arrays.dir.succeed("align --config align.toml --out run");
    let sources = arrays.dir.json("run/align.json")["sources"].clone();
    let names = [0, 1, 2].map(|place| sources[place]["source"].clone());
    assert_eq!((names, &sources[3]), (["other subjects", "net early", "net late"].map(Value::from), &Value::Null));
    arrays.sources = ["early", "late"]
        .map(|layer| format!("[[sources]]\nname = \"net {layer}\"\nfeatures = [\"{layer}/{layer}.npy\"]\n"))
        .concat();
    arrays.align("alone", "");
    assert!(units(&arrays.dir, "run") == units(&arrays.dir, "alone"));
    let layers = &arrays.dir.json("run/paper.json")["sources"];
    assert_eq!(layers[0]["model"], "net");
    assert_eq!([0, 1].map(|place| layers[place]["depth"].clone()), [0.0, 1.0]);
    assert_eq!(layers[1]["brain_ref_score"], sources[2]["brain_ref_score"]);
    assert!(arrays.dir.has("run/figures/depth.svg") && arrays.dir.has("run/figures/layers.svg"));
}

#[test]
fn alignments_are_compared_entry_by_entry() {
    let mut arrays = Arrays::new();
    let sources = |found: &Value| found["comparisons"][0]["sources"].list().clone();
    // The first run has two subjects, which only give an interval on request; every entry of a donor involves both.
    for (settings, is_there) in [("", false), ("interval_units = 2\n", true)] {
        arrays.settings += settings;
        arrays.align("one", "");
        // A run compared with itself has no difference.
        for found in sources(&arrays.dir.succeed("compare one one --format json").json()) {
            assert_eq!(found["difference"]["mean"], 0.0, "{found}");
            let has_interval = is_there && found["sources"] != "other subjects";
            let expected = if has_interval { json!([0.0, 0.0]) } else { Value::Null };
            assert_eq!(found["difference"]["interval"], expected, "{found}");
        }
        let table = arrays.dir.succeed("compare one one").stdout;
        assert_eq!(table.contains("without intervals"), !is_there, "{table}");
    }
    arrays.settings += "seed = 7\n";
    arrays.align("other", "");
    let dir = &arrays.dir;
    dir.succeed("compare one other --out compared");
    let found = dir.json("compared/compare.json");
    assert_eq!(found["runs"], json!(["one", "other"]));
    let sources = sources(&found);
    let accuracy = sources.iter().find(|found| found["sources"] == "model" && found["quantity"] == "accuracy").unwrap();
    let [one, other] =
        ["one", "other"].map(|run| dir.json(format!("{run}/align.json"))["sources"][1]["accuracy"]["mean"].number());
    let difference = accuracy["difference"]["mean"].number();
    assert!((difference - (other - one)).abs() < 1e-12, "{difference}");
    assert_eq!(accuracy["difference"]["n"], 2);
    let regions = found["comparisons"][0]["regions"].list();
    assert!(regions.iter().all(|found| found["region"] == "V1") && !regions.is_empty());
    for figure in ["runs_by_source", "differences_by_region"] {
        assert!(dir.has(format!("compared/figures/{figure}.svg")), "{figure}");
    }

    // Another parcellation of the same subjects, so no unit is shared.
    dir.replace("align.toml", "roi = \"V1\"", "roi = \"parcel 3\"");
    align(dir, "parcels", "");
    contains(&dir.succeed("compare other parcels").stdout, &["share no region"]);
    dir.remove("parcels/units");
    assert_snapshot!(dir.run("compare other parcels"), @"exit 2, stderr: error: parcels/units/9b6aa79766abb294: the results of a lh parcel 3 are not there; run the alignment again, which makes what is missing");
}
