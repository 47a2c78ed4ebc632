//! `neurogauge meta`: figures, worst cases with their images, classes.

use crate::support::arguments::meta;
use crate::support::{arg, folder, image_folders, refused, succeed, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Mean ratings 1, 3, 3, 5 and 2; `flip` has the best and the worst the wrong way round.
const RATINGS: &str = "item,x,y\na,1,1\nb,2,4\nc,3,3\nd,5,5\ne,2,2\n";
const SCORES: &str = "item,flip,near/far\na,0.9,0.1\nb,0.5,0.5\nc,0.6,0.4\nd,0.1,0.9\ne,0.3,0.2\n";
const LABELS: &str = "item,gt,recon\na,egret,egret\nb,dog,cat\nc,dog,dog\nd,cat,dog\ne,dog,dog\n";

struct Case {
    dir: tempfile::TempDir,
    ratings: PathBuf,
    scores: PathBuf,
}

impl Case {
    fn new() -> Self {
        let dir = folder();
        let (ratings, scores) = (dir.path().join("r.csv"), dir.path().join("m.csv"));
        write(&ratings, RATINGS);
        write(&scores, SCORES);
        Case {
            dir,
            ratings,
            scores,
        }
    }

    fn args<'a>(&'a self, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
        let mut args = meta(&self.ratings, &[&self.scores], out, more);
        args.extend(["--higher-is-better", "flip,near/far", "--resamples", "50"]);
        args
    }
}

fn record(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("meta.json")).unwrap()).unwrap()
}

fn names(out: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(out.join("figures")) else {
        return Vec::new();
    };
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn figures_are_drawn_the_same_by_any_number_of_threads() {
    let case = Case::new();
    let (one, eight) = (case.dir.path().join("one"), case.dir.path().join("eight"));
    succeed(&case.args(&one, &["--threads", "1"]));
    succeed(&case.args(&eight, &["--threads", "8"]));
    let expected = [
        "agreement",
        "averages_calibrated_accuracy",
        "averages_kendall_tau_b",
        "averages_pearson",
        "averages_spearman",
        "differences",
        "scatter",
    ];
    let expected = expected
        .iter()
        .flat_map(|name| ["png", "svg"].map(|e| format!("{name}.{e}")));
    assert_eq!(names(&one), expected.collect::<Vec<String>>());
    for name in names(&one) {
        let read = |out: &Path| fs::read(out.join("figures").join(&name)).unwrap();
        assert!(read(&one) == read(&eight), "{name}");
    }
    let svg = fs::read_to_string(one.join("figures/scatter.svg")).unwrap();
    assert!(svg.contains("near/far ↑"), "{svg}");
    // Figures of an earlier run are removed; files from elsewhere stay.
    fs::write(one.join("figures/mine.png"), b"mine").unwrap();
    succeed(&case.args(&one, &["--no-figures"]));
    assert_eq!(names(&one), ["mine.png"]);
}

#[test]
fn worst_cases_are_listed_and_shown() {
    let case = Case::new();
    let (gt, recon) = image_folders(case.dir.path(), &["a", "b", "c"]);
    let out = case.dir.path().join("out");
    let images = ["--gt", arg(&gt), "--recon", arg(&recon), "--worst", "3"];
    let ran = succeed(&case.args(&out, &images));
    ran.says(&["no image of"]);
    let found = record(&out);
    let flip = &found["worst_cases"]["metrics"][0];
    let items: Vec<&str> = flip["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["item"].as_str().unwrap())
        .collect();
    // a is people's last and the metric's first; d the reverse. e: 4th by both; c: 2nd and 2.5th.
    assert_eq!(items, ["a", "d", "b"]);
    let other = &found["worst_cases"]["metrics"][1];
    assert_eq!(
        other["cases"].as_array().unwrap().len(),
        2,
        "ranked alike is no case"
    );
    assert_eq!(flip["cases"][0]["metric_rank"], 1.0);
    assert_eq!(flip["cases"][0]["human_rank"], 5.0);
    assert_eq!(flip["cases"][0]["difference"], 1.0);
    assert_eq!(flip["cases"][1]["difference"], -1.0);
    assert_eq!(flip["cases"][2]["difference"], -0.125);
    let tables = fs::read_to_string(out.join("meta.md")).unwrap();
    assert!(tables.contains("### Worst cases"), "{tables}");
    let sheets: Vec<String> = names(&out)
        .into_iter()
        .filter(|name| name.starts_with("worst"))
        .collect();
    assert_eq!(sheets, ["worst-flip.png", "worst-near_far.png"]);

    // near/far ranks all but b and c as people do, and these nearly.
    succeed(&case.args(&out, &["--worst-others-agree", "0"]));
    let found = record(&out);
    assert_eq!(found["worst_cases"]["metrics"][0]["n_eligible"], 3);
    assert_eq!(found["request"]["worst_cases"]["others_agree"], 0.0);
    assert!(names(&out).iter().all(|name| !name.starts_with("worst")));
    succeed(&case.args(&out, &["--worst", "0"]));
    assert_eq!(record(&out)["worst_cases"], Value::Null);
}

#[test]
fn pairs_of_the_same_class_are_set_against_the_others() {
    let case = Case::new();
    let labels = case.dir.path().join("l.csv");
    write(&labels, LABELS);
    let out = case.dir.path().join("out");
    let ran = succeed(&case.args(&out, &["--classes", arg(&labels)]));
    assert!(ran.stdout.contains("same - different"), "{}", ran.stdout);
    let found = record(&out);
    assert_eq!(found["inputs"][2]["role"], "classes");
    let flip = &found["classes"]["metrics"][0];
    assert_eq!(
        (&flip["n_same"], &flip["n_different"]),
        (&3.into(), &2.into())
    );
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    // Human means 1, 3, 3, 5, 2: mean 2.8, deviation sqrt(1.76); the same class 1, 3, 2.
    let expected = (2.0 - 2.8) / 1.76_f64.sqrt();
    assert!(
        near(&flip["human_score"]["same"]["value"], expected),
        "{flip}"
    );
    // Scores 0.9, 0.5, 0.6, 0.1, 0.3: mean 0.48, deviation sqrt(0.0736); the same class 0.9, 0.6, 0.3.
    let metric = (0.6 - 0.48) / 0.0736_f64.sqrt();
    assert!(
        near(&flip["metric_score"]["same"]["value"], metric),
        "{flip}"
    );
    assert!(
        near(&flip["overestimate"]["same"]["value"], metric - expected),
        "{flip}"
    );
    assert!(names(&out).contains(&"classes.svg".to_owned()));
}

#[test]
fn what_cannot_be_shown_is_refused_by_name() {
    let case = Case::new();
    let out = case.dir.path().join("out");
    let labels = case.dir.path().join("l.csv");
    write(&labels, "item,gt,recon\nz,1,1\n");
    let absent = case.dir.path().join("absent");
    let refuse = |more: &[&str], code: i32, words: &str| {
        refused(&case.args(&out, more), code, &[words]);
        assert!(!out.exists());
    };
    refuse(&["--classes", arg(&labels)], 1, "no item of it was rated");
    refuse(&["--classes", arg(&absent)], 1, "absent");
    refuse(&["--gt", arg(&absent)], 1, "absent");
    refuse(&["--worst-metrics", "typo"], 2, "no metric here");
    refuse(&["--worst-others-agree", "2"], 2, "from 0 to 1");
}
