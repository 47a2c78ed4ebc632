//! Threads and interruptions change nothing, and nothing is computed twice.

use crate::support::study_data::{SYSTEMS, StudyData, files};
use crate::support::*;
use neurogauge::report::figures::FigureOptions;
use neurogauge::{Progress, RunSettings};
use neurogauge_study::{StudyConfig, study};
use std::sync::Mutex;

#[test]
fn threads_and_interruptions_do_not_change_a_bit() {
    let dir = StudyData::new(6).dir;
    let out = dir.join("out");
    let study = |threads: u32| dir.succeed(&format!("study --config study.toml --out out --threads {threads}"));
    study(1);
    let one = files(&out);
    assert!(one.len() > 60, "{}", one.len());

    // As after a crash in the second system, before any later output was written.
    for gone in ["runs/far", "components", "meta", "tables", "figures"] {
        fs::remove_dir_all(out.join(gone)).unwrap();
    }
    fs::remove_file(out.join("study.json")).unwrap();
    fs::remove_file(out.join("runs/middle_one/scores.parquet")).unwrap();
    let path = out.join("runs/middle_one/run.json");
    let mut half = dir.json(&path);
    half["complete"] = Value::Bool(false);
    fs::write(&path, half.to_string()).unwrap();
    // Two systems, the components, the agreement with people and the tables are computed again, on four threads.
    study(4);
    same(&one, &files(&out));
}

#[track_caller]
fn same(one: &[(String, Vec<u8>)], other: &[(String, Vec<u8>)]) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> { files.iter().map(|(name, _)| name.clone()).collect() };
    assert_eq!(names(one), names(other));
    for ((name, one), (_, other)) in one.iter().zip(other) {
        assert!(one == other, "{name}");
    }
}

/// Number of steps in each stage.
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
        *self.steps.lock().unwrap().entry(self.stage.lock().unwrap().clone()).or_default() += n;
    }
    fn finish(&self) {}
    fn note(&self, _message: &str) {}
}

#[test]
fn the_stimuli_are_perceived_once_whatever_the_number_of_systems() {
    let StudyData { dir, stems } = StudyData::new(6);
    let config = StudyConfig::read(&dir.join("study.toml")).unwrap();
    let counts = Counts::default();
    let settings = RunSettings {
        out: dir.join("out"),
        cache: Some(dir.join("cache")),
        ..RunSettings::default()
    };
    study(&config, &settings, &FigureOptions::default(), &counts).unwrap();
    let steps = counts.steps.into_inner().unwrap();
    let of = |ending: &str| -> Vec<(&String, &u64)> {
        let is_of = |stage: &str| stage.ends_with(ending) && !stage.starts_with("reading");
        steps.iter().filter(|(stage, _)| is_of(stage)).collect()
    };
    let n = stems.len() as u64;
    let (gt, recon) = (of(" gt"), of(" recon"));
    assert!(!gt.is_empty(), "{steps:?}");
    // Images are prepared as for all models, and as in SEED's code.
    let of_gt = 2 * n;
    assert!(gt.iter().all(|(_, steps)| **steps == of_gt), "{gt:?}");
    // The eight runs with other components observe no image.
    let of_recon = 3 * of_gt;
    assert!(recon.iter().all(|(_, n)| **n == of_recon), "{recon:?}");
}

#[test]
fn the_stimuli_are_described_once_where_there_is_no_cache() {
    let StudyData { dir, stems } = StudyData::new(3);
    let systems = SYSTEMS.map(|(name, _)| format!("--recon '{name}={name}/images'"));
    let study = format!(
        "study --gt gt {} --metrics cap_sim --captioner placeholder-captioner --set text_encoder=placeholder --out out",
        systems.join(" ")
    );
    // The cache is a file, so no folder can be made there.
    dir.run_with_cache(&study, "ratings.csv").done();
    let kept = fs::read_dir(dir.join("out/cache/captions")).unwrap().map(|entry| entry.unwrap().path());
    let journals: Vec<PathBuf> = kept.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    assert_eq!(journals.len(), 1, "{journals:?}");
    let n_lines = fs::read_to_string(&journals[0]).unwrap().lines().count();
    // The stimuli once, and each system's images.
    assert_eq!(n_lines, stems.len() * (1 + SYSTEMS.len()));
}

#[test]
fn a_study_stays_if_the_one_that_would_replace_it_cannot_be_done() {
    let StudyData { dir, stems } = StudyData::new(3);
    let study = |of_far: &str, metrics: &str| {
        format!("study --gt gt --recon near=near/images --recon far={of_far} --metrics {metrics} --out out --overwrite")
    };
    dir.succeed(&study("far/images", "pixcorr"));
    let before = files(&dir.join("out"));
    let mut said = dir.run(&study("nowhere", "ssim")).to_string();
    said += &format!("\n{}", dir.run(&study("far/images", "sim")));
    fs::remove_file(dir.join("far/images").join(format!("{}.png", stems[0]))).unwrap();
    said += &format!("\n{}", dir.run(&study("far/images", "ssim")));
    assert!(files(&dir.join("out")) == before, "{said}");
    assert_eq!(said.matches("error: ").count(), 3, "{said}");
}
