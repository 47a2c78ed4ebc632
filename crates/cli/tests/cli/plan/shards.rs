//! `cluster plan`, `work` and `finish` write the same bytes as one call.

use crate::support::*;
use std::process::Child;

const N_IMAGES: usize = 7;

const SCORED: &str = "--metrics cap_sim,object_f1,ssim,effnet,clip,semantic_iou --captioner placeholder-captioner --detector \
                      placeholder-detector --set text_encoder=placeholder --set image_models=placeholder --set pixel_size=48";

/// Every position that the placeholder examines becomes a box, and every word a label.
const MASKS: &str = "--masks placeholder-segmenter --set mask_detector=placeholder-detector --set box_threshold=0 --set text_threshold=0";

const PERCEIVE: &str =
    "perceive --images gt --with placeholder:grid4 --with placeholder-captioner --with placeholder-detector";

fn score() -> String {
    let inputs = "--gt gt --recon recon --gt categories=categories.json --recon categories=categories.json";
    format!("score {inputs} {SCORED} {MASKS}")
}

/// Images and their contents, with caches and folders for calls.
struct Setting {
    dir: Folder,
}

impl Setting {
    fn new() -> Setting {
        let dir = folder();
        pictures(&dir.join("gt"), "image", N_IMAGES, 48, 4.0);
        pictures(&dir.join("recon"), "image", N_IMAGES, 48, 60.0);
        let held = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": []}], "background_elements": []}"#;
        let held = (0..N_IMAGES).map(|stem| format!("\"{stem}\": {held}")).collect::<Vec<_>>().join(", ");
        dir.write("categories.json", format!("{{{held}}}"));
        Setting { dir }
    }

