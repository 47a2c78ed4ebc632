//! `plan`, `work` and `finish`: the same bytes as one call.

use crate::support::arguments::score_images;
use crate::support::{Ran, arg, folder, neurogauge_with_cache, pictures, scores};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const N_IMAGES: usize = 7;

const SCORED: [&str; 12] = [
    "--metrics",
    "cap_sim,object_f1,ssim,effnet,clip",
    "--captioner",
    "stand-in-captioner",
    "--detector",
    "stand-in-detector",
    "--text-encoder",
    "stand-in",
    "--image-models",
    "stand-in",
    "--pixel-size",
    "48",
];

/// Images, and caches and folders for calls on them.
struct Setting {
    dir: tempfile::TempDir,
}

impl Setting {
    fn new() -> Setting {
        let dir = folder();
        pictures(&dir.path().join("gt"), "image", N_IMAGES, 48, 4.0);
        pictures(&dir.path().join("recon"), "image", N_IMAGES, 48, 60.0);
        Setting { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs the command with a cache that only the calls with this `out` share.
    fn run(&self, args: &[&str], out: &str) -> Ran {
        let ran = neurogauge_with_cache(args, &self.path(&format!("cache-{out}")));
        assert_eq!(ran.code, 0, "{args:?}\n{}", ran.stderr);
        ran
    }

    fn score_args(&self, out: &str) -> Vec<String> {
        let (gt, recon, out) = (self.path("gt"), self.path("recon"), self.path(out));
        let args = score_images(&gt, &recon, &out, &SCORED);
        args.into_iter().map(str::to_owned).collect()
    }

    fn perceive_args(&self, out: &str) -> Vec<String> {
        let (images, out) = (self.path("gt"), self.path(out));
        let args = [
            "perceive",
            "--images",
            arg(&images),
            "--with",
            "stand-in:grid4",
            "--with",
            "stand-in-captioner",
            "--with",
            "stand-in-detector",
            "--out",
            arg(&out),
        ];
        args.map(str::to_owned).to_vec()
    }

    /// One call.
    fn whole(&self, args: &[String], out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.run(&args, out);
        written(&self.path(out))
    }

    /// The same as a plan, with these parts of `n` in this order.
    fn in_parts(
        &self,
        args: &[String],
        out: &str,
        parts: &[usize],
        n: usize,
    ) -> BTreeMap<PathBuf, Vec<u8>> {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.run(&[&["plan"], &args[..]].concat(), out);
        let folder = self.path(out);
        assert!(folder.join("plan.json").exists());
        for part in parts {
            let shard = format!("{part}/{n}");
            self.run(&["work", arg(&folder), "--shard", &shard], out);
        }
        self.run(&["finish", arg(&folder)], out);
        written(&folder)
    }
}

/// What a call is for: scores, tables and observations, by path, and not how it came about.
fn written(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = name.to_string_lossy();
            let is_record = ["run.json", "plan.json"].contains(&&*text) || text.starts_with("work");
            // The name of a run is in its tables.
            let is_table = text.starts_with("summary") && !text.ends_with("json");
            if !is_record && !is_table && !text.ends_with("jsonl") && !text.contains("lock") {
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn any_shards_in_any_order_score_the_same_bytes() {
    let setting = Setting::new();
    let whole = setting.whole(&setting.score_args("whole"), "whole");
    assert!(whole.keys().any(|name| name.ends_with("scores.parquet")));
    assert!(whole.keys().any(|name| name.ends_with("captions.json")));
    let cases: [(&str, &[usize], usize); 5] = [
        ("one", &[1], 1),
        ("three", &[1, 2, 3], 3),
        ("five", &[4, 2, 5, 1, 3], 5),
        ("repeated", &[2, 1, 2, 3], 3),
        ("missing", &[3, 1], 3),
    ];
    for (out, parts, n) in cases {
        let found = setting.in_parts(&setting.score_args(out), out, parts, n);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            whole.keys().collect::<Vec<_>>(),
            "{out}"
        );
        for (name, bytes) in &found {
            assert!(*bytes == whole[name], "{out}: {}", name.display());
        }
        assert_eq!(
            scores(&setting.path(out)).columns,
            scores(&setting.path("whole")).columns
        );
    }
}

#[test]
fn shards_of_perceive_write_the_same_bytes() {
    let setting = Setting::new();
    let whole = setting.whole(&setting.perceive_args("whole"), "whole");
    for (out, parts, n) in [("three", &[3, 1, 2][..], 3), ("missing", &[2], 2)] {
        let found = setting.in_parts(&setting.perceive_args(out), out, parts, n);
        for (name, bytes) in &whole {
            assert!(found.get(name) == Some(bytes), "{out}: {}", name.display());
        }
    }
}

#[test]
fn a_shard_that_is_done_is_not_worked_again_and_a_plan_of_other_images_is_refused() {
    let setting = Setting::new();
    let args = setting.score_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let planned = setting.run(&[&["plan"], &args[..]].concat(), "run");
    assert!(planned.stdout.contains("7 items"), "{}", planned.stdout);
    let folder = setting.path("run");
    let work = ["work", arg(&folder), "--shard", "1/2"];
    assert!(!setting.run(&work, "run").stderr.contains("already"));
    fs::remove_file(setting.path("gt/0.png")).unwrap();
    assert!(setting.run(&work, "run").stderr.contains("already"));

    let other = ["work", arg(&folder), "--shard", "2/2"];
    let ran = neurogauge_with_cache(&other, &setting.path("cache-run"));
    assert_ne!(ran.code, 0);
    for shard in ["0/2", "3/2", "1", "1/0"] {
        let ran = neurogauge_with_cache(&["work", arg(&folder), "--shard", shard], &folder);
        assert_eq!(ran.code, 2, "{shard}");
        ran.says(&["--shard"]);
    }
    let elsewhere = setting.path("gt");
    let ran = neurogauge_with_cache(&["finish", arg(&elsewhere)], &folder);
    assert_ne!(ran.code, 0);
    ran.says(&["plan.json", "neurogauge plan"]);
}
