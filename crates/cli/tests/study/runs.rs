//! `neurogauge study`: three systems, ratings of one of them, eight combinations of components.

use crate::support;
use crate::support::study_data::{METRICS, SYSTEMS, StudyData, files};
use crate::support::{arg, folder, neurogauge, neurogauge_with_cache, succeed};
use neurogauge::study::{StudyConfig, study};
use neurogauge::{Progress, RunSettings};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Lines of a table as CSV, cells by heading.
fn lines(path: &Path) -> Vec<HashMap<String, String>> {
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
        ran.stdout.contains("Table 6: Systems by metrics"),
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
    assert_eq!((n_same, table.lines().count()), (27, 1 + 27), "{table}");

    // A run is `score`.
    let alone = dir.path().join("alone");
    let (gt, recon) = (dir.path().join("gt"), dir.path().join(rated).join("images"));
    let observations = dir.path().join(rated).join("observations");
    let metrics = METRICS.replace(['[', ']', '"', ' '], "");
    let mut args = vec![
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&alone),
    ];
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
    let mut args = vec![
        "meta",
        "--human",
        arg(&ratings),
        "--metrics",
        arg(&alone),
        arg(&vqa),
    ];
    args.extend([
        "--out",
        arg(&meta_out),
        "--resamples",
        "50",
        "--permutations",
        "20",
    ]);
    args.extend([
        "--only",
        "object_f1,cap_sim,effnet,seed,vqa_score,pixcorr,ssim,swav",
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
        ("vqa_score", "vqa_score"),
    ] {
        assert_eq!(of(&table, label), statistics(&meta, id), "{label}");
    }
    let table = lines(&out.join("tables/table5_parts_middle_one.csv"));
    let names: Vec<&str> = table.iter().map(|line| line["Metric"].as_str()).collect();
    let expected = [
        "Object F1",
        "Cap-Sim†",
        "EffNet†",
        "Object F1 + Cap-Sim†",
        "Object F1 + EffNet†",
        "Cap-Sim† + EffNet†",
        "vqa_score",
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
        names.contains(&"object_f1") && names.contains(&"effnet")
    };
    let both = cells.iter().find(is_both).unwrap();
    assert_eq!(
        of(&table, "Object F1 + EffNet"),
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
    let mut args = vec![
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&alone),
    ];
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
    let mut args = vec![
        "meta",
        "--human",
        arg(&ratings),
        "--metrics",
        arg(&alone),
        "--only",
        "seed",
    ];
    args.extend([
        "--out",
        arg(&meta_out),
        "--resamples",
        "50",
        "--permutations",
        "20",
    ]);
    succeed(&args);
    let single = statistics(&json(&meta_out.join("meta.json")), "seed");
    assert_eq!(of_paper(&component["statistics"]), single);
    assert_ne!(of_paper(&record["components"][0]["statistics"]), single);
}

