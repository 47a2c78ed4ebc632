//! The graphs of the paper's appendix D.3: compared with CAPTURE's own code, and the table in the documentation.

use crate::support::*;
use neurogauge::core::SceneGraph;
use neurogauge::formats::scene_graphs;

/// The parts of BASIC-H, in CAPTURE's order.
pub(crate) const PARTS: [&str; 9] = [
    "basic_object_precision",
    "basic_object_recall",
    "basic_object_f1",
    "basic_attribute_precision",
    "basic_attribute_recall",
    "basic_attribute_f1",
    "basic_relation_precision",
    "basic_relation_recall",
    "basic_relation_f1",
];

fn in_reference(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference").join(path)
}

/// Writes appendix D.3 of the paper as observations: each method's graph against the reference.
pub(crate) fn appendix_d3(root: &Path) -> Vec<String> {
    let graphs = scene_graphs::read(&in_reference("basic/appendix_d3.txt")).unwrap();
    let (reference, methods): (Vec<_>, Vec<_>) = graphs.into_iter().partition(|(stem, _)| stem == "Reference");
    let gt: Vec<(String, SceneGraph)> =
        methods.iter().map(|(stem, _)| (stem.clone(), reference[0].1.clone())).collect();
    for (side, graphs) in [("gt", &gt), ("recon", &methods)] {
        fs::create_dir_all(root.join(side)).unwrap();
        scene_graphs::write_json(&root.join(side).join("scene_graphs.json"), graphs).unwrap();
    }
    methods.into_iter().map(|(stem, _)| stem).collect()
}

/// Scores an observations folder.
pub(crate) fn score(dir: &Folder, options: &str) -> (PathBuf, Ran) {
    let ran = dir.succeed(&format!("{SCORE} {options}"));
    (dir.join("run"), ran)
}

/// Scores all parts, with MiniLM's real weights.
fn score_with_minilm(dir: &Folder, options: &str) -> PathBuf {
    let tools = format!("--weights {} --wordnet {} --offline", arg(&weights()), arg(&wordnet()));
    let encoder = "--set phrase_encoder=all-MiniLM-L6-v2";
    score(dir, &format!("--metrics basic_h_all {encoder} {tools} {options}")).0
}

#[test]
fn the_papers_example_scores_as_captures_own_code_scores_it() {
    let dir = folder();
    let methods = appendix_d3(dir.path());
    assert_eq!(methods.len(), 13);
    let run = score_with_minilm(&dir, "--preset capture");
    let golden: Value = serde_json::from_slice(&fs::read(in_reference("golden/basic_h.json")).unwrap()).unwrap();
    let golden = &golden["appendix_d3"];
    for (i, part) in PARTS.iter().enumerate() {
        for (method, found) in methods.iter().zip(values(&run, part)) {
            let expected = golden[method]["parts"][i].number();
            // The reference computes embeddings and products in single precision.
            assert!((found - expected).abs() < 2e-6, "{method} {part}: {found} {expected}");
        }
    }
    for (method, found) in methods.iter().zip(values(&run, "basic_h")) {
        let expected = golden[method]["score"].number();
        assert!((found - expected).abs() < 2e-6, "{method}: {found} {expected}");
    }

    let recorded = record(&run);
    let mut inputs = recorded["inputs"].list().iter();
    assert_eq!(inputs.find(|input| input["role"] == "wordnet").unwrap()["items"].list().len(), 12);
    assert_eq!(recorded["models"][0]["id"], "all-MiniLM-L6-v2");
    assert_eq!(recorded["request"]["options"]["basic_h"]["preset"], "capture");
    dir.succeed(&format!("score --from-run run/run.json --out again --weights {}", arg(&weights())));
    // Tables contain the name of the run.
    let [one, other] = [&recorded, &dir.record("again")].map(|run| run["outputs"]["scores.parquet"].clone());
    assert_eq!(one, other);
}

/// The documentation's rows, as printed by this program: a snapshot, not a reference.
const DOCUMENTED: [&str; 4] = [
    "| MindTuner | 76.1 75.4 75.7 | 71.8 65.2 68.4 | 62.9 55.5 59.0 | 69.4 |",
    "| NeuroPictor | 69.3 69.8 69.5 | 78.7 71.6 75.0 | 61.3 49.1 54.5 | 68.7 |",
    "| BrainGuard | 84.8 66.6 74.6 | 67.9 54.9 60.7 | 75.6 48.0 58.7 | 65.9 |",
    "| SDRecon | 50.4 43.8 46.8 | 54.3 48.1 51.0 | 23.3 22.6 22.9 | 43.7 |",
];

#[test]
fn the_table_of_the_documentation_is_what_preset_basic_gives() {
    let dir = folder();
    let methods = appendix_d3(dir.path());
    let run = score_with_minilm(&dir, "");
    let page = fs::read_to_string(in_reference("../docs/pages/reference/metrics.md")).unwrap();
    for row in DOCUMENTED {
        assert!(page.contains(row), "{row}");
        let mut words = row.split([' ', '|']).filter(|word| !word.is_empty());
        let method = words.next().unwrap();
        let pair = methods.iter().position(|name| name == method).unwrap();
        let expected: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        assert_eq!(expected.len(), PARTS.len() + 1);
        for (part, expected) in PARTS.iter().chain(&["basic_h"]).zip(expected) {
            let found = 100.0 * values(&run, part)[pair];
            assert!((found - expected).abs() < 0.051, "{method} {part}: {found}");
        }
    }
}
