//! A run of placeholder models has the recipes, hashes and cache keys in `placeholder_run/`: since caches depend on
//! them, a change makes everybody's models observe again. One of the three pairs has an unreadable image.

use crate::support::*;

#[test]
fn its_recipes_and_cache_keys_are_as_committed() {
    let dir = folder();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plan/placeholder_run");
    for side in ["gt", "recon"] {
        fs::create_dir(dir.join(side)).unwrap();
        for file in fs::read_dir(committed.join(side)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), dir.join(side).join(file.file_name())).unwrap();
        }
    }
    let categories = arg(&committed.join("categories.json")).to_owned();
    let models = "--captioner placeholder-captioner --detector placeholder-detector --set text_encoder=placeholder \
                  --set image_models=placeholder --masks placeholder-segmenter --set mask_detector=placeholder-detector";
    let options = format!(
        "--metrics cap_sim,object_f1,effnet,clip,semantic_iou --set box_threshold=0 --set text_threshold=0 \
         --gt categories={categories} --recon categories={categories}"
    );
    dir.run_with_cache(&format!("score --gt gt --recon recon --out run {models} {options}"), "cache")
        .exits(1);

    let expected: Value = serde_json::from_str(&fs::read_to_string(committed.join("made.json")).unwrap()).unwrap();
    let record = dir.json("run/run.json");
    assert_eq!(record["models"], expected["models"]);
    let inputs = record["inputs"].list().iter();
    let hashes: Value = inputs.map(|input| (input["role"].text(), input["sha256"].clone())).collect();
    assert_eq!(hashes, expected["inputs"]);
    let list = |value: &Value| value.list().clone();
    let steps = list(&record["plan"]["steps"]);
    let expected = list(&expected["steps"]);
    assert_eq!(steps.len(), expected.len());
    let mut n_failed = 0;
    for (step, expected) in steps.iter().zip(&expected) {
        n_failed += list(&step["outcome"]["failed"]).len();
        for field in ["model", "recipe"] {
            assert_eq!(step[field], expected[field]);
        }
        let (parts, expected) = (list(&step["parts"]), list(&expected["parts"]));
        assert_eq!(parts.len(), expected.len());
        for (part, expected) in parts.iter().zip(&expected) {
            for field in ["writes", "features", "n_items"] {
                assert_eq!(part.get(field), expected.get(field));
            }
            assert_eq!(part["reads"][0], expected["reads"]);
        }
    }
    assert_eq!(n_failed, 4, "of each kind the broken image");

    let mut keys = Vec::new();
    let captions = dir.read("cache/captions/colour-words.jsonl");
    for line in captions.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        keys.push(format!("captions {}", line["key"].text()));
    }
    for (kind, model) in [("detections", "colour-boxes"), ("masks", "box-masks")] {
        for file in fs::read_dir(dir.join("cache").join(kind).join(model)).unwrap() {
            keys.push(format!("{kind} {}", file.unwrap().path().file_stem().unwrap().display()));
        }
    }
    keys.sort();
    assert_eq!(keys.join("\n"), fs::read_to_string(committed.join("cache_keys.txt")).unwrap().trim_end());
}
