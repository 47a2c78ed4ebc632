//! Runs whose `run.json` has an older schema: the folder `schema_1` was written by the version before plans.

use crate::support::arguments::score_images;
use crate::support::{arg, folder, neurogauge_with_cache, record, refused, scores, succeed};
use neurogauge::RunRecord;
use neurogauge::formats::json;
use neurogauge::plan::{Step, StepPart};
use std::fs;
use std::path::{Path, PathBuf};

/// The older run and its inputs.
struct Older {
    dir: tempfile::TempDir,
}

impl Older {
    fn new() -> Older {
        let dir = folder();
        succeed(&["demo", "--out", arg(&dir.path().join("demo"))]);
        let run = dir.path().join("run");
        fs::create_dir(&run).unwrap();
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plan/schema_1");
        for file in fs::read_dir(committed).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), run.join(file.file_name())).unwrap();
        }
        assert_eq!(record(&run)["schema"], 1);
        Older { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The options that name its inputs.
    fn inputs(&self) -> Vec<String> {
        let data = self.path("demo/data");
        let inputs = [
            ("--gt", "gt"),
            ("--recon", "recon"),
            ("--observations", "observations"),
        ];
        let named =
            inputs.map(|(option, name)| [option.to_owned(), arg(&data.join(name)).to_owned()]);
        named.concat()
    }

    /// `neurogauge score` of its inputs.
    fn score(&self, options: &[&str], out: &str) -> String {
        let out = self.path(out);
        let inputs = self.inputs();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        succeed(&[&["score", "--out", arg(&out)], options, &inputs].concat()).stderr
    }
}

const OPTIONS: [&str; 10] = [
    "--seed-images",
    "nsd8-mindeye2",
    "--image-models",
    "stand-in",
    "--text-encoder",
    "stand-in",
    "--resamples",
    "50",
    "--metrics",
    "seed,pixcorr,ssim,effnet",
];

#[test]
fn it_is_repeated_from_its_record_and_by_its_options() {
    let older = Older::new();
    let run_json = older.path("run/run.json");
    older.score(&["--from-run", arg(&run_json)], "again");
    older.score(&OPTIONS, "anew");
    let expected = scores(&older.path("run")).columns;
    assert_eq!(scores(&older.path("again")).columns, expected);
    assert_eq!(scores(&older.path("anew")).columns, expected);
    let record = record(&older.path("anew"));
    assert_eq!(record["schema"], 3);
    assert_eq!(
        record["plan"]["steps"][0]["parts"][0]["writes"],
        "gt/features"
    );
}

#[test]
fn it_is_read_back_as_finished() {
    let older = Older::new();
    let stderr = older.score(&OPTIONS, "run");
    assert!(stderr.contains("already finished"), "{stderr}");
    assert_eq!(record(&older.path("run"))["schema"], 1);
}

#[test]
fn its_intervals_are_the_percentiles_of_its_time() {
    let older = Older::new();
    let (out, inputs) = (older.path("run"), older.inputs());
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let args = [&["score", "--out", arg(&out)], &OPTIONS[..], &inputs].concat();
    for options in [&[][..], &["--interval", "percentile"]] {
        let ran = succeed(&[&args[..], options].concat());
        assert!(ran.stderr.contains("already finished"), "{}", ran.stderr);
        assert!(
            ran.stdout.contains("percentile bootstrap"),
            "{}",
            ran.stdout
        );
    }
    let said = "options.bootstrap.interval: percentile then, bca now";
    refused(&[&args[..], &["--interval", "bca"]].concat(), 1, &[said]);
    let run_json = out.join("run.json");
    older.score(&["--from-run", arg(&run_json)], "again");
    let again = record(&older.path("again"));
    assert_eq!(again["request"]["bootstrap"]["interval"], "percentile");
    older.score(&OPTIONS, "anew");
    let anew = record(&older.path("anew"));
    assert_eq!(anew["request"]["bootstrap"]["interval"], "studentized");
    let scores = fs::read_to_string(older.path("anew/scores.csv")).unwrap();
    assert!(scores.starts_with("pair,pixcorr,ssim,"), "{scores}");
    assert_eq!(
        scores.lines().count(),
        1 + again["n_pairs"].as_u64().unwrap() as usize
    );
}

