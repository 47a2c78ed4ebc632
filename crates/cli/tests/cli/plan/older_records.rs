//! Runs of which `run.json` has schema 1: the folder `schema_1` was written by the version before plans.

use crate::support::{arg, folder, record, refused, scores, succeed};
use std::fs;
use std::path::{Path, PathBuf};

/// What the older run was scored on, and the run.
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
    assert_eq!(record["schema"], 2);
    assert_eq!(record["plan"]["steps"][0]["writes"], "gt/features");
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
