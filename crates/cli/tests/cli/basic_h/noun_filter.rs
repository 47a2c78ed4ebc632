//! `--set basic_noun_filter`, against CAPTURE's own filter with NLTK's tagger (`reference/noun_filter.py`).

use super::appendix_d3::PARTS;
use crate::support::*;

const TAGGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/tagger");
const PUNKT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/punkt/english");

/// The golden's captions and graphs as observations.
fn observations(cases: &Value, field: impl Fn(&Value) -> Value) -> Folder {
    let dir = folder();
    for side in ["gt", "recon"] {
        let by_stem = |of: &dyn Fn(&Value) -> Value| -> Value {
            let entries = cases.list().iter().enumerate();
            Value::Object(entries.map(|(i, case)| (i.to_string(), of(&case[side]))).collect::<Map<String, Value>>())
        };
        let captions = by_stem(&|case| case["caption"].clone());
        dir.write(&format!("{side}/captions.json"), captions.to_string());
        dir.write(&format!("{side}/scene_graphs.json"), by_stem(&field).to_string());
    }
    dir
}

fn score(dir: &Folder, options: &str) -> PathBuf {
    let tools = format!("--preset capture --set basic_soft=off --wordnet {}", arg(&wordnet()));
    dir.succeed(&format!("{SCORE} --metrics basic_h_all {tools} {options}"));
    dir.join("run")
}

#[test]
fn what_is_left_scores_as_captures_own_code_scores_it() {
    let cases = golden("noun_filter");
    let dir = observations(&cases, |case| case["graph"].clone());
    let on = format!("--set basic_noun_filter=on --tagger {TAGGER} --punkt {PUNKT}");
    let run = score(&dir, &on);
    let table = scores(&run);
    let stems: Vec<usize> = table.pairs.iter().map(|stem| stem.parse().unwrap()).collect();
    for (i, part) in PARTS.iter().enumerate() {
        for (stem, found) in stems.iter().zip(table.column(part).unwrap()) {
            let expected = cases[*stem]["parts"][i].number();
            let found = found.clone().unwrap();
            assert!((found - expected).abs() < 1e-12, "{stem} {part}: {found} {expected}");
        }
    }
    let recorded = record(&run);
    let inputs = recorded["inputs"].list();
    for role in ["gt/captions", "recon/captions", "punkt", "tagger", "wordnet"] {
        assert_eq!(inputs.iter().filter(|input| input["role"] == role).count(), 1, "{role}");
    }
    let options = &recorded["request"]["options"]["basic_h"];
    assert_eq!(options["normalise"]["noun_filter"], true);

    // Filtered graphs do not change when filtered again, and without the filter the results differ.
    let kept = |case: &Value| {
        let kept = &case["kept"];
        json!({"objects": kept[0], "attributes": kept[1], "relations": kept[2]})
    };
    let done = observations(&cases, kept);
    for filter in ["", &on] {
        assert_eq!(scores(&score(&done, filter)).columns, table.columns);
    }
    let off = scores(&score(&dir, "--set basic_noun_filter=off"));
    let both = table.columns.iter().zip(&off.columns);
    let both = both.flat_map(|((_, with), (_, without))| with.iter().zip(without));
    let n_changed = both.filter(|(with, without)| with != without).count();
    assert!(n_changed > 100, "{n_changed}");
    // The last run has no filter.
    dir.succeed("score --from-run run/run.json --out repeated");
    assert_eq!(dir.scores("repeated").columns, off.columns);

    // A message says what the filter lacks.
    let score = format!(
        "score --observations . --metrics basic_h --set basic_soft=off --wordnet {} --out lacking --set basic_noun_filter=on",
        arg(&wordnet())
    );
    assert_snapshot!(dir.refusals(&score, &["", "--tagger /nonexistent"], "lacking"), @"

      exit 2, stderr: error: basic_object_f1 needs the weights of a tagger for --set basic_noun_filter=on: give the folder of NLTK's averaged_perceptron_tagger_eng with --tagger DIR, or leave the filter off
    --tagger /nonexistent
      exit 1, stderr: error: /nonexistent/*.classes.json: not found; expected one file of a tagger's model. The folder is taggers/averaged_perceptron_tagger_eng of nltk_data
    ");
    for side in ["gt", "recon"] {
        fs::remove_file(dir.join(side).join("captions.json")).unwrap();
    }
    assert_snapshot!(dir.run(&format!("{score} --tagger {TAGGER}")), @"exit 2, stderr: error: basic_object_f1 needs the captions that the scene graphs are of for --set basic_noun_filter=on, whose nouns it keeps: captions.json in --observations, or --gt captions=FILE and --recon captions=FILE");
}