#[test]
fn it_is_compared_and_held_against_ratings() {
    let older = Older::new();
    older.score(&OPTIONS, "anew");
    let (run, anew) = (older.path("run"), older.path("anew"));
    let ran = succeed(&["compare", arg(&run), arg(&anew)]);
    assert!(ran.stdout.contains("SSIM"), "{}", ran.stdout);
    let mut ratings = String::from("item,rater,value\n");
    for (index, stem) in scores(&run).pairs.iter().enumerate() {
        for rater in ["a", "b"] {
            ratings.push_str(&format!("{stem},{rater},{}\n", index % 5 + 1));
        }
    }
    let human = older.path("ratings.csv");
    fs::write(&human, ratings).unwrap();
    let out = older.path("meta");
    let ran = succeed(&[
        "meta",
        "--human",
        arg(&human),
        "--metrics",
        arg(&run),
        "--out",
        arg(&out),
    ]);
    assert!(
        ran.stdout.contains("SSIM") || ran.stdout.contains("ssim"),
        "{}",
        ran.stdout
    );
}

/// `schema_2` has three pairs, one of whose images cannot be read, the record that the version before schema 3 wrote of them, and
/// the keys under which that version kept its observations.
#[test]
fn a_record_of_schema_2_says_what_the_same_run_says_today() {
    let dir = folder();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plan/schema_2");
    for side in ["gt", "recon"] {
        fs::create_dir(dir.path().join(side)).unwrap();
        for file in fs::read_dir(committed.join(side)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), dir.path().join(side).join(file.file_name())).unwrap();
        }
    }
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    let (out, cache) = (dir.path().join("run"), dir.path().join("cache"));
    let categories = committed.join("categories.json");
    let options = [
        &["--metrics", "cap_sim,object_f1,effnet,clip,semantic_iou"][..],
        &[
            "--captioner",
            "placeholder-captioner",
            "--detector",
            "placeholder-detector",
        ],
        &[
            "--text-encoder",
            "placeholder",
            "--image-models",
            "placeholder",
        ],
        &[
            "--masks",
            "placeholder-segmenter",
            "--mask-detector",
            "placeholder-detector",
        ],
        &["--box-threshold", "0", "--text-threshold", "0"],
        &[
            "--gt-categories",
            arg(&categories),
            "--recon-categories",
            arg(&categories),
        ],
    ]
    .concat();
    let ran = neurogauge_with_cache(&score_images(&gt, &recon, &out, &options), &cache);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let then: RunRecord = json::read(&committed.join("run.json")).unwrap();
    let now: RunRecord = json::read(&out.join("run.json")).unwrap();
    assert_eq!((then.provenance.schema, now.provenance.schema), (2, 3));
    assert_eq!(then.models, now.models);
    let hashes = |record: &RunRecord| -> Vec<(String, String)> {
        let inputs = record.provenance.inputs.iter();
        inputs
            .map(|input| (input.role.clone(), input.sha256.clone()))
            .collect()
    };
    assert_eq!(hashes(&then), hashes(&now));
    let failed = then.steps().iter().flat_map(|step| &step.outcome.failed);
    assert_eq!(failed.count(), 4, "of each kind the broken image");
    for (then, now) in then.steps().iter().zip(now.steps()) {
        let without_path = |step: &Step| {
            let mut step = step.clone();
            for item in &mut step.outcome.failed {
                item.reason = item
                    .reason
                    .replace(&format!("{}/", dir.path().display()), "");
            }
            step
        };
        assert_eq!(without_path(then).outcome, without_path(now).outcome);
        let makes = |step: &Step| (step.makes(), step.model.clone(), step.recipe.clone());
        assert_eq!(makes(then), makes(now));
        for (then, now) in then.parts.iter().zip(&now.parts) {
            let made = |part: &StepPart| {
                (
                    part.output.writes,
                    part.output.features.clone(),
                    part.n_items,
                )
            };
            assert_eq!(made(then), made(now));
            assert_eq!(then.output.reads[..], now.output.reads[..1]);
        }
    }
    assert_eq!(then.steps().len(), now.steps().len());

    let mut keys = Vec::new();
    let captions = fs::read_to_string(cache.join("captions/colour-words.jsonl")).unwrap();
    for line in captions.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        keys.push(format!("captions {}", line["key"].as_str().unwrap()));
    }
    for (kind, model) in [("detections", "colour-boxes"), ("masks", "box-masks")] {
        for file in fs::read_dir(cache.join(kind).join(model)).unwrap() {
            let path = file.unwrap().path();
            keys.push(format!("{kind} {}", path.file_stem().unwrap().display()));
        }
    }
    keys.sort();
    let expected = fs::read_to_string(committed.join("cache_keys.txt")).unwrap();
    assert_eq!(keys.join("\n"), expected.trim_end());
}
