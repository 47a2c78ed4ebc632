//! The controls of `neurogauge align`.

mod of_recordings;
mod of_the_library;
mod refused;

use crate::support::alignments::{Arrays, N_STIMULI};
use crate::support::*;
use neurogauge::align::StudyPlan;

const TABLES: [&str; 6] = ["controls", "directions", "auxiliary", "attribution", "block_shares", "contributions"];

fn plan(arrays: &Arrays) -> StudyPlan {
    serde_json::from_value(arrays.dir.json("run/plan.json")).unwrap()
}

#[test]
fn an_interrupted_run_and_any_number_of_threads_end_with_the_same_bytes() {
    let arrays = Arrays::new();
    let names = TABLES.map(|table| format!("{table}.parquet")).into_iter();
    let others = ["fits.parquet", "align.json", "align.md", "plan.json"].map(str::to_owned);
    let names: Vec<String> = names.chain(others).collect();
    let of_threads = |threads: &str| -> Vec<Vec<u8>> {
        arrays.align(threads, &format!("--controls all --threads {threads}"));
        names.iter().map(|name| arrays.dir.bytes(format!("{threads}/{name}"))).collect()
    };
    let whole = of_threads("1");
    assert!(whole == of_threads("3"));

    let fingerprint = &arrays.dir.names("1/units")[0];
    arrays.dir.remove(format!("1/units/{fingerprint}/b.lh.V1.json"));
    for name in &names {
        arrays.dir.remove(format!("1/{name}"));
    }
    assert!(whole == of_threads("1"));

    // A run without controls keeps no tables of an earlier run.
    let is_there = |table: &str| arrays.dir.has(format!("1/{table}.parquet"));
    let of = |controls: &str| {
        arrays.align("1", &format!("--controls {controls}"));
        arrays.dir.json("1/align.json")
    };
    assert!(TABLES.into_iter().all(is_there));
    let without = of("none");
    assert!(!TABLES.into_iter().any(is_there));
    assert_eq!(without["controls"], Value::Array(Vec::new()));
    let named = of("auxiliary-readouts,target-pca");
    assert_eq!(named["config"]["settings"]["controls"], json!(["target-pca", "auxiliary-readouts"]));
    assert_eq!(named["controls"].list().len(), 6, "two of sources, three of the target");
    assert!(!is_there("directions"));
    // The sources are equal, regardless of the controls.
    assert_eq!(without["sources"], named["sources"]);
}

#[test]
fn balanced_views_have_as_many_trials_of_a_session() {
    let mut arrays = Arrays::new();
    arrays.settings += "balance = \"sessions\"\n";
    arrays.align("run", "");
    for (unit, partitions) in &plan(&arrays).partitions {
        for labels in partitions {
            let (first, second) = labels.split_at(N_STIMULI);
            for session in [first, second] {
                assert_eq!(session.bytes().filter(|&label| label == b'1').count(), N_STIMULI / 2, "{unit}");
            }
        }
    }
    let conventions = &arrays.dir.json("run/align.json")["conventions"];
    assert!(conventions.list().contains(&"recovery-balance".into()));
}

#[test]
fn weights_and_layers_stand_in_the_summary_of_models() {
    let mut arrays = Arrays::new();
    arrays.align("run", "");
    contains(&arrays.dir.read("run/align.md"), &["early, late"]);
    arrays.sources = arrays.sources.replace(
        "name =",
        "architecture = \"ResNet-18\"\nweights = \"ImageNet-1K V1\"\nlayer_names = \"stages 1 and 2\"\nname =",
    );
    arrays.align("run", "");
    contains(&arrays.dir.read("run/align.md"), &["ResNet-18", "ImageNet-1K V1", "stages 1 and 2"]);
}
