//! `--basic-noun-filter`, against CAPTURE's own filter with NLTK's tagger (`reference/noun_filter.py`).

use super::appendix_d3::PARTS;
use crate::support;
use crate::support::arguments::{score_again, score_observations};
use crate::support::checkpoints::golden;
use crate::support::{arg, folder, neurogauge, record, scores, succeed, write};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

const TAGGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/tagger");
const PUNKT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../reference/golden/punkt/english"
);

/// The golden's captions and graphs as observations.
fn observations(root: &Path, cases: &[Value], field: impl Fn(&Value) -> Value) {
    for side in ["gt", "recon"] {
        let by_stem = |of: &dyn Fn(&Value) -> Value| -> Value {
            let entries = cases.iter().enumerate();
            let entries = entries.map(|(i, case)| (i.to_string(), of(&case[side])));
            Value::Object(entries.collect::<Map<String, Value>>())
        };
        let captions = by_stem(&|case| case["caption"].clone());
        write(
            &root.join(side).join("captions.json"),
            &captions.to_string(),
        );
        let graphs = by_stem(&field);
        write(
            &root.join(side).join("scene_graphs.json"),
            &graphs.to_string(),
        );
    }
}

fn score(root: &Path, options: &[&str]) -> PathBuf {
    let run = root.join("run");
    let wordnet = support::wordnet();
    let args = score_observations(
        root,
        &run,
        &[
            "--metrics",
            "basic_h_all",
            "--preset",
            "capture",
            "--basic-soft",
            "off",
            "--wordnet",
            arg(&wordnet),
        ],
    );
    succeed(&[&args[..], options].concat());
    run
}

#[test]
fn what_is_left_scores_as_captures_own_code_scores_it() {
    let cases = golden("noun_filter");
    let cases = cases.as_array().unwrap();
    let dir = folder();
    observations(dir.path(), cases, |case| case["graph"].clone());
    let on = [
        "--basic-noun-filter",
        "on",
        "--tagger",
        TAGGER,
        "--punkt",
        PUNKT,
    ];
    let run = score(dir.path(), &on);
    let table = scores(&run);
    let stems: Vec<usize> = table
        .pairs
        .iter()
        .map(|stem| stem.parse().unwrap())
        .collect();
    let mut n_changed = 0;
    for (i, part) in PARTS.iter().enumerate() {
        for (stem, found) in stems.iter().zip(table.column(part).unwrap()) {
            let expected = cases[*stem]["parts"][i].as_f64().unwrap();
            let found = found.clone().unwrap();
            assert!(
                (found - expected).abs() < 1e-12,
                "{stem} {part}: {found} {expected}"
            );
        }
    }
    let recorded = record(&run);
    let inputs = recorded["inputs"].as_array().unwrap();
    for role in [
        "gt/captions",
        "recon/captions",
        "punkt",
        "tagger",
        "wordnet",
    ] {
        let of_role = inputs.iter().filter(|input| input["role"] == role).count();
        assert_eq!(of_role, 1, "{role}");
    }
    assert_eq!(
        recorded["request"]["options"]["basic_h"]["normalise"]["noun_filter"],
        true
    );

    // Graphs that the filter has been through already stay as they are, and without it others come out.
    let kept = |case: &Value| {
        let kept = &case["kept"];
        json!({"objects": kept[0], "attributes": kept[1], "relations": kept[2]})
    };
    let done = folder();
    observations(done.path(), cases, kept);
    assert_eq!(scores(&score(done.path(), &[])).columns, table.columns);
    assert_eq!(scores(&score(done.path(), &on)).columns, table.columns);
    let off = scores(&score(dir.path(), &["--basic-noun-filter", "off"]));
    for (with, without) in table.columns.iter().zip(&off.columns) {
        n_changed += with
            .1
            .iter()
            .zip(&without.1)
            .filter(|(a, b)| a != b)
            .count();
    }
    assert!(n_changed > 100, "{n_changed}");
    let repeated = dir.path().join("repeated");
    let run_json = run.join("run.json");
    let args = score_again(&run_json, &repeated, &[]);
    // The last run is the one without.
    succeed(&args);
    assert_eq!(scores(&repeated).columns, off.columns);
}

#[test]
fn what_the_filter_lacks_is_said() {
    let cases = golden("noun_filter");
    let dir = folder();
    observations(dir.path(), cases.as_array().unwrap(), |case| {
        case["graph"].clone()
    });
    let out = dir.path().join("run");
    let refused = |options: &[&str], code, parts: &[&str]| {
        let wordnet = support::wordnet();
        let args = [
            "score",
            "--observations",
            arg(dir.path()),
            "--metrics",
            "basic_h",
            "--basic-soft",
            "off",
        ];
        let tools = ["--wordnet", arg(&wordnet), "--out", arg(&out)];
        let filter = ["--basic-noun-filter", "on"];
        let ran = neurogauge(&[&args[..], &tools, &filter, options].concat());
        assert_eq!(ran.code, code, "{}", ran.stderr);
        ran.says(parts);
    };
    refused(
        &[],
        2,
        &[
            "weights of a tagger",
            "--tagger DIR",
            "averaged_perceptron_tagger_eng",
        ],
    );
    refused(
        &["--tagger", "/nonexistent"],
        1,
        &["/nonexistent", "averaged_perceptron_tagger_eng"],
    );
    for side in ["gt", "recon"] {
        std::fs::remove_file(dir.path().join(side).join("captions.json")).unwrap();
    }
    refused(
        &["--tagger", TAGGER],
        2,
        &["the captions that the scene graphs are of", "--gt-captions"],
    );
}