#[test]
fn the_page_shows_what_there_is_and_says_what_is_not() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 12);
    let (config, out) = (data.config(""), dir.path().join("out"));
    succeed(&data.args(&config, &out));
    let record = json(&out.join("study.json"));
    let page = fs::read_to_string(out.join("study.md")).unwrap();
    let exhibits = record["exhibits"].as_array().unwrap();
    let papers: Vec<&str> = exhibits
        .iter()
        .map(|e| e["paper"].as_str().unwrap())
        .collect();
    for paper in [
        "Table 1", "Table 5", "Table 6", "Figure 3", "Figure 4", "Figure 5", "Figure 8",
    ] {
        assert!(papers.contains(&paper), "{paper} among {papers:?}");
        assert!(page.contains(&format!("## {paper}:")), "{page}");
    }
    for exhibit in exhibits {
        for file in exhibit["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert!(fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
            assert!(page.contains(file), "{file} in\n{page}");
        }
    }
    let absent = record["absent"].as_array().unwrap();
    assert!(absent.iter().any(|a| a["paper"] == "Table 2"), "{absent:?}");
    let fig8 = fs::read_to_string(out.join("figures/figure8_averages_middle_one.svg")).unwrap();
    assert!(fig8.contains("metrics in use before"));
    assert!(!fig8.contains(">SEED<"), "an average is not averaged");

    // Without ratings there is no table on agreement, and the page says what would bring it.
    let gt = dir.path().join("gt");
    let named = ["near", "far"]
        .map(|name| format!("{name}={}", dir.path().join(name).join("images").display()));
    let near = format!("near={}", dir.path().join("near/observations").display());
    let run = format!("before={}", out.join("runs/near").display());
    let unrated = dir.path().join("unrated");
    let mut args = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--recon",
        &named[1],
    ];
    args.extend([
        "--observations",
        &near,
        "--run",
        &run,
        "--metrics",
        "pixcorr",
        "--out",
        arg(&unrated),
    ]);
    let ran = succeed(&args);
    assert!(
        ran.stdout
            .contains("Table 1 is not here: it needs human ratings"),
        "{}",
        ran.stdout
    );
    let record = json(&unrated.join("study.json"));
    assert_eq!(
        record["exhibits"].as_array().unwrap().len(),
        2,
        "{:?}",
        record["exhibits"]
    );
    assert_eq!(record["systems"][2]["name"], "before");
    let table = lines(&unrated.join("tables/table6_systems.csv"));
    let value = |system: &str| {
        let found = table.iter().find(|line| line["system"] == system);
        found.unwrap()["mean"].clone()
    };
    assert_eq!(value("near"), value("before"));
    assert_ne!(value("near"), value("far"));

    // What a study of fewer systems no longer shows is gone.
    let mut fewer = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--metrics",
        "pixcorr",
    ];
    fewer.extend(["--out", arg(&out)]);
    succeed(&fewer);
    let left: Vec<String> = files(&out.join("figures"))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn threads_and_interruptions_do_not_change_a_bit() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 8);
    let (config, out) = (data.config(""), dir.path().join("out"));
    succeed(&[data.args(&config, &out), vec!["--threads", "1"]].concat());
    let one = files(&out);
    assert!(one.len() > 60, "{}", one.len());

    // As after a crash in the second system, and before anything was written of what follows.
    for gone in ["runs/far", "components", "meta", "tables", "figures"] {
        fs::remove_dir_all(out.join(gone)).unwrap();
    }
    fs::remove_file(out.join("study.json")).unwrap();
    fs::remove_file(out.join("runs/middle_one/scores.parquet")).unwrap();
    let path = out.join("runs/middle_one/run.json");
    let mut half = json(&path);
    half["complete"] = Value::Bool(false);
    fs::write(&path, half.to_string()).unwrap();
    succeed(&[data.args(&config, &out), vec!["--threads", "4"]].concat());
    same(&one, &files(&out));

    fs::remove_dir_all(&out).unwrap();
    succeed(&[data.args(&config, &out), vec!["--threads", "4"]].concat());
    same(&one, &files(&out));
}

#[track_caller]
fn same(one: &[(String, Vec<u8>)], other: &[(String, Vec<u8>)]) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(one), names(other));
    for ((name, one), (_, other)) in one.iter().zip(other) {
        assert!(one == other, "{name}");
    }
}

/// How many steps each stage took.
#[derive(Default)]
struct Counts {
    stage: Mutex<String>,
    steps: Mutex<HashMap<String, u64>>,
}

impl Progress for Counts {
    fn start(&self, stage: &str, _total: u64, _done: u64) {
        *self.stage.lock().unwrap() = stage.to_owned();
    }
    fn advance(&self, n: u64) {
        let stage = self.stage.lock().unwrap().clone();
        *self.steps.lock().unwrap().entry(stage).or_default() += n;
    }
    fn finish(&self) {}
    fn note(&self, _message: &str) {}
}

#[test]
fn the_stimuli_are_perceived_once_whatever_the_number_of_systems() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 6);
    let config = StudyConfig::read(&data.config("")).unwrap();
    let counts = Counts::default();
    let settings = RunSettings {
        out: dir.path().join("out"),
        ..RunSettings::default()
    };
    study(&config, &settings, &counts).unwrap();
    let steps = counts.steps.into_inner().unwrap();
    let of = |ending: &str| -> Vec<(&String, &u64)> {
        steps
            .iter()
            .filter(|(stage, _)| stage.ends_with(ending) && !stage.starts_with("reading"))
            .collect()
    };
    let n = data.stems.len() as u64;
    let (gt, recon) = (of(" gt"), of(" recon"));
    assert!(!gt.is_empty(), "{steps:?}");
    assert!(gt.iter().all(|(_, steps)| **steps == n), "{gt:?}");
    // The eight runs with other components look at no image.
    assert!(recon.iter().all(|(_, steps)| **steps == 3 * n), "{recon:?}");
}