    /// A setting with a call's plan, whose folder is `run`.
    fn planned(call: &str) -> Setting {
        let setting = Setting::new();
        setting.run(&format!("cluster plan {call} --out run"), "run");
        setting
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Runs the command with a cache that is shared only by calls with this `out`.
    #[track_caller]
    fn run(&self, line: &str, out: &str) -> Ran {
        let ran = self.try_run(line, out);
        assert_eq!(ran.code, 0, "{line}\n{ran}");
        ran
    }

    fn try_run(&self, line: &str, out: &str) -> Ran {
        self.dir.run_with_cache(line, format!("cache-{out}"))
    }

    /// Starts to work on a shard.
    fn begin(&self, shard: &str) -> Child {
        let mut command = self.dir.command(&format!("--threads 1 cluster work run --shard {shard}"), "cache-run");
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn whole(&self, call: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        self.run(&format!("{call} --out whole"), "whole");
        written(&self.path("whole"))
    }

    /// `run` must have the results of one call.
    #[track_caller]
    fn is_whole(&self, run: &str, whole: &BTreeMap<PathBuf, Vec<u8>>) {
        let found = written(&self.path(run));
        for (name, bytes) in whole {
            assert!(found.get(name) == Some(bytes), "{run}: {}", name.display());
        }
    }

    /// The same call as a plan, with these of `n` shards in this order.
    fn in_shards(&self, call: &str, out: &str, shards: &[usize], n: usize) {
        self.run(&format!("cluster plan {call} --out {out}"), out);
        assert!(self.path(out).join("plan.json").exists());
        for shard in shards {
            self.run(&format!("cluster work {out} --shard {shard}/{n}"), out);
        }
        self.run(&format!("cluster finish {out}"), out);
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
            let is_record = ["run.json", "plan.json"].contains(&&*text) || text.starts_with("shards");
            // The tables contain the name of the run.
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
    let whole = setting.whole(&score());
    assert!(whole.keys().any(|name| name.ends_with("scores.parquet")));
    for kind in ["captions", "detections", "masks", "features"] {
        let is_of = |name: &PathBuf| name.to_string_lossy().contains(&format!("/gt/{kind}"));
        assert!(whole.keys().any(is_of), "{kind}: {:?}", whole.keys());
    }
    let cases: [(&str, &[usize], usize); 4] = [
        ("one", &[0], 1),
        ("from-1", &[2, 3, 1], 3),
        ("repeated", &[1, 0, 1, 2], 3),
        // More shards than pairs, and most of them left to `cluster finish`.
        ("missing", &[8, 0], 9),
    ];
    for (out, shards, n) in cases {
        setting.in_shards(&score(), out, shards, n);
        setting.is_whole(out, &whole);
        assert!(written(&setting.path(out)).keys().eq(whole.keys()), "{out}");
        let columns = |run: &str| scores(&setting.path(run)).columns;
        assert_eq!(columns(out), columns("whole"));
    }
    // Three shards at once share a folder and a cache; the last two are the same shard.
    setting.run(&format!("cluster plan {} --out run", score()), "run");
    for child in ["0/2", "1/2", "1/2"].map(|shard| setting.begin(shard)) {
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{said}");
    }
    setting.run("cluster finish run --all-shards", "run");
    setting.is_whole("run", &whole);
}

#[test]
fn shards_of_clips_write_the_same_bytes() {
    let setting = Setting::new();
    // Clips of four frames, and two samples of their reconstructions, of three frames.
    for clip in 0..5 {
        for frame in 0..4 {
            let image = picture(&format!("{clip}-{frame}"), 32, 4.0);
            write_png(&setting.path(&format!("clips/{clip}/{frame}.png")), &image).unwrap();
        }
        for (sample, frame) in [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 1), ("b", 2)] {
            let image = picture(&format!("{clip}-{frame}{sample}"), 32, 60.0);
            write_png(&setting.path(&format!("decoded/{clip}_{sample}/{frame}.png")), &image).unwrap();
        }
    }
    let call = "score clips decoded --parts '{item}_{sample}/{frame}' --set image_models=placeholder --set pixel_size=own \
                --metrics ssim,clip,n_way_accuracy_2,video_n_way_accuracy_2,frame_consistency";
    let whole = setting.whole(call);
    assert!(whole.contains_key(Path::new("scores_of_parts.parquet")));
    // Stimuli are compared with both samples, so each of their frames occurs twice, and every pair has the classes of
    // both sides.
    assert_eq!(setting.dir.read("whole/details.jsonl").matches("\"n_way_accuracy\"").count(), 5 * 2 * 4);
    // An item's frames and samples may belong to different shards.
    for (out, shards, n) in [("three", &[2, 0, 1][..], 3), ("many", &[6, 3, 1], 7)] {
        setting.in_shards(call, out, shards, n);
        setting.is_whole(out, &whole);
    }
}

#[test]
fn shards_of_perceive_write_the_same_bytes() {
    let setting = Setting::new();
    let call = format!("{PERCEIVE} {MASKS} --categories categories.json");
    let whole = setting.whole(&call);
    assert!(whole.keys().any(|name| name.ends_with("masks/0.json")));
    for (out, shards, n) in [("three", &[2, 0, 1][..], 3), ("missing", &[1], 2)] {
        setting.in_shards(&call, out, shards, n);
        setting.is_whole(out, &whole);
    }
}

#[test]
fn a_shard_that_is_done_is_not_worked_again_and_a_plan_of_other_images_is_refused() {
    let setting = Setting::new();
    assert_snapshot!(setting.run(&format!("cluster plan {} --out run", score()), "run"), @"
    exit 0, stdout:
    observe
      gt/captions by colour-words, of gt/images: 7 items, 0 known
      recon/captions by colour-words, of recon/images: 7 items, 0 known
      gt/detections by colour-boxes, of gt/images: 7 items, 0 known
      recon/detections by colour-boxes, of recon/images: 7 items, 0 known
      gt/masks by box-masks, of gt/images: 7 items, 0 known
      recon/masks by box-masks, of recon/images: 7 items, 0 known
      gt/features by mean-colours.grid4, of gt/images: 7 items, 0 known
      recon/features by mean-colours.grid4, of recon/images: 7 items, 0 known
    compare 7 pairs
      ssim: computed
      clip: perceived/mean-colours.grid4, rests on a placeholder
      effnet: perceived/mean-colours.grid4, rests on a placeholder
      object_f1: computed, rests on a placeholder
      cap_sim: computed, rests on a placeholder
      semantic_iou: computed, rests on a placeholder
    leave out
      clip_pool: needs clip_vit_l_14.image_embeds.npy or clip.npy in the features folders of both sides (--observations, or --gt features=DIR and --recon features=DIR), and the same of other images in --pool, or images of both sides and of others (--gt, --recon, --pool)
    stderr: run: planned; `neurogauge cluster work run --shard I/N` does a shard, `neurogauge cluster finish run` the rest
    ");
    let work = |shard: &str| setting.try_run(&format!("cluster work run --shard {shard}"), "run");
    assert_snapshot!(work("0/2"), @"exit 0, stderr: run: shard 0/2 (or 2/2) is done");
    fs::remove_file(setting.path("gt/0.png")).unwrap();
    assert_snapshot!(work("0/2"), @"exit 0, stderr: run: shard 0/2 (or 2/2) is already done");

    // Another image with that name.
    pictures(&setting.path("gt"), "other", 1, 48, 4.0);
    assert_snapshot!(work("1/2"), @"exit 5, stderr: error: run: the inputs, models or settings are not those that were planned (fingerprint [HASH] instead of [HASH]); restore them, or plan again with `neurogauge cluster plan`");
    let table = "
    -1/2
      exit 2, stderr: error: invalid value '-1/2' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    3/2
      exit 2, stderr: error: invalid value '3/2' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    1
      exit 2, stderr: error: invalid value '1' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    1/0
      exit 2, stderr: error: invalid value '1/0' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    0/0
      exit 2, stderr: error: invalid value '0/0' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    0/10000000
      exit 2, stderr: error: invalid value '0/10000000' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    ";
    setting.dir.refuses("cluster work run --shard", "out", table);
}

/// Other numbers of shards, and N/N for shard 0/N, as in job lists that start at 1.
#[test]
fn the_number_of_shards_may_change_and_finish_says_which_are_missing() {
    let setting = Setting::planned(PERCEIVE);
    let whole = setting.whole(PERCEIVE);
    let work = |shard: &str| setting.run(&format!("cluster work run --shard {shard}"), "run");
    for shard in ["3/3", "1/3", "5/6"] {
        work(shard);
    }
    assert!(setting.path("run/shards/0-of-3/shard.json").exists());
    let finish = || setting.try_run("cluster finish run --all-shards", "run");
    assert_snapshot!(finish(), @"exit 1, stderr: error: run: 1 of 3 shards are missing: 2/3; do them with `neurogauge cluster work`");
    assert_snapshot!(setting.run("cluster status run", "run"), @"exit 0, stdout: 3 shards: 2 done, 0 running, 0 failed, 1 waiting");
    work("4/6");
    assert_eq!(finish().code, 0);
    assert_snapshot!(setting.run("cluster status run", "run"), @"exit 0, stdout: finished: the results are written");
    assert_eq!(setting.run("cluster status run --format json", "run").json()["finished"], true);

    // `finish` reads the cache of `work`.
    setting.run(&format!("cluster plan {PERCEIVE} --out other"), "other");
    setting.run("cluster work other --shard 0/1 --cache kept", "other");
    let ran = setting.run("cluster finish other --cache kept", "other");
    ran.says(&["colour-words: 7 of 7 images described, 0 of them seen by the model now"]);
    setting.is_whole("run", &whole);
    setting.is_whole("other", &whole);
}

#[test]
fn items_that_fail_are_named_and_the_others_are_done() {
    let setting = Setting::new();
    fs::write(setting.path("gt/2.png"), "half an image").unwrap();
    setting.run(&format!("cluster plan {PERCEIVE} --out run"), "run");
    let work = || setting.try_run("cluster work run --shard 0/2", "run");
    let first = work();
    assert_snapshot!(first, @r#"
    exit 4, stderr:
    note: image "2": [DIR]/gt/2.png: not a readable image: text that begins with "half an image"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: image "2": [DIR]/gt/2.png: not a readable image: text that begins with "half an image"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: image "2": [DIR]/gt/2.png: not a readable image: text that begins with "half an image"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: images: 7 images, files
    error: run/shards/0-of-2: done, except what failed (1): images "2" ([DIR]/gt/2.png: not a readable image: text that begins with "half an image"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file); repair it and work on the shard again
    "#);
    assert_eq!(work().to_string(), first.to_string());
    contains(&setting.dir.read("run/shards/0-of-2/shard.json"), &["\"stem\": \"2\""]);
    assert_snapshot!(setting.run("cluster status run", "run"), @r#"
    exit 0, stdout:
    2 shards: 0 done, 1 done except items that failed, 0 running, 0 failed, 1 waiting
    0/2 done except images "2": [DIR]/gt/2.png: not a readable image: text that begins with "half an image"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    "#);
    pictures(&setting.path("gt"), "image", N_IMAGES, 48, 4.0);
    assert_eq!(work().code, 0);
}

#[test]
#[cfg(unix)]
fn a_shard_that_is_told_to_stop_says_so_and_goes_on_later() {
    let setting = Setting::new();
    // Enough work to be interrupted in the middle.
    pictures(&setting.path("gt"), "image", 40, 160, 4.0);
    setting.run(&format!("cluster plan {PERCEIVE} --out run"), "run");
    let child = setting.begin("0/1");
    let lock = setting.path("run/shards/0-of-1/.lock");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(75), "{said}");
    assert!(said.contains("stopped; what was done is kept"), "{said}");
    setting.dir.write("run/shards/0-of-1.log", &said);
    assert_snapshot!(setting.run("cluster status run", "run"), @"
    exit 0, stdout:
    1 shard: 0 done, 0 running, 1 failed, 0 waiting
    0/1 failed; its log ends:
        stopped; what was done is kept in run and in the cache, except the last few items; repeat the command to go on from there
    ");
    setting.run("cluster work run --shard 0/1", "run");
    let whole = setting.whole(PERCEIVE);
    setting.run("cluster finish run --all-shards", "run");
    setting.is_whole("run", &whole);
}

#[test]
fn scripts_of_slurm_have_what_was_asked_for() {
    let setting = Setting::planned(PERCEIVE);
    let slurm = "cluster slurm run --shards 4 --gpus 1 --time 2:00:00 --max-at-once 2 --sbatch --qos=long";
    setting.run("cluster work run --shard 1/4", "run");
    assert_snapshot!(setting.run(slurm, "run"), @"
    exit 0, stdout:
    JOB=$(sbatch --parsable [DIR]/run/cluster/work.sh) &&
    sbatch --dependency=afterany:${JOB%%;*} [DIR]/run/cluster/finish.sh
    stderr: [DIR]/run/cluster/work.sh: an array of 3 shards; [DIR]/run/cluster/finish.sh: finishes the run once they have ended
    ");
    let text = setting.dir.read("run/cluster/work.sh");
    contains(
        &text,
        &["--array=0,2-3%2\n", "--gpus=1\n", "--time=2:00:00\n", "--qos=long\n", "neurogauge cluster work "],
    );
    assert_eq!(setting.try_run("cluster slurm run --shards 0", "run").code, 2);
}

#[test]
#[cfg(unix)]
fn jobs_of_slurm_begin_with_the_lines_of_a_setup_file() {
    let setting = Setting::planned(PERCEIVE);
    let slurm = "cluster slurm run --shards 2 --setup setup.sh";
    assert_snapshot!(setting.try_run(slurm, "run"), @"exit 1, stderr: error: setup.sh: reading failed: No such file or directory");
    setting.dir.write("setup.sh", "module load cuda\n#SBATCH --gpus=1\n");
    assert_snapshot!(setting.try_run(slurm, "run"), @r##"exit 2, stderr: error: setup.sh, line 2: "#SBATCH --gpus=1" would not be read by SLURM here; give such options with --sbatch OPTION"##);

    // As on a cluster with modules and containers: the settings of these lines apply when the work begins, and LAUNCH
    // starts it.
    let seen = setting.path("seen");
    let lines = format!(
        "module() {{ export LOADED=$2; }}\r\nmodule load cuda\nLAUNCH=(bash -c 'echo \"$LOADED\" >{}; exec \"$@\"' container)\n",
        seen.display()
    );
    setting.dir.write("setup.sh", lines);
    setting.run(slurm, "run");
    for (script, place) in [("work.sh", "0"), ("work.sh", "1"), ("finish.sh", "")] {
        let mut job = Command::new("bash");
        job.arg(setting.path("run/cluster").join(script));
        let ended = job.env("SLURM_ARRAY_TASK_ID", place).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{script}: {said}");
        assert_eq!(fs::read_to_string(&seen).unwrap(), "cuda\n");
        fs::remove_file(&seen).unwrap();
    }
    assert_eq!(setting.run("cluster status run", "run").stdout, "finished: the results are written\n");
}

#[test]
fn finish_refuses_what_work_refuses() {
    let setting = Setting::new();
    let call = "score gt recon --metrics ssim --set pixel_size=48";
    for (out, more) in [("run", ""), ("other", "--overwrite")] {
        setting.run(&format!("cluster plan {call} {more} --out {out}"), out);
        setting.run(&format!("cluster work {out} --shard 0/1"), out);
    }
    let own = "--checkpoint resnet50=nowhere.pth";
    let said = ["cluster work run --shard 0/1", "cluster finish run"]
        .map(|line| format!("{}\n", setting.try_run(&format!("{line} {own}"), "run")));
    assert_snapshot!(said.concat(), @"
    exit 2, stderr: error: --checkpoint resnet50=nowhere.pth: the plan says which weights models have; give it to `neurogauge cluster plan` instead
    exit 2, stderr: error: --checkpoint resnet50=nowhere.pth: the plan says which weights models have; give it to `neurogauge cluster plan` instead
    ");
    // Another image with that name.
    pictures(&setting.path("gt"), "other", 1, 48, 4.0);
    assert_snapshot!(setting.try_run("cluster finish run", "run"), @"exit 5, stderr: error: run: the inputs, models or settings are not those that were planned (fingerprint [HASH] instead of [HASH]); restore them, or plan again with `neurogauge cluster plan`");
    assert_snapshot!(setting.try_run("cluster finish other", "other"), @"exit 5, stderr: error: other: the inputs, models or settings are not those that were planned (fingerprint [HASH] instead of [HASH]); restore them, or plan again with `neurogauge cluster plan`");
}
