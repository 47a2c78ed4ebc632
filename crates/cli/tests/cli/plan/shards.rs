//! `plan`, `work` and `finish`: the same bytes as one call.

use crate::support::arguments::score_images;
use crate::support::{Ran, arg, folder, neurogauge_with_cache, pictures, scores, write};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const N_IMAGES: usize = 7;

const SCORED: [&str; 12] = [
    "--metrics",
    "cap_sim,object_f1,ssim,effnet,clip,semantic_iou",
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

/// Every place that the stand-in looks at is a box, and every word a label.
const MASKS: [&str; 8] = [
    "--masks",
    "stand-in-segmenter",
    "--mask-detector",
    "stand-in-detector",
    "--box-threshold",
    "0",
    "--text-threshold",
    "0",
];

/// Images, their contents, and caches and folders for calls on them.
struct Setting {
    dir: tempfile::TempDir,
}

impl Setting {
    fn new() -> Setting {
        let dir = folder();
        pictures(&dir.path().join("gt"), "image", N_IMAGES, 48, 4.0);
        pictures(&dir.path().join("recon"), "image", N_IMAGES, 48, 60.0);
        let held = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": []}], "background_elements": []}"#;
        let held = (0..N_IMAGES).map(|stem| format!("\"{stem}\": {held}"));
        let held = held.collect::<Vec<_>>().join(", ");
        write(&dir.path().join("categories.json"), &format!("{{{held}}}"));
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

    /// Begins to work on a shard.
    fn begin(&self, run: &Path, shard: &str) -> Child {
        let cache = self.path(&format!("cache-{}", run.file_name().unwrap().display()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_neurogauge"));
        command.args(["--threads", "1", "work", arg(run), "--shard", shard]);
        command.env("NEUROGAUGE_CACHE", cache);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn score_args(&self, out: &str) -> Vec<String> {
        let (gt, recon, out) = (self.path("gt"), self.path("recon"), self.path(out));
        let categories = self.path("categories.json");
        let args = score_images(&gt, &recon, &out, &SCORED);
        let held = ["--gt-categories", "--recon-categories"].map(|side| [side, arg(&categories)]);
        let args = args.iter().chain(&MASKS).chain(held.as_flattened());
        args.map(|arg| (*arg).to_owned()).collect()
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

/// The results of a call: scores, tables and observations, by path, without the records of how they were made.
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
            let is_record =
                ["run.json", "plan.json"].contains(&&*text) || text.starts_with("shards");
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
    for kind in ["captions", "detections", "masks", "features"] {
        let is_of = |name: &PathBuf| name.to_string_lossy().contains(&format!("/gt/{kind}"));
        assert!(whole.keys().any(is_of), "{kind}: {:?}", whole.keys());
    }
    let cases: [(&str, &[usize], usize); 6] = [
        ("one", &[0], 1),
        ("three", &[0, 1, 2], 3),
        ("from-1", &[4, 2, 5, 1, 3], 5),
        ("repeated", &[1, 0, 1, 2], 3),
        ("missing", &[2, 0], 3),
        // More than there are pairs.
        ("many", &[0, 1, 2, 3, 4, 5, 6, 7, 8], 9),
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
    let categories = setting.path("categories.json");
    let held = ["--categories", arg(&categories)];
    let args = |out| {
        let masks = MASKS.iter().chain(&held);
        let masks = masks.map(|arg| (*arg).to_owned());
        [setting.perceive_args(out), masks.collect()].concat()
    };
    let whole = setting.whole(&args("whole"), "whole");
    assert!(whole.keys().any(|name| name.ends_with("masks/0.json")));
    for (out, parts, n) in [("three", &[2, 0, 1][..], 3), ("missing", &[1], 2)] {
        let found = setting.in_parts(&args(out), out, parts, n);
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
    let work = ["work", arg(&folder), "--shard", "0/2"];
    assert!(!setting.run(&work, "run").stderr.contains("already"));
    fs::remove_file(setting.path("gt/0.png")).unwrap();
    assert!(setting.run(&work, "run").stderr.contains("already"));

    // Another image of that name.
    pictures(&setting.path("gt"), "other", 1, 48, 4.0);
    let other = ["work", arg(&folder), "--shard", "1/2"];
    let ran = neurogauge_with_cache(&other, &setting.path("cache-run"));
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    ran.says(&["not those that were planned", "neurogauge plan"]);
    for shard in ["-1/2", "3/2", "1", "1/0", "0/0", "0/10000000"] {
        let ran = neurogauge_with_cache(&["work", arg(&folder), "--shard", shard], &folder);
        assert_eq!(ran.code, 2, "{shard}");
        ran.says(&["--shard"]);
    }
    let elsewhere = setting.path("gt");
    let ran = neurogauge_with_cache(&["finish", arg(&elsewhere)], &folder);
    assert_ne!(ran.code, 0);
    ran.says(&["plan.json", "neurogauge plan"]);
}

/// Other numbers of shards, and N/N for shard 0/N, as in job lists that start at 1.
#[test]
fn the_number_of_shards_may_change_and_finish_says_which_are_missing() {
    let setting = Setting::new();
    let whole = setting.whole(&setting.perceive_args("whole"), "whole");
    let args = setting.perceive_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let run = setting.path("run");
    for shard in ["3/3", "1/3", "5/6"] {
        setting.run(&["work", arg(&run), "--shard", shard], "run");
    }
    assert!(run.join("shards/0-of-3/shard.json").exists());
    let all = ["finish", arg(&run), "--all-shards"];
    let ran = neurogauge_with_cache(&all, &setting.path("cache-run"));
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["1 of 3 shards are missing: 2/3", "neurogauge work"]);
    let status = setting.run(&["cluster", "status", arg(&run)], "run").stdout;
    assert!(
        status.starts_with("3 shards: 2 done, 0 running, 0 failed, 1 waiting\n"),
        "{status}"
    );
    setting.run(&["work", arg(&run), "--shard", "4/6"], "run");
    setting.run(&all, "run");
    let status = |more: &[&str]| {
        let args = [&["cluster", "status", arg(&run)], more].concat();
        setting.run(&args, "run").stdout
    };
    assert_eq!(status(&[]), "finished: the results are written\n");
    let json: serde_json::Value = serde_json::from_str(&status(&["--format", "json"])).unwrap();
    assert_eq!(json["finished"], true);
    let found = written(&run);
    for (name, bytes) in &whole {
        assert!(found.get(name) == Some(bytes), "{}", name.display());
    }
}

#[test]
fn three_shards_at_once_share_a_folder_and_a_cache() {
    let setting = Setting::new();
    let whole = setting.whole(&setting.score_args("whole"), "whole");
    let args = setting.score_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let run = setting.path("run");
    // The last two are the same part.
    let children = ["0/2", "1/2", "1/2"].map(|shard| setting.begin(&run, shard));
    for child in children {
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{said}");
    }
    setting.run(&["finish", arg(&run), "--all-shards"], "run");
    let found = written(&run);
    for (name, bytes) in &whole {
        assert!(found.get(name) == Some(bytes), "{}", name.display());
    }
}

#[test]
fn items_that_fail_are_named_and_the_others_are_done() {
    let setting = Setting::new();
    fs::write(setting.path("gt/2.png"), "half an image").unwrap();
    let args = setting.perceive_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let run = setting.path("run");
    let work = |shard: &str| {
        let args = ["work", arg(&run), "--shard", shard];
        neurogauge_with_cache(&args, &setting.path("cache-run"))
    };
    for _ in 0..2 {
        let ran = work("0/2");
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        ran.says(&["done, but for", "images \"2\""]);
    }
    let record = fs::read_to_string(run.join("shards/0-of-2/shard.json")).unwrap();
    assert!(record.contains("\"stem\": \"2\""), "{record}");
    let status = setting.run(&["cluster", "status", arg(&run)], "run").stdout;
    assert!(
        status.contains("1 done but for items that failed"),
        "{status}"
    );
    pictures(&setting.path("gt"), "image", N_IMAGES, 48, 4.0);
    assert_eq!(work("0/2").code, 0);
}

#[test]
#[cfg(unix)]
fn a_shard_that_is_told_to_stop_says_so_and_goes_on_later() {
    let setting = Setting::new();
    // Enough for it to be caught in the middle.
    pictures(&setting.path("gt"), "image", 40, 160, 4.0);
    let args = setting.perceive_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let run = setting.path("run");
    let child = setting.begin(&run, "0/1");
    let lock = run.join("shards/0-of-1/.lock");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(75), "{said}");
    assert!(said.contains("stopped; what was done is kept"), "{said}");
    write(&run.join("shards/0-of-1.log"), &said);
    let status = setting.run(&["cluster", "status", arg(&run)], "run").stdout;
    assert!(
        status.contains("0/1 failed; its log ends:\n    stopped; what"),
        "{status}"
    );
    setting.run(&["work", arg(&run), "--shard", "0/1"], "run");
    let whole = setting.whole(&setting.perceive_args("whole"), "whole");
    setting.run(&["finish", arg(&run), "--all-shards"], "run");
    let found = written(&run);
    for (name, bytes) in &whole {
        assert!(
            name.starts_with("shards") || found.get(name) == Some(bytes),
            "{}",
            name.display()
        );
    }
}

#[test]
fn scripts_of_slurm_have_what_was_asked_for() {
    let setting = Setting::new();
    let args = setting.perceive_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let run = setting.path("run");
    let slurm = "--shards 4 --gpus 1 --time 2:00:00 --max-at-once 2 --sbatch --qos=long";
    let words = [
        vec!["cluster", "slurm", arg(&run)],
        slurm.split(' ').collect(),
    ]
    .concat();
    setting.run(&["work", arg(&run), "--shard", "1/4"], "run");
    let ran = setting.run(&words, "run");
    assert!(
        ran.stdout.contains("sbatch --dependency=afterany:"),
        "{}",
        ran.stdout
    );
    ran.says(&["an array of 3 shards"]);
    let text = fs::read_to_string(run.join("cluster/work.sh")).unwrap();
    for part in [
        "--array=0,2-3%2\n",
        "--gpus=1\n",
        "--time=2:00:00\n",
        "--qos=long\n",
        "neurogauge work ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let refused = neurogauge_with_cache(&["cluster", "slurm", arg(&run), "--shards", "0"], &run);
    assert_eq!(refused.code, 2);
}

#[test]
#[cfg(unix)]
fn jobs_of_slurm_begin_with_the_lines_of_a_setup_file() {
    let setting = Setting::new();
    let args = setting.perceive_args("run");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    setting.run(&[&["plan"], &args[..]].concat(), "run");
    let (run, setup) = (setting.path("run"), setting.path("setup.sh"));
    let slurm = ["cluster", "slurm", arg(&run), "--shards", "2", "--setup"];
    let slurm = [&slurm[..], &[arg(&setup)]].concat();
    let refused = || neurogauge_with_cache(&slurm, &setting.path("cache-run"));
    assert_eq!(refused().code, 1);
    refused().says(&["setup.sh"]);
    write(&setup, "module load cuda\n#SBATCH --gpus=1\n");
    assert_eq!(refused().code, 2);
    refused().says(&["setup.sh, line 2", "--sbatch OPTION"]);

    // As on a site with modules and containers: the lines' settings are in place when the work begins, and LAUNCH starts
    // it.
    let seen = setting.path("seen");
    let lines = format!(
        "module() {{ export LOADED=$2; }}\r\nmodule load cuda\nLAUNCH=(bash -c 'echo \"$LOADED\" >{}; exec \"$@\"' container)\n",
        arg(&seen)
    );
    write(&setup, &lines);
    setting.run(&slurm, "run");
    for (script, place) in [("work.sh", "0"), ("work.sh", "1"), ("finish.sh", "")] {
        let mut job = Command::new("bash");
        job.arg(run.join("cluster").join(script));
        let ended = job.env("SLURM_ARRAY_TASK_ID", place).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{script}: {said}");
        assert_eq!(fs::read_to_string(&seen).unwrap(), "cuda\n");
        fs::remove_file(&seen).unwrap();
    }
    let status = setting.run(&["cluster", "status", arg(&run)], "run").stdout;
    assert_eq!(status, "finished: the results are written\n");
}