#[test]
fn the_stimuli_are_described_once_where_there_is_no_cache() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 3);
    let (gt, out) = (dir.path().join("gt"), dir.path().join("out"));
    let named = SYSTEMS
        .map(|(name, _)| format!("{name}={}", dir.path().join(name).join("images").display()));
    let mut args = vec![
        "study",
        "--gt",
        arg(&gt),
        "--out",
        arg(&out),
        "--metrics",
        "cap_sim",
    ];
    args.extend(named.iter().flat_map(|named| ["--recon", named]));
    args.extend([
        "--captioner",
        "stand-in-captioner",
        "--text-encoder",
        "stand-in",
    ]);
    // A file, so that no folder can be made there.
    let cache = dir.path().join("ratings.csv");
    let ran = neurogauge_with_cache(&args, &cache);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let kept = fs::read_dir(out.join("runs/far/observations")).unwrap();
    let kept = kept.map(|entry| entry.unwrap().path());
    let journals: Vec<PathBuf> = kept
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    assert_eq!(journals.len(), 1, "{journals:?}");
    let n_lines = fs::read_to_string(&journals[0]).unwrap().lines().count();
    // The stimuli and the first system's images, taken over from its run, and its own.
    assert_eq!(n_lines, data.stems.len() * 3);
}

#[test]
fn what_is_wrong_with_a_configuration_is_said_with_its_place() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 3);
    let (config, out) = (data.config(""), dir.path().join("out"));
    let sound = fs::read_to_string(&config).unwrap();
    let refused = |text: &str, code: i32, parts: &[&str]| {
        fs::write(&config, text).unwrap();
        let ran = neurogauge(&data.args(&config, &out));
        assert_eq!(ran.code, code, "{}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part:?} in\n{}", ran.stderr);
        }
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(!out.join("runs").exists(), "nothing is scored first");
    };
    let with = |from: &str, to: &str| {
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from}");
        text
    };
    let unknown = with("system = \"middle one\"", "system = \"middle\"");
    refused(
        &unknown,
        2,
        &[
            "study.toml: ratings",
            "\"middle\" is none of the systems (near, middle one, far)",
        ],
    );
    let missing = with("recon = \"far/images\"", "recon = \"fur/images\"");
    refused(
        &missing,
        2,
        &[
            "study.toml: system \"far\": recon",
            "fur/images: no such file or folder",
        ],
    );
    let field = with("recon = \"far/images\"", "recons = \"far/images\"");
    let line = field
        .lines()
        .position(|line| line.starts_with("recons"))
        .unwrap();
    refused(
        &field,
        2,
        &[
            "study.toml:",
            "system \"far\": unknown field `recons`",
            "`recon`",
        ],
    );
    assert!(line > 10);
    let twice = with("name = \"far\"", "name = \"near\"");
    refused(&twice, 2, &["system \"near\": another system is called"]);
    let lacking = with(
        "[[choices.captioner]]\nname = \"captioner A\"",
        "[[choices.captioner]]\nname = \"captioner A\"\ngt = \"gt\"",
    );
    refused(
        &lacking,
        2,
        &[
            "choices.captioner \"captioner A\": recon",
            "lacks \"middle one\"",
        ],
    );
    let stranger = with("recon = { \"middle one\"", "recon = { \"other\"");
    refused(
        &stranger,
        2,
        &[
            "choices.detector \"detector B\": recon",
            "\"other\" is none of the systems",
        ],
    );
    refused(
        "[[systems]]\nrecon = \"far/images\"",
        2,
        &["study.toml:1", "a system has no `name`"],
    );
    refused("", 2, &["study.toml: systems: there is none"]);
    refused(
        &with("others_agree = 0.5", "others_agree = 2"),
        2,
        &["[examples]: others_agree = 2"],
    );
    refused(
        &with("[inputs]", "[score.inputs]\ngt = \"gt\"\n[inputs]"),
        2,
        &["[score.inputs]"],
    );

    // One stem too few.
    fs::remove_file(
        dir.path()
            .join("far/images")
            .join(format!("{}.png", data.stems[0])),
    )
    .unwrap();
    refused(
        &sound,
        1,
        &[
            "system \"far\": pairing images",
            &data.stems[0],
            "far/images",
        ],
    );
    fs::write(&config, &sound).unwrap();
    let gt = dir.path().join("gt");
    let named = ["near", "far"]
        .map(|name| format!("{name}={}", dir.path().join(name).join("images").display()));
    let mut args = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--recon",
        &named[1],
    ];
    args.extend(["--human", "ratings.csv", "--out", arg(&out)]);
    support::refused(
        &args,
        2,
        &["whose reconstructions were rated?", "near, far"],
    );
    support::refused(&["study", "--out", arg(&out)], 2, &["--config"]);
}
