//! Runs whose `run.json` has an older schema: the folder `schema_1` was written by the version before plans.

use crate::support::{Folder, Ran, arg, folder, scores};
use insta::assert_snapshot;
use neurogauge::RunRecord;
use neurogauge::formats::json;
use neurogauge::plan::{Step, StepPart};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder that is committed here.
fn copy(committed: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in fs::read_dir(committed).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cli/plan")
        .join(name)
}

/// What the older run was scored on, and the run.
fn older() -> Folder {
    let dir = folder();
    dir.succeed("demo --out demo");
    copy(&committed("schema_1"), &dir.join("run"));
    assert_eq!(dir.json("run/run.json")["schema"], 1);
    dir
}

/// `neurogauge score` of what it was scored on.
fn score(dir: &Folder, options: &str) -> Ran {
    let inputs = ["gt", "recon", "observations"].map(|of| format!("--{of} demo/data/{of}"));
    dir.succeed(&format!("score {} {options}", inputs.join(" ")))
}

const OPTIONS: &str = "--seed-images nsd8-mindeye2 --image-models stand-in --text-encoder stand-in --resamples 50 --metrics \
                       seed,pixcorr,ssim,effnet";

#[test]
fn it_is_repeated_from_its_record_and_by_its_options() {
    let older = older();
    score(&older, "--from-run run/run.json --out again");
    score(&older, &format!("{OPTIONS} --out other"));
    let expected = scores(&older.join("run")).columns;
    assert_eq!(scores(&older.join("again")).columns, expected);
    assert_eq!(scores(&older.join("other")).columns, expected);
    let record = older.json("other/run.json");
    assert_eq!(record["schema"], 3);
    let part = &record["plan"]["steps"][0]["parts"][0];
    assert_eq!(part["writes"], "gt/features");
}

#[test]
fn it_is_read_back_as_finished_with_the_intervals_of_its_time() {
    let older = older();
    let repeated = format!("{OPTIONS} --out run");
    for more in ["", "--interval percentile"] {
        let ran = score(&older, &format!("{repeated} {more}"));
        ran.says(&["already finished"]);
        assert!(ran.stdout.contains("percentile bootstrap"), "{ran}");
    }
    assert_eq!(older.json("run/run.json")["schema"], 1);
    let inputs = "--gt demo/data/gt --recon demo/data/recon --observations demo/data/observations";
    assert_snapshot!(older.run(&format!("score {inputs} {repeated} --interval bca")), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.bootstrap.interval: percentile then, bca now
      options.options.identification_copies: none then, leave_out now
    ");
    let interval = |run: &str| older.json(run)["request"]["bootstrap"]["interval"].clone();
    score(&older, "--from-run run/run.json --out again");
    assert_eq!(interval("again/run.json"), "percentile");
    score(&older, &format!("{OPTIONS} --out other"));
    assert_eq!(interval("other/run.json"), "studentized");
    let scores = older.read("other/scores.csv");
    assert!(scores.starts_with("pair,pixcorr,ssim,"), "{scores}");
    let n_pairs = &older.json("again/run.json")["n_pairs"];
    assert_eq!(scores.lines().count() as u64, 1 + n_pairs.as_u64().unwrap());
}

#[test]
fn it_is_compared_and_held_against_ratings() {
    let older = older();
    score(&older, &format!("{OPTIONS} --out other"));
    let ran = older.succeed("compare run other");
    assert!(ran.stdout.contains("SSIM"), "{ran}");
    let mut ratings = String::from("item,rater,value\n");
    for (index, stem) in scores(&older.join("run")).pairs.iter().enumerate() {
        for rater in ["a", "b"] {
            ratings.push_str(&format!("{stem},{rater},{}\n", index % 5 + 1));
        }
    }
    older.write("ratings.csv", ratings);
    let ran = older.succeed("meta --human ratings.csv --metrics run --out meta");
    assert!(ran.stdout.contains("ssim"), "{ran}");
}

/// `schema_2` has three pairs, one of whose images cannot be read, the record that the version before schema 3 wrote of them, and
/// the keys under which that version kept its observations.
#[test]
fn a_record_of_schema_2_says_what_the_same_run_says_today() {
    let dir = folder();
    let committed = committed("schema_2");
    for side in ["gt", "recon"] {
        copy(&committed.join(side), &dir.join(side));
    }
    let categories = arg(&committed.join("categories.json")).to_owned();
    let models = "--captioner placeholder-captioner --detector placeholder-detector --text-encoder placeholder \
                  --image-models placeholder --masks placeholder-segmenter --mask-detector placeholder-detector";
    let options = format!(
        "--metrics cap_sim,object_f1,effnet,clip,semantic_iou --box-threshold 0 --text-threshold 0 \
         --gt-categories {categories} --recon-categories {categories}"
    );
    let inputs = format!("--gt {0}/gt --recon {0}/recon", dir.path().display());
    let score = format!("score {inputs} --out run {models} {options}");
    let ran = dir.run_with_cache(&score, "cache");
    assert_eq!(ran.code, 1, "{ran}");
    let then: RunRecord = json::read(&committed.join("run.json")).unwrap();
    let now: RunRecord = json::read(&dir.join("run/run.json")).unwrap();
    assert_eq!((then.provenance.schema, now.provenance.schema), (2, 3));
    assert_eq!(then.models, now.models);
    let hashes = |record: &RunRecord| -> Vec<(String, String)> {
        let inputs = record.provenance.inputs.iter();
        let hash = inputs.map(|input| (input.role.clone(), input.sha256.clone()));
        hash.collect()
    };
    assert_eq!(hashes(&then), hashes(&now));
    let failed = then.steps().iter().flat_map(|step| &step.outcome.failed);
    assert_eq!(failed.count(), 4, "of each kind the broken image");
    for (then, now) in then.steps().iter().zip(now.steps()) {
        let without_path = |step: &Step| {
            let mut step = step.clone();
            for item in &mut step.outcome.failed {
                let path = format!("{}/", dir.path().display());
                item.reason = item.reason.replace(&path, "");
                // The formats that are read today are more than those of then.
                let found = item.reason.split("; expected").next();
                item.reason = found.unwrap_or_default().to_owned();
            }
            step
        };
        assert_eq!(without_path(then).outcome, without_path(now).outcome);
        let makes = |step: &Step| (step.makes(), step.model.clone(), step.recipe.clone());
        assert_eq!(makes(then), makes(now));
        for (then, now) in then.parts.iter().zip(&now.parts) {
            let made = |part: &StepPart| {
                let output = &part.output;
                (output.writes, output.features.clone(), part.n_items)
            };
            assert_eq!(made(then), made(now));
            assert_eq!(then.output.reads[..], now.output.reads[..1]);
        }
    }
    assert_eq!(then.steps().len(), now.steps().len());

    let mut keys = Vec::new();
    let captions = dir.read("cache/captions/colour-words.jsonl");
    for line in captions.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        keys.push(format!("captions {}", line["key"].as_str().unwrap()));
    }
    for (kind, model) in [("detections", "colour-boxes"), ("masks", "box-masks")] {
        for file in fs::read_dir(dir.join("cache").join(kind).join(model)).unwrap() {
            let path = file.unwrap().path();
            keys.push(format!("{kind} {}", path.file_stem().unwrap().display()));
        }
    }
    keys.sort();
    let expected = fs::read_to_string(committed.join("cache_keys.txt")).unwrap();
    assert_eq!(keys.join("\n"), expected.trim_end());
}
