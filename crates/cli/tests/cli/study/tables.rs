//! Every number of a study equals the one from `score`, `compare` and `meta` alone.

use crate::support::arguments::{self, score_images};
use crate::support::study_data::{METRICS, SYSTEMS, StudyData};
use crate::support::{arg, folder, succeed};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Lines of a table as CSV, cells by heading.
pub(crate) fn lines(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let headings: Vec<&str> = lines.next().unwrap().split(',').collect();
    let cells = |line: &str| -> HashMap<String, String> {
        let cells = headings.iter().zip(line.split(','));
        cells
            .map(|(h, c)| ((*h).to_owned(), c.to_owned()))
            .collect()
    };
    lines.map(cells).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// Statistics of a metric as `meta.json` has them: accuracy, tau-b, Pearson.
fn statistics(meta: &Value, metric: &str) -> Vec<f64> {
    let metrics = meta["result"]["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|m| m["name"] == metric).unwrap();
    of_paper(&found["statistics"])
}

fn of_paper(statistics: &Value) -> Vec<f64> {
    let all = statistics.as_array().unwrap();
    let wanted = ["calibrated_accuracy", "kendall_tau_b", "pearson"];
    let value = |id: &str| all.iter().find(|s| s["statistic"] == id).unwrap()["value"].as_f64();
    wanted.map(|id| value(id).unwrap()).to_vec()
}

#[test]
fn every_number_is_that_of_the_single_commands() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 12);
    let (config, out) = (data.config(""), dir.path().join("out"));
    let ran = succeed(&data.args(&config, &out));
    assert!(
        ran.stdout.contains("\nSystems by metrics: ") && ran.stdout.contains("(SEED Table 6)\n"),
        "{}",
        ran.stdout
    );
    let rated = SYSTEMS[1].0;
    let record = json(&out.join("study.json"));

    // Table 6 is `compare`.
    let runs = SYSTEMS.map(|(name, _)| out.join("runs").join(name.replace(' ', "_")));
    let args = ["compare", arg(&runs[0]), arg(&runs[1]), arg(&runs[2])];
    let compared = succeed(&[&args[..], &["--resamples", "50", "--format", "csv"]].concat()).stdout;
    let table = fs::read_to_string(out.join("tables/table6_systems.csv")).unwrap();
    let wanted = [
        "pixcorr",
        "ssim",
        "effnet",
        "effnet_official",
        "swav",
        "object_f1",
        "cap_sim",
        "seed",
        "snm",
        "sdm",
    ];
    let mut n_same = 0;
    for line in compared.lines().filter(|line| !line.starts_with("system")) {
        let line = line.replace("middle_one,", "middle one,");
        if wanted.iter().any(|id| line.contains(&format!(",{id},"))) {
            assert!(table.contains(&line), "{line}\n{table}");
            n_same += 1;
        }
    }
    // The parts of SEED come with it; other metrics that the runs have do not.
    assert_eq!((n_same, table.lines().count()), (30, 1 + 30), "{table}");

    // A run is `score`.
    let alone = dir.path().join("alone");
    let (gt, recon) = (dir.path().join("gt"), dir.path().join(rated).join("images"));
    let observations = dir.path().join(rated).join("observations");
    let metrics = METRICS.replace(['[', ']', '"', ' '], "");
    let mut args = score_images(&gt, &recon, &alone, &[]);
    args.extend(["--observations", arg(&observations), "--metrics", &metrics]);
    args.extend([
        "--text-encoder",
        "stand-in",
        "--image-models",
        "stand-in",
        "--resamples",
        "50",
    ]);
    succeed(&args);
    let file = |run: &Path| fs::read(run.join("scores.parquet")).unwrap();
    assert_eq!(file(&alone), file(&runs[1]));
    assert_eq!(
        record["systems"][1]["metrics"],
        json(&alone.join("summary.json"))
    );

    // Tables 1 and 5 are `meta`.
    let (ratings, vqa) = (dir.path().join("ratings.csv"), dir.path().join("vqa.csv"));
    let meta_out = dir.path().join("meta");
    let args = ["--resamples", "50", "--permutations", "20"];
    let mut args = arguments::meta(&ratings, &[&alone, &vqa], &meta_out, &args);
    args.extend([
        "--only",
        "object_f1,cap_sim,effnet,effnet_official,seed,vqa_score,pixcorr,ssim,swav",
        "--no-figures",
    ]);
    args.extend(["--combinations", "--higher-is-better", "vqa_score"]);
    succeed(&args);
    let meta = json(&meta_out.join("meta.json"));
    let statistics_of = |line: &HashMap<String, String>| -> Vec<f64> {
        let cells = ["Pairwise acc.", "Kendall τ-b", "Pearson"].map(|heading| {
            let cell = line
                .iter()
                .find(|(name, _)| name.starts_with(heading))
                .unwrap();
            number(cell.1)
        });
        cells.to_vec()
    };
    let table = lines(&out.join("tables/table1_agreement_middle_one.csv"));
    let of = |table: &[HashMap<String, String>], metric: &str| {
        let found = table.iter().find(|line| line["Metric"].starts_with(metric));
        statistics_of(found.unwrap_or_else(|| panic!("{metric}")))
    };
    for (label, id) in [
        ("SEED", "seed"),
        ("EffNet", "effnet"),
        ("VQAScore", "vqa_score"),
    ] {
        assert_eq!(of(&table, label), statistics(&meta, id), "{label}");
    }
    let table = lines(&out.join("tables/table5_parts_middle_one.csv"));
    let names: Vec<&str> = table.iter().map(|line| line["Metric"].as_str()).collect();
    let expected = [
        "Object F1",
        "Cap-Sim†",
        "EffNet (SEED)†",
        "Object F1 + Cap-Sim†",
        "Object F1 + EffNet (SEED)†",
        "Cap-Sim† + EffNet (SEED)†",
        "VQAScore",
        "SEED†",
    ];
    assert_eq!(names, expected);
    let cells = meta["combinations"]["averages"]["cells"]
        .as_array()
        .unwrap();
    let is_both = |cell: &&Value| {
        let names = [
            cell["first"].as_str().unwrap(),
            cell["second"].as_str().unwrap(),
        ];
        names.contains(&"object_f1") && names.contains(&"effnet_official")
    };
    let both = cells.iter().find(is_both).unwrap();
    assert_eq!(
        of(&table, "Object F1 + EffNet (SEED)"),
        of_paper(&both["statistics"])
    );
    assert_eq!(of(&table, "SEED"), statistics(&meta, "seed"));

    // A combination of components is `score` with other files, and `meta`.
    let component = &record["components"][6];
    assert_eq!(component["label"], "detector B + captioner B + encoder A");
    let other = dir.path().join("other");
    let paths = [
        ("gt", "detections"),
        ("recon", "detections"),
        ("gt", "captions.json"),
        ("recon", "captions.json"),
    ];
    let paths = paths.map(|(side, file)| other.join(side).join(file));
    let alone = dir.path().join("component");
    let mut args = score_images(&gt, &recon, &alone, &[]);
    args.extend([
        "--gt-detections",
        arg(&paths[0]),
        "--recon-detections",
        arg(&paths[1]),
    ]);
    args.extend([
        "--gt-captions",
        arg(&paths[2]),
        "--recon-captions",
        arg(&paths[3]),
    ]);
    args.extend([
        "--metrics",
        "seed",
        "--text-encoder",
        "stand-in",
        "--image-models",
        "stand-in",
    ]);
    succeed(&args);
    let args = [
        "--only",
        "seed",
        "--resamples",
        "50",
        "--permutations",
        "20",
    ];
    succeed(&arguments::meta(&ratings, &[&alone], &meta_out, &args));
    let single = statistics(&json(&meta_out.join("meta.json")), "seed");
    assert_eq!(of_paper(&component["statistics"]), single);
    assert_ne!(of_paper(&record["components"][0]["statistics"]), single);
}
